import { pushAll } from '../../../../../shared/push-all.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { lineWidth } from '../../style/border-width.ts'
import type { LayoutContext } from '../context.ts'
import { type FilledRegion, type FlowPosition, flowStart } from '../flow/types.ts'
import type { Pt } from '../frame.ts'
import { cellRequest } from './cell-request.ts'
import { RowCut } from './cut-row.ts'
import { endOfCell } from './measure-rows.ts'
import type { PreparedCell, PreparedRow, PreparedTable, TablePosition, TableRequest } from './types.ts'

/** A row, or part of one, with its position in the region. */
export interface PlacedRow {
  readonly row: number
  readonly y: Pt
  readonly height: Pt
}

/**
 * One pass over the rows of one region: what it is filled with, and what has been placed so far. Positions are
 * in points from the top left of the region. Only `y` and the lists change.
 */
export interface RowRegion {
  readonly context: LayoutContext
  readonly table: PreparedTable
  /** The position at which the table continues; undefined for its start. */
  readonly from: TablePosition | undefined
  readonly request: TableRequest
  /** The rows placed so far, without repeated header rows. */
  readonly rows: PlacedRow[]
  /** The repeated header rows. */
  readonly headers: PlacedRow[]
  /** Keys of the notes that the placed rows refer to. */
  readonly notes: string[]
  /** The content of the cells of a split row. */
  readonly parts: Map<PreparedCell, FilledRegion>
  /** The bottom of the row placed last. */
  y: Pt
}

/**
 * Places measured rows until the region is full. Returns the position at which the table continues; undefined
 * when all its rows are placed. Each iteration places a row or ends the loop.
 */
export function distributeRows(region: RowRegion): TablePosition | undefined {
  const { context, from, request } = region
  const { rows } = region.table
  const start = from?.row ?? 0
  if (from !== undefined) repeatHeaders(region, start)
  for (let index = start; index < rows.length; index++) {
    context.budget.check()
    const row = rows[index]!
    const continued = index === start ? from?.cells : undefined
    const height = continued === undefined ? (row.measured ?? 0) : remainingHeight(region, row, continued)
    const notes = notesOf(row)
    const available = availableHeight(region, notes) - region.y
    const closing = closingBorder(region.table, index)
    if (height + closing <= available) {
      placeRow(region, index, height, notes)
      continue
    }
    const isForced = request.mustPlace && isFirst(region, index)
    const split = splitRow(region, index, continued, available - closing, isForced)
    if (split === 'moved')
      return continued === undefined
        ? { row: withdrawKeptRows(region, index) }
        : { row: index, cells: continued }
    if (split !== 'whole') {
      countSplit(region)
      return split
    }
    placeRow(region, index, height, notes)
    return index + 1 < rows.length ? { row: index + 1 } : undefined
  }
  return undefined
}

/** Notes that a row was split, and whether footnotes limit the height of its region. */
function countSplit({ context, request }: RowRegion): void {
  const { decisions } = context.record
  decisions.splitRows++
  if (request.noteLimit !== undefined && context.document.notes.size > 0) decisions.splitRowsAmongNotes++
}

/**
 * Takes back rows that keep with the one that moves on. All of them are taken back only if the table can start
 * elsewhere. Returns the first row that moves.
 */
function withdrawKeptRows(region: RowRegion, moved: number): number {
  const { rows, headerRows } = region.table
  const placed = region.rows
  let first = moved
  while (first > (region.from?.row ?? 0) && first > headerRows && rows[first - 1]!.keepNext) first--
  const movesAll = first === headerRows && region.from === undefined
  if (movesAll) first = 0
  const back = moved - first
  if (back === 0 || (back >= placed.length && (!movesAll || region.request.mustPlace))) return moved
  for (const row of placed.splice(placed.length - back).reverse()) {
    region.y = row.y
    region.notes.length -= notesOf(rows[row.row]!).length
  }
  return first
}

function placeRow(region: RowRegion, row: number, height: Pt, notes: readonly string[]): void {
  region.rows.push({ row, y: region.y, height })
  region.y += height
  pushAll(region.notes, notes)
}

/** The available height when these notes are added to the page. */
function availableHeight({ request, notes: placed }: RowRegion, notes: readonly string[]): Pt {
  const { noteLimit, height } = request
  if (noteLimit === undefined || notes.length + placed.length === 0) return height
  return noteLimit([...placed, ...notes])
}

