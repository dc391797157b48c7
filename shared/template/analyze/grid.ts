/**
 * Tables keep a list of their columns. When a loop repeats cells sideways, the entries of the list at these columns
 * repeat with it. Source: template language 11.3.
 */
import type { Loop } from './loops.ts'
import type { PartContext } from './part.ts'

interface Grid {
  /** Entry of the list -> the loop that repeats it. */
  readonly loops: ReadonlyMap<number, Loop>
  /** Entries of cells that were markers. */
  readonly removed: readonly { readonly start: number; readonly stop: number }[]
}

export function gridLoops(context: PartContext, loops: readonly Loop[]): Grid {
  const found = new Map<number, Loop>()
  const removed: { start: number; stop: number }[] = []
  const { rules, pieces, match, parent } = context
  const { grid } = rules
  if (grid === undefined) return { loops: found, removed }
  const done = new Set<number>()
  const named = (at: number, name: string) => {
    const piece = pieces[at]
    return (piece?.kind === 'open' || piece?.kind === 'void') && piece.name === name
  }
  const children = (of: number, name: string): number[] => {
    const list: number[] = []
    for (let at = of + 1; at < match[of]!; at = match[at]! > at ? match[at]! + 1 : at + 1)
      if (named(at, name)) list.push(at)
    return list
  }
  for (const loop of loops) {
    const row = parent[loop.start]!
    if (!named(loop.start, grid.cell) || !named(row, grid.row)) continue
    const table = parent[row]!
    // A loop around the table or over its rows owns other items: the list can only follow what the table sees.
    if (table < 0 || done.has(table) || (loop.parent !== undefined && loop.parent.start > table)) continue
    const cells = children(row, grid.cell)
    const columns =
      grid.holder === ''
        ? children(table, grid.column)
        : children(table, grid.holder).flatMap((holder) => children(holder, grid.column))
    if (columns.length !== cells.length) continue
    done.add(table)
    cells.forEach((cell, index) => {
      const column = columns[index]!
      if (cell >= loop.start && cell < loop.stop) found.set(column, loop)
      else if (cell >= loop.marker.start && cell < loop.marker.stop) {
        removed.push({ start: column, stop: (match[column]! < 0 ? column : match[column]!) + 1 })
      }
    })
  }
  return { loops: found, removed }
}
