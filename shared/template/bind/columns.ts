/**
 * The columns of a table, for tags that drop one: which cells of all its rows stand there, and which cells cover it
 * together with others and become narrower. Source: template language 12.5.
 */
import type { FormatRules } from '../rules.ts'
import type { PartContext } from './part.ts'

type GridRules = NonNullable<FormatRules['grid']>

export interface Column {
  /** Cells that stand in the column alone, and its entry in the list of columns. */
  readonly ranges: readonly { readonly start: number; readonly stop: number }[]
  readonly narrowed: readonly Narrowed[]
}

/** A cell over several columns that loses some of them. */
export interface Narrowed {
  readonly cell: number
  readonly span: number
  readonly by: number
}

export interface GridCell {
  readonly open: number
  readonly from: number // column
  readonly span: number
  readonly covered: boolean
}

/** The row and the table around a cell. */
export function tableOf({ tokens, parent, rules }: PartContext, cell: number): number {
  let table = parent[parent[cell]!] ?? -1
  const isGroup = (at: number) => {
    const token = tokens[at]
    return token?.kind === 'open' && rules.grid?.groups?.includes(token.name) === true
  }
  while (isGroup(table)) table = parent[table]!
  return table
}

export function columnOf(context: PartContext, cell: number): Column {
  const { match, parent } = context
  const grid = context.rules.grid!
  const table = tableOf(context, cell)
  const ranges: { start: number; stop: number }[] = []
  const narrowed: Narrowed[] = []
  const take = (at: number | undefined) => {
    if (at !== undefined) ranges.push({ start: at, stop: (match[at]! < 0 ? at : match[at]!) + 1 })
  }
  const own = cellsOf(context, parent[cell]!, grid).find(({ open }) => open === cell)
  if (own === undefined) return { ranges, narrowed }
  const first = own.from
  const behind = first + own.span
  const columns =
    grid.holder === ''
      ? children(context, table, [grid.column])
      : children(context, table, [grid.holder]).flatMap((holder) => children(context, holder, [grid.column]))
  for (const column of columns.slice(first, behind)) take(column)
  for (const row of rowsOf(context, table, grid)) {
    const cells = cellsOf(context, row, grid)
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
      // Covered cells are elements of their own: as many go. Those of the column first, else the last ones.
      const there = covers.filter(({ from }) => from >= first && from < behind)
      const others = covers.filter((other) => !there.includes(other)).reverse()
      for (const other of [...there, ...others].slice(0, overlap)) take(other.open)
    })
  }
  return { ranges: ranges.sort((a, b) => a.start - b.start), narrowed }
}

export interface MergedArea {
  /** The piece that says that the area begins. */
  readonly at: number
  readonly cell: number
  readonly row: number
  /** The rows below that it goes on in. */
  readonly below: readonly number[]
}

/** Areas over rows, where each row says that they go on. */
export function mergedAreas(context: PartContext): readonly MergedArea[] {
  const { tokens, parent, rules } = context
  const { grid } = rules
  if (grid?.merge === undefined) return []
  const { element, holders, begins } = grid.merge
  const continuation = (cell: number): number | undefined =>
    children(context, cell, holders).flatMap((holder) => children(context, holder, [element]))[0]
  const isBegin = (at: number) => {
    const token = tokens[at]!
    return 'raw' in token && begins.test(token.raw)
  }
  const found: MergedArea[] = []
  const tables = new Map<number, { rows: readonly number[]; places: ReadonlyMap<number, number> }>()
  const rowsIn = (table: number) => {
    let known = tables.get(table)
    if (known === undefined) {
      const rows = rowsOf(context, table, grid)
      tables.set(table, (known = { rows, places: new Map(rows.map((open, n) => [open, n])) }))
    }
    return known
  }
  tokens.forEach((token, at) => {
    if (token.kind !== 'void' || token.name !== element || !isBegin(at)) return
    const cell = parent[parent[at]!] ?? -1
    const row = parent[cell] ?? -1
    if (cell < 0 || row < 0) return
    const own = cellsOf(context, row, grid).find(({ open }) => open === cell)
    const { rows, places } = rowsIn(tableOf(context, cell))
    const below: number[] = []
    for (let n = (places.get(row) ?? rows.length) + 1; n < rows.length; n += 1) {
      const next = rows[n]!
      const under = cellsOf(context, next, grid).find(({ from }) => from === own?.from)
      const goesOn = under === undefined ? undefined : continuation(under.open)
      if (goesOn === undefined || isBegin(goesOn)) break
      below.push(next)
    }
    found.push({ at, cell, row, below })
  })
  return found
}

