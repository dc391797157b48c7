import { pushAll } from '../../../../../shared/push-all.ts'
import type { FontFile } from '../sfnt/font-file.ts'
import { type GlyphCoverage, newBudget, readCoverage, readLookup, type StepBudget } from './tables.ts'

/**
 * Returns the position of a mark relative to the origin of the glyph it is attached to, in font units, y
 * upward.
 */
export interface MarkAnchors {
  /** Whether any of the tables positions the glyph. */
  positions(mark: number): boolean
  attach(
    base: number,
    mark: number,
    isMarkToMark: boolean,
  ): { readonly dx: number; readonly dy: number } | undefined
}

interface GlyphAnchor {
  readonly x: number
  readonly y: number
}
interface MarkTable {
  readonly marks: GlyphCoverage
  readonly bases: GlyphCoverage
  markAt(index: number): { readonly class: number; readonly anchor: GlyphAnchor } | undefined
  baseAt(index: number, markClass: number): GlyphAnchor | undefined
  readonly isMarkToMark: boolean
}

const extensionType = 9

/**
 * Mark to base (4), mark to ligature (5, the last component) and mark to mark (6) of GPOS. The last lookup
 * that has the pair wins, as when lookups are applied one after another. Source: OpenType 1.9 GPOS.
 */
export function readMarkAnchors(font: FontFile, lookups: readonly number[]): MarkAnchors {
  const table = font.table('GPOS')
  const tables: MarkTable[] = []
  const budget = newBudget()
  if (table !== undefined) {
    for (const index of lookups) pushAll(tables, decode(table, index, budget))
  }
  return {
    positions: (mark) => tables.some(({ marks }) => marks.has(mark)),
    attach(base, mark, isMarkToMark) {
      let offset: { dx: number; dy: number } | undefined
      for (const markTable of tables) {
        if (markTable.isMarkToMark !== isMarkToMark) continue
        const markIndex = markTable.marks.get(mark)
        const baseIndex = markTable.bases.get(base)
        if (markIndex === undefined || baseIndex === undefined) continue
        const markAnchor = markTable.markAt(markIndex)
        const other = markAnchor && markTable.baseAt(baseIndex, markAnchor.class)
        if (markAnchor && other)
          offset = { dx: other.x - markAnchor.anchor.x, dy: other.y - markAnchor.anchor.y }
      }
      return offset
    },
  }
}

function decode(table: DataView, index: number, budget: StepBudget): MarkTable[] {
  try {
    const head = readLookup(table, index, extensionType)
    if (head === undefined || head.type < 4 || head.type > 6) return []
    return head.subtables.map((at) => readMarkTable(table, at, head.type, budget))
  } catch {
    return []
  }
}

function readMarkTable(table: DataView, at: number, type: number, budget: StepBudget): MarkTable {
  const marks = readCoverage(table, at + table.getUint16(at + 2), budget)
  const bases = readCoverage(table, at + table.getUint16(at + 4), budget)
  const classCount = table.getUint16(at + 6)
  const markArray = at + table.getUint16(at + 8)
  const baseArray = at + table.getUint16(at + 10)
  return {
    marks,
    bases,
    isMarkToMark: type === 6,
    markAt: (index) =>
      tolerant(() => {
        const record = markArray + 2 + 4 * index
        const anchor = readAnchor(table, markArray, table.getUint16(record + 2))
        return anchor && { class: table.getUint16(record), anchor }
      }),
    baseAt: (index, markClass) =>
      tolerant(() => {
        if (markClass >= classCount) return undefined
        if (type !== 5) {
          const record = baseArray + 2 + 2 * (classCount * index + markClass)
          return readAnchor(table, baseArray, table.getUint16(record))
        }
        const ligature = baseArray + table.getUint16(baseArray + 2 + 2 * index)
        const components = table.getUint16(ligature)
        const record = ligature + 2 + 2 * (classCount * (components - 1) + markClass)
        return readAnchor(table, ligature, table.getUint16(record))
      }),
  }
}

function readAnchor(table: DataView, base: number, offset: number): GlyphAnchor | undefined {
  if (offset === 0) return undefined
  return { x: table.getInt16(base + offset + 2), y: table.getInt16(base + offset + 4) }
}

function tolerant<T>(read: () => T | undefined): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
