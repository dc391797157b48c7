import type { Cell, CellArea, SheetRow } from '../../../../../shared/document/sheet.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import { filledBox, type Placed, type Pt, straightLine } from '../frame.ts'
import { createBorderGrid, line } from './borders.ts'
import type { AssignCell } from './cell-owners.ts'
import type { ConditionalFormatting, Conditions } from './conditions/conditions.ts'
import { drawBarAndIcon } from './conditions/draw-bar-and-icon.ts'
import type { SheetContext } from './context.ts'
import { writtenLetters } from './cut-letters.ts'
import {
  type CellBox,
  type DrawnText,
  drawCellText,
  drawPlainText,
  noSpareWidth,
  type SpareWidth,
} from './draw-cell.ts'
import { type Anchored, drawDrawings } from './drawings.ts'
import { type Axis, cellAt, type Grid } from './grid.ts'
import type { Merges } from './merges.ts'
import type { Overflow } from './overflow.ts'
import type { Span } from './pages.ts'
import type { Sparklines } from './sparklines.ts'
import { visibleIn, type Window } from './visible.ts'

/** A rectangle of cells that is drawn together. */
export interface BlockRequest {
  readonly context: SheetContext
  readonly grid: Grid
  readonly merges: Merges
  readonly overflow: ReadonlyMap<number, readonly Overflow[]>
  readonly drawings: readonly Anchored[]
  readonly conditions: Conditions | undefined
  readonly sparklines: Sparklines | undefined
  readonly rows: Span
  readonly columns: Span
  readonly gridLines: boolean
  /** The scale of the page. */
  readonly factor: number
  /** Receives the texts of cells, for a tagged PDF. */
  readonly assign?: AssignCell
}

/** The drawn cells, from the top left of the first one. */
export interface Block {
  readonly width: Pt
  readonly height: Pt
  readonly items: readonly Placed[]
}

const gridColour = 0
const gridWidth = 0.25

/**
 * Distances of rows or columns from the first one of a block; negative for those before it. Those in the block are kept, since
 * each of its cells needs them.
 */
function offsetsOf({ between }: Axis, [first]: Span): (index: number) => Pt {
  const offsets: Pt[] = []
  return (index) => {
    if (index < first) return -between(index, first)
    const at = index - first
    if (at > maxKeptOffsets) return between(first, index)
    // One after another, so that the list has no gaps whichever index comes first.
    for (let next = offsets.length; next <= at; next++) offsets.push(between(first, first + next))
    return offsets[at] ?? 0
  }
}

/** A page has fewer rows and columns than this, but a merged area that begins on it may end far beyond it. */
const maxKeptOffsets = 1_000

/** A block while its cells are drawn. */
interface Drawing extends BlockRequest {
  readonly height: Pt
  /** The distance of a column from the left edge of the block. */
  readonly x: (column: number) => Pt
  /** The distance of a row from the top edge of the block. */
  readonly y: (row: number) => Pt
  readonly spare: (cell: DrawnCell) => SpareWidth
  /** The items of the cells, in layers. */
  readonly fills: Placed[]
  readonly texts: Placed[]
  readonly lines: Placed[]
}