export function children({ tokens, match }: PartContext, of: number, names: readonly string[]): number[] {
  const found: number[] = []
  const last = of < 0 ? tokens.length : match[of]!
  for (let at = of + 1; at < last; at = match[at]! > at ? match[at]! + 1 : at + 1) {
    const token = tokens[at]!
    if ((token.kind === 'open' || token.kind === 'void') && names.includes(token.name)) found.push(at)
  }
  return found
}

export function rowsOf(context: PartContext, holder: number, grid: GridRules): number[] {
  const groups = grid.groups ?? []
  return children(context, holder, [grid.row, ...groups]).flatMap((at) => {
    const token = context.tokens[at]!
    return 'name' in token && groups.includes(token.name) ? rowsOf(context, at, grid) : [at]
  })
}

/** Rows that were read: each tag that drops a column looks at all of its table. */
const read = new WeakMap<PartContext, Map<number, readonly GridCell[]>>()

export function cellsOf(context: PartContext, row: number, grid: GridRules): readonly GridCell[] {
  let rows = read.get(context)
  if (rows === undefined) read.set(context, (rows = new Map()))
  let cells = rows.get(row)
  if (cells === undefined) rows.set(row, (cells = readCells(context, row, grid)))
  return cells
}

function readCells(context: PartContext, row: number, grid: GridRules): GridCell[] {
  const { tokens } = context
  let column = grid.before === undefined ? 0 : (numberIn(context, row, grid.before)?.value ?? 0)
  let coveredTo = 0
  return children(context, row, [grid.cell, ...(grid.otherCells ?? [])]).map((open): GridCell => {
    const from = column
    const listed = grid.span?.listed === true
    const covered = listed && from < coveredTo
    const span = covered ? 1 : Math.max(1, Math.min(1_000, spanOf(context, open)?.value ?? 1))
    if (listed && !covered) coveredTo = from + span
    const token = tokens[open]!
    column += listed || token.kind === 'close' ? 1 : span
    return { open, from, span, covered }
  })
}

/** Where the number of columns of a cell is written: the piece and the place in its markup. */
export interface WrittenNumber {
  readonly at: number
  readonly start: number
  readonly end: number
  readonly value: number
}

export function spanOf(context: PartContext, cell: number): WrittenNumber | undefined {
  const { span } = context.rules.grid ?? {}
  return span === undefined ? undefined : numberIn(context, cell, span)
}

function numberIn(
  { tokens, match }: PartContext,
  element: number,
  { attribute, inside }: { readonly attribute: string; readonly inside?: readonly string[] },
): WrittenNumber | undefined {
  let at = element
  for (const name of inside ?? []) {
    const last = match[at]!
    let found = at + 1
    for (; found < last; found = match[found]! > found ? match[found]! + 1 : found + 1) {
      const token = tokens[found]!
      if ((token.kind === 'open' || token.kind === 'void') && token.name === name) break
    }
    if (found >= last) return undefined
    at = found
  }
  const pattern = new RegExp(`\\s${attribute}\\s*=\\s*["']?(\\d{1,6})`, 'i')
  for (; at < tokens.length; at += 1) {
    const token = tokens[at]!
    const raw = 'raw' in token ? token.raw : ''
    const found = pattern.exec(raw)
    if (found !== null) {
      const end = found.index + found[0].length
      return { at, start: end - found[1]!.length, end, value: Number(found[1]) }
    }
    // An opening tag may be in several pieces.
    if (raw.endsWith('>')) return undefined
  }
  return undefined
}
