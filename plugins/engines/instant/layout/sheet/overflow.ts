import type { CellArea } from '../../../../../shared/document/sheet.ts'
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

/** Finds the text of an area that overflows to the right into empty cells, by row. */
export function findOverflow(
  context: SheetContext,
  grid: Grid,
  merges: Merges,
  area: CellArea,
): ReadonlyMap<number, readonly Overflow[]> {
  const overflows = new Map<number, Overflow[]>()
  for (const row of grid.rowsBetween(area.top, area.bottom)) {
    context.budget.check()
    if (grid.rows.size(row.row) === 0) continue
    row.cells.forEach((cell, at) => {
      if (cell.value === undefined || typeof cell.value === 'number' || typeof cell.value === 'boolean')
        return
      let next = at + 1
      while (row.cells[next] !== undefined && row.cells[next]?.value === undefined) next++
      const stop = row.cells[next]?.column ?? Infinity
      if (stop <= cell.column + 1 || grid.columns.size(cell.column) === 0) return
      const format = grid.format(row, cell.column, cell)
      const { align } = format
      if (align.wrap || align.shrink || align.rotation !== 0 || align.across === 'fill') return
      const text = textOfCell(context, cell, format)
      if (text === undefined || merges.at(row.row, cell.column) !== undefined) return
      const alignment = alignmentOf(text, align)
      if (alignment === 'right') return
      const width = text.texts.reduce((sum, part) => sum + context.text.width(part.text, part.font), 0)
      const columnWidth = grid.columns.size(cell.column)
      let excess: Pt =
        alignment === 'center'
          ? (width - columnWidth) / 2
          : width + indentOf(align) + paddingOf(align).left - columnWidth
      let to = cell.column
      while (excess > 0.1 && to + 1 < stop && to - cell.column < maxColumns) {
        if (merges.at(row.row, to + 1) !== undefined) break
        to++
        excess -= grid.columns.size(to)
      }
      if (to === cell.column) return
      const rowOverflows = overflows.get(row.row)
      if (rowOverflows === undefined) overflows.set(row.row, [{ column: cell.column, to }])
      else rowOverflows.push({ column: cell.column, to })
    })
  }
  return overflows
}
