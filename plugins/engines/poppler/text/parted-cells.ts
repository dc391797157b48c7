/**
 * Finds cells that are so close to each other that each line on its own looks like running text. The columns of such
 * a table are separated by a gutter that runs through several lines, and the words after it are aligned.
 */
import { maxOf, minOf } from '../../../../shared/extremes.ts'
import type { LineSegment, PdfLine } from './lines.ts'
import { splitAt } from './split-positions.ts'

interface Strip {
  readonly left: number
  readonly right: number
}

interface WordRange {
  readonly x: number
  readonly right: number
  readonly text: string
}

/**
 * Minimum width of a gutter, in font sizes. A justified word space is seldom wider, and never at the same position in
 * three lines.
 */
const minStrip = 0.45
const minRows = 3
const maxGaps = 48
/** Maximum distance of aligned edges of words, in font sizes. */
const aligned = 0.2
/** Maximum distance between rows, in font sizes. */
const maxStep = 3

/** The lines, with their segments split where a gutter separates the columns of a table. */
export function withPartedCells(lines: readonly PdfLine[]): readonly PdfLine[] {
  const out: PdfLine[] = []
  for (let at = 0; at < lines.length; ) {
    const table = tableFrom(lines, at)
    if (table === undefined) out.push(lines[at++] as PdfLine)
    else {
      for (const line of lines.slice(at, at + table.rows)) out.push(splitLine(line, table.borders))
      at += table.rows
    }
  }
  return out
}

function tableFrom(
  lines: readonly PdfLine[],
  start: number,
): { readonly rows: number; readonly borders: readonly number[] } | undefined {
  let strips = stripsOf(lines[start] as PdfLine)
  let end = start + 1
  for (; end < lines.length && strips.length > 0; end++) {
    const [above, line] = [lines[end - 1] as PdfLine, lines[end] as PdfLine]
    if (line.y - above.bottom > maxStep * line.size || Math.abs(line.size - above.size) > 1) break
    const next = common(strips, whiteOf(line), minStrip * line.size)
    const rows = end - start
    // The first line after a table continues few of its gutters, or none.
    if (next.length === 0 || (rows >= minRows && next.length < strips.length / 2)) break
    strips = next
  }
  const rows = end - start
  if (rows < minRows) return undefined
  const table = lines.slice(start, end)
  const borders = strips
    .filter((strip) => isBorder(table, strip))
    .map(({ left, right }) => (left + right) / 2)
  return borders.length === 0 ? undefined : { rows, borders }
}

const wordsOf = (line: PdfLine): readonly WordRange[] =>
  line.segments
    .flatMap(({ positions }) =>
      positions.flatMap(
        ({ x, width, text, words }): readonly WordRange[] =>
          words?.map((word) => ({ ...word, text: text.slice(word.from, word.to) })) ?? [
            { x, right: x + width, text },
          ],
      ),
    )
    .toSorted((a, b) => a.x - b.x)

/** The white intervals between the words of a line. */
function stripsOf(line: PdfLine): readonly Strip[] {
  const strips: Strip[] = []
  let reached = Number.POSITIVE_INFINITY
  for (const { x, right } of wordsOf(line)) {
    if (x - reached >= minStrip * line.size) strips.push({ left: reached, right: x })
    reached = reached === Number.POSITIVE_INFINITY ? right : Math.max(reached, right)
  }
  return strips.slice(0, maxGaps)
}

/** The white intervals of a line, including those before and after its text. */
const whiteOf = (line: PdfLine): readonly Strip[] => [
  { left: Number.NEGATIVE_INFINITY, right: line.x },
  ...stripsOf(line),
  { left: line.right, right: Number.POSITIVE_INFINITY },
]

function common(first: readonly Strip[], second: readonly Strip[], minWidth: number): readonly Strip[] {
  return first.flatMap((segment) =>
    second.flatMap((other) => {
      const strip = { left: Math.max(segment.left, other.left), right: Math.min(segment.right, other.right) }
      return strip.right - strip.left >= minWidth ? [strip] : []
    }),
  )
}

/** Most rows have words on both sides, and those next to the gutter are aligned with each other. */
function isBorder(lines: readonly PdfLine[], { left, right }: Strip): boolean {
  const middle = (left + right) / 2
  const size = maxOf(lines.map((line) => line.size))
  const rows = lines.flatMap((line) => {
    const words = wordsOf(line)
    const [before, after] = [
      words.findLast((word) => word.right < middle),
      words.find((word) => word.x > middle),
    ]
    // A bullet or a check box before a text is not a cell.
    return before === undefined || after === undefined || !/[\p{L}\p{N}]/u.test(before.text)
      ? []
      : [{ before: before.right, after: after.x }]
  })
  if (rows.length < Math.max(minRows, lines.length * 0.6)) return false
  if (lines.filter((line) => isJustified(line, middle)).length > lines.length / 2) return false
  // The heads of the columns may have another alignment.
  const body = rows.slice(rows.length > minRows ? 1 : 0)
  const spread = (values: readonly number[]) => maxOf(values) - minOf(values)
  return (
    spread(body.map(({ after }) => after)) < aligned * size ||
    spread(body.map(({ before }) => before)) < aligned * size ||
    isRightAligned(lines, middle, aligned * size)
  )
}

/** Maximum ratio of the spaces of a justified line. */
const unevenSpaces = 1.6
const minJustified = 4

/** Whether a line is running text whose spaces are all about as wide as the one at this position. */
function isJustified(line: PdfLine, middle: number): boolean {
  const words = wordsOf(line)
  if (words.length < minJustified || words.some(({ text }) => !/\p{L}/u.test(text))) return false
  const gaps = words.slice(1).map(({ x }, at) => x - (words[at] as WordRange).right)
  const gapAtMiddle = gaps.find((_, at) => (words[at + 1] as WordRange).x > middle) ?? 0
  return gapAtMiddle < (gaps.toSorted((a, b) => a - b)[gaps.length >> 2] ?? 0) * unevenSpaces
}

/** Whether the cells after a gutter end at the same position, as figures do. */
function isRightAligned(lines: readonly PdfLine[], middle: number, tolerance: number): boolean {
  const ends = lines.flatMap((line) => {
    const words = wordsOf(line)
    let at = words.findIndex((word) => word.x > middle)
    if (at < 0) return []
    while (
      at + 1 < words.length &&
      (words[at + 1] as WordRange).x - (words[at] as WordRange).right < minStrip * line.size
    )
      at++
    return [(words[at] as WordRange).right]
  })
  return ends.length >= minRows && maxOf(ends) - minOf(ends) < tolerance
}

function splitLine(line: PdfLine, borders: readonly number[]): PdfLine {
  const segments = line.segments.flatMap((segment): readonly LineSegment[] => {
    const inside = borders.filter((x) => x > segment.x && x < segment.right)
    if (inside.length === 0) return [segment]
    const parts: LineSegment[] = []
    for (const position of segment.positions.flatMap((unsplit) => splitAt(unsplit, inside))) {
      const last = parts.at(-1)
      const right = position.x + position.width
      const middle = position.x + position.width / 2
      if (last !== undefined && !inside.some((x) => x > (last.x + last.right) / 2 && x < middle))
        parts[parts.length - 1] = {
          positions: [...last.positions, position],
          x: last.x,
          right: Math.max(last.right, right),
        }
      else parts.push({ positions: [position], x: position.x, right })
    }
    return parts
  })
  return { ...line, segments, parted: true }
}
