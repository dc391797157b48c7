import type { FontFile } from '../sfnt/font-file.ts'
import {
  type Classes,
  type GlyphCoverage,
  newBudget,
  readClasses,
  readCoverage,
  readLookup,
  type StepBudget,
  spend,
} from './tables.ts'

/** The change of the advance of the left glyph before the right one, in font units. */
export type PairKerning = (left: number, right: number) => number

interface PairTable {
  readonly coverage: GlyphCoverage
  /** Returns undefined when this subtable has no value for the pair, so that the next one is tried. */
  adjust(left: number, right: number): number | undefined
}

const extensionType = 9

/**
 * Pair adjustment of GPOS for the lookups of the kern feature. Within a lookup the first subtable that covers
 * the pair decides; lookups add up. Only the advance of the first glyph is used, because no known font moves
 * the second one.
 *
 * Source: OpenType 1.9 GPOS, lookup type 2.
 */
export function readPairKerning(font: FontFile, lookups: readonly number[]): PairKerning {
  const table = font.table('GPOS')
  if (table === undefined || lookups.length === 0) return () => 0
  const budget = newBudget()
  const decoded = lookups.map((index) => decode(table, index, budget)).filter((tables) => tables.length > 0)
  if (decoded.length === 0) return () => 0
  return (left, right) => {
    let sum = 0
    for (const tables of decoded) {
      for (const pairs of tables) {
        const value = pairs.coverage.has(left) ? pairs.adjust(left, right) : undefined
        if (value === undefined) continue
        sum += value
        break
      }
    }
    return sum
  }
}

function decode(table: DataView, index: number, budget: StepBudget): PairTable[] {
  try {
    const head = readLookup(table, index, extensionType)
    if (head === undefined || head.type !== 2) return []
    return head.subtables.map((at) =>
      table.getUint16(at) === 1 ? readPairs(table, at, budget) : readClassPairs(table, at, budget),
    )
  } catch {
    return []
  }
}

/** The size of a value record and the offset of the x advance in it; -1 when it has none. */
function valueLayout(format: number): { size: number; advance: number } {
  let size = 0
  let advance = -1
  for (let bit = 0; bit < 8; bit++) {
    if ((format & (1 << bit)) === 0) continue
    if (bit === 2) advance = size
    size += 2
  }
  return { size, advance }
}

function readPairs(table: DataView, at: number, budget: StepBudget): PairTable {
  const coverage = readCoverage(table, at + table.getUint16(at + 2), budget)
  const first = valueLayout(table.getUint16(at + 4))
  const second = valueLayout(table.getUint16(at + 6))
  const size = 2 + first.size + second.size
  const pairs = new Map<number, number>()
  for (const [left, index] of coverage) {
    const set = at + table.getUint16(at + 10 + 2 * index)
    const count = table.getUint16(set)
    spend(budget, count)
    for (let item = 0; item < count; item++) {
      const record = set + 2 + size * item
      const value = first.advance < 0 ? 0 : table.getInt16(record + 2 + first.advance)
      pairs.set(left * 65536 + table.getUint16(record), value)
    }
  }
  return { coverage, adjust: (left, right) => pairs.get(left * 65536 + right) }
}

function readClassPairs(table: DataView, at: number, budget: StepBudget): PairTable {
  const coverage = readCoverage(table, at + table.getUint16(at + 2), budget)
  const first = valueLayout(table.getUint16(at + 4))
  const second = valueLayout(table.getUint16(at + 6))
  const left: Classes = readClasses(table, at + table.getUint16(at + 8), budget)
  const right: Classes = readClasses(table, at + table.getUint16(at + 10), budget)
  const lefts = table.getUint16(at + 12)
  const rights = table.getUint16(at + 14)
  const size = first.size + second.size
  spend(budget, lefts * rights)
  const values = new Int16Array(lefts * rights)
  if (first.advance >= 0) {
    for (let cell = 0; cell < values.length; cell++) {
      values[cell] = table.getInt16(at + 16 + size * cell + first.advance)
    }
  }
  return {
    coverage,
    adjust: (a, b) => values[(left.get(a) ?? 0) * rights + (right.get(b) ?? 0)] ?? 0,
  }
}

/** The old `kern` table, format 0 of horizontal subtables, which is used when GPOS has no kern feature. */
export function readKernTable(font: FontFile): PairKerning {
  const table = font.table('kern')
  if (table === undefined || table.byteLength < 4) return () => 0
  const pairs = new Map<number, number>()
  const apple = table.getUint16(0) === 1
  const count = Math.min(apple ? table.getUint32(4) : table.getUint16(2), 32)
  let at = apple ? 8 : 4
  for (let subtable = 0; subtable < count && at + 14 <= table.byteLength; subtable++) {
    const length = apple ? table.getUint32(at) : table.getUint16(at + 2)
    const coverage = table.getUint16(at + 4)
    const header = apple ? 8 : 6
    const horizontal = apple ? (coverage & 0xe0ff) === 0 : (coverage & 0xff07) === 1
    const number = table.getUint16(at + header)
    const stored = Math.floor((table.byteLength - at - header - 8) / 6)
    if (horizontal) {
      for (let pair = 0; pair < Math.min(number, stored); pair++) {
        const record = at + header + 8 + 6 * pair
        const key = table.getUint16(record) * 65536 + table.getUint16(record + 2)
        pairs.set(key, (pairs.get(key) ?? 0) + table.getInt16(record + 4))
      }
    }
    // Large tables overflow the 16-bit length, so the number of pairs is used instead.
    at += Math.max(length, header + 8 + 6 * number)
  }
  return (left, right) => pairs.get(left * 65536 + right) ?? 0
}
