import type { CellArea, CellFormat, SheetRow } from '../../../../../shared/document/sheet.ts'
import type { SheetContext } from './context.ts'
import { cellAt, type Grid, hasLines, isVisible } from './grid.ts'
import type { Overflow } from './overflow.ts'
import type { Division, Span } from './pages.ts'

/**
 * Finds the used area: from the first cell of the sheet to the last one with a value, a drawing, a fill or a border;
 * undefined for an empty sheet. Merged areas with a value belong to it as a whole. Fills and borders count below the last value
 * of their column, up to the first long run of cells with equal formatting. Observed in LibreOffice.
 */
export function usedArea(
  { budget, workbook }: SheetContext,
  grid: Grid,
  drawings: readonly CellArea[],
): CellArea | undefined {
  let [bottom, right] = [-1, -1]
  const reach = (row: number, column: number): void => {
    bottom = Math.max(bottom, row)
    right = Math.max(right, column)
  }
  for (const each of drawings) reach(each.bottom, each.right)
  for (const area of grid.sheet.merges) {
    budget.check()
    // The text of a merged area may be in its middle or at its end. A column of cells that are merged is not endless.
    if (area.bottom - area.top >= endlessRun || cellAt(grid.row(area.top), area.left)?.value === undefined)
      continue
    reach(area.bottom, area.right)
  }
  const columns = new Map<number, FormattedColumn>()
  for (const row of grid.sheet.rows) {
    budget.check()
    for (const cell of row.cells) {
      if (cell.value !== undefined) {
        reach(row.row, cell.column)
        addValue(columns, row.row, cell.column)
        continue
      }
      const format = grid.format(row, cell.column, cell)
      if (isVisible(format)) addFormatted(columns, row.row, cell.column, format)
    }
  }
  const end = firstEqualColumn(columns, right)
  for (const [column, formatted] of columns) {
    const below = grid.columnFormat(column)
    const columnFormat = below === undefined ? undefined : workbook.formats[below]
    const row = column >= end ? formatted.value : lastVisible(formatted, columnFormat)
    if (row >= 0) reach(row, column)
  }
  return bottom < 0 ? undefined : { top: 0, left: 0, bottom, right }
}

/** The last row with a value in a column, or -1, and the cells below it that only have visible formatting. */
interface FormattedColumn {
  value: number
  readonly cells: { readonly row: number; readonly format: CellFormat }[]
}

/** Records the last value of a column so far. The formatted cells above it no longer count. */
function addValue(columns: Map<number, FormattedColumn>, row: number, column: number): void {
  const above = columns.get(column)
  if (above === undefined) columns.set(column, { value: row, cells: [] })
  else {
    above.value = row
    if (above.cells.length > 0) above.cells.length = 0
  }
}

function addFormatted(
  columns: Map<number, FormattedColumn>,
  row: number,
  column: number,
  format: CellFormat,
): void {
  const above = columns.get(column)
  if (above === undefined) columns.set(column, { value: -1, cells: [{ row, format }] })
  else above.cells.push({ row, format })
}

/** The number of consecutive empty or equally formatted cells in a column that end a sheet. */
const endlessRun = 84

/** If this many adjacent columns after the last one with a value have equal formatting, the sheet ends before them. */
const endlessColumns = 30

/** The first of these columns; Infinity if there are none. */
function firstEqualColumn(columns: ReadonlyMap<number, FormattedColumn>, last: number): number {
  const trailing = [...columns.keys()].filter((column) => column > last).sort((a, b) => a - b)
  let start = 0
  for (let at = 1; at <= trailing.length; at++) {
    const [before, column] = [trailing[at - 1] ?? 0, trailing[at]]
    const isEqual =
      column === before + 1 &&
      sameFormatting(columns.get(before)?.cells ?? [], columns.get(column)?.cells ?? [])
    if (isEqual) continue
    if (at - start >= endlessColumns) return trailing[start] ?? Infinity
    start = at
  }
  return Infinity
}

const sameFormatting = (a: readonly FormattedCell[], b: readonly FormattedCell[]): boolean =>
  a.length === b.length &&
  a.every(({ row, format }, at) => {
    const other = b[at]
    return other?.row === row && other.format.fill === format.fill && other.format.borders === format.borders
  })

/** The last row of a column that belongs to the used area; -1 if there is none. */
function lastVisible({ value, cells }: FormattedColumn, below: CellFormat | undefined): number {
  let last = value
  for (let at = 0; at < cells.length; ) {
    const first = cells[at]
    if (first === undefined || first.row - last - 1 >= endlessRun) break
    let end = at
    while (isContinued(cells[end], cells[end + 1])) end++
    // The remainder of the column has the same formatting.
    const isEndless = end === cells.length - 1 && below !== undefined && hasFormatting(cells[end], below)
    if (end - at + 1 >= endlessRun || isEndless) break
    last = cells[end]?.row ?? last
    at = end + 1
  }
  return last
}

