import { lineWidth } from '../../style/border-width.ts'
import type { LayoutContext } from '../context.ts'
import { backdropItems } from '../drawing/ground.ts'
import type { Filled, Position } from '../flow/types.ts'
import { flowStart } from '../flow/types.ts'
import { type Frame, filledBox, type Matrix, type Placed, type Pt } from '../frame.ts'
import { colourOf } from '../inline/look.ts'
import { cellRequest } from './cell-request.ts'
import { RowCut } from './cut-row.ts'
import { paintBorders } from './paint-borders.ts'
import type {
  CellContent,
  PreparedCell,
  PreparedRow,
  PreparedTable,
  TableFilled,
  TablePosition,
  TableRequest,
} from './types.ts'

/** A row, or part of one, with its position in the region. */
export interface PlacedRow {
  readonly row: number
  readonly y: Pt
  readonly height: Pt
}

/**
 * Places rows into a region until it is full. A row that does not fit is split between lines unless that is
 * forbidden; header rows are repeated at the top of each further region. The text of merged cells flows
 * through the rows they cover.
 */
export function fillTable(
  context: LayoutContext,
  table: PreparedTable,
  from: TablePosition | undefined,
  request: TableRequest,
): TableFilled {
  measureRows(context, table)
  return new TableFiller(context, table, from, request).run()
}

/** One pass over the rows of one region. Positions are in points from the top left of the region. */
class TableFiller {
  readonly #context: LayoutContext
  readonly #table: PreparedTable
  readonly #from: TablePosition | undefined
  readonly #request: TableRequest
  /** The rows placed so far. */
  readonly #rows: PlacedRow[] = []
  /** Keys of the notes that the placed rows refer to. */
  readonly #notes: string[] = []
  /** The content of the cells of a split row. */
  readonly #parts = new Map<PreparedCell, Filled>()
  /** The repeated header rows. */
  readonly #headers: PlacedRow[] = []
  /** The bottom of the row placed last. */
  #y: Pt = 0

  constructor(
    context: LayoutContext,
    table: PreparedTable,
    from: TablePosition | undefined,
    request: TableRequest,
  ) {
    this.#context = context
    this.#table = table
    this.#from = from
    this.#request = request
  }

