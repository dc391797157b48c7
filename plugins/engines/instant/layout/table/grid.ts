import type { Row, Table } from '../../../../../shared/document/table.ts'
import type { Measure, TableProperties } from '../../../../../shared/document/table-properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { LayoutContext } from '../context.ts'
import type { Pt } from '../frame.ts'

/** The grid columns that a cell occupies. */
export interface GridCell {
  readonly index: number // index in row.cells
  readonly column: number
  readonly span: number
}

/** The maximum number of columns of a table; cells beyond it are dropped. Word allows 63. */
const maxColumns = 1024

/** The columns of the cells of a row, after the grid columns it skips. */
export function gridCells(row: Row): GridCell[] {
  const cells: GridCell[] = []
  let column = Math.min(row.properties.gridBefore ?? 0, maxColumns)
  row.cells.forEach((cell, index) => {
    const span = Math.min(Math.max(1, cell.properties.span ?? 1), maxColumns - column)
    if (span <= 0) return
    cells.push({ index, column, span })
    column += span
  })
  return cells
}

/** The number of grid columns that the rows need. */
function columnCount(table: Table, rows: readonly (readonly GridCell[])[]): number {
  let count = 0
  rows.forEach((cells, index) => {
    const last = cells.at(-1)
    const end =
      (last === undefined ? 0 : last.column + last.span) + (table.rows[index]!.properties.gridAfter ?? 0)
    count = Math.max(count, end)
  })
  return Math.min(count, maxColumns)
}

/**
 * Column widths in points: the saved grid if there is one, else from the widths of the cells, else equal
 * parts; then scaled to the declared table width and rounded.
 */
export function columnWidths(
  { document }: LayoutContext,
  table: Table,
  properties: TableProperties,
  rows: readonly (readonly GridCell[])[],
  available: Pt,
): Pt[] {
  const count = columnCount(table, rows)
  const declaredWidth = tableWidth(properties.width, available)
  let widths =
    savedGrid(table, properties, count) ?? fromCells(table, rows, count, declaredWidth ?? available)
  const total = widths.reduce((sum, width) => sum + width, 0)
  if (
    declaredWidth !== undefined &&
    declaredWidth > 0 &&
    total > 0 &&
    Math.abs(total - declaredWidth) > 0.05
  ) {
    widths = widths.map((width) => (width * declaredWidth) / total)
  }
  return libreOffice.columnsEndAtTenThousandths(document.settings) ? roundedEdges(widths) : widths
}

/** The widths between edges that are rounded; the last edge stays. */
function roundedEdges(widths: readonly Pt[]): Pt[] {
  const total = widths.reduce((sum, width) => sum + width, 0)
  let sum = 0
  let left = 0
  return widths.map((width, column) => {
    sum += width
    const right = column === widths.length - 1 ? total : libreOffice.columnEdge(sum, total)
    const rounded = Math.max(0, right - left)
    left = right
    return rounded
  })
}

/** The declared width of a table in points; undefined when it is automatic. */
function tableWidth(measure: Measure | undefined, available: Pt): Pt | undefined {
  if (measure === undefined || measure.kind === 'auto') return undefined
  const width = measure.kind === 'pt' ? measure.value : measure.value * available
  return width > 0 ? width : undefined
}

/** The saved widths; undefined when they do not cover all columns, are empty, or are too narrow for text and nothing asks for them. */
function savedGrid(table: Table, properties: TableProperties, count: number): Pt[] | undefined {
  if (!libreOffice.savedGridStays || table.grid.length < count || count === 0) return undefined
  const widths = table.grid.slice(0, count)
  if (isPlaceholder(table, properties, widths)) return undefined
  return widths.some((width) => width > 0) && widths.reduce((sum, width) => sum + width, 0) > 1
    ? widths
    : undefined
}

/** The space for text that some column has at least, so that a saved grid counts, in points. */
const minTextWidth = 6

/**
 * Whether the saved widths stand for none: programs that leave the columns to Word write a grid of columns of a few points.
 * Nothing else declares a width then, and no column fits a letter between the margins of its cells.
 */
function isPlaceholder(table: Table, properties: TableProperties, widths: readonly Pt[]): boolean {
  if (properties.layout === 'fixed' || tableWidth(properties.width, 1) !== undefined) return false
  const { left = word.cellMargin, right = word.cellMargin } = properties.cellMargins ?? {}
  if (widths.some((width) => width >= left + right + minTextWidth)) return false
  return table.rows.every(({ cells }) =>
    cells.every((cell) => cellWidth(cell.properties.width, 1) === undefined),
  )
}

/**
 * Column widths from the widths of cells. Columns without a width share the remaining available width, but each gets at least
 * a quarter of an equal part.
 */
function fromCells(table: Table, rows: readonly (readonly GridCell[])[], count: number, available: Pt): Pt[] {
  const widths = new Array<Pt>(count).fill(0)
  // Cells of one column come first; a cell over several columns distributes what is still missing.
  for (const single of [true, false]) {
    rows.forEach((cells, rowIndex) => {
      for (const cell of cells) {
        if ((cell.span === 1) !== single) continue
        const width = cellWidth(table.rows[rowIndex]!.cells[cell.index]!.properties.width, available)
        if (width === undefined) continue
        const now = widths.slice(cell.column, cell.column + cell.span)
        const total = now.reduce((sum, value) => sum + value, 0)
        if (width <= total) continue
        const open = now.filter((value) => value === 0).length
        for (let i = 0; i < cell.span; i++) {
          if (single) widths[cell.column] = width
          else if (open > 0 && now[i] === 0) widths[cell.column + i] = (width - total) / open
        }
      }
    })
  }
  const total = widths.reduce((sum, width) => sum + width, 0)
  const open = widths.filter((width) => width === 0).length
  if (open === 0) return widths
  const share = Math.max(available - total, (available / Math.max(1, count)) * open * 0.25) / open
  return widths.map((width) => (width === 0 ? share : width))
}

/** The declared width of a cell in points; undefined when it is automatic. */
function cellWidth(measure: Measure | undefined, available: Pt): Pt | undefined {
  if (measure === undefined || measure.kind === 'auto') return undefined
  const width = measure.kind === 'pt' ? measure.value : measure.value * available
  return width > 0 ? width : undefined
}