/** Draws fills, grid lines, text and borders, in this order, so that borders are drawn over text that overflows its cell. */
export function drawBlock(request: BlockRequest): Block {
  const { context, grid, merges, rows, columns, gridLines } = request
  const x = offsetsOf(grid.columns, columns)
  const y = offsetsOf(grid.rows, rows)
  const [width, height] = [x(columns[1] + 1), y(rows[1] + 1)]
  const drawing: Drawing = {
    ...request,
    height,
    x,
    y,
    spare: (cell) => spareBeside(request, cell),
    fills: [],
    texts: [],
    lines: [],
  }
  const cells = { top: rows[0], bottom: rows[1], left: columns[0], right: columns[1] }
  const merged = merges.touching(cells)
  const borders = createBorderGrid()
  const anchors = new Set<CellArea>()
  const listed = grid.rowsBetween(rows[0], rows[1])
  drawColumnFills(drawing, listed)
  const visit = (number: number, row: SheetRow | undefined, column: number, cell: Cell | undefined): void => {
    context.budget.check()
    context.spend(1)
    const area = merges.at(number, column)
    const unconditional = grid.format(row, column, cell)
    const conditional = request.conditions?.at(number, column, cell?.value, unconditional)
    const format = conditional?.format ?? unconditional
    const cellBorders = format.borders
    if (cellBorders.left !== undefined) borders.add(number, column, 'left', cellBorders.left, area)
    if (cellBorders.right !== undefined) borders.add(number, column, 'right', cellBorders.right, area)
    if (cellBorders.top !== undefined) borders.add(number, column, 'top', cellBorders.top, area)
    if (cellBorders.bottom !== undefined) borders.add(number, column, 'bottom', cellBorders.bottom, area)
    if (area !== undefined) {
      anchors.add(area)
      return
    }
    const size = grid.columns.size(column)
    if (size > 0)
      drawCell(drawing, {
        row,
        cell,
        format,
        conditional,
        area,
        x: x(column),
        y: y(number),
        width: size,
        height: grid.rows.size(number),
      })
  }
  for (const row of listed) {
    context.budget.check()
    if (grid.rows.size(row.row) === 0) continue
    eachCell(grid, row, columns, (column, cell) => visit(row.row, row, column, cell))
    drawFromOutside(drawing, row)
  }
  visitConditional(request, cells, visit)
  // A merged area whose first row is on an earlier page is drawn as well.
  for (const area of merged) anchors.add(area)
  for (const area of anchors) drawMerged(drawing, area)
  const sparklines = drawSparklines(drawing, cells)
  const grids = gridLines ? drawGrid(drawing, merged) : []
  const pictures = drawDrawings(context, request.drawings, {
    x: grid.columns.between(0, columns[0]),
    y: grid.rows.between(0, rows[0]),
    width,
    height,
  })
  const { fills, texts, lines } = drawing
  return {
    width,
    height,
    items: fills.concat(sparklines, grids, texts, lines, borders.draw(x, y), pictures),
  }
}

const drawSparklines = ({ sparklines, x, y }: Drawing, cells: CellArea): readonly Placed[] =>
  sparklines?.draw(cells, ({ top, left, bottom, right }) => {
    const box = { x: x(left), y: y(top), width: x(right + 1) - x(left), height: y(bottom + 1) - y(top) }
    return box.width > 0 && box.height > 0 ? box : undefined
  }) ?? []

/** A cell that is drawn, or a merged area with its first cell. */
interface DrawnCell extends CellBox {
  readonly row: SheetRow | undefined
  readonly cell: Cell | undefined
  readonly conditional: ConditionalFormatting | undefined
  readonly area: CellArea | undefined
}

function drawMerged(drawing: Drawing, area: CellArea): void {
  const { grid, x, y } = drawing
  const row = grid.row(area.top)
  const cell = cellAt(row, area.left)
  const unconditional = grid.format(row, area.left, cell)
  const conditional = drawing.conditions?.at(area.top, area.left, cell?.value, unconditional)
  const box = {
    x: x(area.left),
    y: y(area.top),
    width: x(area.right + 1) - x(area.left),
    height: y(area.bottom + 1) - y(area.top),
  }
  if (box.width <= 0 || box.height <= 0) return
  drawCell(drawing, { ...box, row, cell, format: conditional?.format ?? unconditional, conditional, area })
}

/** Adds the fill, bar, icon, diagonals and text of a cell to the layers. */
function drawCell(drawing: Drawing, drawn: DrawnCell): void {
  const { row, cell, format, conditional: look, area } = drawn
  const { fills, lines, texts } = drawing
  if (format.fill !== undefined) fills.push(fillOf(drawn, format.fill))
  if (look !== undefined) pushAll(fills, drawBarAndIcon(look, drawn))
  const { down, up } = format.borders
  if (area === undefined && down !== undefined)
    pushAll(lines, line(down, drawn.x, drawn.y, drawn.width, drawn.height))
  if (area === undefined && up !== undefined)
    pushAll(lines, line(up, drawn.x, drawn.y + drawn.height, drawn.width, -drawn.height))
  if (cell?.value === undefined || look?.hidesValue === true) return
  const isOnPage = drawn.y >= 0 && drawn.y + drawn.height <= drawing.height
  const runInCell =
    isOnPage && cell.link === undefined ? drawPlainText(drawing.context, cell, drawn) : undefined
  if (runInCell !== undefined && drawing.assign === undefined) {
    texts.push(runInCell)
    return
  }
  const text = runInCell === undefined ? textOf(drawing, drawn, cell) : [runInCell]
  const number = area?.top ?? row?.row
  if (number !== undefined) drawing.assign?.(text, number, cell, area)
  pushAll(texts, text)
}

