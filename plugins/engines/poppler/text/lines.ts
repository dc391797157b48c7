/** Marks to lines: what stands beside each other, from left to right. */

import { plainText } from '../../../../shared/flow/flow.ts'
import { leastOf, mostOf } from './extent.ts'
import type { Mark, PageMarks } from './marks.ts'
import { inReadingOrder } from './reading-order.ts'
import { splitAt } from './split-marks.ts'

/** A stretch of text without a wide gap. A line of running text has one, a row of a table several. */
export interface Piece {
  readonly marks: readonly Mark[]
  readonly x: number
  readonly right: number
}

export interface Line {
  readonly y: number
  readonly bottom: number
  readonly x: number
  readonly right: number
  readonly size: number // of most of its text
  readonly pieces: readonly Piece[]
}

/** Two marks on a line belong together up to this gap, in font sizes: a word space is a quarter, justified ones more. */
const widestSpace = 1.1

/** Lines of a set of marks, from the top. */
export function linesOf(marks: readonly Mark[]): readonly Line[] {
  const sorted = marks.toSorted((a, b) => a.y + a.height / 2 - (b.y + b.height / 2) || a.x - b.x)
  const rows: { marks: Mark[]; top: number; bottom: number }[] = []
  for (const mark of sorted) {
    const middle = mark.y + mark.height / 2
    const row = rows.at(-1)
    // Raised and lowered characters overlap the middle of their line.
    if (
      row !== undefined &&
      middle < row.bottom - Math.min(mark.height, row.bottom - row.top) * 0.25 &&
      middle > row.top
    ) {
      row.marks.push(mark)
      if (mark.height > row.bottom - row.top)
        Object.assign(row, { top: mark.y, bottom: mark.y + mark.height })
    } else rows.push({ marks: [mark], top: mark.y, bottom: mark.y + mark.height })
  }
  return withScripts(rows).map(({ marks: row, top, bottom }) => lineOf(row, top, bottom))
}

interface Row {
  readonly marks: Mark[]
  readonly top: number
  readonly bottom: number
}

/** What is small, overlaps a line and stands right behind a word of it is raised or lowered there. */
function withScripts(rows: readonly Row[]): readonly Row[] {
  const gone = new Set<Row>()
  for (const [at, row] of rows.entries())
    for (const host of [rows[at + 1], rows[at - 1]]) {
      if (
        host === undefined ||
        gone.has(host) ||
        gone.has(row) ||
        !row.marks.every((mark) => hangs(mark, host))
      )
        continue
      const starts = row.marks.map((mark) => mark.x)
      const parts = host.marks.flatMap((mark) => {
        const [first = mark, ...rest] = splitAt(mark, starts)
        return [first, ...rest.map(trimmed)]
      })
      host.marks.length = 0
      for (const mark of [...parts, ...row.marks]) host.marks.push(mark)
      gone.add(row)
    }
  return rows.filter((row) => !gone.has(row))
}

function hangs(mark: Mark, { marks, top, bottom }: Row): boolean {
  const overlap = Math.min(mark.y + mark.height, bottom) - Math.max(mark.y, top)
  if (overlap < mark.height * 0.2) return false
  return marks.some(
    (one) =>
      mark.size < one.size * 0.9 &&
      mark.x > one.x + one.size * 0.2 &&
      mark.x < one.x + one.width + one.size * 0.25 &&
      // Within a word, or right behind it.
      (mark.x + mark.width < one.x + one.width || mark.x > one.x + one.width - one.size * 0.25),
  )
}

/** A part that begins with the blank in which something raised stands. */
function trimmed(mark: Mark): Mark {
  const [first, ...rest] = mark.inlines
  if (first?.kind !== 'text' || !first.text.startsWith(' ')) return mark
  const text = first.text.trimStart()
  return { ...mark, text: mark.text.trimStart(), inlines: text === '' ? rest : [{ ...first, text }, ...rest] }
}

