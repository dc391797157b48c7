/** Lines to blocks: tables, lists, headings, paragraphs. */

import {
  type FlowAlign,
  type FlowBlock,
  type FlowCell,
  type FlowInline,
  type FlowRow,
  plainText,
} from '../../../../shared/flow/flow.ts'
import { codeAt, codeOf } from './code-lines.ts'
import { leastOf, mostOf } from './extent.ts'
import { type Line, type Piece, textOfLine } from './lines.ts'
import type { Mark } from './marks.ts'
import { inReadingOrder, readsFromRight } from './reading-order.ts'
import { splitAt } from './split-marks.ts'

/** What a whole document has in common. */
export interface Look {
  readonly size: number // of most of its text
  /** Sizes of headings, largest first. */
  readonly headings: readonly number[]
  /** The text of a cell: it has no headings, and no tables inside. */
  readonly cell?: true
  /** Most of it is in a face of a typewriter: that tells nothing of a part. */
  readonly typed?: true
}

/** Where text may stand: the block of text of a page or a column. */
export interface Frame {
  readonly left: number
  readonly right: number
}

const bullet = /^[•·▪▫◦‣●○■□➢➤✓✔–—*\uf0b7\uf0a7\uf076\uf0fc\ue000-\uf8ff-]$/u
const ordinal = /^(?:\(?(\d{1,3}|[a-z]|[ivxlc]{1,6})[.)])$/i
/** A label and its text are no farther apart than this, in font sizes. */
const widestLabelGap = 4.5
/** Lines of a paragraph follow each other within this, in font sizes. */
const widestLeading = 1.75
const cellGap = 1.1

export function blocksOf(given: readonly Line[], look: Look, frame: Frame): readonly FlowBlock[] {
  const lines = look.cell ? given : withPartedHeads(given)
  const blocks: FlowBlock[] = []
  for (let at = 0; at < lines.length; ) {
    const rows = look.cell ? 0 : tableAt(lines, at)
    if (rows > 0) {
      blocks.push(tableOf(lines.slice(at, at + rows)))
      at += rows
      continue
    }
    const code = look.cell || look.typed ? 0 : codeAt(lines, at)
    if (code > 0) {
      blocks.push(codeOf(lines.slice(at, at + code)))
      at += code
      continue
    }
    const items = isHead(lines[at] as Line, look) ? 0 : listAt(lines, at)
    if (items > 0) {
      blocks.push(...listsOf(lines.slice(at, at + items)))
      at += items
      continue
    }
    let end = at + 1
    while (
      end < lines.length &&
      continues(lines[end - 1] as Line, lines[end] as Line, frame) &&
      labelOf(lines[end] as Line) === undefined &&
      (look.cell || look.typed || codeAt(lines, end) === 0) &&
      (look.cell || tableAt(lines, end) === 0)
    )
      end++
    blocks.push(paragraphOf(lines.slice(at, end), look, frame))
    at = end
  }
  return blocks
}

/** A line as one sees it in a mirror: what is read from the right begins and ends as other text does. */
function seenFromRight(line: Line, frame: Frame): Line {
  const sum = frame.left + frame.right
  return { ...line, x: sum - line.right, right: sum - line.x }
}