type FormattedCell = FormattedColumn['cells'][number]
const hasFormatting = (cell: FormattedCell | undefined, { fill, borders }: CellFormat): boolean =>
  cell?.format.fill === fill && cell?.format.borders === borders
function isContinued(above: FormattedCell | undefined, below: FormattedCell | undefined): boolean {
  return (
    above !== undefined &&
    below !== undefined &&
    below.row === above.row + 1 &&
    below.format.fill === above.format.fill &&
    below.format.borders === above.format.borders
  )
}

/** The visible content of the pages of a sheet. */
export interface PageContent {
  readonly grid: Grid
  readonly overflow: ReadonlyMap<number, readonly Overflow[]>
  /** The cells under drawings and sparklines. */
  readonly drawings: readonly CellArea[]
}

/** If an area spans more pages than this, only the first ones count as visible. */
const maxPagesOfArea = 10_000

/**
 * Returns the pages of a division on which a value, a border or a drawing is visible, unsorted. The number of a page is its
 * row span index times the number of column spans, plus its column span index. A page that contains only fills is not printed
 * (observed in LibreOffice). The work is proportional to the number of cells, not of pages.
 */
export function pagesWithContent(
  { budget }: SheetContext,
  { grid, overflow, drawings }: PageContent,
  { rows, columns }: Division,
): Set<number> {
  const pages = new Set<number>()
  const [top, bottom] = [rows[0]?.[0] ?? 0, rows.at(-1)?.[1] ?? -1]
  const [left, right] = [columns[0]?.[0] ?? 0, columns.at(-1)?.[1] ?? -1]
  /** Adds the pages that an area reaches. An area outside the division adds none. */
  const add = (area: CellArea): void => {
    if (area.top > bottom || area.bottom < top || area.left > right || area.right < left) return
    const firstRow = spanAt(rows, Math.max(area.top, top))
    const firstColumn = spanAt(columns, Math.max(area.left, left))
    let lastRow = spanAt(rows, Math.min(area.bottom, bottom))
    let lastColumn = spanAt(columns, Math.min(area.right, right))
    if ((lastRow - firstRow + 1) * (lastColumn - firstColumn + 1) > maxPagesOfArea)
      [lastRow, lastColumn] = [firstRow, firstColumn]
    for (let row = firstRow; row <= lastRow; row++)
      for (let column = firstColumn; column <= lastColumn; column++) pages.add(row * columns.length + column)
  }
  for (const row of grid.rowsBetween(top, bottom)) {
    budget.check()
    if (grid.rows.size(row.row) === 0) continue
    // The last column of the page on which a cell of the row was found: the cells up to there add no other page.
    let covered = -1
    for (const cell of row.cells) {
      if (cell.column <= covered) continue
      if (cell.column < left || cell.column > right || grid.columns.size(cell.column) === 0) continue
      if (cell.value === undefined && !hasLines(grid.format(row, cell.column, cell))) continue
      add({ top: row.row, bottom: row.row, left: cell.column, right: cell.column })
      covered = columns[spanAt(columns, cell.column)]?.[1] ?? covered
    }
    for (const { column, to } of overflow.get(row.row) ?? [])
      add({ top: row.row, bottom: row.row, left: column, right: to })
  }
  for (const drawing of drawings) {
    budget.check()
    add(drawing)
  }
  for (const area of linedAreas(grid, { top, bottom, left, right })) {
    budget.check()
    add(area)
  }
  for (const area of grid.sheet.merges) {
    budget.check()
    if (cellAt(grid.row(area.top), area.left)?.value !== undefined) add(area)
  }
  return pages
}

/** The columns and rows of an area whose formatting has lines, which cells that the sheet does not list have, too. */
function linedAreas({ sheet, rows, columns, format }: Grid, area: CellArea): CellArea[] {
  const areas: CellArea[] = []
  const isLined = (row: SheetRow | undefined, column: number): boolean =>
    hasLines(format(row, column, undefined))
  for (const { first, last, format: ofColumns } of sheet.columns) {
    if (ofColumns === undefined || !isLined(undefined, first)) continue
    for (let column = Math.max(first, area.left); column <= Math.min(last, area.right); column++)
      if (columns.size(column) > 0) areas.push({ ...area, left: column, right: column })
  }
  for (const row of sheet.rows) {
    const isOutside = row.row < area.top || row.row > area.bottom || rows.size(row.row) === 0
    if (row.format === undefined || isOutside || !isLined(row, area.left)) continue
    areas.push({ ...area, top: row.row, bottom: row.row })
  }
  return areas
}

/** The index of the span that contains a row or column. */
function spanAt(spans: readonly Span[], index: number): number {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.[1] ?? Infinity) < index) low = middle + 1
    else high = middle
  }
  return low
}