/** Visits the cells with conditional formats that the sheet does not list. */
function visitConditional(
  { conditions, grid, context }: BlockRequest,
  block: CellArea,
  visit: (number: number, row: SheetRow | undefined, column: number, cell: undefined) => void,
): void {
  const visited = new Set<number>()
  for (const { top, bottom, left, right } of conditions?.areasIn(block) ?? [])
    for (let number = top; number <= bottom; number++) {
      if (grid.rows.size(number) === 0) continue
      const row = grid.row(number)
      for (let column = left; column <= right; column++) {
        context.budget.check()
        const isListed =
          row !== undefined && (row.format !== undefined || grid.columnFormat(column) !== undefined)
        const key = number * 16_384 + column
        if (isListed || visited.has(key) || cellAt(row, column) !== undefined) continue
        visited.add(key)
        visit(number, row, column, undefined)
      }
    }
}

interface Box {
  readonly x: Pt
  readonly y: Pt
  readonly width: Pt
  readonly height: Pt
}
const fillOf = ({ x, y, width, height }: Box, fill: string): Placed =>
  filledBox(x, y, width, height, Number.parseInt(fill, 16) || 0)

/** Visits the listed cells of a row, and the unlisted ones if the row or their column is formatted. */
function eachCell(
  grid: Grid,
  row: SheetRow,
  [first, last]: Span,
  visit: (column: number, cell: Cell | undefined) => void,
): void {
  let at = 0
  while ((row.cells[at]?.column ?? Infinity) < first) at++
  for (let column = first; column <= last; column++) {
    const cell = row.cells[at]
    if (cell?.column === column) {
      visit(column, cell)
      at++
    } else if (row.format !== undefined || grid.columnFormat(column) !== undefined) visit(column, undefined)
  }
}

/** The fills of columns in rows that are not listed. */
function drawColumnFills(
  { context, grid, rows, columns, x, y, fills }: Drawing,
  listed: readonly SheetRow[],
): void {
  for (let column = columns[0]; column <= columns[1]; column++) {
    context.budget.check()
    const index = grid.columnFormat(column)
    const fill = index === undefined ? undefined : context.workbook.formats[index]?.fill
    if (fill === undefined) continue
    let from = rows[0]
    const close = (to: number): void => {
      const height = y(to) - y(from)
      if (height > 0)
        fills.push(fillOf({ x: x(column), y: y(from), width: grid.columns.size(column), height }, fill))
    }
    context.budget.check(listed.length)
    for (const { row } of listed) {
      if (row > from) close(row)
      from = row + 1
    }
    close(rows[1] + 1)
  }
}

/** The widths of the empty cells on both sides of a cell, into which its text may overflow. */
function spareBeside({ grid, merges }: BlockRequest, { row, cell, area }: DrawnCell): SpareWidth {
  if (area !== undefined || row === undefined || cell === undefined) return noSpareWidth
  const { column } = cell
  const available = (step: number): Pt => {
    let sum = 0
    for (let next = column + step; next >= 0 && Math.abs(next - column) < 256; next += step) {
      if (cellAt(row, next)?.value !== undefined || merges.at(row.row, next) !== undefined) break
      sum += grid.columns.size(next)
      if (sum > 2_000) break
    }
    return sum
  }
  return { left: available(-1), right: available(1) }
}

