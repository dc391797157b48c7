/**
 * One sheet while it is written: which rows and cells of the template stand where. Recorded in a first pass over the
 * loops and conditions, then read by every address that has to follow.
 */

import { type RenderScope, type ScopeKey, scopeKey } from '../../template/scope.ts'
import { Axis, type Line, type Span } from './axis.ts'
import type { FormulaToken, Notation } from './formula.ts'
import { type Corner, maxColumns, maxRows, parseRange, type Range } from './reference.ts'

/** A sheet of a template. Filled in while it is prepared; renders only read it. */
export interface SheetModel {
  readonly name: string
  /** Rows or cells of it may repeat or vanish. */
  readonly moves: boolean
  readonly lines: Line[]
  /** Rows whose cells may repeat or vanish: line -> its cells. */
  readonly cells: Map<number, readonly Line[]>
  /** Merged cells that begin in a row of a list and show nothing of its items: for how many loops they are one area. */
  readonly merged?: Map<string, number>
  /** Of a sheet that repeats or vanishes: what it is called, undefined when nothing is left of it. */
  readonly nameNow?: (scope: RenderScope) => string | undefined
  /** Where a render keeps what it knows of this sheet. */
  readonly keys: SheetKeys
}

export interface SheetKeys {
  /** The layout of the copy of the sheet that is being measured or written. */
  readonly layout: ScopeKey<SheetLayout>
  /** OpenDocument: the layouts of all measured copies that are still to be written, in order. */
  readonly copies: ScopeKey<SheetLayout[]>
  /** Part -> the elements that the rows of the sheet have written for it: drawings and comments. */
  readonly collected: ScopeKey<Map<string, string[]>>
  /** The name of the copy that is being written. */
  readonly name: ScopeKey<string>
}

export const sheetKeys = (name: string): SheetKeys => ({
  layout: scopeKey(`layout of sheet ${name}`),
  copies: scopeKey(`copies of sheet ${name}`),
  collected: scopeKey(`drawings and comments of sheet ${name}`),
  name: scopeKey(`name of sheet ${name}`),
})

/** All sheets of a template by name in lower case. */
export type Sheets = ReadonlyMap<string, SheetModel>

/** Set in a render whose sheets write the reference of every cell, even where readers could count. */
export const addressed = scopeKey<true>('references for all cells')

export class SheetLayout {
  readonly rows: Axis
  readonly #model: SheetModel
  readonly #columns = new Map<number, Axis>()
  #growing: { readonly line: number; readonly axis: Axis } | undefined
  // Where the writing stands.
  event = -1
  row = 0
  rowText = ''
  /** The last row of which there is an element. */
  written = 0
  /** Large: what readers can tell themselves is left out. */
  compact = false
  column = 0
  columnEvent = -1
  line = -1

  constructor(model: SheetModel) {
    this.#model = model
    this.rows = new Axis(model.lines, maxRows, 'rows')
  }

  /** A row with cells of its own kind begins. */
  beginCells(line: number): void {
    this.#settle()
    this.#growing = { line, axis: new Axis(this.#model.cells.get(line) ?? [], maxColumns, 'columns') }
  }
  get cells(): Axis | undefined {
    return this.#growing?.axis
  }

  /** The widest copy of a row stands for all of them. */
  #settle(): void {
    const done = this.#growing
    if (done === undefined) return
    const known = this.#columns.get(done.line)
    if (known === undefined || done.axis.next > known.next) this.#columns.set(done.line, done.axis)
    this.#growing = undefined
  }

  /** The columns of the rows [from, to], undefined where they are as the template has them. */
  columnsOf(from: number, to: number): { readonly axis: Axis; readonly line: number } | undefined {
    this.#settle()
    let widest: { axis: Axis; line: number } | undefined
    for (const [line, axis] of this.#columns) {
      const { first, count } = this.#model.lines[line]!
      if (first > to || first + count - 1 < from) continue
      if (widest === undefined || axis.next > widest.axis.next) widest = { axis, line }
    }
    return widest
  }
}

export function layoutOf(model: SheetModel, scope: RenderScope): SheetLayout | undefined {
  return scope.get(model.keys.layout)
}

/** The layout of a sheet that moves. The first token of the sheet makes it in the measuring pass. */
export function layoutIn(model: SheetModel, scope: RenderScope): SheetLayout {
  return scope.require(model.keys.layout)
}

/** Where a formula stands. */
export interface Place {
  readonly model: SheetModel
  readonly event: number | undefined // of its row
  readonly columnEvent?: number
  readonly line?: number // whose cells columnEvent counts in
}

/** The range that a range of the template became, seen from a place; undefined when nothing is left of it. */
export function follow(
  range: Range,
  target: SheetModel,
  place: Place | undefined,
  scope: RenderScope,
  alone: boolean,
): Range | undefined {
  const layout = target.moves ? layoutOf(target, scope) : undefined
  if (layout === undefined) return range
  const { from, to } = range
  const own = place?.model === target ? place : undefined
  const rows = followAxis(
    layout.rows,
    from.row,
    to?.row,
    [from.fixedRow, to?.fixedRow ?? false],
    own?.event,
    to === undefined,
  )
  if (rows === undefined) return undefined
  let columns: Span | 'same' | undefined = 'same'
  const first = from.row ?? 1
  const dynamic = layout.columnsOf(first, to === undefined ? first : (to.row ?? maxRows))
  if (dynamic !== undefined) {
    const event = own?.line === dynamic.line ? own.columnEvent : undefined
    const fixed: [boolean, boolean] = [from.fixedColumn, to?.fixedColumn ?? false]
    columns = followAxis(dynamic.axis, from.column, to?.column, fixed, event, to === undefined)
    if (columns === undefined) return undefined
  }
  const start = at(
    from,
    rows === 'same' ? from.row : rows.from,
    columns === 'same' ? from.column : columns.from,
  )
  const grew = (rows !== 'same' && rows.to > rows.from) || (columns !== 'same' && columns.to > columns.from)
  if (to === undefined) {
    if (!alone || !grew) return { from: start, to: undefined }
    const end = at(from, rows === 'same' ? from.row : rows.to, columns === 'same' ? from.column : columns.to)
    return { from: start, to: end }
  }
  return {
    from: start,
    to: at(to, rows === 'same' ? to.row : rows.to, columns === 'same' ? to.column : columns.to),
  }
}

