/**
 * Columns that a tag drops: the cells in the column, and the cells that span it together with other columns and
 * become narrower. Source: template language 12.5.
 */
import { cellsOf, columnEntries, type GridRules, rowsOf, type TableIndex, tableOf } from '../nest/table.ts'

export interface BoundColumn {
  /** The cells that span this column only, and its entry in the list of columns. */
  readonly ranges: readonly TokenRange[]
  readonly narrowed: readonly NarrowedCell[]
}

/** The tokens [start, stop). */
export interface TokenRange {
  readonly start: number
  readonly stop: number
}

/** A cell over several columns that loses some of them. */
export interface NarrowedCell {
  readonly cell: number
  readonly span: number // columns, before
  readonly by: number
}

export function columnOf(tables: TableIndex, cell: number, grid: GridRules): BoundColumn {
  const { tree } = tables
  const table = tableOf(tables, cell)
  const ranges: TokenRange[] = []
  const narrowed: NarrowedCell[] = []
  const addRange = (element: number) => ranges.push({ start: element, stop: tree.indexAfter(element) })
  const target = cellsOf(tables, tree.parentOf(cell), grid).find(({ open }) => open === cell)
  if (target === undefined) return { ranges, narrowed }
  const first = target.from
  const end = first + target.span
  for (const entry of columnEntries(tables, table, grid).slice(first, end)) addRange(entry)
  for (const row of rowsOf(tables, table, grid)) {
    const cells = cellsOf(tables, row, grid)
    cells.forEach((candidate, index) => {
      const overlap = Math.min(end, candidate.from + candidate.span) - Math.max(first, candidate.from)
      if (overlap <= 0 || candidate.covered) return
      const covered = cells
        .slice(index + 1)
        .filter((other) => other.covered && other.from < candidate.from + candidate.span)
      if (overlap === candidate.span) {
        addRange(candidate.open)
        for (const other of covered) addRange(other.open)
        return
      }
      narrowed.push({ cell: candidate.open, span: candidate.span, by: overlap })
      // Covered cells are elements of their own, so the same number of them is removed: those in the column
      // first, then the last ones.
      const inColumn = covered.filter(({ from }) => from >= first && from < end)
      const others = covered.filter((other) => !inColumn.includes(other)).reverse()
      for (const other of [...inColumn, ...others].slice(0, overlap)) addRange(other.open)
    })
  }
  return { ranges: ranges.sort((a, b) => a.start - b.start), narrowed }
}

/**
 * Cells merged over rows in a format where each row declares that the merged cell begins or continues
 * (`w:vMerge` of OOXML).
 */
export interface MergedCell {
  /** The token that declares the beginning of the merged cell. */
  readonly at: number
  readonly cell: number
  readonly row: number
  /** The rows below in which it continues. */
  readonly below: readonly number[]
}

export function mergedCells(tables: TableIndex): readonly MergedCell[] {
  const { tree, rules } = tables
  const { grid } = rules
  if (grid?.merge === undefined) return []
  const { element, holders, begins } = grid.merge
  const statementOf = (cell: number): number | undefined =>
    tree.children(cell, holders).flatMap((holder) => tree.children(holder, [element]))[0]
  const isBegin = (statement: number) => begins(tree.raw(statement, statement + 1))
  const merged: MergedCell[] = []
  const rowsOfTable = new Map<number, { rows: readonly number[]; positions: ReadonlyMap<number, number> }>()
  const rowsIn = (table: number) => {
    let tableRows = rowsOfTable.get(table)
    if (tableRows === undefined) {
      const rows = rowsOf(tables, table, grid)
      rowsOfTable.set(table, (tableRows = { rows, positions: new Map(rows.map((open, n) => [open, n])) }))
    }
    return tableRows
  }
  tree.tokens.forEach((token, index) => {
    if (token.kind !== 'void' || token.name !== element || !isBegin(index)) return
    const cell = tree.parentOf(tree.parentOf(index))
    const row = tree.parentOf(cell)
    if (cell < 0 || row < 0) return
    const beginning = cellsOf(tables, row, grid).find(({ open }) => open === cell)
    const { rows, positions } = rowsIn(tableOf(tables, cell))
    const below: number[] = []
    for (const nextRow of rows.slice((positions.get(row) ?? rows.length) + 1)) {
      const cellBelow = cellsOf(tables, nextRow, grid).find(({ from }) => from === beginning?.from)
      const statement = cellBelow === undefined ? undefined : statementOf(cellBelow.open)
      if (statement === undefined || isBegin(statement)) break
      below.push(nextRow)
    }
    merged.push({ at: index, cell, row, below })
  })
  return merged
}
