/** Decides whether the content on both sides of a gutter forms columns of text, or cells of the same rows. */
import { maxOf, minOf } from '../../../../shared/extremes.ts'
import type { Box } from './gutters.ts'

/** The box of a word, or of other content that counts as lines of text. */
export interface InkBox extends Box {
  readonly size: number // of the font, in points
  readonly letters: number
  readonly kind: 'word' | 'content'
}

/** One row of words on one side of a strip. */
export interface InkRow extends Box {
  readonly size: number
  readonly words: number
  readonly letters: number
  /** The width of the longest part without a wide gap, in points. */
  readonly maxWidth: number
  /** The number of parts between wide gaps. */
  readonly parts: number
  readonly kind: InkBox['kind']
}

/** Minimum gap between cells, in font sizes. */
const wideGap = 1
const minRows = 4
/** Minimum number of rows of running text on either side. At the end of a page columns are short. */
const minProseRows = [2, 3] as const
/** Minimum number of words of a line of running text; scripts without spaces have as many letters. */
const proseWords = 3
const proseLetters = 12
/** The fraction of its column that a full line fills, and the fraction of lines that are full in running text. */
const fullLine = 0.6
const fullLines = 0.4
/** Minimum width of running text, in font sizes. */
const minProseWidth = 6
/** Rows are the same when their lower edges are this close, in font sizes. */
const rowTolerance = 0.2

/** The rows of some boxes, from the top. Other content is a row of its own. */
export function inkRows(boxes: readonly InkBox[]): readonly InkRow[] {
  const rows: { top: number; bottom: number; boxes: InkBox[] }[] = []
  const words = boxes.filter(({ kind }) => kind === 'word')
  for (const box of words.toSorted((a, b) => a.y + a.bottom - (b.y + b.bottom) || a.x - b.x)) {
    const middle = (box.y + box.bottom) / 2
    const row = rows.at(-1)
    if (row !== undefined && middle < row.bottom - (row.bottom - row.top) * 0.25) {
      row.boxes.push(box)
      row.bottom = Math.max(row.bottom, box.bottom)
    } else rows.push({ top: box.y, bottom: box.bottom, boxes: [box] })
  }
  const content = boxes.filter(({ kind }) => kind === 'content').map((box) => rowOf([box]))
  return [...rows.map((row) => rowOf(row.boxes)), ...content].toSorted((a, b) => a.y - b.y)
}

function rowOf(boxes: readonly InkBox[]): InkRow {
  const sorted = boxes.toSorted((a, b) => a.x - b.x)
  const size = maxOf(boxes.map((box) => box.size))
  let [maxWidth, parts] = [0, 1]
  let [from, reached] = [sorted[0]?.x ?? 0, sorted[0]?.right ?? 0]
  for (const box of sorted) {
    if (box.x - reached > wideGap * size) {
      from = box.x
      parts++
    }
    reached = Math.max(reached, box.right)
    maxWidth = Math.max(maxWidth, reached - from)
  }
  return {
    x: sorted[0]?.x ?? 0,
    right: reached,
    y: minOf(boxes.map((box) => box.y)),
    bottom: maxOf(boxes.map((box) => box.bottom)),
    size,
    words: boxes.length,
    letters: boxes.reduce((sum, box) => sum + box.letters, 0),
    maxWidth,
    parts,
    kind: boxes[0]?.kind ?? 'word',
  }
}

/** The number of lines that a row counts as: content other than text counts as the lines that it is high. */
const linesIn = ({ kind, y, bottom }: InkRow, lineHeight: number): number =>
  kind === 'word' ? 1 : Math.max(1, Math.round((bottom - y) / lineHeight / 1.3))

/** `gutter`: the white space between them. */
export function areColumns(
  left: readonly InkRow[],
  right: readonly InkRow[],
  gutter: Box,
  lineHeight: number,
): boolean {
  const count = (rows: readonly InkRow[]) => rows.reduce((sum, row) => sum + linesIn(row, lineHeight), 0)
  const [few, many] = [Math.min(count(left), count(right)), Math.max(count(left), count(right))]
  if (few < minProseRows[0] || many < minProseRows[1]) return false
  const isWide = gutter.right - gutter.x >= lineHeight
  if (isProse(left) && isProse(right)) {
    if (isRowByRow(left, right)) return false
    // The wide spaces of justified lines may coincide by chance, but not all words after them.
    return few < minRows
      ? isWide && isFlush(left, right, gutter, 0.95)
      : isWide || isFlush(left, right, gutter, 0.5)
  }
  // Blocks of short lines are columns when their lines have nothing in common.
  return isWide && few >= minRows && matchingRows(left, right) < 0.6
}

/** Maximum width of a cell of a table, as a fraction of the width of its column of text. */
const maxCell = 0.45

/**
 * Rows of a table across both columns: short texts at the same height on both sides, at least three of them, over
 * several lines. Returns the ranges from their upper to their lower edges.
 */
