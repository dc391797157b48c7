/**
 * Cells that do not share borders. With `w:tblCellSpacing` each cell has a box of its own inside its grid area; in the
 * separating border model of ODF (`table:border-model`) the box fills the grid area.
 */

import type { Table } from '../../../../../shared/document/table.ts'
import type { TableProperties } from '../../../../../shared/document/table-properties.ts'
import { word } from '../../compat/word.ts'
import { lineWidth } from '../../style/border-width.ts'
import type { Placed, Pt } from '../frame.ts'
import { borderLine } from './border-line.ts'
import { type BorderedCell, bordersOfBox } from './borders.ts'
import type { BoxBorders, CellBox, PreparedTable } from './types.ts'

/** The maximum cell spacing of a table in points: the limit in the dialog of Word. */
const maxSpacing = 79.2

/** The distance between the cells of each row, in points; undefined for a table whose cells share their borders. */
export function cellGaps({ rows }: Table, table: TableProperties): readonly Pt[] | undefined {
  const gaps = rows.map(({ properties }) =>
    word.cellSpacing(Math.min(properties.cellSpacing ?? table.cellSpacing ?? 0, maxSpacing)),
  )
  return gaps.some((gap) => gap > 0) ? gaps : undefined
}

/** The box of a cell in a table with this many rows and columns, in a row whose cells are `gap` points apart. */
export function boxOf(
  cell: BorderedCell,
  { rows, columns, gap, table }: { rows: number; columns: number; gap: Pt; table: TableProperties },
): CellBox {
  const start = cell.column === 0 ? gap : gap / 2
  const end = cell.column + cell.span >= columns ? gap : gap / 2
  const mirrored = table.rightToLeft === true
  return {
    insets: {
      top: cell.row === 0 ? gap + thickness(table.borders?.top) : gap / 2,
      bottom: cell.row + cell.rows >= rows ? gap + thickness(table.borders?.bottom) : gap / 2,
      left: mirrored ? end : start,
      right: mirrored ? start : end,
    },
    borders: bordersOfBox(cell, rows, columns, table),
    holdsLines: false,
  }
}

/** The box of a cell in a table of the separating border model. */
export const separateBox = (
  cell: BorderedCell,
  { rows, columns, table }: { rows: number; columns: number; table: TableProperties },
): CellBox => ({
  insets: { top: 0, right: 0, bottom: 0, left: 0 },
  borders: bordersOfBox(cell, rows, columns, table),
  holdsLines: true,
})

/** The thickness of a line, in points. */
export const thickness = (border: BoxBorders['top']): Pt => (border === undefined ? 0 : lineWidth(border))

interface Box {
  readonly x: Pt
  readonly y: Pt
  readonly width: Pt
  readonly height: Pt
}

/** The part of a cell's grid area that its box covers. */
export const insideOf = ({ x, y, width, height }: Box, box: CellBox | undefined): Box =>
  box === undefined
    ? { x, y, width, height }
    : {
        x: x + box.insets.left,
        y: y + box.insets.top,
        width: Math.max(0, width - box.insets.left - box.insets.right),
        height: Math.max(0, height - box.insets.top - box.insets.bottom),
      }

/**
 * Draws the borders of a box. The top and bottom borders are inside it. The left and right ones are inside if it
 * `holdsLines`, otherwise they are centred on its edges.
 */
export function boxLines(
  { x, y, width, height }: Box,
  { top, right, bottom, left }: BoxBorders,
  holdsLines: boolean,
): Placed[] {
  const middle = (inset: BoxBorders['left']): Pt => (holdsLines ? thickness(inset) / 2 : 0)
  const from = x + middle(left) - thickness(left) / 2
  const across = x + width - middle(right) + thickness(right) / 2 - from
  return [
    ...(top === undefined ? [] : borderLine(top, from, y + thickness(top) / 2, across, 0)),
    ...(bottom === undefined
      ? []
      : borderLine(bottom, from, y + height - thickness(bottom) / 2, across, 0, 'behind')),
    ...(left === undefined ? [] : borderLine(left, x + middle(left), y, 0, height)),
    ...(right === undefined ? [] : borderLine(right, x + width - middle(right), y, 0, height, 'behind')),
  ]
}

/** Draws the lines around the rows of a region, from `top` down to `bottom`. */
export const frameLines = ({ frame, left, width }: PreparedTable, top: Pt, bottom: Pt): Placed[] =>
  frame === undefined ? [] : boxLines({ x: left, y: top, width, height: bottom - top }, frame, false)
