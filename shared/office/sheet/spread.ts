/**
 * The areas of the output for an area of a sheet, one for each copy of its columns or rows. A chart draws a series
 * for each: the copies of a column are separate series, while the copies of a row are points of one series.
 */

import type { LineRange } from '../../template/axis.ts'
import type { RenderScope } from '../../template/scope.ts'
import { layoutOf, type SheetModel } from './layout.ts'
import { type CellRange, maxRows } from './reference.ts'

/**
 * `split` names the direction in which a single column or row becomes several areas; the other direction stays one area.
 * `lastRow` is the last row of the template with any content, where an area over whole columns ends.
 */
export function spreadArea(
  range: CellRange,
  model: SheetModel,
  scope: RenderScope,
  { split, lastRow }: { readonly split: 'columns' | 'rows'; readonly lastRow: number },
): CellRange[] {
  const { from } = range
  const to = range.to ?? from
  if (from.row === undefined || from.column === undefined) return [range]
  const first = { row: from.row, column: from.column }
  const last = {
    row: Math.max(first.row, Math.min(to.row ?? maxRows, lastRow)),
    column: to.column ?? first.column,
  }
  const layout = model.moves ? layoutOf(model, scope) : undefined
  // An area that does not move is one span, and a removed one has none.
  const unmoved = (start: number, end: number): LineRange[] => [{ from: start, to: end }]
  const asList = (span: LineRange | undefined): LineRange[] => (span === undefined ? [] : [span])
  let rows = unmoved(first.row, last.row)
  let columns = unmoved(first.column, last.column)
  if (layout !== undefined) {
    const single = first.row === last.row
    rows =
      split === 'rows' && single
        ? layout.rows.copies(first.row, last.row)
        : asList(layout.rows.resolve(first.row, last.row, undefined))
    const dynamic = layout.columnsOf(first.row, last.row)?.axis
    if (dynamic !== undefined) {
      columns =
        split === 'columns' && first.column === last.column
          ? dynamic.copies(first.column, last.column)
          : asList(dynamic.resolve(first.column, last.column, undefined))
    }
  }
  const corner = (row: number, column: number) => ({ row, column, fixedRow: true, fixedColumn: true })
  return rows.flatMap((row) =>
    columns.map((column) => {
      const start = corner(row.from, column.from)
      const isCell = row.from === row.to && column.from === column.to
      return { from: start, to: isCell ? undefined : corner(row.to, column.to) }
    }),
  )
}
