import type { LayoutContext } from '../context.ts'
import { composeRows } from './compose-rows.ts'
import { distributeRows, type RowRegion } from './distribute-rows.ts'
import { measureRows } from './measure-rows.ts'
import type { PreparedTable, TableFilled, TablePosition, TableRequest } from './types.ts'

/**
 * Places rows into a region until it is full, in phases: measure all rows once, distribute those that fit,
 * compose what is drawn. A row that does not fit is split between lines unless that is forbidden; header rows
 * are repeated at the top of each further region. The text of merged cells flows through the rows they cover.
 */
export function fillTable(
  context: LayoutContext,
  table: PreparedTable,
  from: TablePosition | undefined,
  request: TableRequest,
): TableFilled {
  measureRows(context, table)
  const region: RowRegion = {
    context,
    table,
    from,
    request,
    rows: [],
    headers: [],
    notes: [],
    parts: new Map(),
    y: 0,
  }
  const next = distributeRows(region)
  // Nothing was placed, so the position does not change.
  if (region.rows.length === 0)
    return { items: [], height: 0, next: from ?? { row: 0 }, notes: [], empty: true }
  return composeRows(region, next)
}
