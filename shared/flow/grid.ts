import type { FlowRow } from './flow.ts'

/** Number of columns of a table. */
export function columnsOf(rows: readonly FlowRow[]): number {
  return gridOf(rows, 0).reduce((max, row) => Math.max(max, row.length), 0)
}

export type FlowGridCell = FlowRow['cells'][number] | 'covered' | 'empty'
/** Maximum number of columns. */
const maxColumns = 1000
/**
 * Maximum number of cells that are covered by spans or added to short rows. Beyond it spans are ignored and
 * rows stay short.
 */
const maxFilled = 1_000_000

/** Lays a table out as a grid in which spans occupy the cells they cover. `columns` is the minimum width. */
export function gridOf(rows: readonly FlowRow[], columns: number): readonly (readonly FlowGridCell[])[] {
  let remaining = maxFilled
  const covered: boolean[][] = rows.map(() => [])
  const grid = rows.map((row, y) => {
    const line: FlowGridCell[] = []
    const fill = () => {
      while (covered[y]?.[line.length] === true) line.push('covered')
    }
    for (const cell of row.cells) {
      fill()
      const at = line.length
      if (at >= maxColumns) break
      line.push(cell)
      for (let x = 1; x < cell.columns && line.length < maxColumns && remaining-- > 0; x++)
        line.push('covered')
      for (let below = 1; below < cell.rows && y + below < rows.length && remaining > 0; below++) {
        remaining -= line.length - at
        for (let x = at; x < line.length; x++) (covered[y + below] as boolean[])[x] = true
      }
    }
    fill()
    return line
  })
  const width = grid.reduce((max, row) => Math.max(max, row.length), columns)
  for (const line of grid) while (line.length < width && remaining-- > 0) line.push('empty')
  return grid
}