/** The height of the border that closes the table, or its part on this page, below a row. */
export function closingBorder({ borders }: PreparedTable, row: number): Pt {
  let width = 0
  for (const border of borders.horizontal[row + 1] ?? []) {
    if (border !== undefined) width = Math.max(width, lineWidth(border))
  }
  return width
}

/** The maximum fraction of a region that repeated headers may occupy; taller ones are not repeated. */
const maxHeaderFraction = 0.75

/** The height of the header rows; undefined when they are not repeated. */
function headerHeight({ table: { headerRows, rows }, request }: RowRegion): Pt | undefined {
  let height = 0
  for (let row = 0; row < headerRows; row++) height += rows[row]!.measured ?? 0
  return headerRows === 0 || height > request.height * maxHeaderFraction ? undefined : height
}

/**
 * Whether nothing but header rows that are repeated is above row `index` in this region: below the same rows, no more
 * of it would fit into the next one.
 */
const isFirst = (region: RowRegion, index: number): boolean =>
  region.rows.length === 0 ||
  (region.from === undefined && index === region.table.headerRows && headerHeight(region) !== undefined)

/** Places the header rows again, when the table continues below them. */
function repeatHeaders(region: RowRegion, start: number): void {
  const { headerRows, rows } = region.table
  if (start < headerRows || headerHeight(region) === undefined) return
  for (let row = 0; row < headerRows; row++) {
    const { measured = 0 } = rows[row]!
    region.headers.push({ row, y: region.y, height: measured })
    region.y += measured
  }
}

/** The height of what remains of a split row, or of a complete one below a cut through merged cells. */
function remainingHeight(
  { context, from }: RowRegion,
  row: PreparedRow,
  continued: NonNullable<TablePosition['cells']>,
): Pt {
  const isComplete = !row.cells.some((cell) => continued.has(cell))
  const declared = isComplete ? row.height : undefined
  if (declared?.rule === 'exact') return Math.max(declared.value, 0)
  let height = 0
  for (const cell of row.cells) {
    if (cell.rows > 1) continue
    const at = continued.get(cell)
    if (at === 'done') continue
    height = Math.max(height, heightFrom(context, cell, at))
  }
  for (const [cell, at] of continued) {
    if (cell.rows === 1 || at === 'done' || lastRowOf(cell) !== from?.row) continue
    height = Math.max(height, heightFrom(context, cell, at))
  }
  return Math.max(height + row.topBorder, declared?.value ?? 0, from?.minHeight ?? 0)
}

/** The height of a cell from a position in its text on, with its margins. */
function heightFrom(context: LayoutContext, cell: PreparedCell, at: FlowPosition | undefined): Pt {
  const request = cellRequest(cell, Number.POSITIVE_INFINITY, true)
  const filled = context.flows.fill(cell.flow, at ?? flowStart, request)
  return filled.height + endOfCell(context, cell, filled) + cell.top + cell.bottom
}

const lastRowOf = ({ row, rows }: PreparedCell): number => row + rows - 1

/**
 * Splits a row. Returns 'moved' when it moves to the next region as a whole, 'whole' when it is placed unsplit
 * although it overflows, or the position at which its cells continue.
 */
function splitRow(
  region: RowRegion,
  index: number,
  continued: TablePosition['cells'],
  available: Pt,
  isForced: boolean,
): 'moved' | 'whole' | TablePosition {
  const row = region.table.rows[index]!
  const isFixed = row.height?.rule === 'exact' || (row.cantSplit && !isForced)
  if (isFixed) return isForced ? 'whole' : 'moved'
  if (!isForced && continued === undefined && hasDeclaredHeight(row)) return 'moved'
  const cut = new RowCut(region.context, available - row.topBorder)
  for (const cell of row.cells) {
    if (cell.rows > 1) continue
    if (cell.direction !== 'horizontal') return isForced ? 'whole' : 'moved'
    // Every cell must show its first line, or the row moves as a whole.
    if (!cut.add(cell, continued?.get(cell), isForced)) return 'moved'
  }
  if (cut.kind === 'none' || cut.kind === 'lines') {
    const reach = cutMergedCells(region, index, continued, available)
    if (reach !== undefined) return placeSplitRow(region, index, cut, available, reach)
  }
  return insteadOfCut(row, cut, available, isForced) ?? placeSplitRow(region, index, cut, available)
}