  run(): TableFilled {
    const { rows } = this.#table
    const start = this.#from?.row ?? 0
    if (this.#from !== undefined) this.#repeatHeaders(start)
    let row = start
    let next: TablePosition | undefined
    for (; row < rows.length; row++) {
      this.#context.budget.check()
      const carried = row === start ? this.#from?.cells : undefined
      const height = carried === undefined ? rows[row]!.measured! : this.#restHeight(rows[row]!, carried)
      const notes = notesOf(rows[row]!)
      const available = this.#available(notes) - this.#y
      if (height + this.#closing(row) <= available) {
        this.#put(row, height, notes)
        continue
      }
      const forced = this.#request.mustPlace && this.#rows.length === 0
      const split = this.#split(row, carried, available - this.#closing(row), forced)
      if (split === 'moved') next = carried === undefined ? { row: this.#keep(row) } : { row, cells: carried }
      else if (split === 'whole') {
        this.#put(row, height, notes)
        if (row + 1 < rows.length) next = { row: row + 1 }
      } else next = split
      break
    }
    // Nothing was placed, so the table continues where it did.
    if (this.#rows.length === 0)
      return { items: [], height: 0, next: this.#from ?? { row: 0 }, notes: [], empty: true }
    return this.#finish(next)
  }

  /**
   * Takes back rows that keep with the one that moves on. All of them are taken back only if the table can
   * start elsewhere. Returns the first row that moves.
   */
  #keep(moved: number): number {
    const { rows, headerRows } = this.#table
    let first = moved
    while (first > (this.#from?.row ?? 0) && first > headerRows && rows[first - 1]!.keepNext) first--
    const movesAll = first === headerRows && this.#from === undefined
    if (movesAll) first = 0
    const back = moved - first
    if (back === 0 || (back >= this.#rows.length && (!movesAll || this.#request.mustPlace))) return moved
    for (let i = 0; i < back; i++) {
      const row = this.#rows.pop()!
      this.#y = row.y
      this.#notes.length -= notesOf(rows[row.row]!).length
    }
    return first
  }

  /** Places a row. */
  #put(row: number, height: Pt, notes: readonly string[]): void {
    this.#rows.push({ row, y: this.#y, height })
    this.#y += height
    this.#notes.push(...notes)
  }

  /** The available height when these notes are added to the page. */
  #available(notes: readonly string[]): Pt {
    const { noteLimit, height } = this.#request
    if (noteLimit === undefined || notes.length + this.#notes.length === 0) return height
    return noteLimit([...this.#notes, ...notes])
  }

  /** The height of the border that closes the table, or its part on this page, below a row. */
  #closing(row: number): Pt {
    let width = 0
    for (const border of this.#table.borders.level[row + 1] ?? []) {
      if (border !== undefined) width = Math.max(width, lineWidth(border))
    }
    return width
  }

  /** Places the header rows again, when the table continues below them. */
  #repeatHeaders(start: number): void {
    const { headerRows, rows } = this.#table
    if (headerRows === 0 || start < headerRows) return
    let height = 0
    for (let row = 0; row < headerRows; row++) height += rows[row]!.measured!
    // Headers that would occupy more than three quarters of the region are not repeated.
    if (height > this.#request.height * 0.75) return
    for (let row = 0; row < headerRows; row++) {
      this.#headers.push({ row, y: this.#y, height: rows[row]!.measured! })
      this.#y += rows[row]!.measured!
    }
  }

  /** The height of what remains of a split row. */
  #restHeight(row: PreparedRow, carried: NonNullable<TablePosition['cells']>): Pt {
    let height = 0
    for (const cell of row.cells) {
      if (cell.rows > 1) continue
      const at = carried.get(cell)
      if (at === 'done') continue
      const filled = this.#context.flows.fill(
        cell.flow,
        at ?? flowStart,
        cellRequest(cell, Number.POSITIVE_INFINITY, true),
      )
      height = Math.max(height, filled.height + cell.top + cell.bottom)
    }
    return Math.max(height + row.topBorder, this.#from?.least ?? 0)
  }

  /**
   * Splits a row. Returns 'moved' when it moves to the next region as a whole, 'whole' when it is placed
   * unsplit although it overflows, or the position at which its cells continue.
   */
  #split(
    index: number,
    carried: TablePosition['cells'],
    available: Pt,
    forced: boolean,
  ): 'moved' | 'whole' | TablePosition {
    const row = this.#table.rows[index]!
    const fixed = row.height?.rule === 'exact' || (row.cantSplit && !forced)
    if (fixed) return forced ? 'whole' : 'moved'
    const cut = new RowCut(this.#context, available - row.topBorder)
    for (const cell of row.cells) {
      if (cell.rows > 1) continue
      if (cell.direction !== 'horizontal') return forced ? 'whole' : 'moved'
      // Every cell must show its first line, or the row moves as a whole.
      if (!cut.add(cell, carried?.get(cell), forced)) return 'moved'
    }
    const tall = row.height !== undefined && row.height.value > available
    if (cut.kind === 'none') return forced || row.height === undefined ? 'whole' : 'moved'
    if (cut.kind === 'space' && forced) return 'whole'
    if (cut.kind === 'refused' || (cut.kind === 'space' && tall)) return 'moved'
    if (!cut.progress) return forced ? 'whole' : 'moved'
    const cells = new Map<PreparedCell, Position | 'done'>()
    let height = row.height === undefined ? 0 : Math.min(available, row.measured ?? 0) - row.topBorder
    for (const [cell, part] of cut.parts) {
      cells.set(cell, part === 'done' ? 'done' : (part.filled.next ?? 'done'))
      if (part === 'done') continue
      this.#parts.set(cell, part.filled)
      this.#notes.push(...part.filled.notes)
      height = Math.max(height, part.height)
    }
    this.#rows.push({ row: index, y: this.#y, height: height + row.topBorder })
    this.#y += this.#rows.at(-1)!.height
    return { row: index, cells, ...(cut.least > 0 && { least: cut.least + row.topBorder }) }
  }

  /** Draws the placed rows: backgrounds first, then the content of cells, then borders. */
  #finish(next: TablePosition | undefined): TableFilled {
    const backgrounds: Placed[] = []
    const items: Placed[] = []
    const { left } = this.#table
    for (const rows of [this.#headers, this.#rows]) {
      const carriedOn = new Map<PreparedCell, Position | 'done'>(
        rows === this.#rows ? next?.cells : undefined,
      )
      for (const { cell, y, height, whole, at } of this.#cellsOf(rows, rows === this.#rows)) {
        const x = left + this.#cellX(cell)
        const width = this.#table.columns[cell.column + cell.span]! - this.#table.columns[cell.column]!
        if (cell.shading !== undefined)
          backgrounds.push(filledBox(x, y, width, height, colourOf(cell.shading)))
        if (cell.backdrop !== undefined)
          backgrounds.push(...backdropItems(this.#context, cell.backdrop, { x, y, width, height }))
        if (whole) this.#placeWhole(cell, x, y, width, height, items)
        else {
          const part = this.#parts.get(cell) ?? this.#partOf(cell, at, height)
          if (part === undefined) continue
          const top = y + this.#table.rows[cell.row]!.topBorder + cell.top
          for (const list of [part.behind, part.items, part.front]) {
            for (const item of list)
              items.push({ x: x + cell.left + item.x, y: top + item.y, item: item.item })
          }
          if (cell.rows > 1) carriedOn.set(cell, part.next ?? 'done')
        }
      }
      if (rows === this.#rows && next !== undefined && carriedOn.size > 0)
        next = { ...next, cells: carriedOn }
    }
    const borders = paintBorders(this.#table, [...this.#headers, ...this.#rows])
    const closing = next === undefined ? this.#closing(this.#table.rows.length - 1) : 0
    return {
      items: [...backgrounds, ...items, ...borders],
      height: this.#y + closing,
      next,
      notes: this.#notes,
      empty: false,
    }
  }

  /** The left edge of a cell, from the left edge of the table. */
  #cellX(cell: PreparedCell): Pt {
    const { columns, rightToLeft, width } = this.#table
    return rightToLeft ? width - columns[cell.column + cell.span]! : columns[cell.column]!
  }

  /**
   * The cells with something to show in these rows: merged cells from rows above first. `at` is where a cell
   * continues.
   */
  *#cellsOf(
    rows: readonly PlacedRow[],
    body: boolean,
  ): Generator<{ cell: PreparedCell; y: Pt; height: Pt; whole: boolean; at: Position | 'done' | undefined }> {
    const first = rows[0]?.row ?? 0
    const last = rows.at(-1)?.row ?? -1
    const carried = body ? this.#from?.cells : undefined
    for (const [cell, at] of carried ?? []) {
      if (cell.row >= first) continue
      const height = heightOf(rows, first, cell.row + cell.rows - 1)
      yield { cell, y: rows[0]?.y ?? 0, height, whole: false, at }
    }
    for (const placed of rows) {
      for (const cell of this.#table.rows[placed.row]!.cells) {
        const end = cell.row + cell.rows - 1
        const height = cell.rows === 1 ? placed.height : heightOf(rows, placed.row, end)
        const at = placed.row === first ? carried?.get(cell) : undefined
        const whole = at === undefined && !this.#parts.has(cell) && end <= last
        yield { cell, y: placed.y, height, whole, at }
      }
    }
  }

  /** The part of a merged or continued cell that this region shows; undefined when nothing is left of it. */
  #partOf(cell: PreparedCell, at: Position | 'done' | undefined, height: Pt): Filled | undefined {
    if (at === 'done') return undefined
    const available = height - this.#table.rows[cell.row]!.topBorder - cell.top - cell.bottom
    const ends = this.#rows.at(-1)!.row >= cell.row + cell.rows - 1
    return this.#context.flows.fill(
      cell.flow,
      at ?? flowStart,
      cellRequest(cell, ends ? Number.POSITIVE_INFINITY : Math.max(0, available), ends),
    )
  }

  /**
   * Draws a cell that is shown entirely, with its vertical alignment. Content taller than an exact row height
   * is clipped.
   */
  #placeWhole(cell: PreparedCell, x: Pt, y: Pt, width: Pt, height: Pt, items: Placed[]): void {
    const content = contentOf(this.#context, cell)
    const row = this.#table.rows[cell.row]!
    const inner = height - row.topBorder - cell.top - cell.bottom
    if (cell.direction !== 'horizontal') {
      items.push(turned(cell, content, { x, y: y + row.topBorder, width, height: height - row.topBorder }))
      return
    }
    const free = Math.max(0, inner - content.height)
    const down = cell.align === 'center' ? free / 2 : cell.align === 'bottom' ? free : 0
    const top = y + row.topBorder + cell.top + down
    const left = x + cell.left
    if (row.height?.rule === 'exact' && content.height > inner + 0.5) {
      const frame: Frame = {
        width: content.frame.width,
        height: Math.max(0, inner),
        items: content.frame.items,
      }
      items.push({ x: left, y: top, item: { kind: 'group', frame, clip: true } })
      return
    }
    for (const item of content.frame.items) items.push({ x: left + item.x, y: top + item.y, item: item.item })
  }
}

/** Vertical text: laid out horizontally, then rotated by a quarter turn. */
function turned(
  cell: PreparedCell,
  content: CellContent,
  box: { readonly x: Pt; readonly y: Pt; readonly width: Pt; readonly height: Pt },
): Placed {
  const across = box.width - content.height
  const shift =
    cell.align === 'center' ? across / 2 : cell.align === 'bottom' ? across - cell.left : cell.left
  const transform: Matrix = cell.direction === 'up' ? [0, -1, 1, 0, 0, 0] : [0, 1, -1, 0, 0, 0]
  return {
    x: cell.direction === 'up' ? box.x + shift : box.x + box.width - shift,
    y: cell.direction === 'up' ? box.y + box.height - cell.bottom : box.y + cell.top,
    item: { kind: 'group', frame: content.frame, clip: false, transform },
  }
}

/** The height of the rows from `from` to `to` that are placed in this region. */
function heightOf(rows: readonly PlacedRow[], from: number, to: number): Pt {
  let height = 0
  for (const row of rows) if (row.row >= from && row.row <= to) height += row.height
  return height
}

/** Keys of the notes in a row that is shown entirely. */
function notesOf(row: PreparedRow): readonly string[] {
  let notes: string[] | undefined
  for (const cell of row.cells) {
    if (cell.content !== undefined && cell.content.notes.length > 0)
      (notes ??= []).push(...cell.content.notes)
  }
  return notes ?? none
}
const none: readonly string[] = []

/** The content of a cell without a height limit, laid out once. Manual breaks do not leave the cell. */
function contentOf(context: LayoutContext, cell: PreparedCell): CellContent {
  if (cell.content !== undefined) return cell.content
  const request = cellRequest(cell, Number.POSITIVE_INFINITY, true)
  let filled = context.flows.fill(cell.flow, flowStart, request)
  const layered = filled.behind.length + filled.front.length > 0
  const items = layered ? [...filled.behind, ...filled.items, ...filled.front] : filled.items
  let { height, notes } = filled
  const { reach } = filled
  for (let next = filled.next; next !== undefined; next = filled.next) {
    context.budget.check()
    filled = context.flows.fill(cell.flow, next, cellRequest(cell, Number.POSITIVE_INFINITY, true))
    for (const item of [...filled.behind, ...filled.items, ...filled.front]) {
      items.push({ x: item.x, y: height + item.y, item: item.item })
    }
    height += filled.height
    notes = [...notes, ...filled.notes]
    if (filled.empty) break
  }
  const { spaceAtCellEnd, lineSpaceAtCellEnd, spaceEndsBands } = context.document.settings
  if (!spaceAtCellEnd) height -= filled.trailing
  if (!spaceAtCellEnd || lineSpaceAtCellEnd === false) height -= filled.slack
  // As in LibreOffice: the rule for the end of a header or footer applies to its cells as well, in addition
  // to the rule for the end of a cell.
  if (cell.inBand && spaceEndsBands) height += filled.trailing + filled.slack
  // A cell is at least as tall as the floats in it.
  height = Math.max(height, reach)
  cell.content = { frame: { width: cell.flow.width, height, items }, height, notes }
  return cell.content
}

/**
 * Measures all rows: the tallest cell, the declared height, and what merged cells need beyond their rows.
 * Vertical text comes last, since its lines are as long as its rows are tall.
 */
function measureRows(context: LayoutContext, table: PreparedTable): void {
  const { rows } = table
  if (rows.every((row) => row.measured !== undefined)) return
  const merged: PreparedCell[] = []
  const turned: PreparedCell[] = []
  for (const row of rows) {
    context.budget.check()
    let height = 0
    for (const cell of row.cells) {
      if (cell.direction !== 'horizontal') turned.push(cell)
      else if (cell.rows > 1) {
        contentOf(context, cell)
        merged.push(cell)
      } else height = Math.max(height, contentOf(context, cell).height + cell.top + cell.bottom)
    }
    if (height === 0 && row.height === undefined) height = lengthOf(context, row.cells)
    row.measured = height + row.topBorder
    if (row.height?.rule === 'exact') row.measured = Math.max(row.height.value, 0)
    else if (row.height !== undefined) row.measured = Math.max(row.measured, row.height.value)
  }
  for (const cell of merged) {
    const last = Math.min(rows.length, cell.row + cell.rows) - 1
    let height = 0
    for (let row = cell.row; row <= last; row++) height += rows[row]!.measured!
    const need = cell.content!.height + cell.top + cell.bottom + rows[cell.row]!.topBorder - height
    if (need > 0 && rows[last]!.height?.rule !== 'exact') rows[last]!.measured! += need
  }
  for (const cell of turned) {
    // The lines of vertical text can be broken only now, when the height of its rows is known.
    const last = Math.min(rows.length, cell.row + cell.rows) - 1
    let height = -rows[cell.row]!.topBorder - cell.top - cell.bottom
    for (let row = cell.row; row <= last; row++) height += rows[row]!.measured!
    cell.flow = cell.turn!(height)
    contentOf(context, cell)
  }
}

/** The maximum height in points of a row that contains only vertical text; longer lines are broken. */
const maxVerticalLength = 360

/** The height that vertical text needs in a row without other content. */
function lengthOf(context: LayoutContext, cells: readonly PreparedCell[]): Pt {
  let length = 0
  for (const cell of cells) {
    if (cell.turn === undefined || cell.rows > 1) continue
    const flow = cell.turn(maxVerticalLength)
    const { items } = context.flows.fill(
      flow,
      flowStart,
      cellRequest({ ...cell, flow }, Number.POSITIVE_INFINITY, true),
    )
    const ends = items.map(({ x, item }) => (item.kind === 'glyphs' ? x + item.run.width : 0))
    length = Math.max(length, cell.top + cell.bottom + Math.max(0, ...ends) + 0.1)
  }
  return length
}
