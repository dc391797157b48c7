/** Groups lines into blocks: tables, lists, headings, paragraphs. */

import { maxOf, minOf } from '../../../../shared/extremes.ts'
import {
  type FlowAlign,
  type FlowBlock,
  type FlowCell,
  type FlowInline,
  type FlowRow,
  type FlowTable,
  plainText,
} from '../../../../shared/flow/flow.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { codeAt, codeOf } from './code-lines.ts'
import { type LineSegment, type PdfLine, textOfLine } from './lines.ts'
import { withPartedCells } from './parted-cells.ts'
import { inReadingOrder, readsFromRight } from './reading-order.ts'
import { splitAt, withoutStart } from './split-positions.ts'
import type { TextPosition } from './text-positions.ts'

/** Properties of the complete document. */
export interface Typography {
  readonly size: number // of most of the text
  /** The font sizes of headings, largest first. */
  readonly headings: readonly number[]
  /** Whether this is the text of a cell, which has neither headings nor tables. */
  readonly cell?: true
  /** Whether most of the text is monospaced, so that a monospaced face does not indicate code. */
  readonly monospaced?: true
}

/** The horizontal range of the text: a page or a column. */
export interface ColumnEdges {
  readonly left: number
  readonly right: number
}

const bullet = /^[•·▪▫◦‣●○■□➢➤✓✔–—*\uf0b7\uf0a7\uf076\uf0fc\ue000-\uf8ff-]$/u
const ordinal = /^(?:\(?(\d{1,3}|[a-z]|[ivxlc]{1,6})[.)])$/i
/** Maximum distance between a label and its text, in font sizes. */
const widestLabelGap = 4.5
/** Maximum distance between lines of a paragraph, in font sizes. */
const widestLeading = 1.75
/** Minimum gap between two columns of a table, in font sizes. */
const columnGap = 0.55
/** The same in a line whose cells were separated because of adjacent lines, which is a sign of a table already. */
const partedGap = 0.4

export function blocksOf(
  original: readonly PdfLine[],
  typography: Typography,
  frame: ColumnEdges,
): readonly FlowBlock[] {
  const lines = typography.cell ? original : withPartedHeads(withPartedCells(original))
  const blocks: FlowBlock[] = []
  for (let at = 0; at < lines.length; ) {
    const rows = typography.cell ? 0 : tableAt(lines, at)
    if (rows > 0) {
      blocks.push(tableOf(lines.slice(at, at + rows)))
      at += rows
      continue
    }
    const code = typography.cell || typography.monospaced ? 0 : codeAt(lines, at)
    if (code > 0) {
      blocks.push(codeOf(lines.slice(at, at + code)))
      at += code
      continue
    }
    const items = isHead(lines[at] as PdfLine, typography) ? 0 : listAt(lines, at)
    if (items > 0) {
      pushAll(blocks, listsOf(lines.slice(at, at + items)))
      at += items
      continue
    }
    let end = at + 1
    while (
      end < lines.length &&
      continues(lines[end - 1] as PdfLine, lines[end] as PdfLine, frame) &&
      labelOf(lines[end] as PdfLine) === undefined &&
      (typography.cell || typography.monospaced || codeAt(lines, end) === 0) &&
      (typography.cell || tableAt(lines, end) === 0)
    )
      end++
    blocks.push(paragraphOf(lines.slice(at, end), typography, frame))
    at = end
  }
  return blocks
}

/** Mirrors a line, so that text from right to left begins and ends like other text. */
function mirrored(line: PdfLine, frame: ColumnEdges): PdfLine {
  const sum = frame.left + frame.right
  return { ...line, x: sum - line.right, right: sum - line.x }
}

