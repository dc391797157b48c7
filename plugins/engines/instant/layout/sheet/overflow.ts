import type { Cell, CellArea, SheetRow } from '../../../../../shared/document/sheet.ts'
import type { Pt } from '../frame.ts'
import { alignmentOf, indentOf, paddingOf, textOfCell } from './cell-text.ts'
import type { SheetContext } from './context.ts'
import type { Grid } from './grid.ts'
import type { Merges } from './merges.ts'

/** Text that overflows its column, to the right or to the left. */
export interface Overflow {
  readonly column: number
  /** The first and the last column that it reaches. */
  readonly from: number
  readonly to: number
}

/** The maximum number of empty columns that text may overflow. */
const maxColumns = 256
/** Text that is wider by less does not need another column. */
const tolerance: Pt = 0.1

/** Finds the text of an area that overflows into empty cells, by row. */
export function findOverflow(
  context: SheetContext,
  grid: Grid,
  merges: Merges,
  area: CellArea,
): ReadonlyMap<number, readonly Overflow[]> {
  const overflows = new Map<number, readonly Overflow[]>()
  for (const row of grid.rowsBetween(area.top, area.bottom)) {
    context.budget.check()
    if (grid.rows.size(row.row) === 0) continue
    const rowOverflows: Overflow[] = []
    row.cells.forEach((cell, index) => {
      if (!mayOverflow(cell)) return
      const { column } = cell
      const next = columnWithValue(row, index, 1)
      const previous = columnWithValue(row, index, -1)
      if ((next <= column + 1 && previous >= column - 1) || grid.columns.size(column) === 0) return
      const excess = excessOf(context, grid, merges, row, cell)
      if (excess === undefined) return
      const widthOf = (at: number): Pt | undefined =>
        merges.at(row.row, at) === undefined ? grid.columns.size(at) : undefined
      const to = lastColumnOf(excess.right, column, next, widthOf)
      const from = -lastColumnOf(excess.left, -column, -previous, (at) => widthOf(-at))
      if (to > column || from < column) rowOverflows.push({ column, from, to })
    })
    if (rowOverflows.length > 0) overflows.set(row.row, rowOverflows)
  }
  return overflows
}

/** Texts and errors may overflow; numbers and truth values stay in their columns. */
const mayOverflow = ({ value }: Cell): boolean =>
  value !== undefined && typeof value !== 'number' && typeof value !== 'boolean'

/**
 * The column of the nearest cell with a value after the cell with this index (`step` 1) or before it (-1). Without one, there is
 * no end after it, and -1 before it.
 */
function columnWithValue({ cells }: SheetRow, index: number, step: 1 | -1): number {
  let next = index + step
  while (cells[next] !== undefined && cells[next]?.value === undefined) next += step
  return cells[next]?.column ?? (step > 0 ? Infinity : -1)
}

/** How far the text of a cell extends on both sides of its column; undefined for text that stays inside. */
function excessOf(
  context: SheetContext,
  grid: Grid,
  merges: Merges,
  row: SheetRow,
  cell: Cell,
): { readonly left: Pt; readonly right: Pt } | undefined {
  const format = grid.format(row, cell.column, cell)
  const { align } = format
  if (align.wrap || align.shrink || align.rotation !== 0 || align.across === 'fill') return undefined
  const text = textOfCell(context, cell, format)
  if (text === undefined || merges.at(row.row, cell.column) !== undefined) return undefined
  const width = text.texts.reduce((sum, part) => sum + context.text.width(part.text, part.font), 0)
  const columnWidth = grid.columns.size(cell.column)
  const alignment = alignmentOf(text, align)
  if (alignment === 'center') return { left: (width - columnWidth) / 2, right: (width - columnWidth) / 2 }
  const padding = paddingOf(align)
  return alignment === 'right'
    ? { left: width + indentOf(align) + padding.right - columnWidth, right: 0 }
    : { left: 0, right: width + indentOf(align) + padding.left - columnWidth }
}

/** `widthOf` gives the width of a column; undefined for one that text may not enter. */
function lastColumnOf(
  excess: Pt,
  column: number,
  limit: number,
  widthOf: (column: number) => Pt | undefined,
): number {
  let last = column
  let uncovered = excess
  while (uncovered > tolerance && last + 1 < limit && last - column < maxColumns) {
    const width = widthOf(last + 1)
    if (width === undefined) break
    last++
    uncovered -= width
  }
  return last
}