function lineOf(marks: readonly Mark[], y: number, bottom: number): Line {
  const pieces: { marks: Mark[]; x: number; right: number }[] = []
  for (const mark of marks.toSorted((a, b) => a.x - b.x)) {
    const last = pieces.at(-1)
    if (last !== undefined && mark.x - last.right < widestSpace * mark.size) {
      last.marks.push(mark)
      last.right = Math.max(last.right, mark.x + mark.width)
    } else pieces.push({ marks: [mark], x: mark.x, right: mark.x + mark.width })
  }
  return {
    y,
    bottom,
    x: pieces[0]?.x ?? 0,
    right: mostOf(pieces.map((piece) => piece.right)),
    size: mainSize(marks),
    pieces,
  }
}

function mainSize(marks: readonly Mark[]): number {
  const lengths = new Map<number, number>()
  for (const { size, text } of marks) lengths.set(size, (lengths.get(size) ?? 0) + text.length)
  return [...lengths].reduce((most, one) => (one[1] > most[1] ? one : most), [0, -1] as const)[0]
}

export function textOfLine(line: Line): string {
  const marks = line.pieces.flatMap((piece) => piece.marks)
  const inlines = marks.flatMap((mark, at) => [
    ...(at === 0 ? [] : [{ kind: 'text' as const, text: ' ', style: {} }]),
    ...mark.inlines,
  ])
  return plainText(inReadingOrder(inlines)).replace(/\s+/g, ' ').trim()
}

/** Lines that every page repeats at its edge: letterheads, page numbers. Shares of the page height. */
const edge = 0.12
const tolerance = 3

/** Marks of each page without what stands on most pages in the same place, numbers aside. */
export function withoutRunning(pages: readonly PageMarks[]): readonly PageMarks[] {
  if (pages.length < 3) return pages
  const seen = new Map<string, number>()
  const keysOf = (page: PageMarks) =>
    linesOf(page.marks.filter((mark) => isEdge(page, mark))).map((line) => ({ line, key: keyOf(line) }))
  const all = pages.map(keysOf)
  for (const page of all)
    for (const key of new Set(page.map((one) => one.key))) seen.set(key, (seen.get(key) ?? 0) + 1)
  const places = pages.map((page) => new Set(page.pictures.map(placeOf)))
  return pages.map((page, at) => {
    const running = (all[at] ?? []).filter(
      ({ key }) => (seen.get(key) ?? 0) >= Math.max(3, pages.length * 0.6),
    )
    const gone = new Set(running.flatMap(({ line }) => line.pieces.flatMap((piece) => piece.marks)))
    return { ...page, marks: page.marks.filter((mark) => !gone.has(mark)), pictures: picturesOf(page, at) }
  })

  /** A letterhead's picture stays on the first page that has it. */
  function picturesOf({ pictures }: PageMarks, at: number): PageMarks['pictures'] {
    return pictures.filter((picture) => {
      const place = placeOf(picture)
      const same = places.map((page) => page.has(place))
      return same.filter(Boolean).length < Math.max(3, pages.length * 0.6) || same.indexOf(true) === at
    })
  }
}

function placeOf({ x, y, width, height }: PageMarks['pictures'][number]): string {
  return [x, y, width, height].map((one) => Math.round(one / tolerance)).join(' ')
}

function isEdge({ height }: PageMarks, mark: Mark): boolean {
  return mark.y < height * edge || mark.y + mark.height > height * (1 - edge)
}

function keyOf(line: Line): string {
  return `${Math.round(line.y / tolerance)} ${textOfLine(line).replace(/\d+/g, '#')}`
}

/** Smallest width of the gap between two columns of text, in points, and of a column, in lines. */
const gutter = 9
const linesAColumn = 6

/**
 * The columns of a page as groups of marks in reading order: what spans the page divides it from top to bottom, and
 * between such lines what stands left is read before what stands right. A table has gaps too, but short lines.
 */
