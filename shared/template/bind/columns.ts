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
  const take = (at: number) => ranges.push({ start: at, stop: tree.behind(at) })
  const own = cellsOf(tables, tree.parentOf(cell), grid).find(({ open }) => open === cell)
  if (own === undefined) return { ranges, narrowed }
  const first = own.from
  const behind = first + own.span
  for (const entry of columnEntries(tables, table, grid).slice(first, behind)) take(entry)
  for (const row of rowsOf(tables, table, grid)) {
    const cells = cellsOf(tables, row, grid)
    cells.forEach((each, at) => {
      const overlap = Math.min(behind, each.from + each.span) - Math.max(first, each.from)
      if (overlap <= 0 || each.covered) return
      const covers = cells
        .slice(at + 1)
        .filter((other) => other.covered && other.from < each.from + each.span)
      if (overlap === each.span) {
        take(each.open)
        for (const other of covers) take(other.open)
        return
      }
      narrowed.push({ cell: each.open, span: each.span, by: overlap })
      // Covered cells are elements of their own, so the same number of them is removed: those in the column
      // first, then the last ones.
      const inColumn = covers.filter(({ from }) => from >= first && from < behind)
      const others = covers.filter((other) => !inColumn.includes(other)).reverse()
      for (const other of [...inColumn, ...others].slice(0, overlap)) take(other.open)
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
  const isBegin = (at: number) => begins(tree.raw(at, at + 1))
  const found: MergedCell[] = []
  const rowsOfTable = new Map<number, { rows: readonly number[]; positions: ReadonlyMap<number, number> }>()
  const rowsIn = (table: number) => {
    let known = rowsOfTable.get(table)
    if (known === undefined) {
      const rows = rowsOf(tables, table, grid)
      rowsOfTable.set(table, (known = { rows, positions: new Map(rows.map((open, n) => [open, n])) }))
    }
    return known
  }
  tree.tokens.forEach((token, at) => {
    if (token.kind !== 'void' || token.name !== element || !isBegin(at)) return
    const cell = tree.parentOf(tree.parentOf(at))
    const row = tree.parentOf(cell)
    if (cell < 0 || row < 0) return
    const own = cellsOf(tables, row, grid).find(({ open }) => open === cell)
    const { rows, positions } = rowsIn(tableOf(tables, cell))
    const below: number[] = []
    for (const next of rows.slice((positions.get(row) ?? rows.length) + 1)) {
      const under = cellsOf(tables, next, grid).find(({ from }) => from === own?.from)
      const statement = under === undefined ? undefined : statementOf(under.open)
      if (statement === undefined || isBegin(statement)) break
      below.push(next)
    }
    found.push({ at, cell, row, below })
  })
  return found
}
