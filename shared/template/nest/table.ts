/**
 * Tables in the tree: their rows and the cells of a row with the columns that they cover. Formats differ in which
 * elements hold rows, in how a span is written and in whether covered cells are elements; `FormatRules.grid` defines
 * it.
 */
import type { FormatRules } from '../rules.ts'
import type { ElementTree } from './tree.ts'

/** The rules of tables, for formats that have them. */
export type GridRules = NonNullable<FormatRules['grid']>

/** The tree of one part with caches for its tables. */
export interface TableIndex {
  readonly tree: ElementTree
  readonly rules: FormatRules
  /** Row -> its cells, cached because each tag that drops a column needs all rows of its table. */
  readonly cellsOfRow: Map<number, readonly TemplateCell[]>
}

/** A cell of a template row, with the columns that it covers. */
export interface TemplateCell {
  readonly open: number
  readonly from: number // its first column, from 0
  readonly span: number // columns
  /** An element that only declares that the cell before it covers this column. */
  readonly covered: boolean
}

/** The table around a cell, through the elements that group its rows. */
export function tableOf({ tree, rules }: TableIndex, cell: number): number {
  const groups = rules.grid?.groups ?? []
  let table = tree.parentOf(tree.parentOf(cell))
  while (groups.includes(tree.nameOf(table) ?? '')) table = tree.parentOf(table)
  return table
}

/** The rows of a table or of a group of rows, in order. */
export function rowsOf(tables: TableIndex, holder: number, grid: GridRules): number[] {
  const groups = grid.groups ?? []
  return tables.tree
    .children(holder, [grid.row, ...groups])
    .flatMap((child) =>
      groups.includes(tables.tree.nameOf(child) ?? '') ? rowsOf(tables, child, grid) : [child],
    )
}

/** The entries of the list of columns that a table keeps, in order. */
export function columnEntries({ tree }: TableIndex, table: number, grid: GridRules): number[] {
  if (grid.holder === '') return tree.children(table, [grid.column])
  return tree.children(table, [grid.holder]).flatMap((holder) => tree.children(holder, [grid.column]))
}

/** The cells of a row from left to right, computed once for each row. */
export function cellsOf(tables: TableIndex, row: number, grid: GridRules): readonly TemplateCell[] {
  let cells = tables.cellsOfRow.get(row)
  if (cells === undefined) tables.cellsOfRow.set(row, (cells = readCells(tables, row, grid)))
  return cells
}

function readCells(tables: TableIndex, row: number, grid: GridRules): TemplateCell[] {
  let column = grid.before === undefined ? 0 : (numberIn(tables.tree, row, grid.before)?.value ?? 0)
  let coveredTo = 0
  const listed = grid.span?.listed === true
  return tables.tree.children(row, [grid.cell, ...(grid.otherCells ?? [])]).map((open): TemplateCell => {
    const from = column
    const covered = listed && from < coveredTo
    const span = covered ? 1 : Math.max(1, Math.min(maxSpan, spanOf(tables, open)?.value ?? 1))
    if (listed && !covered) coveredTo = from + span
    column += listed ? 1 : span
    return { open, from, span, covered }
  })
}

/** No word processor creates wider tables. A larger number in a template would only cost time. */
const maxSpan = 1_000

/** A number in the markup of an element: its token, and its position in the markup of that token. */
export interface WrittenNumber {
  readonly at: number
  readonly start: number
  readonly end: number
  readonly value: number
}

/** Where a cell declares the number of columns that it covers. */
export function spanOf({ tree, rules }: TableIndex, cell: number): WrittenNumber | undefined {
  const span = rules.grid?.span
  return span === undefined ? undefined : numberIn(tree, cell, span)
}

function numberIn(
  tree: ElementTree,
  element: number,
  { attribute, inside = [] }: { readonly attribute: string; readonly inside?: readonly string[] },
): WrittenNumber | undefined {
  let index: number | undefined = element
  for (const name of inside) {
    ;[index] = tree.children(index, [name])
    if (index === undefined) return undefined
  }
  const pattern = new RegExp(`\\s${attribute}\\s*=\\s*["']?(\\d{1,6})`, 'i')
  // An opening tag consists of several tokens if its attributes contain tags.
  for (; index < tree.tokens.length; index += 1) {
    const raw = tree.raw(index, index + 1)
    const match = pattern.exec(raw)
    if (match !== null) {
      const [matched, digits = ''] = match
      const end = match.index + matched.length
      return { at: index, start: end - digits.length, end, value: Number(digits) }
    }
    if (raw.endsWith('>')) return undefined
  }
  return undefined
}
