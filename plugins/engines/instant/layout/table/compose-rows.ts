import { pushAll } from '../../../../../shared/push-all.ts'
import { backdropItems } from '../drawing/background.ts'
import { type FilledRegion, type FlowPosition, flowStart } from '../flow/types.ts'
import { type Frame, filledBox, type Matrix, type Placed, type Pt } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'
import { borderLine } from './border-line.ts'
import { boxLines, frameLines, insideOf } from './cell-boxes.ts'
import { cellRequest } from './cell-request.ts'
import { closingBorder, type PlacedRow, type RowRegion } from './distribute-rows.ts'
import { contentOf } from './measure-rows.ts'
import { paintBorders } from './paint-borders.ts'
import type { CellContent, PreparedCell, PreparedTable, TableFilled, TablePosition } from './types.ts'

/**
 * Draws the placed rows: backgrounds first, then the content of cells, then borders. `next` is the position at
 * which the table continues; merged cells that reach beyond the region add their own positions to it.
 */
export function composeRows(region: RowRegion, next: TablePosition | undefined): TableFilled {
  const { table, headers, rows } = region
  const layers: CellLayers = { backgrounds: [], items: [] }
  const cut = next?.cells === undefined ? undefined : next.row
  for (const area of cellsOf(region, headers, undefined, undefined)) drawCell(region, area, layers)
  const continued = new Map<PreparedCell, FlowPosition | 'done'>(next?.cells)
  for (const area of cellsOf(region, rows, region.from?.cells, cut)) {
    const part = drawCell(region, area, layers)
    if (part !== undefined && area.cell.rows > 1) continued.set(area.cell, part.next ?? 'done')
  }
  const borders = paintBorders(table, [...headers, ...rows], {
    above: region.from?.cells?.keys() ?? [],
    below: next === undefined ? [] : continued.keys(),
  })
  const closing = next === undefined ? closingBorder(table, table.rows.length - 1) : 0
  return {
    items: [...layers.backgrounds, ...layers.items, ...borders, ...frameLines(table, 0, region.y)],
    height: region.y + closing,
    next: next !== undefined && continued.size > 0 ? { ...next, cells: continued } : next,
    notes: region.notes,
    empty: false,
  }
}

/** Items behind the text of cells, and the text. */
interface CellLayers {
  readonly backgrounds: Placed[]
  readonly items: Placed[]
}

/** The part of a cell that a region shows. */
interface CellArea {
  readonly cell: PreparedCell
  readonly y: Pt
  readonly height: Pt
  /** The cell is shown entirely. */
  readonly isComplete: boolean
  /** Where the cell continues; undefined for its start. */
  readonly at: FlowPosition | 'done' | undefined
}

/** Draws the background and the content of a cell. Returns the part that is shown of a cell that is split. */
function drawCell(
  region: RowRegion,
  area: CellArea,
  { backgrounds, items }: CellLayers,
): FilledRegion | undefined {
  const { context, table, parts } = region
  const { cell, y, height, at } = area
  const x = table.left + cellX(table, cell)
  const width = (table.columns[cell.column + cell.span] ?? 0) - (table.columns[cell.column] ?? 0)
  const inside = insideOf({ x, y, width, height }, cell.box)
  if (cell.shading !== undefined)
    backgrounds.push(filledBox(inside.x, inside.y, inside.width, inside.height, colourOf(cell.shading)))
  if (cell.backdrop !== undefined) pushAll(backgrounds, backdropItems(context, cell.backdrop, inside))
  const { down, up } = cell.diagonals ?? {}
  if (down !== undefined)
    pushAll(backgrounds, borderLine(down, inside.x, inside.y, inside.width, inside.height))
  if (up !== undefined)
    pushAll(backgrounds, borderLine(up, inside.x, inside.y + inside.height, inside.width, -inside.height))
  if (cell.box !== undefined) pushAll(backgrounds, boxLines(inside, cell.box.borders, cell.box.holdsLines))
  if (area.isComplete) {
    drawComplete(region, area, x, width, items)
    return undefined
  }
  const part = parts.get(cell) ?? partOf(region, cell, at, height)
  if (part === undefined) return undefined
  const top = y + table.rows[cell.row]!.topBorder + cell.top
  for (const list of [part.behind, part.items, part.front]) {
    for (const item of list) items.push({ x: x + cell.left + item.x, y: top + item.y, item: item.item })
  }
  return part
}

/** The left edge of a cell, from the left edge of the table. */
function cellX({ columns, rightToLeft, width }: PreparedTable, cell: PreparedCell): Pt {
  return rightToLeft ? width - (columns[cell.column + cell.span] ?? 0) : (columns[cell.column] ?? 0)
}

/**
 * The cells with something to show in these rows: merged cells from rows above first. `continued` has the
 * positions at which cells continue, and `cut` is the row that goes on in the next region.
 */
function* cellsOf(
  { table, parts }: RowRegion,
  rows: readonly PlacedRow[],
  continued: TablePosition['cells'],
  cut: number | undefined,
): Generator<CellArea> {
  const first = rows[0]?.row ?? 0
  const last = rows.at(-1)?.row ?? -1
  for (const [cell, at] of continued ?? []) {
    if (cell.row >= first) continue
    const height = heightOf(rows, first, cell.row + cell.rows - 1)
    yield { cell, y: rows[0]?.y ?? 0, height, isComplete: false, at }
  }
  for (const row of rows) {
    for (const cell of table.rows[row.row]!.cells) {
      const end = cell.row + cell.rows - 1
      const height = cell.rows === 1 ? row.height : heightOf(rows, row.row, end)
      const at = row.row === first ? continued?.get(cell) : undefined
      const isComplete = at === undefined && !parts.has(cell) && end <= last && end !== cut
      yield { cell, y: row.y, height, isComplete, at }
    }
  }
}

/** The part of a merged or continued cell that this region shows; undefined when nothing is left of it. */
function partOf(
  { context, table, rows }: RowRegion,
  cell: PreparedCell,
  at: FlowPosition | 'done' | undefined,
  height: Pt,
): FilledRegion | undefined {
  if (at === 'done') return undefined
  const available = height - table.rows[cell.row]!.topBorder - cell.top - cell.bottom
  const ends = (rows.at(-1)?.row ?? 0) >= cell.row + cell.rows - 1
  const limit = ends ? Number.POSITIVE_INFINITY : Math.max(0, available)
  return context.flows.fill(cell.flow, at ?? flowStart, cellRequest(cell, limit, ends))
}

/**
 * Draws a cell that is shown entirely, with its vertical alignment. Content taller than an exact row height is
 * clipped.
 */
function drawComplete(
  { context, table }: RowRegion,
  { cell, y, height }: CellArea,
  x: Pt,
  width: Pt,
  items: Placed[],
): void {
  const content = contentOf(context, cell)
  const row = table.rows[cell.row]!
  const inner = height - row.topBorder - cell.top - cell.bottom
  if (cell.direction !== 'horizontal') {
    items.push(rotatedCell(cell, content, { x, y: y + row.topBorder, width, height: height - row.topBorder }))
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

/** The position and size of a cell in the region. */
interface CellBox {
  readonly x: Pt
  readonly y: Pt
  readonly width: Pt
  readonly height: Pt
}

/** Vertical text: laid out horizontally, then rotated by a quarter turn. */
function rotatedCell(cell: PreparedCell, content: CellContent, box: CellBox): Placed {
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
