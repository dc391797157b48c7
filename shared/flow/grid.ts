import type { FlowRow } from './flow.ts'

export function columnsOf(rows: readonly FlowRow[]): number {
  return gridOf(rows, 0).reduce((most, row) => Math.max(most, row.length), 0)
}

export type GridCell = FlowRow['cells'][number] | 'covered' | 'empty'
const mostColumns = 1000
/** Places that spans may cover, and that short rows may be filled up with. Beyond, cells stand alone and rows stay short. */
const mostPlaces = 1_000_000

/** Each row with a place for every column: spans fill what they cover. `columns` is the least width. */
export function gridOf(rows: readonly FlowRow[], columns: number): readonly (readonly GridCell[])[] {
  let places = mostPlaces
  const covered: boolean[][] = rows.map(() => [])
  const grid = rows.map((row, y) => {
    const line: GridCell[] = []
    const fill = () => {
      while (covered[y]?.[line.length] === true) line.push('covered')
    }
    for (const cell of row.cells) {
      fill()
      const at = line.length
      if (at >= mostColumns) break
      line.push(cell)
      for (let x = 1; x < cell.columns && line.length < mostColumns && places-- > 0; x++) line.push('covered')
      for (let below = 1; below < cell.rows && y + below < rows.length && places > 0; below++) {
        places -= line.length - at
        for (let x = at; x < line.length; x++) (covered[y + below] as boolean[])[x] = true
      }
    }
    fill()
    return line
  })
  const width = grid.reduce((most, row) => Math.max(most, row.length), columns)
  for (const line of grid) while (line.length < width && places-- > 0) line.push('empty')
  return grid
}
