/**
 * Tables keep a list of their columns. When a loop repeats cells sideways, the entries of the list at these columns
 * repeat with it, and cells of other rows that cover them become wider. Source: template language 11.3.
 */
import {
  cellsOf,
  columnEntries,
  type GridRules,
  rowsOf,
  type TableIndex,
  type TemplateCell,
  tableOf,
} from '../nest/table.ts'
import type { TokenRange } from './columns.ts'
import type { Loop } from './loops.ts'

export interface GridLoops {
  /** Entry of the list, or covered cell -> the loop that repeats it. */
  readonly loops: ReadonlyMap<number, Loop>
  /** Entries for the cells of loop markers. They are removed with these cells. */
  readonly removed: readonly TokenRange[]
  readonly wide: readonly WideCell[]
}

/** A cell over columns that repeat: `lost` of them were loop markers. */
export interface WideCell {
  readonly cell: number
  readonly span: number
  readonly lost: number
  readonly loops: readonly Loop[]
}

export function gridLoops(tables: TableIndex, loops: readonly Loop[]): GridLoops {
  const loopOf = new Map<number, Loop>()
  const removed: TokenRange[] = []
  const wideCells: WideCell[] = []
  const { tree, rules } = tables
  const { grid } = rules
  if (grid === undefined) return { loops: loopOf, removed, wide: wideCells }
  const remove = (element: number) => removed.push({ start: element, stop: tree.indexAfter(element) })
  const cellNames = [grid.cell, ...(grid.otherCells ?? [])]
  const doneTables = new Set<number>()
  const sideways = new Set(loops.map(({ start }) => tree.parentOf(start)))
  for (const loop of loops) {
    const row = tree.parentOf(loop.start)
    if (!cellNames.includes(tree.nameOf(loop.start) ?? '') || tree.nameOf(row) !== grid.row) continue
    const table = tableOf(tables, loop.start)
    // A loop around the table or over its rows has different items for each copy. The list of columns can only
    // follow loops that the entire table is inside of.
    if (table < 0 || doneTables.has(table) || (loop.parent !== undefined && loop.parent.start > table))
      continue
    const columns = columnsOfLoop(tables, row, loop, grid)
    const entries = columnEntries(tables, table, grid)
    if (entries.length > 0 && entries.length !== columns.count) continue
    /** Lets the element of one column follow the loop. */
    const follow = (element: number, column: number): void => {
      const repeats = columns.looped.get(column)
      if (repeats !== undefined) loopOf.set(element, repeats)
      else if (columns.removed.has(column)) remove(element)
    }
    entries.forEach(follow)
    doneTables.add(table)
    for (const otherRow of rowsOf(tables, table, grid)) {
      if (sideways.has(otherRow)) continue
      const cells = cellsOf(tables, otherRow, grid)
      const cell = widened(cells, columns)
      if (cell === undefined) continue
      if (grid.span?.listed === true) {
        if (!coversChanges(cell, columns)) continue
        for (const { open, from } of cells) follow(open, from)
      }
      const { size: lost } = columns.removed
      wideCells.push({ cell: cell.open, span: cell.span, lost, loops: [...columns.looped.values()] })
    }
  }
  return { loops: loopOf, removed, wide: wideCells }
}

/**
 * Whether a cell that lists the cells it covers covers all columns that change. Its first column is the cell itself, which is not
 * repeated.
 */
function coversChanges({ from, span }: TemplateCell, { looped, removed }: LoopColumns): boolean {
  return [...looped.keys(), ...removed].every((column) => column > from && column < from + span)
}

interface LoopColumns {
  /** Column -> the loop whose cells are in it. */
  readonly looped: ReadonlyMap<number, Loop>
  /** Columns of the loop marker. */
  readonly removed: ReadonlySet<number>
  /** The number of columns in the row. */
  readonly count: number
}

function columnsOfLoop(tables: TableIndex, row: number, loop: Loop, grid: GridRules): LoopColumns {
  const looped = new Map<number, Loop>()
  const removed = new Set<number>()
  let count = 0
  for (const { open, from, span, covered } of cellsOf(tables, row, grid)) {
    count = from + span
    for (let column = from; column < from + span && !covered; column += 1) {
      if (open >= loop.start && open < loop.stop) looped.set(column, loop)
      else if (open >= loop.marker.start && open < loop.marker.stop) removed.add(column)
    }
  }
  return { looped, removed, count }
}

/**
 * The one cell of a row that becomes wider along with the row. An ordinary cell below a loop marker stays as it
 * is.
 */
function widened(cells: readonly TemplateCell[], { looped, removed }: LoopColumns): TemplateCell | undefined {
  const covers = ({ from, span, covered }: TemplateCell, columns: Iterable<number>) =>
    !covered && span > 1 && [...columns].some((column) => column >= from && column < from + span)
  return (
    cells.find((candidate) => covers(candidate, looped.keys())) ?? cells.find((each) => covers(each, removed))
  )
}
