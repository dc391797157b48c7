import type { Border, BorderStyle } from '../../../../../shared/document/properties.ts'
import type { TableCondition } from '../../../../../shared/document/styles.ts'
import type { TableBorders, TableProperties } from '../../../../../shared/document/table-properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { lineWidth } from '../../style/border-width.ts'
import type { BorderGrid, BoxBorders } from './types.ts'

/** The position of a cell and the borders declared for it. */
export interface BorderedCell {
  readonly row: number
  readonly rows: number
  readonly column: number
  readonly span: number
  readonly direct: TableBorders
  /** The borders of the conditional formats that apply, lowest priority first. */
  readonly conditions: readonly { readonly condition: TableCondition; readonly borders: TableBorders }[]
  readonly exceptions?: TableBorders
}

type CellSide = 'top' | 'bottom' | 'left' | 'right'

/**
 * Decides each edge of the grid once. The border of a cell wins over that of its style, which wins over that
 * of the table. Between two neighbours the wider border wins, then the style with the higher rank, then the
 * darker colour (ECMA-376-1 17.4.66).
 */
export function resolveBorders(
  cells: readonly BorderedCell[],
  rows: number,
  columns: number,
  table: TableProperties,
): BorderGrid {
  const horizontal = grid(rows + 1, columns)
  const vertical = grid(rows, columns + 1)
  for (const cell of cells) {
    const borderOf = (name: CellSide): Border | undefined => borderOn(cell, name, rows, columns, table)
    const top = borderOf('top')
    const bottom = borderOf('bottom')
    const left = borderOf('left')
    const right = borderOf('right')
    const lastRow = Math.min(rows, cell.row + cell.rows)
    for (let column = cell.column; column < Math.min(columns, cell.column + cell.span); column++) {
      addBorder(horizontal, cell.row, column, top)
      addBorder(horizontal, lastRow, column, bottom)
    }
    for (let row = cell.row; row < lastRow; row++) {
      addBorder(vertical, row, cell.column, left)
      addBorder(vertical, row, Math.min(columns, cell.column + cell.span), right)
    }
  }
  return { horizontal, vertical }
}

/** The border grid of a table whose cells do not share edges: it is empty. */
export const noBorders = (rows: number, columns: number): BorderGrid => ({
  horizontal: grid(rows + 1, columns),
  vertical: grid(rows, columns + 1),
})

/**
 * The borders of a cell that does not share edges with its neighbours. The inside borders of the table apply to all its
 * sides.
 */
export function bordersOfBox(
  cell: BorderedCell,
  rows: number,
  columns: number,
  table: TableProperties,
): BoxBorders {
  const borderOf = (name: CellSide): Border | undefined => borderOn(cell, name, rows, columns, table, true)
  return {
    top: borderOf('top'),
    right: borderOf('right'),
    bottom: borderOf('bottom'),
    left: borderOf('left'),
  }
}

/** A grid of edges without borders. */
function grid(rows: number, columns: number): (Border | undefined)[][] {
  return Array.from({ length: rows }, () => new Array<Border | undefined>(columns).fill(undefined))
}

/** Sets an edge, or lets the border compete with the one already there. */
function addBorder(
  edges: (Border | undefined)[][],
  row: number,
  column: number,
  border: Border | undefined,
): void {
  if (border === undefined) return
  const line = edges[row]!
  const other = line[column]
  line[column] = other === undefined ? border : winningBorder(other, border)
}

/** The precedence of border styles of equal width. */
const ranks: Readonly<Record<BorderStyle, number>> = {
  none: 0,
  single: 1,
  thick: 2,
  double: 3,
  dotted: 4,
  dashed: 5,
  'dot-dash': 6,
  'dot-dot-dash': 7,
  'fine-dashed': 22,
  triple: 8,
  'thin-thick': 9,
  'thick-thin': 10,
  wave: 18,
  inset: 25,
  outset: 24,
  embossed: 20,
  engraved: 21,
}

/** The border that is drawn where two borders meet. */
export function winningBorder(a: Border, b: Border): Border {
  if (a.style === 'none') return b
  if (b.style === 'none') return a
  const width = lineWidth(a) - lineWidth(b)
  if (Math.abs(width) > 0.01) return width > 0 ? a : b
  if (ranks[a.style] !== ranks[b.style]) return ranks[a.style] > ranks[b.style] ? a : b
  return brightness(a.color) <= brightness(b.color) ? a : b
}

/** The brightness of a colour by the weights of ECMA-376-1 17.4.66. */
function brightness(color: string): number {
  if (color === 'auto') return 0
  const value = Number.parseInt(color, 16) || 0
  return ((value >> 16) & 255) + (value & 255) + 2 * ((value >> 8) & 255)
}

/** The border on one side of a cell, by descending priority. `isSeparate`: the cell does not reach the edge of the table. */
function borderOn(
  cell: BorderedCell,
  side: CellSide,
  rows: number,
  columns: number,
  table: TableProperties,
  isSeparate = false,
): Border | undefined {
  const declared = cell.direct[side]
  if (declared !== undefined) return declared
  for (let i = cell.conditions.length - 1; i >= 0; i--) {
    const { condition, borders } = cell.conditions[i]!
    const border =
      rowCondition(condition) && (side === 'top' || side === 'bottom')
        ? (borders[side] ?? (atTableEdge(cell, side, rows, columns) ? undefined : borders.insideHorizontal))
        : regionBorder(side, borders, atRegionEdge(cell, side, condition, rows, columns))
    if (border !== undefined) return border
  }
  const edge = !isSeparate && atTableEdge(cell, side, rows, columns)
  const except = cell.exceptions === undefined ? undefined : regionBorder(side, cell.exceptions, edge)
  return except ?? regionBorder(side, table.borders ?? {}, edge)
}

/** Whether the inside lines of a conditional format separate a row from an equal one next to it. */
const rowCondition = (condition: TableCondition): boolean =>
  libreOffice.insideLinesSeparateEqualRows &&
  (condition === 'first-row' ||
    condition === 'last-row' ||
    condition === 'band-1-horizontal' ||
    condition === 'band-2-horizontal')

/** The border of a region on one side of a cell: an outer one at its edge, else an inner one. */
function regionBorder(side: CellSide, borders: TableBorders, edge: boolean): Border | undefined {
  if (edge) return borders[side]
  return side === 'top' || side === 'bottom' ? borders.insideHorizontal : borders.insideVertical
}

function atTableEdge(cell: BorderedCell, side: CellSide, rows: number, columns: number): boolean {
  switch (side) {
    case 'top':
      return cell.row === 0
    case 'bottom':
      return cell.row + cell.rows >= rows
    case 'left':
      return cell.column === 0
    case 'right':
      return cell.column + cell.span >= columns
    default:
      return side satisfies never
  }
}

/** Whether a side of a cell is on the outline of the part of the table to which a condition applies. */
function atRegionEdge(
  cell: BorderedCell,
  side: CellSide,
  condition: TableCondition,
  rows: number,
  columns: number,
): boolean {
  const upDown = side === 'top' || side === 'bottom'
  switch (condition) {
    case 'first-row':
    case 'last-row':
    case 'band-1-horizontal':
    case 'band-2-horizontal':
      return upDown || atTableEdge(cell, side, rows, columns)
    case 'first-column':
    case 'last-column':
    case 'band-1-vertical':
    case 'band-2-vertical':
      return !upDown || atTableEdge(cell, side, rows, columns)
    case 'whole':
      return atTableEdge(cell, side, rows, columns)
    default:
      return true
  }
}
