/**
 * Tables keep a list of their columns. When a loop repeats cells sideways, the entries of the list at these columns
 * repeat with it, and cells of other rows that cover them become wider. Source: template language 11.3.
 */
import { cellsOf, children, type GridCell, rowsOf, tableOf } from './columns.ts'
import type { Loop } from './loops.ts'
import type { PartContext } from './part.ts'

interface GridLoops {
  /** Entry of the list, or covered cell -> the loop that repeats it. */
  readonly loops: ReadonlyMap<number, Loop>
  /** Entries of cells that were markers. */
  readonly removed: readonly { readonly start: number; readonly stop: number }[]
  readonly wide: readonly WideCell[]
}

/** A cell over columns that repeat: `lost` of them were markers. */
export interface WideCell {
  readonly cell: number
  readonly span: number
  readonly lost: number
  readonly loops: readonly Loop[]
}

export function gridLoops(context: PartContext, loops: readonly Loop[]): GridLoops {
  const found = new Map<number, Loop>()
  const removed: { start: number; stop: number }[] = []
  const wide: WideCell[] = []
  const { rules, tokens, match, parent } = context
  const { grid } = rules
  if (grid === undefined) return { loops: found, removed, wide }
  const done = new Set<number>()
  const named = (at: number, ...names: readonly string[]) => {
    const token = tokens[at]
    return (token?.kind === 'open' || token?.kind === 'void') && names.includes(token.name)
  }
  const take = (at: number) => removed.push({ start: at, stop: (match[at]! < 0 ? at : match[at]!) + 1 })
  const sideways = new Set(loops.map(({ start }) => parent[start]!))
  for (const loop of loops) {
    const row = parent[loop.start]!
    if (!named(loop.start, grid.cell, ...(grid.otherCells ?? [])) || !named(row, grid.row)) continue
    const table = tableOf(context, loop.start)
    // A loop around the table or over its rows owns other items: the list can only follow what the table sees.
    if (table < 0 || done.has(table) || (loop.parent !== undefined && loop.parent.start > table)) continue
    const cells = cellsOf(context, row, grid)
    const looped = new Map<number, Loop>()
    const gone = new Set<number>()
    let count = 0
    for (const { open, from, span, covered } of cells) {
      count = from + span
      for (let column = from; column < from + span && !covered; column += 1) {
        if (open >= loop.start && open < loop.stop) looped.set(column, loop)
        else if (open >= loop.marker.start && open < loop.marker.stop) gone.add(column)
      }
    }
    const columns =
      grid.holder === ''
        ? children(context, table, [grid.column])
        : children(context, table, [grid.holder]).flatMap((holder) =>
            children(context, holder, [grid.column]),
          )
    if (columns.length === count) {
      columns.forEach((entry, column) => {
        if (looped.has(column)) found.set(entry, loop)
        else if (gone.has(column)) take(entry)
      })
    } else if (columns.length > 0) continue
    done.add(table)
    const changed = [...looped.keys(), ...gone]
    for (const other of rowsOf(context, table, grid)) {
      if (sideways.has(other)) continue
      const others = cellsOf(context, other, grid)
      const covers = ({ from, span, covered }: GridCell, columns: Iterable<number>) =>
        !covered && span > 1 && [...columns].some((column) => column >= from && column < from + span)
      // One cell takes what the row is wider: a plain cell under a marker stays a cell.
      const cell =
        others.find((each) => covers(each, looped.keys())) ?? others.find((each) => covers(each, gone))
      if (cell === undefined) continue
      if (grid.span?.listed === true) {
        // The first column of a listed area is the cell itself, which is there once.
        if (changed.some((column) => column <= cell.from || column >= cell.from + cell.span)) continue
        for (const { open, from } of others) {
          const repeats = looped.get(from)
          if (repeats !== undefined) found.set(open, repeats)
          else if (gone.has(from)) take(open)
        }
      }
      wide.push({ cell: cell.open, span: cell.span, lost: gone.size, loops: [...looped.values()] })
    }
  }
  return { loops: found, removed, wide }
}