function continues(first: Line, second: Line, frame: Frame): boolean {
  const turned = readsFromRight(textOfLine(first)) && readsFromRight(textOfLine(second))
  const [above, below] = turned
    ? [seenFromRight(first, frame), seenFromRight(second, frame)]
    : [first, second]
  if (Math.abs(above.size - below.size) > 0.6) return false
  if (below.y - above.y > widestLeading * Math.max(above.size, below.size) * 1.05) return false
  if (isBold(above) !== isBold(below)) return false
  const width = frame.right - frame.left
  const centred = Math.abs(middle(above) - middle(below)) <= above.size && !isFlush(above, below, frame)
  // A line that ends early ended its paragraph; centred lines are all short.
  const short = frame.right - above.right > width * 0.22
  if (short && !centred && /[.:;!?…»"”)]$/.test(textOfLine(above))) return false
  if (short && !centred && frame.right - above.right > width * 0.45) return false
  const indented = below.x - above.x
  return indented < above.size * 0.8 || Math.abs(middle(above) - middle(below)) < above.size
}

/** Lines that begin below each other, away from the middle: where they are about equally long they seem centred. */
function isFlush(above: Line, below: Line, { left, right }: Frame): boolean {
  return Math.abs(above.x - below.x) < 1 && Math.abs(middle(above) - (left + right) / 2) > above.size * 2
}

function paragraphOf(lines: readonly Line[], look: Look, frame: Frame): FlowBlock {
  const [first] = lines as readonly [Line, ...Line[]]
  const text = lines.map(textOfLine).join(' ')
  const level = levelOf(first, lines.length, text, look)
  const align = alignOf(lines, frame)
  const inlines = joinLines(
    lines.map((line) => line.pieces.flatMap((piece) => piece.marks)),
    level === undefined ? look.size : 0,
  )
  const way = directed(inlines)
  // From the right is where such text begins.
  const aligned = { ...way, ...(align !== undefined && !(way.direction && align === 'right') && { align }) }
  if (level !== undefined) return { kind: 'heading', level, inlines: inlines.map(unbold), ...aligned }
  const indent = align === undefined && way.direction === undefined ? first.x - frame.left : 0
  return { kind: 'paragraph', inlines, ...aligned, ...(indent > look.size * 1.5 && { indent }) }
}

/** Larger than the text: its number is that of a chapter, not of an item. */
function isHead(line: Line, look: Look): boolean {
  return (
    !look.cell &&
    look.headings.some((one) => Math.abs(one - line.size) < 0.6) &&
    labelOf(line)?.ordered === true
  )
}

function levelOf(line: Line, lines: number, text: string, look: Look): number | undefined {
  if (look.cell || text.length > 200 || lines > 3 || !/\p{L}/u.test(text)) return undefined
  const size = look.headings.findIndex((one) => Math.abs(one - line.size) < 0.6)
  if (size >= 0) return Math.min(size + 1, 6)
  const whole =
    isBold(line) && lines === 1 && text.length < 90 && !/[.,;:]$/.test(text) && line.size >= look.size - 0.3
  return whole ? Math.min(look.headings.length + 1, 6) : undefined
}

export function isBold(line: Line): boolean {
  return line.pieces.every((piece) =>
    piece.marks.every((mark) =>
      mark.inlines.every((one) => one.kind !== 'text' || one.style.bold === true || one.text.trim() === ''),
    ),
  )
}

function middle(line: Line): number {
  return (line.x + line.right) / 2
}

function alignOf(lines: readonly Line[], frame: Frame): FlowAlign | undefined {
  const width = frame.right - frame.left
  if (width <= 0) return undefined
  const centre = (frame.left + frame.right) / 2
  const away = width * 0.06
  if (lines.every((line) => Math.abs(middle(line) - centre) < width * 0.02 && line.x - frame.left > away))
    return 'center'
  if (lines.every((line) => frame.right - line.right < width * 0.02 && line.x - frame.left > width * 0.4))
    return 'right'
  return undefined
}

/** One text of several lines: words that were divided at line ends are whole again. `usual`: the size not worth telling, absent where none is. */
export function joinLines(
  lines: readonly (readonly Mark[])[],
  usual: number | undefined,
  colours: 'dark' | 'all' = 'dark',
): readonly FlowInline[] {
  const inlines: FlowInline[] = []
  for (const marks of lines) {
    const last = inlines.at(-1)
    const line = inReadingOrder(inlinesOfLine(marks, usual, colours))
    const next = line.find((one) => one.kind === 'text')
    if (last?.kind === 'text' && next !== undefined) {
      const divided = /\p{L}[-\u00ad]$/u.test(last.text) && /^\p{Ll}/u.test(next.text.trimStart())
      if (divided) inlines[inlines.length - 1] = { ...last, text: last.text.slice(0, -1) }
      else if (!/\s$/.test(last.text) && !isIdeographic(last.text.at(-1)))
        inlines.push({ kind: 'text', text: ' ', style: {} })
    }
    inlines.push(...line)
  }
  return trimmed(merged(inlines))
}

/** As they are seen, with a blank where there is a gap. */
function inlinesOfLine(
  marks: readonly Mark[],
  usual: number | undefined,
  colours: 'dark' | 'all',
): readonly FlowInline[] {
  const inlines: FlowInline[] = []
  const largest = mostOf(marks.map((one) => one.size))
  const host = marks.find((one) => one.size === largest)
  for (const [at, mark] of marks.entries()) {
    const before = marks[at - 1]
    const apart = before !== undefined && mark.x - (before.x + before.width) > mark.size * 0.12
    if (apart && !/\s$/.test(before.text) && !/^\s/.test(mark.text))
      inlines.push({ kind: 'text', text: ' ', style: {} })
    for (const inline of mark.inlines)
      inlines.push(sized(colours === 'all' ? inline : darkened(inline), mark, usual, host))
  }
  return inlines
}

/** A paragraph that says which way it is read, where that is from the right. */
function directed(inlines: readonly FlowInline[]): { readonly direction?: 'rtl' } {
  return readsFromRight(plainText(inlines)) ? { direction: 'rtl' } : {}
}

/** A size is told where it is not that of the text; what is small and raised is a superscript. */
function sized(
  inline: FlowInline,
  mark: Mark,
  usual: number | undefined,
  host: Mark | undefined, // the first of the largest of its line
): FlowInline {
  if (inline.kind !== 'text' || host === undefined) return inline
  const shifted = Math.abs(mark.y + mark.height / 2 - host.y - host.height / 2) > host.height * 0.15
  if (mark.size < host.size * (shifted ? 0.9 : 0.75)) {
    const raised = mark.y + mark.height / 2 < host.y + host.height / 2
    return { ...inline, style: { ...inline.style, script: raised ? 'super' : 'sub' } }
  }
  if (usual === undefined || Math.abs(mark.size - usual) < 0.4) return inline
  return { ...inline, style: { ...inline.style, size: mark.size } }
}

/** What was light stood on something dark, which a flow does not have. */
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
  for (const one of inlines) {
    const last = out.at(-1)
    const blank = one.kind === 'text' && one.text.trim() === ''
    if (
      one.kind === 'text' &&
      last?.kind === 'text' &&
      ((last.link === one.link && JSON.stringify(last.style) === JSON.stringify(one.style)) || blank)
    )
      out[out.length - 1] = { ...last, text: `${last.text}${one.text}`.replace(/ {2,}/g, ' ') }
    else out.push(one)
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

interface Label {
  readonly ordered: boolean
  readonly number: number
  readonly rest: readonly Mark[] // the text behind it
}

/** A bullet or a number at the start of a line, apart from the text or with it. */
function labelOf(line: Line): Label | undefined {
  const marks = line.pieces.flatMap((piece) => piece.marks)
  const [first, second] = marks
  if (first === undefined) return undefined
  const alone = first.text.trim()
  if (
    second !== undefined &&
    second.x - (first.x + first.width) < widestLabelGap * second.size &&
    line.pieces.length <= 2
  ) {
    if (bullet.test(alone)) return { ordered: false, number: 1, rest: marks.slice(1) }
    const found = ordinal.exec(alone)
    if (found !== null) return { ordered: true, number: Number(found[1]) || 1, rest: marks.slice(1) }
  }
  const [, mark, digits, text] =
    /^\s*(?:([•·▪▫◦‣●○■\uf0b7\uf0a7])|(\d{1,3})[.)])\s+(\S[\s\S]*)$/.exec(first.text) ?? []
  if (text === undefined || line.pieces.length > 1) return undefined
  const rest = { ...first, text, inlines: [...withoutStart(first.inlines, first.text.length - text.length)] }
  return { ordered: mark === undefined, number: Number(digits) || 1, rest: [rest, ...marks.slice(1)] }
}

function withoutStart(inlines: readonly FlowInline[], length: number): readonly FlowInline[] {
  let left = length
  return inlines.flatMap((one) => {
    if (one.kind !== 'text' || left === 0) return [one]
    const text = one.text.slice(left)
    left = Math.max(0, left - one.text.length)
    return text === '' ? [] : [{ ...one, text }]
  })
}

/** How many lines from here are a list: items, and what hangs below them. */
function listAt(lines: readonly Line[], start: number): number {
  let end = start
  let textAt = Number.POSITIVE_INFINITY
  while (end < lines.length) {
    const line = lines[end] as Line
    const above = lines[end - 1]
    const label = labelOf(line)
    if (label !== undefined) textAt = label.rest[0]?.x ?? line.x
    else if (end === start || above === undefined || line.pieces.length > 1) break
    // A line that goes on stands below the text of its item.
    else if (Math.abs(line.x - textAt) > line.size * 0.8 || line.y - above.y > widestLeading * line.size)
      break
    end++
  }
  return end - start
}

type FlowTable = Extract<FlowBlock, { kind: 'table' }>

interface OpenItem {
  readonly x: number
  readonly ordered: boolean
  readonly number: number
  readonly lines: Mark[][]
}

function listsOf(lines: readonly Line[]): readonly FlowBlock[] {
  const items: OpenItem[] = []
  for (const line of lines) {
    const label = labelOf(line)
    if (label === undefined) items.at(-1)?.lines.push(line.pieces.flatMap((piece) => [...piece.marks]))
    else items.push({ x: line.x, ordered: label.ordered, number: label.number, lines: [[...label.rest]] })
  }
  return nested(items, 0)
}

const deepestList = 6

/** Items that stand farther right than those around them are a list inside the item above. */
function nested(items: readonly OpenItem[], depth: number): readonly FlowBlock[] {
  const lists: { ordered: boolean; start: number; items: { blocks: FlowBlock[] }[] }[] = []
  const left = leastOf(items.map((item) => item.x))
  for (let at = 0; at < items.length; ) {
    const item = items[at] as OpenItem
    let end = at + 1
    while (end < items.length && (items[end] as OpenItem).x > left + 4 && depth < deepestList) end++
    const inlines = joinLines(item.lines, undefined)
    const blocks: FlowBlock[] = [{ kind: 'paragraph', inlines, ...directed(inlines) }]
    if (end > at + 1) blocks.push(...nested(items.slice(at + 1, end), depth + 1))
    const last = lists.at(-1)
    if (last !== undefined && last.ordered === item.ordered) last.items.push({ blocks })
    else lists.push({ ordered: item.ordered, start: item.number, items: [{ blocks }] })
    at = end
  }
  return lists.map(({ ordered, start, items: made }) => ({ kind: 'list', ordered, start, items: made }))
}

/** How many lines from here are the rows of a table: several pieces each, that stand below each other. */
function tableAt(lines: readonly Line[], start: number): number {
  const isRow = (line: Line | undefined) =>
    line !== undefined && line.pieces.length >= 2 && labelOf(line) === undefined
  if (!isRow(lines[start])) return 0
  let end = start
  let rows = 0
  const gap = gapOf(lines[start])
  let columns = intervalsOf([lines[start] as Line])
  for (; end < lines.length; end++) {
    const line = lines[end] as Line
    const above = lines[end - 1]
    if (end > start && above !== undefined && line.y - above.bottom > Math.max(line.size, above.size) * 2.2)
      break
    const next = joinedColumns([...columns, ...columnsOfPieces(line)], gap)
    if (isRow(line)) {
      // A row that closes the gaps between the columns is not one of this table.
      if (next.length < 2 || next.length < columns.length - 1) break
      rows++
    } else {
      // What goes on in one cell stands within its column, close below.
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

/** Poppler joins the heads of two narrow columns; the row below shows where they part. */
function withPartedHeads(lines: readonly Line[]): readonly Line[] {
  return lines.map((line, at) => {
    const below = lines[at + 1]
    if (below === undefined || line.pieces.length < 2 || below.pieces.length <= line.pieces.length)
      return line
    if (below.y - line.bottom > line.size * 2.2 || labelOf(below) !== undefined) return line
    const gaps = below.pieces.slice(1).map((piece, next) => ({
      from: (below.pieces[next] as Piece).right,
      to: piece.x,
    }))
    const pieces = line.pieces.flatMap((piece) => {
      const borders = gaps
        .filter(({ from, to }) => piece.x < from && piece.right > to)
        .map(({ from, to }) => (from + to) / 2)
      return borders.length === 0
        ? [piece]
        : piece.marks
            .flatMap((mark) => splitAt(mark, borders))
            .map((mark) => ({ marks: [mark], x: mark.x, right: mark.x + mark.width }))
    })
    return pieces.length > below.pieces.length ? line : { ...line, pieces }
  })
}

interface Column {
  left: number
  right: number
}

/** What the pieces of some lines cover of the width; gaps that are narrower than a cell's are none. */
function intervalsOf(lines: readonly Line[]): readonly Column[] {
  return joinedColumns(lines.flatMap(columnsOfPieces), gapOf(lines[0]))
}

const gapOf = (line: Line | undefined): number => cellGap * (line?.size ?? 10) * 0.5
const columnsOfPieces = ({ pieces }: Line): readonly Column[] =>
  pieces.map(({ x, right }) => ({ left: x, right }))

/** Those with less than a gap between them are one. */
function joinedColumns(all: readonly Column[], gap: number): readonly Column[] {
  const columns: Column[] = []
  for (const { left, right } of all.toSorted((a, b) => a.left - b.left)) {
    const last = columns.at(-1)
    if (last !== undefined && left < last.right + gap) last.right = Math.max(last.right, right)
    else columns.push({ left, right })
  }
  return columns
}

function tableOf(lines: readonly Line[]): FlowTable {
  const columns = withHeadings(intervalsOf(lines), lines[0] as Line, lines.slice(1))
  const rows: { line: Line; cells: Piece[][][] }[] = []
  for (const line of lines) {
    const places = columns.map((column) =>
      line.pieces.filter((piece) => piece.x >= column.left - 1 && piece.x < column.right + 1),
    )
    const above = rows.at(-1)
    // A line without a first cell, or with one cell only, goes on with the row above.
    const filled = places.filter((pieces) => pieces.length > 0).length
    const goesOn =
      above !== undefined &&
      ((places[0]?.length === 0 && filled < columns.length - 1) || filled === 1) &&
      line.y - above.line.y <
        widestLeading * line.size * above.cells.reduce((most, cell) => Math.max(most, cell.length), 1)
    if (goesOn)
      for (const [at, pieces] of places.entries()) if (pieces.length > 0) above.cells[at]?.push(pieces)
    if (!goesOn) rows.push({ line, cells: places.map((pieces) => (pieces.length === 0 ? [] : [pieces])) })
  }
  const head = rows[0]
  const header = head !== undefined && rows.length > 1 && isBold(head.line)
  const figures = header ? rows.slice(1) : rows
  const right = columns.map((_, at) => isRightAligned(figures.map(({ cells }) => cells[at] ?? [])))
  const made: FlowRow[] = rows.map(({ cells }, y) => ({
    cells: cells.map((cell, at): FlowCell => {
      const joined = joinLines(
        cell.map((pieces) => pieces.flatMap((piece) => [...piece.marks])),
        undefined,
      )
      // What makes it a heading need not be told twice.
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
  return inTableOrder({ kind: 'table', rows: made, headerRows: header ? 1 : 0, widths })
}

/** A table whose text is read from the right begins with its rightmost column. */
export function inTableOrder(table: FlowTable): FlowTable {
  const texts = table.rows.flatMap(({ cells }) =>
    cells.flatMap(({ blocks }) =>
      blocks.filter((block) => block.kind === 'paragraph' || block.kind === 'heading'),
    ),
  )
  const worded = texts.filter(({ inlines }) => /\p{L}/u.test(plainText(inlines)))
  const turned = worded.filter(({ direction }) => direction === 'rtl')
  if (turned.length * 2 <= worded.length) return table
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

/** A heading at the left of a column of figures at the right is no column of its own: nothing stands below it. */
function withHeadings(columns: readonly Column[], head: Line, rest: readonly Line[]): readonly Column[] {
  const holds = (column: Column, line: Line) =>
    line.pieces.some((piece) => piece.x >= column.left - 1 && piece.x < column.right + 1)
  const out: Column[] = []
  for (const column of columns) {
    const last = out.at(-1)
    const lonely = (one: Column) => holds(one, head) && !rest.some((line) => holds(one, line))
    const apart = last !== undefined && !(holds(last, head) && holds(column, head))
    if (last !== undefined && apart && (lonely(last) || lonely(column))) last.right = column.right
    else out.push({ ...column })
  }
  return out
}

/** Figures stand at the right edge of their column: their ends agree and their starts do not. */
function isRightAligned(cells: readonly (readonly (readonly Piece[])[])[]): boolean {
  const pieces = cells.flatMap((cell) => cell.flat())
  if (pieces.length < 2) return false
  const spread = (values: readonly number[]) => mostOf(values) - leastOf(values)
  return spread(pieces.map((one) => one.right)) < 3 && spread(pieces.map((one) => one.x)) > 4
}
