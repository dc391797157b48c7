/** Groups text positions into lines, from left to right. */

import { maxOf } from '../../../../shared/extremes.ts'
import { plainText } from '../../../../shared/flow/flow.ts'
import { inReadingOrder } from './reading-order.ts'
import { splitAt, withoutStart } from './split-positions.ts'
import type { TextPosition } from './text-positions.ts'
import type { WordExtent } from './word-boxes.ts'

/** A segment of a line without a wide gap. A line of running text has one, a row of a table several. */
export interface LineSegment {
  readonly positions: readonly TextPosition[]
  readonly x: number
  readonly right: number
}

export interface PdfLine {
  readonly y: number
  readonly bottom: number
  readonly x: number
  readonly right: number
  readonly size: number // of most of its text
  readonly segments: readonly LineSegment[]
  /** Whether its segments are cells that were separated because of adjacent lines. */
  readonly parted?: true
}

/**
 * Maximum gap between two texts of one segment, in font sizes: a word space is a quarter, justified ones are
 * wider.
 */
const widestSpace = 1.1

/** The lines of a set of text positions, from the top. */
export function linesOf(positions: readonly TextPosition[]): readonly PdfLine[] {
  const sorted = positions.toSorted((a, b) => a.y + a.height / 2 - (b.y + b.height / 2) || a.x - b.x)
  const rows: { positions: TextPosition[]; top: number; bottom: number }[] = []
  for (const position of sorted) {
    const middle = position.y + position.height / 2
    const row = rows.at(-1)
    // Raised and lowered characters overlap the middle of their line.
    if (
      row !== undefined &&
      middle < row.bottom - Math.min(position.height, row.bottom - row.top) * 0.25 &&
      middle > row.top
    ) {
      row.positions.push(position)
      if (position.height > row.bottom - row.top)
        Object.assign(row, { top: position.y, bottom: position.y + position.height })
    } else rows.push({ positions: [position], top: position.y, bottom: position.y + position.height })
  }
  return withScripts(rows).map(({ positions: row, top, bottom }) => lineOf(row, top, bottom))
}

interface TextRow {
  readonly positions: TextPosition[]
  readonly top: number
  readonly bottom: number
}

/** Small text that overlaps a line directly after a word of it is a superscript or subscript. */
function withScripts(rows: readonly TextRow[]): readonly TextRow[] {
  const merged = new Set<TextRow>()
  for (const [at, row] of rows.entries())
    for (const host of [rows[at + 1], rows[at - 1]]) {
      if (
        host === undefined ||
        merged.has(host) ||
        merged.has(row) ||
        !row.positions.every((position) => hangs(position, host))
      )
        continue
      const starts = row.positions.map((position) => position.x)
      const parts = host.positions.flatMap((position) => {
        const [first = position, ...rest] = splitAt(position, starts)
        return [first, ...rest.map(trimmed)]
      })
      host.positions.length = 0
      for (const position of [...parts, ...row.positions]) host.positions.push(position)
      merged.add(row)
    }
  return rows.filter((row) => !merged.has(row))
}

function hangs(position: TextPosition, { positions, top, bottom }: TextRow): boolean {
  const overlap = Math.min(position.y + position.height, bottom) - Math.max(position.y, top)
  if (overlap < position.height * 0.2) return false
  return positions.some(
    (candidate) =>
      position.size < candidate.size * 0.9 &&
      position.x > candidate.x + candidate.size * 0.2 &&
      position.x < candidate.x + candidate.width + candidate.size * 0.25 &&
      // Whether text is inside a word or directly after it.
      (position.x + position.width < candidate.x + candidate.width ||
        position.x > candidate.x + candidate.width - candidate.size * 0.25),
  )
}

/** Moves the start of a segment past the space that contains raised text. */
function trimmed(position: TextPosition): TextPosition {
  return withoutStart(position, position.text.length - position.text.trimStart().length)
}

function lineOf(positions: readonly TextPosition[], y: number, bottom: number): PdfLine {
  const sorted = positions.toSorted((a, b) => a.x - b.x)
  const space = justifiedSpace(sorted)
  const segments: { positions: TextPosition[]; x: number; right: number }[] = []
  for (const position of sorted) {
    const last = segments.at(-1)
    if (last !== undefined && position.x - last.right < Math.max(widestSpace * position.size, space)) {
      last.positions.push(position)
      last.right = Math.max(last.right, position.x + position.width)
    } else segments.push({ positions: [position], x: position.x, right: position.x + position.width })
  }
  return {
    y,
    bottom,
    x: segments[0]?.x ?? 0,
    right: maxOf(segments.map((segment) => segment.right)),
    size: mainSize(positions),
    segments,
  }
}

/** Font sizes, and the ratio of the spaces of one justified line. */
const widestJustified = 2.5
const unevenSpaces = 1.6
const minJustified = 4

/** The widest space of a line of running text that was justified in a narrow column; otherwise 0. */
function justifiedSpace(sorted: readonly TextPosition[]): number {
  const words = sorted.flatMap(({ words: all = [] }) => all)
  if (words.length < minJustified || !isMostlyLetters(sorted)) return 0
  const gaps = words.slice(1).map(({ x }, at) => x - (words[at] as WordExtent).right)
  const narrow = gaps.toSorted((a, b) => a - b)[gaps.length >> 2] ?? 0
  return Math.min(narrow * unevenSpaces, widestJustified * (sorted[0]?.size ?? 0))
}

function isMostlyLetters(positions: readonly TextPosition[]): boolean {
  const text = positions.map((position) => position.text).join('')
  return text.replace(/[^\p{L}]/gu, '').length > text.replace(/\s/g, '').length * 0.8
}

function mainSize(positions: readonly TextPosition[]): number {
  const lengths = new Map<number, number>()
  for (const { size, text } of positions) lengths.set(size, (lengths.get(size) ?? 0) + text.length)
  return [...lengths].reduce((longest, candidate) => (candidate[1] > longest[1] ? candidate : longest), [
    0, -1,
  ] as const)[0]
}

export function textOfLine(line: PdfLine): string {
  const positions = line.segments.flatMap((segment) => segment.positions)
  const inlines = positions.flatMap((position, at) => [
    ...(at === 0 ? [] : [{ kind: 'text' as const, text: ' ', style: {} }]),
    ...position.inlines,
  ])
  return plainText(inReadingOrder(inlines)).replace(/\s+/g, ' ').trim()
}