function continues(first: PdfLine, second: PdfLine, frame: ColumnEdges): boolean {
  const isRightToLeft = readsFromRight(textOfLine(first)) && readsFromRight(textOfLine(second))
  const [above, below] = isRightToLeft ? [mirrored(first, frame), mirrored(second, frame)] : [first, second]
  if (Math.abs(above.size - below.size) > 0.6) return false
  if (below.y - above.y > widestLeading * Math.max(above.size, below.size) * 1.05) return false
  if (isBold(above) !== isBold(below)) return false
  const width = frame.right - frame.left
  const centred = Math.abs(middle(above) - middle(below)) <= above.size && !isFlush(above, below, frame)
  // A short line ends its paragraph, but centred lines are all short.
  const short = frame.right - above.right > width * 0.22
  if (short && !centred && /[.:;!?…»"”)]$/.test(textOfLine(above))) return false
  if (short && !centred && frame.right - above.right > width * 0.45) return false
  const indented = below.x - above.x
  return indented < above.size * 0.8 || Math.abs(middle(above) - middle(below)) < above.size
}

/**
 * Lines with the same start to the left of the middle are not centred, although lines of about equal length
 * seem to be.
 */
function isFlush(above: PdfLine, below: PdfLine, { left, right }: ColumnEdges): boolean {
  return Math.abs(above.x - below.x) < 1 && Math.abs(middle(above) - (left + right) / 2) > above.size * 2
}

function paragraphOf(lines: readonly PdfLine[], typography: Typography, frame: ColumnEdges): FlowBlock {
  const [first] = lines as readonly [PdfLine, ...PdfLine[]]
  const text = lines.map(textOfLine).join(' ')
  const level = levelOf(first, lines.length, text, typography)
  const align = alignOf(lines, frame)
  const inlines = joinLines(
    lines.map((line) => line.segments.flatMap((segment) => segment.positions)),
    level === undefined ? typography.size : 0,
  )
  const direction = directed(inlines)
  // Text from right to left starts on the right.
  const aligned = {
    ...direction,
    ...(align !== undefined && !(direction.direction && align === 'right') && { align }),
  }
  if (level !== undefined) return { kind: 'heading', level, inlines: inlines.map(unbold), ...aligned }
  const indent = align === undefined && direction.direction === undefined ? first.x - frame.left : 0
  return { kind: 'paragraph', inlines, ...aligned, ...(indent > typography.size * 1.5 && { indent }) }
}

/** A label that is larger than the text is the number of a chapter, not of an item. */
function isHead(line: PdfLine, typography: Typography): boolean {
  return (
    !typography.cell &&
    typography.headings.some((heading) => Math.abs(heading - line.size) < 0.6) &&
    labelOf(line)?.ordered === true
  )
}

export function levelOf(
  line: PdfLine,
  lines: number,
  text: string,
  typography: Typography,
): number | undefined {
  if (typography.cell || text.length > 200 || lines > 3 || !/\p{L}/u.test(text)) return undefined
  const size = typography.headings.findIndex((heading) => Math.abs(heading - line.size) < 0.6)
  if (size >= 0) return Math.min(size + 1, 6)
  const isBoldHeading =
    isBold(line) &&
    lines === 1 &&
    text.length < 90 &&
    !/[.,;:]$/.test(text) &&
    line.size >= typography.size - 0.3
  return isBoldHeading ? Math.min(typography.headings.length + 1, 6) : undefined
}

export function isBold(line: PdfLine): boolean {
  return line.segments.every((segment) =>
    segment.positions.every((position) =>
      position.inlines.every(
        (inline) => inline.kind !== 'text' || inline.style.bold === true || inline.text.trim() === '',
      ),
    ),
  )
}

function middle(line: PdfLine): number {
  return (line.x + line.right) / 2
}

function alignOf(lines: readonly PdfLine[], frame: ColumnEdges): FlowAlign | undefined {
  const width = frame.right - frame.left
  if (width <= 0) return undefined
  const centre = (frame.left + frame.right) / 2
  const minDistance = width * 0.06
  if (
    lines.every((line) => Math.abs(middle(line) - centre) < width * 0.02 && line.x - frame.left > minDistance)
  )
    return 'center'
  if (lines.every((line) => frame.right - line.right < width * 0.02 && line.x - frame.left > width * 0.4))
    return 'right'
  return undefined
}

/**
 * Joins lines into one text; words that were hyphenated at line ends are joined. `usual` is the font size
 * that needs no style; absent when there is none.
 */
export function joinLines(
  lines: readonly (readonly TextPosition[])[],
  typical: number | undefined,
  colours: 'dark' | 'all' = 'dark',
): readonly FlowInline[] {
  const inlines: FlowInline[] = []
  for (const positions of lines) {
    const last = inlines.at(-1)
    const line = inReadingOrder(inlinesOfLine(positions, typical, colours))
    const next = line.find((inline) => inline.kind === 'text')
    if (last?.kind === 'text' && next !== undefined) {
      const divided = /\p{L}[-\u00ad]$/u.test(last.text) && /^\p{Ll}/u.test(next.text.trimStart())
      if (divided) inlines[inlines.length - 1] = { ...last, text: last.text.slice(0, -1) }
      else if (!/\s$/.test(last.text) && !isIdeographic(last.text.at(-1)))
        inlines.push({ kind: 'text', text: ' ', style: {} })
    }
    pushAll(inlines, line)
  }
  return trimmed(merged(inlines))
}

/** The text as it is displayed, with a blank for each gap. */
function inlinesOfLine(
  positions: readonly TextPosition[],
  typical: number | undefined,
  colours: 'dark' | 'all',
): readonly FlowInline[] {
  const inlines: FlowInline[] = []
  const largest = maxOf(positions.map((position) => position.size))
  const host = positions.find((position) => position.size === largest)
  for (const [at, position] of positions.entries()) {
    const before = positions[at - 1]
    const hasGap = before !== undefined && position.x - (before.x + before.width) > position.size * 0.12
    if (hasGap && !/\s$/.test(before.text) && !/^\s/.test(position.text))
      inlines.push({ kind: 'text', text: ' ', style: {} })
    for (const inline of position.inlines)
      inlines.push(sized(colours === 'all' ? inline : darkened(inline), position, typical, host))
  }
  return inlines
}

/** Declares the direction of a paragraph that is read from right to left. */
export function directed(inlines: readonly FlowInline[]): { readonly direction?: 'rtl' } {
  return readsFromRight(plainText(inlines)) ? { direction: 'rtl' } : {}
}

/** The size is declared when it differs from that of the text. Small raised text is a superscript. */
function sized(
  inline: FlowInline,
  position: TextPosition,
  typical: number | undefined,
  host: TextPosition | undefined, // the first fragment with the largest size of its line
): FlowInline {
  if (inline.kind !== 'text' || host === undefined) return inline
  const shifted = Math.abs(position.y + position.height / 2 - host.y - host.height / 2) > host.height * 0.15
  if (position.size < host.size * (shifted ? 0.9 : 0.75)) {
    const raised = position.y + position.height / 2 < host.y + host.height / 2
    return { ...inline, style: { ...inline.style, script: raised ? 'super' : 'sub' } }
  }
  if (typical === undefined || Math.abs(position.size - typical) < 0.4) return inline
  return { ...inline, style: { ...inline.style, size: position.size } }
}

/** Light text was on a dark background, which a flow cannot express, so its colour is dropped. */
function darkened(inline: FlowInline): FlowInline {
  if (inline.kind !== 'text' || !isLight(inline.style.color)) return inline
  const { color: _, ...style } = inline.style
  return { ...inline, style }
}

function isLight(color: string | undefined): boolean {
  if (color === undefined) return false
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return red * 0.3 + green * 0.59 + blue * 0.11 > 190
}

function merged(inlines: readonly FlowInline[]): FlowInline[] {
  const out: FlowInline[] = []
  for (const inline of inlines) {
    const last = out.at(-1)
    const blank = inline.kind === 'text' && inline.text.trim() === ''
    if (
      inline.kind === 'text' &&
      last?.kind === 'text' &&
      ((last.link === inline.link && JSON.stringify(last.style) === JSON.stringify(inline.style)) || blank)
    )
      out[out.length - 1] = { ...last, text: `${last.text}${inline.text}`.replace(/ {2,}/g, ' ') }
    else out.push(inline)
  }
  return out
}

function trimmed(inlines: FlowInline[]): readonly FlowInline[] {
  const [first] = inlines
  if (first?.kind === 'text') inlines[0] = { ...first, text: first.text.trimStart() }
  const last = inlines.at(-1)
  if (last?.kind === 'text') inlines[inlines.length - 1] = { ...last, text: last.text.trimEnd() }
  return inlines
}

function isIdeographic(character: string | undefined): boolean {
  return character !== undefined && /[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]/.test(character)
}

interface ItemLabel {
  readonly ordered: boolean
  readonly number: number
  readonly rest: readonly TextPosition[] // the text after it
}

/** Splits a bullet or a number from the start of a line. */
function labelOf(line: PdfLine): ItemLabel | undefined {
  const positions = line.segments.flatMap((segment) => segment.positions)
  const [first, second] = positions
  if (first === undefined) return undefined
  const firstText = first.text.trim()
  if (
    second !== undefined &&
    second.x - (first.x + first.width) < widestLabelGap * second.size &&
    line.segments.length <= 2
  ) {
    if (bullet.test(firstText)) return { ordered: false, number: 1, rest: positions.slice(1) }
    const match = ordinal.exec(firstText)
    if (match !== null) return { ordered: true, number: Number(match[1]) || 1, rest: positions.slice(1) }
  }
  const [, position, digits, text] =
    /^\s*(?:([•·▪▫◦‣●○■\uf0b7\uf0a7])|(\d{1,3})[.)])\s+(\S[\s\S]*)$/.exec(first.text) ?? []
  if (text === undefined || line.segments.length > 1) return undefined
  const rest = withoutStart(first, first.text.length - text.length)
  return { ordered: position === undefined, number: Number(digits) || 1, rest: [rest, ...positions.slice(1)] }
}

/** Counts the lines from here that form a list: items and their continuation lines. */
function listAt(lines: readonly PdfLine[], start: number): number {
  let end = start
  let textAt = Number.POSITIVE_INFINITY
  while (end < lines.length) {
    const line = lines[end] as PdfLine
    const above = lines[end - 1]
    const label = labelOf(line)
    if (label !== undefined) textAt = label.rest[0]?.x ?? line.x
    else if (end === start || above === undefined || line.segments.length > 1) break
    // A continuation line is aligned with the text of its item.
    else if (Math.abs(line.x - textAt) > line.size * 0.8 || line.y - above.y > widestLeading * line.size)
      break
    end++
  }
  return end - start
}

interface OpenListItem {
  readonly x: number
  readonly ordered: boolean
  readonly number: number
  readonly lines: TextPosition[][]
}

function listsOf(lines: readonly PdfLine[]): readonly FlowBlock[] {
  const items: OpenListItem[] = []
  for (const line of lines) {
    const label = labelOf(line)
    if (label === undefined)
      items.at(-1)?.lines.push(line.segments.flatMap((segment) => [...segment.positions]))
    else items.push({ x: line.x, ordered: label.ordered, number: label.number, lines: [[...label.rest]] })
  }
  return nested(items, 0)
}

const maxListDepth = 6

/** Items with a larger indent than the others form a list inside the item above. */
function nested(items: readonly OpenListItem[], depth: number): readonly FlowBlock[] {
  const lists: { ordered: boolean; start: number; items: { blocks: FlowBlock[] }[] }[] = []
  const left = minOf(items.map((item) => item.x))
  for (let at = 0; at < items.length; ) {
    const item = items[at] as OpenListItem
    let end = at + 1
    while (end < items.length && (items[end] as OpenListItem).x > left + 4 && depth < maxListDepth) end++
    const inlines = joinLines(item.lines, undefined)
    const blocks: FlowBlock[] = [{ kind: 'paragraph', inlines, ...directed(inlines) }]
    if (end > at + 1) pushAll(blocks, nested(items.slice(at + 1, end), depth + 1))
    const last = lists.at(-1)
    if (last !== undefined && last.ordered === item.ordered) last.items.push({ blocks })
    else lists.push({ ordered: item.ordered, start: item.number, items: [{ blocks }] })
    at = end
  }
  return lists.map(({ ordered, start, items: filledItems }) => ({
    kind: 'list',
    ordered,
    start,
    items: filledItems,
  }))
}

/** Counts the lines from here that are rows of a table: several fragments each, aligned in columns. */
function tableAt(lines: readonly PdfLine[], start: number): number {
  const isRow = (line: PdfLine | undefined) =>
    line !== undefined && line.segments.length >= 2 && labelOf(line) === undefined
  if (!isRow(lines[start])) return 0
  let end = start
  let rows = 0
  const gap = gapOf(lines[start])
  let columns = intervalsOf([lines[start] as PdfLine])
  for (; end < lines.length; end++) {
    const line = lines[end] as PdfLine
    const above = lines[end - 1]
    if (end > start && above !== undefined && line.y - above.bottom > Math.max(line.size, above.size) * 2.2)
      break
    const next = joinedColumns([...columns, ...columnsOfSegments(line)], gap)
    if (isRow(line)) {
      // A row that bridges the gaps between the columns does not belong to this table.
      if (next.length < 2 || next.length < columns.length - 1) break
      rows++
    } else {
      // The continuation of a cell is inside its column, close below.
      const close = above !== undefined && line.y - above.y < widestLeading * line.size
      const inside = columns.some(
        (column) => line.x > column.left - 2 && line.right < column.right + line.size,
      )
      if (!close || !inside || next.length < columns.length) break
    }
    columns = next
  }
  return rows >= 2 ? end - start : 0
}

/** Poppler joins the heads of two narrow columns; the row below shows where to split them. */
function withPartedHeads(lines: readonly PdfLine[]): readonly PdfLine[] {
  return lines.map((line, at) => {
    const below = lines[at + 1]
    if (below === undefined || line.segments.length < 2 || below.segments.length <= line.segments.length)
      return line
    if (below.y - line.bottom > line.size * 2.2 || labelOf(below) !== undefined) return line
    const gaps = below.segments.slice(1).map((segment, next) => ({
      from: (below.segments[next] as LineSegment).right,
      to: segment.x,
    }))
    const segments = line.segments.flatMap((segment) => {
      const borders = gaps
        .filter(({ from, to }) => segment.x < from && segment.right > to)
        .map(({ from, to }) => (from + to) / 2)
      return borders.length === 0
        ? [segment]
        : segment.positions
            .flatMap((position) => splitAt(position, borders))
            .map((position) => ({ positions: [position], x: position.x, right: position.x + position.width }))
    })
    return segments.length > below.segments.length ? line : { ...line, segments }
  })
}

interface TextColumn {
  left: number
  right: number
}

/**
 * The horizontal intervals that the fragments of some lines cover. Gaps narrower than one between cells are
 * ignored.
 */
function intervalsOf(lines: readonly PdfLine[]): readonly TextColumn[] {
  return joinedColumns(lines.flatMap(columnsOfSegments), gapOf(lines[0]))
}

const gapOf = (line: PdfLine | undefined): number =>
  (line?.parted === true ? partedGap : columnGap) * (line?.size ?? 10)
const columnsOfSegments = ({ segments }: PdfLine): readonly TextColumn[] =>
  segments.map(({ x, right }) => ({ left: x, right }))

/** Intervals with a smaller gap between them are one. */
function joinedColumns(all: readonly TextColumn[], gap: number): readonly TextColumn[] {
  const columns: TextColumn[] = []
  for (const { left, right } of all.toSorted((a, b) => a.left - b.left)) {
    const last = columns.at(-1)
    if (last !== undefined && left < last.right + gap) last.right = Math.max(last.right, right)
    else columns.push({ left, right })
  }
  return columns
}

function tableOf(lines: readonly PdfLine[]): FlowTable {
  const columns = withHeadings(intervalsOf(lines), lines[0] as PdfLine, lines.slice(1))
  const rows: { line: PdfLine; cells: LineSegment[][][] }[] = []
  for (const line of lines) {
    const byColumn = columns.map((column) =>
      line.segments.filter((segment) => segment.x >= column.left - 1 && segment.x < column.right + 1),
    )
    const above = rows.at(-1)
    // A line without a first cell, or with only one cell, continues the row above.
    const filled = byColumn.filter((segments) => segments.length > 0).length
    const goesOn =
      above !== undefined &&
      ((byColumn[0]?.length === 0 && filled < columns.length - 1) || filled === 1) &&
      line.y - above.line.y <
        widestLeading * line.size * above.cells.reduce((max, cell) => Math.max(max, cell.length), 1)
    if (goesOn)
      for (const [at, segments] of byColumn.entries())
        if (segments.length > 0) above.cells[at]?.push(segments)
    if (!goesOn)
      rows.push({ line, cells: byColumn.map((segments) => (segments.length === 0 ? [] : [segments])) })
  }
  const head = rows[0]
  const header = head !== undefined && rows.length > 1 && isBold(head.line)
  const figures = header ? rows.slice(1) : rows
  const right = columns.map((_, at) => isRightAligned(figures.map(({ cells }) => cells[at] ?? [])))
  const flowRows: FlowRow[] = rows.map(({ cells }, y) => ({
    cells: cells.map((cell, at): FlowCell => {
      const joined = joinLines(
        cell.map((segments) => segments.flatMap((segment) => [...segment.positions])),
        undefined,
      )
      // Removes the formatting that a heading implies.
      const inlines = header && y === 0 ? joined.map(unbold) : joined
      const block: FlowBlock = {
        kind: 'paragraph',
        inlines,
        ...directed(inlines),
        ...(right[at] === true && { align: 'right' as const }),
      }
      return { blocks: inlines.length === 0 ? [] : [block], columns: 1, rows: 1 }
    }),
  }))
  const widths = columns.map(
    ({ left }, at) => (columns[at + 1]?.left ?? (columns[at]?.right ?? left) + 6) - left,
  )
  return inTableOrder({ kind: 'table', rows: flowRows, headerRows: header ? 1 : 0, widths })
}

/** A table whose text is read from right to left begins with its rightmost column. */
export function inTableOrder(table: FlowTable): FlowTable {
  const texts = table.rows.flatMap(({ cells }) =>
    cells.flatMap(({ blocks }) =>
      blocks.filter((block) => block.kind === 'paragraph' || block.kind === 'heading'),
    ),
  )
  const worded = texts.filter(({ inlines }) => /\p{L}/u.test(plainText(inlines)))
  const isRightToLeft = worded.filter(({ direction }) => direction === 'rtl')
  if (isRightToLeft.length * 2 <= worded.length) return table
  return {
    ...table,
    direction: 'rtl',
    rows: table.rows.map((row) => ({ ...row, cells: row.cells.toReversed() })),
    ...(table.widths && { widths: table.widths.toReversed() }),
  }
}

export function unbold(inline: FlowInline): FlowInline {
  if (inline.kind !== 'text') return inline
  const { bold: _, ...style } = inline.style
  return { ...inline, style }
}

/** A heading to the left of a column of figures is not a column: nothing is below it. */
function withHeadings(
  columns: readonly TextColumn[],
  head: PdfLine,
  rest: readonly PdfLine[],
): readonly TextColumn[] {
  const holds = (column: TextColumn, line: PdfLine) =>
    line.segments.some((segment) => segment.x >= column.left - 1 && segment.x < column.right + 1)
  const out: TextColumn[] = []
  for (const column of columns) {
    const last = out.at(-1)
    const lonely = (column: TextColumn) => holds(column, head) && !rest.some((line) => holds(column, line))
    const isNeverShared = last !== undefined && !(holds(last, head) && holds(column, head))
    if (last !== undefined && isNeverShared && (lonely(last) || lonely(column))) last.right = column.right
    else out.push({ ...column })
  }
  return out
}

/** Figures are aligned on the right edge of their column: their ends agree and their starts do not. */
function isRightAligned(cells: readonly (readonly (readonly LineSegment[])[])[]): boolean {
  const segments = cells.flatMap((cell) => cell.flat())
  if (segments.length < 2) return false
  const spread = (values: readonly number[]) => maxOf(values) - minOf(values)
  return (
    spread(segments.map((segment) => segment.right)) < 3 && spread(segments.map((segment) => segment.x)) > 4
  )
}