const at = (corner: Corner, row: number | undefined, column: number | undefined): Corner => ({
  ...corner,
  row,
  column,
})

function followAxis(
  axis: Axis,
  first: number | undefined,
  last: number | undefined,
  [firstFixed, lastFixed]: readonly [boolean, boolean],
  event: number | undefined,
  single: boolean,
): Span | 'same' | undefined {
  if (first === undefined) return 'same'
  if (single) return axis.resolveOne(first, firstFixed ? undefined : event)
  const from = Math.min(first, last ?? first)
  const to = Math.max(first, last ?? first)
  if (firstFixed === lastFixed || event === undefined)
    return axis.resolve(from, to, firstFixed ? undefined : event)
  // One end stays, the other goes along: a running total.
  const start = axis.resolve(from, from, firstFixed ? undefined : event) ?? axis.resolve(from, to, undefined)
  const end = axis.resolve(to, to, lastFixed ? undefined : event) ?? axis.resolve(from, to, undefined)
  return start === undefined || end === undefined
    ? undefined
    : { from: start.from, to: Math.max(start.from, end.to) }
}

/** Whether an address in the formula may have to change. */
export function refersToMoving(
  tokens: readonly FormulaToken[],
  own: SheetModel | undefined,
  sheets: Sheets,
): boolean {
  return tokens.some((token) => typeof token !== 'string' && follows(targetOf(token.sheet, own, sheets)))
}

const follows = (target: SheetModel | undefined): boolean =>
  target !== undefined && (target.moves || target.nameNow !== undefined)

export function targetOf(
  sheet: string | undefined,
  own: SheetModel | undefined,
  sheets: Sheets,
): SheetModel | undefined {
  return sheet === undefined ? own : sheets.get(sheet.toLowerCase())
}

/** The formula as it reads at a place. What points at nothing any more points at the last row, which is empty. */
export function writeFormula(
  tokens: readonly FormulaToken[],
  notation: Notation,
  place: Place | undefined,
  sheets: Sheets,
  scope: RenderScope,
): string {
  let out = ''
  for (const token of tokens) {
    if (typeof token === 'string') {
      out += token
      continue
    }
    const target = targetOf(token.sheet, place?.model, sheets)
    const name = token.sheet === undefined ? '' : target?.nameNow?.(scope)
    if (name === undefined && target?.nameNow !== undefined) {
      // Outside of cells an address must name its sheet.
      out += place === undefined ? '#REF!' : notation.write({ ...token, prefix: '' }, nothing(token.range))
      continue
    }
    const range =
      target === undefined
        ? token.range
        : (follow(token.range, target, place, scope, token.alone) ?? nothing(token.range))
    const named = target?.nameNow !== undefined && name !== '' && name !== undefined
    out += notation.write(named ? { ...token, prefix: `'${name.replaceAll("'", "''")}'!` } : token, range)
  }
  return out
}

const nothing = ({ from }: Range): Range => ({
  from: { column: from.column ?? 1, row: maxRows, fixedColumn: true, fixedRow: true },
  to: undefined,
})

export type Spread = 'whole' | 'copies' | 'runs'

/**
 * What an area of a sheet became: as one area, as one for each copy of the block it lies in, or as one for each
 * unbroken stretch.
 */
export function followArea(
  range: Range,
  model: SheetModel,
  scope: RenderScope,
  spread: Spread,
  outward = 0,
): Range[] {
  const layout = model.moves ? layoutOf(model, scope) : undefined
  if (layout === undefined) return [range]
  const { from } = range
  const to = range.to ?? from
  const pick = (axis: Axis, first: number, last: number): Span[] => {
    if (spread === 'copies') return axis.copies(first, last, axis === layout.rows ? outward : 0)
    if (spread === 'runs') return axis.runs(first, last)
    const all = axis.resolve(first, last, undefined)
    return all === undefined ? [] : [all]
  }
  const rows = from.row === undefined ? [undefined] : pick(layout.rows, from.row, to.row ?? from.row)
  const dynamic = from.column === undefined ? undefined : layout.columnsOf(from.row ?? 1, to.row ?? maxRows)
  const columns =
    dynamic === undefined ? [undefined] : pick(dynamic.axis, from.column!, to.column ?? from.column!)
  return rows.flatMap((row) =>
    columns.map((column): Range => {
      const start = at(from, row?.from ?? from.row, column?.from ?? from.column)
      const end = at(to, row?.to ?? to.row, column?.to ?? to.column)
      const same = start.row === end.row && start.column === end.column && range.to === undefined
      return { from: start, to: same ? undefined : end }
    }),
  )
}

/** 'A1:B2 D4' as areas; what cannot be read is left out. */
export function parseAreas(list: string): Range[] {
  return list.split(/\s+/).flatMap((area) => parseRange(area) ?? [])
}
