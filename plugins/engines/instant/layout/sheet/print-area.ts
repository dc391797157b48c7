import type { CellArea } from '../../../../../shared/document/sheet.ts'
import type { SheetContext } from './context.ts'
import { cellAt, type Grid, isVisible } from './grid.ts'
import type { Overflow } from './overflow.ts'
import type { Division, Span } from './pages.ts'

/** From the first cell of the sheet to the last one with a value, a fill or a border; undefined for an empty sheet. */
export function usedArea({ budget }: SheetContext, grid: Grid): CellArea | undefined {
  let [bottom, right] = [-1, -1]
  for (const row of grid.sheet.rows) {
    budget.check()
    for (let at = row.cells.length - 1; at >= 0; at--) {
      const cell = row.cells[at]
      if (cell === undefined) continue
      if (cell.column <= right && row.row <= bottom) break
      if (cell.value === undefined && !isVisible(grid.format(row, cell.column, cell))) continue
      bottom = Math.max(bottom, row.row)
      right = Math.max(right, cell.column)
    }
  }
  return bottom < 0 ? undefined : { top: 0, left: 0, bottom, right }
}

/** Areas over more pages than this count on the first of them only. */
const maxPagesOfArea = 10_000

/**
 * The pages of a division on which anything is seen, in no order: numbers of row spans times the number of column spans,
 * plus the number of the column span. The work grows with the cells, not with the pages.
 */
export function pagesWithContent(
  { budget }: SheetContext,
  grid: Grid,
  overflow: ReadonlyMap<number, readonly Overflow[]>,
  { rows, columns }: Division,
): Set<number> {
  const found = new Set<number>()
  const add = (top: number, bottom: number, left: number, right: number): void => {
    const [firstRow, lastRow] = [spanAt(rows, top), spanAt(rows, bottom)]
    const [firstColumn, lastColumn] = [spanAt(columns, left), spanAt(columns, right)]
    const isLarge = (lastRow - firstRow + 1) * (lastColumn - firstColumn + 1) > maxPagesOfArea
    for (let row = firstRow; row <= (isLarge ? firstRow : lastRow); row++)
      for (let column = firstColumn; column <= (isLarge ? firstColumn : lastColumn); column++)
        if (row >= 0 && row < rows.length && column >= 0 && column < columns.length)
          found.add(row * columns.length + column)
  }
  const [top, bottom] = [rows[0]?.[0] ?? 0, rows.at(-1)?.[1] ?? -1]
  const [left, right] = [columns[0]?.[0] ?? 0, columns.at(-1)?.[1] ?? -1]
  for (const row of grid.rowsBetween(top, bottom)) {
    budget.check()
    if (grid.rows.size(row.row) === 0) continue
    for (const cell of row.cells) {
      if (cell.column < left || cell.column > right || grid.columns.size(cell.column) === 0) continue
      if (cell.value !== undefined || isVisible(grid.format(row, cell.column, cell)))
        add(row.row, row.row, cell.column, cell.column)
    }
    for (const { column, to } of overflow.get(row.row) ?? [])
      if (column <= right && to >= left) add(row.row, row.row, Math.max(column, left), Math.min(to, right))
  }
  for (const area of grid.sheet.merges) {
    budget.check()
    if (area.top > bottom || area.bottom < top || area.left > right || area.right < left) continue
    if (cellAt(grid.row(area.top), area.left)?.value === undefined) continue
    add(
      Math.max(area.top, top),
      Math.min(area.bottom, bottom),
      Math.max(area.left, left),
      Math.min(area.right, right),
    )
  }
  return found
}

/** The number of the span that a row or column is in. */
function spanAt(spans: readonly Span[], index: number): number {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.[1] ?? Infinity) < index) low = middle + 1
    else high = middle
  }
  return low
}
