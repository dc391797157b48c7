/**
 * Assigns the cells of a table to grid slots and resolves the borders that they share. Source: HTML Standard, 4.9.12.1; CSS
 * 2.2, 17.6.2.
 */
import type { CellBox, TableBox } from './box.ts'
import { bordersOf } from './dimensions.ts'
import type { BorderSide, Borders } from './fragment.ts'

export interface GridCell {
  readonly cell: CellBox
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
}

export interface TableGrid {
  readonly columns: number
  readonly rows: number
  readonly cells: readonly GridCell[]
  /** The cell in each slot; undefined for an empty slot. */
  readonly at: readonly (readonly (GridCell | undefined)[])[]
}

const maxColumns = 1000
/** The limit of slots that all spans together may cover. */
const maxCoveredSlots = 2_000_000

const grids = new WeakMap<TableBox, TableGrid>()

export function gridOf(table: TableBox): TableGrid {
  let grid = grids.get(table)
  if (grid === undefined) grids.set(table, (grid = makeGrid(table)))
  return grid
}

function makeGrid({ rows, columns: declared }: TableBox): TableGrid {
  const at: (GridCell | undefined)[][] = rows.map(() => [])
  const cells: GridCell[] = []
  let columns = 0
  let coveredSlots = 0
  rows.forEach((row, index) => {
    const slots = at[index] ?? []
    let column = 0
    for (const cell of row.cells) {
      while (slots[column] !== undefined) column++
      if (column >= maxColumns || coveredSlots > maxCoveredSlots) break
      const last = lastRowOfGroup(rows, index)
      const gridCell: GridCell = {
        cell,
        row: index,
        column,
        rows: Math.min(cell.rows, last - index + 1),
        columns: Math.min(cell.columns, maxColumns - column),
      }
      cells.push(gridCell)
      coveredSlots += gridCell.rows * gridCell.columns
      for (let r = index; r < index + gridCell.rows; r++)
        for (let c = column; c < column + gridCell.columns; c++) {
          const line = at[r]
          if (line !== undefined) line[c] = gridCell
        }
      columns = Math.max(columns, column + gridCell.columns)
      column += gridCell.columns
    }
  })
  return { columns: Math.min(Math.max(columns, declared.length), maxColumns), rows: rows.length, cells, at }
}

/** A row span must not extend beyond the row group. */
function lastRowOfGroup(rows: TableBox['rows'], index: number): number {
  const row = rows[index]
  let last = index
  while (
    last + 1 < rows.length &&
    rows[last + 1]?.group === row?.group &&
    rows[last + 1]?.groupStyle === row?.groupStyle
  ) {
    last++
    if (last - index > maxColumns) break
  }
  return last
}

/** The collapsed borders of each cell. Of two adjoining borders the wider one wins. */
export function collapsedBorders(table: TableBox, grid: TableGrid): ReadonlyMap<GridCell, Borders> {
  const outer = bordersOf(table.style)
  // From right to left, the first column is at the right.
  const [start, end] =
    table.style.word('direction') === 'rtl' ? (['right', 'left'] as const) : (['left', 'right'] as const)
  const borders = new Map<GridCell, Borders>()
  for (const cell of grid.cells) {
    const { row, column, rows, columns } = cell
    const cellBorders = bordersOf(cell.cell.box.style)
    const beside = (r: number, c: number) => {
      const other = grid.at[r]?.[c]
      return other && bordersOf(other.cell.box.style)
    }
    const rowBorders = (index: number) => {
      const style = table.rows[index]?.style
      return style && bordersOf(style)
    }
    const isLastRow = row + rows >= grid.rows
    const lastRow = row + rows - 1
    const groupBorders = (index: number) => {
      const style = table.rows[index]?.groupStyle
      return style && bordersOf(style)
    }
    /** Whether a row and the one after it are in different groups. */
    const endsGroup = (index: number): boolean =>
      table.rows[index]?.groupStyle !== table.rows[index + 1]?.groupStyle
    const isFirstColumn = column === 0
    const isLastColumn = column + columns >= grid.columns
    const columnBorders = (index: number) => {
      const style = table.columns[index]
      return style && bordersOf(style)
    }
    borders.set(cell, {
      ...sideBorder(
        'top',
        stronger(
          cellBorders.top,
          row === 0 ? outer.top : beside(row - 1, column)?.bottom,
          rowBorders(row)?.top,
          row === 0 ? undefined : rowBorders(row - 1)?.bottom,
          row === 0 || endsGroup(row - 1) ? groupBorders(row)?.top : undefined,
          row > 0 && endsGroup(row - 1) ? groupBorders(row - 1)?.bottom : undefined,
          row === 0 ? columnBorders(column)?.top : undefined,
        ),
      ),
      ...sideBorder(
        'bottom',
        stronger(
          cellBorders.bottom,
          isLastRow ? outer.bottom : beside(row + rows, column)?.top,
          rowBorders(row + rows - 1)?.bottom,
          isLastRow ? undefined : rowBorders(row + rows)?.top,
          isLastRow || endsGroup(lastRow) ? groupBorders(lastRow)?.bottom : undefined,
          !isLastRow && endsGroup(lastRow) ? groupBorders(lastRow + 1)?.top : undefined,
          isLastRow ? columnBorders(column)?.bottom : undefined,
        ),
      ),
      ...sideBorder(
        start,
        stronger(
          cellBorders[start],
          isFirstColumn ? outer[start] : beside(row, column - 1)?.[end],
          isFirstColumn ? rowBorders(row)?.[start] : columnBorders(column - 1)?.[end],
          isFirstColumn ? groupBorders(row)?.[start] : undefined,
          columnBorders(column)?.[start],
        ),
      ),
      ...sideBorder(
        end,
        stronger(
          cellBorders[end],
          isLastColumn ? outer[end] : beside(row, column + columns)?.[start],
          isLastColumn ? rowBorders(row)?.[end] : columnBorders(column + columns)?.[start],
          isLastColumn ? groupBorders(row)?.[end] : undefined,
          columnBorders(column + columns - 1)?.[end],
        ),
      ),
    })
  }
  return borders
}

const sideBorder = (side: keyof Borders, border: BorderSide | undefined): Borders =>
  border === undefined ? {} : { [side]: border }

function stronger(...all: readonly (BorderSide | undefined)[]): BorderSide | undefined {
  let best: BorderSide | undefined
  for (const side of all)
    if (side !== undefined && (best === undefined || side.width > best.width)) best = side
  return best
}