export function columnsOf(page: PageMarks, blocks: readonly Block[] = []): readonly (readonly Mark[])[] {
  const lines = linesOf(page.marks)
  const cut = gutterOf(lines, page)
  if (cut === undefined) return [page.marks]
  const groups: Mark[][] = []
  let [left, right, whole]: [Mark[], Mark[], Mark[]] = [[], [], []]
  const flush = () => {
    groups.push(...[left, right, whole].filter((group) => group.length > 0))
    ;[left, right, whole] = [[], [], []]
  }
  const rows = rowsAcross(lines, cut)
  const titles = titlesOf(blocks, lines, cut)
  for (const line of lines) {
    const marks = line.pieces.flatMap((piece) => piece.marks)
    const spans =
      rows.has(line) ||
      titles.has(line) ||
      marks.some((mark) => mark.x < cut - 1 && mark.x + mark.width > cut + 1)
    if (spans !== whole.length > 0) flush()
    if (spans) for (const mark of marks) whole.push(mark)
    else for (const mark of marks) (mark.x < cut ? left : right).push(mark)
  }
  flush()
  return groups
}

/** What is no text: tables with lines, pictures. */
export interface Block {
  readonly x: number
  readonly y: number
  readonly width: number
}

/** Titles of blocks that go over both columns: set off from the text above them, below the end of both. */
function titlesOf(blocks: readonly Block[], lines: readonly Line[], cut: number): ReadonlySet<Line> {
  const titles = new Set<Line>()
  for (const { x, y, width } of blocks) {
    if (x > cut - gutter || x + width < cut + gutter) continue
    const above = lines.filter((line) => line.y < y)
    const last = above.reduce<Line | undefined>(
      (low, line) => (low === undefined || line.y > low.y ? line : low),
      undefined,
    )
    if (last === undefined || last.right > cut || y - last.y > last.size * 5) continue
    const apart = (line: Line) => line === last || last.y - line.y > Math.max(line.size, last.size) * 1.9
    if (above.every(apart)) titles.add(last)
  }
  return titles
}

/** Rows of a table as wide as the page: several short pieces on both sides, several lines of them. */
function rowsAcross(lines: readonly Line[], cut: number): ReadonlySet<Line> {
  const left = leastOf(lines.map((line) => line.x))
  const right = mostOf(lines.map((line) => line.right))
  const isRow = ({ pieces }: Line) =>
    pieces.length >= 3 &&
    pieces.some((piece) => piece.x < cut) &&
    pieces.every((piece) => piece.right - piece.x < (piece.x < cut ? cut - left : right - cut) * 0.45)
  const rows = lines.map(isRow)
  return new Set(lines.filter((_, at) => rows[at] && (rows[at - 1] || rows[at + 1])))
}

/** Where two columns of running text part, or undefined. */
function gutterOf(lines: readonly Line[], { width }: PageMarks): number | undefined {
  const pieces = lines.flatMap((line) => line.pieces)
  const candidates = new Set(
    pieces
      .filter((piece) => piece.x > width * 0.3 && piece.x < width * 0.7)
      .map((piece) => Math.round(piece.x)),
  )
  let best: { at: number; score: number } | undefined
  for (const start of candidates) {
    const at = start - gutter / 2
    const rightOnes = pieces.filter((piece) => Math.abs(piece.x - start) < 2)
    const leftOnes = pieces.filter((piece) => piece.right < at && piece.right > width * 0.25)
    const crossing = pieces.filter((piece) => piece.x < at - 1 && piece.right > start + 1).length
    if (
      rightOnes.length < linesAColumn ||
      leftOnes.length < linesAColumn ||
      crossing > (rightOnes.length + leftOnes.length) / 4
    )
      continue
    const rightWidth = mostOf(rightOnes.map((piece) => piece.right)) - start
    const leftStart = leastOf(leftOnes.map((piece) => piece.x))
    const full = (ones: readonly Piece[], columnWidth: number) =>
      ones.filter((piece) => piece.right - piece.x > columnWidth * 0.7).length / ones.length
    if (full(rightOnes, rightWidth) < 0.5 || full(leftOnes, at - leftStart) < 0.45) continue
    const score = rightOnes.length + leftOnes.length - crossing
    if (best === undefined || score > best.score) best = { at, score }
  }
  return best?.at
}