/** What happens to a row that this cut does not split; undefined where it does. */
function insteadOfCut(
  row: PreparedRow,
  cut: RowCut,
  available: Pt,
  isForced: boolean,
): 'moved' | 'whole' | undefined {
  switch (cut.kind) {
    case 'none':
      return isForced || row.height === undefined ? 'whole' : 'moved'
    case 'refused':
      return 'moved'
    case 'space':
      if (isForced) return 'whole'
      if (row.height !== undefined && row.height.value > available) return 'moved'
  }
  if (cut.progress) return undefined
  return isForced ? 'whole' : 'moved'
}

/** Whether the declared height determines the height of the row, so that the row is not split. */
const hasDeclaredHeight = ({ height, measured = 0 }: PreparedRow): boolean =>
  libreOffice.declaredHeightsKeepRowsWhole && height !== undefined && measured <= height.value + 0.01

/**
 * Cuts the merged cells that end in a row at the bottom of the region, `available` points below the top of the row.
 * Returns the height that they give the row, without the border above it; undefined when all of them end above the cut, or
 * when one would show nothing.
 */
function cutMergedCells(
  region: RowRegion,
  index: number,
  continued: TablePosition['cells'],
  available: Pt,
): Pt | undefined {
  const { context, table, rows } = region
  const parts: [PreparedCell, FilledRegion][] = []
  const bottom = region.y + available
  let reach = 0
  let isCut = false
  for (const cell of mergedCellsEndingAt(region, index)) {
    const at = (continued ?? region.from?.cells)?.get(cell)
    if (at === 'done') continue
    if (cell.direction !== 'horizontal') return undefined
    const first = rows.find(({ row }) => row === cell.row) ?? rows[0]
    const top = (first?.y ?? region.y) + table.rows[cell.row]!.topBorder
    const free = bottom - top - cell.top - cell.bottom
    const filled = context.flows.fill(cell.flow, at ?? flowStart, cellRequest(cell, free, false))
    if (filled.empty) return undefined
    if (filled.next !== undefined) isCut = true
    const space = filled.next === undefined ? filled.trailing : 0
    const end = top + cell.top + filled.height - space + cell.bottom
    reach = Math.max(reach, end - region.y - table.rows[index]!.topBorder)
    parts.push([cell, filled])
  }
  if (!isCut) return undefined
  for (const [cell, filled] of parts) {
    region.parts.set(cell, filled)
    pushAll(region.notes, filled.notes)
  }
  return reach
}

/** The merged cells whose last row is this one. */
function* mergedCellsEndingAt({ table }: RowRegion, index: number): Generator<PreparedCell> {
  for (let row = Math.max(0, index - maxMergedRows); row < index; row++) {
    for (const cell of table.rows[row]!.cells) if (cell.rows > 1 && lastRowOf(cell) === index) yield cell
  }
}

/** Merged cells that cover more rows than this are not cut in their last row, so that long tables are not searched again and again. */
const maxMergedRows = 1000

/**
 * Places the part of a split row that fits. Returns the position at which its cells continue. `reach` is the height that
 * merged cells give this part, without the border above it.
 */
function placeSplitRow(
  region: RowRegion,
  index: number,
  cut: RowCut,
  available: Pt,
  reach = 0,
): TablePosition {
  const row = region.table.rows[index]!
  const cells = new Map<PreparedCell, FlowPosition | 'done'>()
  const declared = row.height === undefined ? 0 : Math.min(available, row.measured ?? 0) - row.topBorder
  let height = Math.max(declared, reach)
  for (const [cell, part] of cut.parts) {
    cells.set(cell, part === 'done' ? 'done' : (part.filled.next ?? 'done'))
    if (part === 'done') continue
    region.parts.set(cell, part.filled)
    pushAll(region.notes, part.filled.notes)
    height = Math.max(height, part.height)
  }
  const total = height + row.topBorder
  region.rows.push({ row: index, y: region.y, height: total })
  region.y += total
  return { row: index, cells, ...(cut.minHeight > 0 && { minHeight: cut.minHeight + row.topBorder }) }
}

/** Keys of the notes in a row that is shown entirely. */
function notesOf(row: PreparedRow): readonly string[] {
  let notes: string[] | undefined
  for (const cell of row.cells) {
    if (cell.content !== undefined && cell.content.notes.length > 0)
      pushAll((notes ??= []), cell.content.notes)
  }
  return notes ?? none
}
const none: readonly string[] = []