/** The text of one cell, clipped to the cells that it may overflow. */
function textOf(drawing: Drawing, box: DrawnCell, cell: Cell): readonly Placed[] {
  const drawn = drawCellText(drawing.context, cell, box, drawing.spare)
  if (drawn === undefined) return []
  const { x, y, width, height } = box
  const { link } = cell
  // Most text is inside its cell and on the page, so no clipping is needed.
  if (!drawn.clipped && y >= 0 && y + height <= drawing.height)
    return link === undefined ? drawn.items : [...drawn.items, linkOf(box, link)]
  const visible = visibleIn(drawn.items, windowOf(drawing, box, drawn))
  const links = link === undefined ? [] : [linkOf(box, link)]
  if (!drawn.clipped) return [...visible, ...links]
  const items = visible.map((each) => ({ x: each.x - x + drawn.left, y: each.y - y, item: each.item }))
  const frame = { width: width + drawn.left + drawn.right, height, items }
  return [{ x: x - drawn.left, y, item: { kind: 'group', clip: true, frame } }, ...links]
}

/** What rounding may add to the ends of letters, in pt: far below the width of one. */
const rounding: Pt = 0.01

/**
 * The area in which the text of a cell is drawn. Lines outside the page and the cell are omitted, as are glyphs of simple
 * text outside the cell (observed in LibreOffice).
 */
function windowOf(
  { context, factor, height: blockHeight }: Drawing,
  { x, y, width, height }: CellBox,
  { left, right, clipped, cut }: DrawnText,
): Window {
  const letters = cut && writtenLetters(context, cut, { left: -left, right: width + right }, factor)
  return {
    left: letters === undefined ? -Infinity : x + letters.left + rounding,
    top: clipped ? Math.max(0, y) : 0,
    right: letters === undefined ? Infinity : x + letters.right - rounding,
    bottom: Math.min(blockHeight, clipped ? y + height : Infinity),
  }
}

const linkOf = ({ x, y, width, height }: CellBox, href: string): Placed => ({
  x,
  y,
  item: { kind: 'link', href, width, height },
})

/** Draws text of cells before and after the block that overflows into it. */
function drawFromOutside(drawing: Drawing, row: SheetRow): void {
  const { grid, columns, overflow, x, y } = drawing
  for (const { column, from, to } of overflow.get(row.row) ?? []) {
    const isInside = column >= columns[0] && column <= columns[1]
    if (isInside || to < columns[0] || from > columns[1]) continue
    const cell = cellAt(row, column)
    if (cell === undefined) continue
    const unconditional = grid.format(row, column, cell)
    const conditional = drawing.conditions?.at(row.row, column, cell.value, unconditional)
    if (conditional?.hidesValue === true) continue
    const box = {
      x: x(column),
      y: y(row.row),
      width: grid.columns.size(column),
      height: grid.rows.size(row.row),
    }
    const format = conditional?.format ?? unconditional
    const text = textOf(drawing, { ...box, row, cell, format, conditional, area: undefined }, cell)
    drawing.assign?.(text, row.row, cell, undefined)
    pushAll(drawing.texts, text)
  }
}

/** Lines between all cells, except inside merged areas. Hidden rows and columns have none. */
function drawGrid(
  { context, grid: { rows: rowAxis, columns: columnAxis }, merges, rows, columns, x, y }: Drawing,
  merged: readonly CellArea[],
): Placed[] {
  const visibleIndexes = ([first, last]: Span, { size }: Axis): number[] => {
    const visible: number[] = []
    for (let index = first; index <= last; index++) {
      context.budget.check()
      if (size(index) > 0) visible.push(index)
    }
    return visible
  }
  const [visibleRows, visibleColumns] = [visibleIndexes(rows, rowAxis), visibleIndexes(columns, columnAxis)]
  if (merged.length === 0) {
    const stroke = { colour: gridColour, width: gridWidth }
    context.spend(visibleRows.length + visibleColumns.length)
    return [
      ...[...visibleRows, rows[1] + 1].map((row) => straightLine(0, y(row), x(columns[1] + 1), 0, stroke)),
      ...[...visibleColumns, columns[1] + 1].map((column) =>
        straightLine(x(column), 0, 0, y(rows[1] + 1), stroke),
      ),
    ]
  }
  const grid = createBorderGrid()
  const border = { line: 'solid', width: gridWidth, color: gridColour.toString(16).padStart(6, '0') } as const
  for (const row of visibleRows) {
    context.spend(visibleColumns.length)
    for (const column of visibleColumns) {
      context.budget.check()
      const area = merges.at(row, column)
      for (const side of ['left', 'right', 'top', 'bottom'] as const)
        grid.add(row, column, side, border, area)
    }
  }
  return grid.draw(x, y)
}
