import type { Cell, CellArea, SheetRow } from '../../../../../shared/document/sheet.ts'
import type { Pt } from '../frame.ts'
import { alignmentOf, indentOf, paddingOf, textOfCell } from './cell-text.ts'
import type { SheetContext } from './context.ts'
import type { Grid } from './grid.ts'
import type { Merges } from './merges.ts'

/** Text that overflows its column to the right. */
export interface Overflow {
  readonly column: number
  /** The last column that it reaches. */
  readonly to: number
}

/** The maximum number of empty columns that text may overflow. */
const maxColumns = 256
/** Text that is wider by less does not need another column. */
const tolerance: Pt = 0.1

/** Finds the text of an area that overflows to the right into empty cells, by row. */
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
      const limit = nextColumnWithValue(row, index)
      if (limit <= cell.column + 1 || grid.columns.size(cell.column) === 0) return
      const excess = excessOf(context, grid, merges, row, cell)
      if (excess === undefined) return
      const to = lastColumnOf(excess, cell.column, limit, (column) =>
        merges.at(row.row, column) === undefined ? grid.columns.size(column) : undefined,
      )
      if (to > cell.column) rowOverflows.push({ column: cell.column, to })
    })
    if (rowOverflows.length > 0) overflows.set(row.row, rowOverflows)
  }
  return overflows
}

/** Texts and errors may overflow; numbers and truth values stay in their columns. */
const mayOverflow = ({ value }: Cell): boolean =>
  value !== undefined && typeof value !== 'number' && typeof value !== 'boolean'

/** The column of the first cell with a value behind the cell with this index; Infinity without one. */
function nextColumnWithValue({ cells }: SheetRow, index: number): number {
  let next = index + 1
  while (cells[next] !== undefined && cells[next]?.value === undefined) next++
  return cells[next]?.column ?? Infinity
}

/** How far the text of a cell extends to the right of its column; undefined for text that stays inside. */
function excessOf(
  context: SheetContext,
  grid: Grid,
  merges: Merges,
  row: SheetRow,
  cell: Cell,
): Pt | undefined {
  const format = grid.format(row, cell.column, cell)
  const { align } = format
  if (align.wrap || align.shrink || align.rotation !== 0 || align.across === 'fill') return undefined
  const text = textOfCell(context, cell, format)
  if (text === undefined || merges.at(row.row, cell.column) !== undefined) return undefined
  const alignment = alignmentOf(text, align)
  if (alignment === 'right') return undefined
  const width = text.texts.reduce((sum, part) => sum + context.text.width(part.text, part.font), 0)
  const columnWidth = grid.columns.size(cell.column)
  if (alignment === 'center') return (width - columnWidth) / 2
  return width + indentOf(align) + paddingOf(align).left - columnWidth
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