export function rowsAcross(
  left: readonly InkRow[],
  right: readonly InkRow[],
): readonly { readonly y: number; readonly bottom: number }[] {
  const widthOf = (rows: readonly InkRow[]) =>
    maxOf(rows.map((row) => row.right)) - minOf(rows.map((row) => row.x))
  const [leftWidth, rightWidth] = [widthOf(left), widthOf(right)]
  const ranges: { y: number; bottom: number; rows: number }[] = []
  let isOpen = false
  let at = 0
  for (const row of left) {
    while (at < right.length && (right[at] as InkRow).bottom < row.bottom - rowTolerance * row.size) at++
    const other = right[at]
    const isRow =
      other !== undefined &&
      other.bottom <= row.bottom + rowTolerance * row.size &&
      row.kind === 'word' &&
      row.parts + other.parts >= 3 &&
      row.maxWidth < leftWidth * maxCell &&
      other.maxWidth < rightWidth * maxCell
    const last = ranges.at(-1)
    if (isRow && isOpen && last !== undefined)
      Object.assign(last, { bottom: row.bottom, rows: last.rows + 1 })
    else if (isRow) ranges.push({ y: row.y, bottom: row.bottom, rows: 1 })
    isOpen = isRow
  }
  return ranges.filter(({ rows }) => rows > 1)
}

/** The fraction of the rows of the shorter side that have one on the other side at the same height. */
function matchingRows(left: readonly InkRow[], right: readonly InkRow[]): number {
  const [few, many] = left.length < right.length ? [left, right] : [right, left]
  const bottoms = many.map(({ bottom }) => bottom).toSorted((a, b) => a - b)
  let at = 0
  let matching = 0
  for (const { bottom, size } of few.toSorted((a, b) => a.bottom - b.bottom)) {
    while (at < bottoms.length && (bottoms[at] as number) < bottom - rowTolerance * size) at++
    if ((bottoms[at] ?? Infinity) <= bottom + rowTolerance * size) matching++
  }
  return matching / few.length
}

function isProse(rows: readonly InkRow[]): boolean {
  const text = rows.filter(({ kind }) => kind === 'word')
  if (text.length === 0) return true // pictures above each other
  const width = maxOf(text.map((row) => row.right)) - minOf(text.map((row) => row.x))
  const size = text.map((row) => row.size).toSorted((a, b) => a - b)[text.length >> 1] as number
  const words = text.reduce((sum, row) => sum + row.words, 0) / text.length
  const letters = text.reduce((sum, row) => sum + row.letters, 0) / text.length
  if (width < size * minProseWidth || (words < proseWords - 0.5 && letters < proseLetters)) return false
  // Two columns beside each other have lines of half the width.
  const close = text.filter((row, at) => at > 0 && row.y - (text[at - 1] as InkRow).y < row.size * 2.2).length
  if (close < (text.length - 1) * 0.5) return false
  const full = text.filter((row) => row.maxWidth >= width * 0.4 && coverage(row) >= width * fullLine)
  return full.length >= text.length * fullLines
}

const coverage = ({ x, right }: InkRow): number => right - x

/** Whether most lines begin, or end, exactly at the gutter, as lines of a column do. */
function isFlush(left: readonly InkRow[], right: readonly InkRow[], gutter: Box, minPart: number): boolean {
  const text = (rows: readonly InkRow[]) => rows.filter(({ kind }) => kind === 'word')
  const areMostlyNear = (rows: readonly InkRow[], distance: (row: InkRow) => number) =>
    rows.filter((row) => distance(row) < row.size * 0.25).length >= rows.length * minPart
  return (
    areMostlyNear(text(right), (row) => Math.abs(row.x - gutter.right)) ||
    areMostlyNear(text(left), (row) => Math.abs(gutter.x - row.right))
  )
}

/** Cells of several lines: the gaps between paragraphs are at the same height on both sides. */
function isRowByRow(left: readonly InkRow[], right: readonly InkRow[]): boolean {
  const [leftStarts, rightStarts] = [startsAfterGaps(left), startsAfterGaps(right)]
  const [few, many] =
    leftStarts.length < rightStarts.length ? [leftStarts, rightStarts] : [rightStarts, leftStarts]
  if (few.length < 2) return false
  const same = few.filter(({ y, size }) => many.some((row) => Math.abs(row.y - y) < size * 0.3)).length
  return same >= few.length * 0.75 && same >= many.length * 0.5
}

/** The rows that follow a gap which is wider than most. */
function startsAfterGaps(rows: readonly InkRow[]): readonly InkRow[] {
  const steps = rows.slice(1).map((row, at) => row.y - (rows[at] as InkRow).y)
  const typical = steps.toSorted((a, b) => a - b)[steps.length >> 2] ?? 0
  return rows.slice(1).filter((_, at) => (steps[at] as number) > typical * 1.3)
}
