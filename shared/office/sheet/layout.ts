/**
 * The positions to which the rows and cells of a sheet move in a render. The measuring pass records them by running
 * the loops and conditions without writing anything; every address that must be adjusted is then looked up here.
 * Decision docs/decisions/template-measuring-pass.md has the reasons.
 */

import { type AxisLine, type LineRange, TableAxis } from '../../template/axis.ts'
import { type RenderScope, type ScopeKey, scopeKey } from '../../template/scope.ts'
import { type FormulaNotation, type FormulaReference, type FormulaToken, sheetSpan } from './formula.ts'
import { type CellRange, type Corner, maxColumns, maxRows, parseRange } from './reference.ts'

/** A sheet of a template. It is filled in during preparation; renders only read it. */
export interface SheetModel {
  readonly name: string
  /** Whether rows or cells of it may repeat or vanish. */
  readonly moves: boolean
  /** Its rows, in order: each line is a row, or several rows that move together. */
  readonly lines: AxisLine[]
  /** The cells of rows in which cells may repeat or vanish, by the index of the line. */
  readonly cells: Map<number, readonly AxisLine[]>
  /**
   * Merged cells that begin in a row of a list and show no property of its items, with the number of loops they span.
   */
  readonly merged?: Map<string, number>
  /** The name of a sheet that repeats or vanishes; undefined when no copy of it is left. */
  readonly nameNow?: (scope: RenderScope) => string | undefined
  /** The copies of a sheet that repeats, in order, as far as they are written. */
  readonly copiesNow?: (scope: RenderScope) => readonly SheetCopy[]
  /** Keys of the values that a render stores about this sheet in its scope. */
  readonly keys: SheetKeys
}

/** A copy of a sheet that repeats. */
export interface SheetCopy {
  readonly name: string
  readonly scope: RenderScope // contains its layout
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

export class SheetLayout {
  readonly rows: TableAxis
  readonly #model: SheetModel
  /** For each line, the cells of the widest copy of its row. */
  readonly #columns = new Map<number, TableAxis>()
  /** The cells of the row that is being measured. */
  #growing: { readonly line: number; readonly axis: TableAxis } | undefined

  // The position of the writer, which advances as it writes. Rows and columns are those of the output, from 1.
  /** How many lines have been written, minus one: the index of the current one in `rows`. */
  event = -1
  row = 0
  /** `row` as text, which every cell of the row writes. */
  rowText = ''
  /** The last row that was written. Rows after a gap must state their number. */
  written = 0
  /** Whether addresses are omitted where they follow from the previous row or cell. */
  compact = false
  column = 0
  /** Like `event`, among the cells of the current row. */
  columnEvent = -1
  /** The index of the current line in the model. */
  line = -1

  constructor(model: SheetModel) {
    this.#model = model
    this.rows = new TableAxis(model.lines, maxRows, 'rows')
  }

  /** Begins to measure a row whose cells may repeat or vanish. */
  beginCells(line: number): void {
    this.#settle()
    this.#growing = { line, axis: new TableAxis(this.#model.cells.get(line) ?? [], maxColumns, 'columns') }
  }
  get cells(): TableAxis | undefined {
    return this.#growing?.axis
  }

  /**
   * Ends a row. Columns are those of the widest copy of a row: an address can refer to only one column for all
   * copies.
   */
  #settle(): void {
    const finished = this.#growing
    if (finished === undefined) return
    const widest = this.#columns.get(finished.line)
    if (widest === undefined || finished.axis.next > widest.next)
      this.#columns.set(finished.line, finished.axis)
    this.#growing = undefined
  }

  /** The columns of the rows [from, to]; undefined where they are the same as in the template. */
  columnsOf(from: number, to: number): { readonly axis: TableAxis; readonly line: number } | undefined {
    this.#settle()
    let widest: { axis: TableAxis; line: number } | undefined
    for (const [line, axis] of this.#columns) {
      const { first, count } = this.#model.lines[line]!
      if (first > to || first + count - 1 < from) continue
      if (widest === undefined || axis.next > widest.axis.next) widest = { axis, line }
    }
    return widest
  }
}

/** The layout of the sheet in this render; undefined for a sheet that has not been measured. */
export function layoutOf(model: SheetModel, scope: RenderScope): SheetLayout | undefined {
  return scope.get(model.keys.layout)
}

/** The layout of a sheet that moves. The first token of the sheet creates it in the measuring pass. */
export function layoutIn(model: SheetModel, scope: RenderScope): SheetLayout {
  return scope.require(model.keys.layout)
}

/** The position of a formula, which its relative references are resolved against. */
export interface SheetPosition {
  readonly model: SheetModel // its sheet
  readonly event: number | undefined // its row, as an event of the axis; undefined for none in particular
  readonly columnEvent?: number // its cell
  readonly line?: number // the line whose cells columnEvent counts
}

/**
 * The range of the output for a range of the template, as a formula at a position refers to it; undefined when no
 * cell of it is left. With `alone`, one cell becomes the area of all its copies.
 */
export function follow(
  range: CellRange,
  target: SheetModel,
  position: SheetPosition | undefined,
  scope: RenderScope,
  onlyArgument: boolean,
): CellRange | undefined {
  const layout = target.moves ? layoutOf(target, scope) : undefined
  if (layout === undefined) return range
  const { from, to } = range
  const sheet = position?.model === target ? position : undefined
  const rows = followAxis(
    layout.rows,
    from.row,
    to?.row,
    [from.fixedRow, to?.fixedRow ?? false],
    sheet?.event,
    to === undefined,
  )
  if (rows === undefined) return undefined
  let columns: LineRange | 'same' | undefined = 'same'
  const first = from.row ?? 1
  const dynamic = layout.columnsOf(first, to === undefined ? first : (to.row ?? maxRows))
  if (dynamic !== undefined) {
    const event = sheet?.line === dynamic.line ? sheet.columnEvent : undefined
    const fixed: [boolean, boolean] = [from.fixedColumn, to?.fixedColumn ?? false]
    columns = followAxis(dynamic.axis, from.column, to?.column, fixed, event, to === undefined)
    if (columns === undefined) return undefined
  }
  const start = moveCorner(
    from,
    rows === 'same' ? from.row : rows.from,
    columns === 'same' ? from.column : columns.from,
  )
  const grew = (rows !== 'same' && rows.to > rows.from) || (columns !== 'same' && columns.to > columns.from)
  if (to === undefined) {
    if (!onlyArgument || !grew) return { from: start, to: undefined }
    const end = moveCorner(
      from,
      rows === 'same' ? from.row : rows.to,
      columns === 'same' ? from.column : columns.to,
    )
    return { from: start, to: end }
  }
  return {
    from: start,
    to: moveCorner(to, rows === 'same' ? to.row : rows.to, columns === 'same' ? to.column : columns.to),
  }
}

const moveCorner = (corner: Corner, row: number | undefined, column: number | undefined): Corner => ({
  ...corner,
  row,
  column,
})

/** Adjusts one dimension of a range; 'same' if the range does not have it: whole columns have no rows. */
function followAxis(
  axis: TableAxis,
  first: number | undefined,
  last: number | undefined,
  [firstFixed, lastFixed]: readonly [boolean, boolean],
  event: number | undefined,
  single: boolean,
): LineRange | 'same' | undefined {
  if (first === undefined) return 'same'
  if (single) {
    const visibleFrom = firstFixed ? undefined : event
    return axis.resolveOne(first, visibleFrom) ?? axis.endOfLoop(first, visibleFrom)
  }
  const from = Math.min(first, last ?? first)
  const to = Math.max(first, last ?? first)
  if (firstFixed === lastFixed || event === undefined) {
    const visibleFrom = firstFixed ? undefined : event
    return (
      axis.resolve(from, to, visibleFrom) ?? (from === to ? axis.endOfLoop(from, visibleFrom) : undefined)
    )
  }
  // One end is fixed and the other moves with the row: a running total.
  const start = axis.resolve(from, from, firstFixed ? undefined : event) ?? axis.resolve(from, to, undefined)
  const end = axis.resolve(to, to, lastFixed ? undefined : event) ?? axis.resolve(from, to, undefined)
  return start === undefined || end === undefined
    ? undefined
    : { from: start.from, to: Math.max(start.from, end.to) }
}

/** Whether a reference of the formula may have to change. `sheet` is the sheet of references that do not name one. */
export function refersToMoving(
  tokens: readonly FormulaToken[],
  sheet: SheetModel | undefined,
  sheets: Sheets,
): boolean {
  return tokens.some(
    (token) =>
      typeof token !== 'string' &&
      (follows(targetOf(token.sheet, sheet, sheets)) ||
        spannedSheets(token.sheet, sheets)?.some(follows) === true),
  )
}

const follows = (target: SheetModel | undefined): boolean =>
  target !== undefined && (target.moves || target.nameNow !== undefined)

/** The sheet that a reference names; undefined when the template has no such sheet. */
export function targetOf(
  name: string | undefined,
  sheet: SheetModel | undefined,
  sheets: Sheets,
): SheetModel | undefined {
  return name === undefined ? sheet : sheets.get(name.toLowerCase())
}

/**
 * The sheets from the first to the last one that a reference such as `Jan:Mar!B4` names, in the order of the workbook;
 * undefined for other references, and where the template lacks one of the two.
 */
function spannedSheets(name: string | undefined, sheets: Sheets): readonly SheetModel[] | undefined {
  const span = sheetSpan(name)
  if (span === undefined) return undefined
  const [first, last] = [sheets.get(span[0].toLowerCase()), sheets.get(span[1].toLowerCase())]
  if (first === undefined || last === undefined) return undefined
  const models = [...new Set(sheets.values())]
  const ends = [models.indexOf(first), models.indexOf(last)]
  return models.slice(Math.min(ends[0]!, ends[1]!), Math.max(ends[0]!, ends[1]!) + 1)
}

/** The formula as written at a position. A reference of which no cell is left is replaced by one to an empty cell. */
export function writeFormula(
  tokens: readonly FormulaToken[],
  notation: FormulaNotation,
  position: SheetPosition | undefined,
  sheets: Sheets,
  scope: RenderScope,
): string {
  let result = ''
  for (const token of tokens) {
    if (typeof token === 'string') {
      result += token
      continue
    }
    const spanned = spannedSheets(token.sheet, sheets)
    if (spanned !== undefined) {
      result += writeSpan(token, spanned, { notation, position, sheets, scope })
      continue
    }
    const target = targetOf(token.sheet, position?.model, sheets)
    const name = token.sheet === undefined ? '' : target?.nameNow?.(scope)
    if (name === undefined && target?.nameNow !== undefined) {
      // Outside of cells an address must name its sheet.
      result +=
        position === undefined
          ? '#REF!'
          : notation.write({ ...token, prefix: '' }, emptyCell(token.range, position.model, scope))
      continue
    }
    const range =
      target === undefined
        ? token.range
        : (follow(token.range, target, position, scope, token.onlyArgument) ??
          emptyCell(token.range, target, scope))
    const named = target?.nameNow !== undefined && name !== '' && name !== undefined
    result += notation.write(named ? { ...token, prefix: `'${name.replaceAll("'", "''")}'!` } : token, range)
  }
  return result
}

/** The context for writing a reference to several sheets; see `writeFormula`. */
interface SpanContext {
  readonly notation: FormulaNotation
  readonly position: SheetPosition | undefined
  readonly sheets: Sheets
  readonly scope: RenderScope
}

/** The largest number of arguments of a function in Excel. */
const maxArguments = 255

/**
 * A reference to several sheets as written at a position. The format has one range for all of them, so where their rows
 * moved differently, the only argument of a function like `SUM` becomes a list of references; elsewhere the reference
 * cannot be written and becomes an error value.
 */
function writeSpan(
  reference: FormulaReference,
  models: readonly SheetModel[],
  { notation, position, sheets, scope }: SpanContext,
): string {
  const ends: readonly string[] = sheetSpan(reference.sheet) ?? []
  const written = models.flatMap((model) => {
    // The ends are named as in the formula, in which tags have their values.
    const name = ends.find((end) => sheets.get(end.toLowerCase()) === model) ?? model.name
    const copies = model.copiesNow?.(scope) ?? [{ name, scope }]
    return copies.map((copy) => {
      const range =
        follow(reference.range, model, position, copy.scope, reference.onlyArgument) ??
        emptyCell(reference.range, model, copy.scope)
      return { name: copy.name, range, cells: notation.write({ ...reference, prefix: '' }, range) }
    })
  })
  const [first, last] = [written[0], written.at(-1)]
  if (first === undefined || last === undefined) {
    if (position === undefined) return '#REF!'
    const { lastPrefix: _, ...here } = reference
    return notation.write({ ...here, prefix: '' }, emptyCell(reference.range, position.model, scope))
  }
  const canList =
    reference.onlyArgument &&
    written.length <= maxArguments &&
    !written.some(({ name }) => name.includes('{'))
  if (written.every(({ cells }) => cells === first.cells)) {
    if (ends.includes(first.name) && ends.includes(last.name)) return notation.write(reference, first.range)
    if (!canList || notation.canSpan(first.name, last.name))
      return notation.write(notation.onSheets(reference, first.name, last.name), first.range)
  }
  if (!canList) return '#REF!'
  return written
    .map(({ name, range }) => notation.write(notation.onSheets(reference, name, name), range))
    .join(notation.separator)
}

/**
 * Rows far below those that are filled in. The first one exists in XLS, too, which has 65,536 rows. Neither is the
 * last row of a sheet: inserting a row would push that one off the sheet and turn the formula into `#REF!`.
 */
const fallbackRows = [65_000, 1_000_000]

/** A cell below all rows of a sheet, in the column of a reference. It is empty, so that a sum over it is 0. */
function emptyCell({ from }: CellRange, model: SheetModel, scope: RenderScope): CellRange {
  // The number of rows is unknown for a sheet that the render does not change.
  const rowCount = layoutOf(model, scope)?.rows.next ?? 65_000
  const row = fallbackRows.find((fallbackRow) => fallbackRow > rowCount) ?? maxRows
  return { from: { column: from.column ?? 1, row, fixedColumn: true, fixedRow: true }, to: undefined }
}

/** How the cells of an area that grew are grouped into areas; see `followArea`. */
export type RangeGrowth = 'whole' | 'copies' | 'runs'

/**
 * The areas of the output for an area of the template: one around all cells ('whole'), one for each copy of the block
 * around it ('copies'), or one for each contiguous run of rows ('runs'). `outward` merges the copies of that many
 * inner loops.
 */
export function followArea(
  range: CellRange,
  model: SheetModel,
  scope: RenderScope,
  growth: RangeGrowth,
  outward = 0,
): CellRange[] {
  const layout = model.moves ? layoutOf(model, scope) : undefined
  if (layout === undefined) return [range]
  const { from } = range
  const to = range.to ?? from
  const pick = (axis: TableAxis, first: number, last: number): LineRange[] => {
    if (growth === 'copies') return axis.copies(first, last, axis === layout.rows ? outward : 0)
    if (growth === 'runs') return axis.runs(first, last)
    const span = axis.resolve(first, last, undefined)
    return span === undefined ? [] : [span]
  }
  const rows = from.row === undefined ? [undefined] : pick(layout.rows, from.row, to.row ?? from.row)
  const dynamic = from.column === undefined ? undefined : layout.columnsOf(from.row ?? 1, to.row ?? maxRows)
  const columns =
    dynamic === undefined ? [undefined] : pick(dynamic.axis, from.column!, to.column ?? from.column!)
  return rows.flatMap((row) =>
    columns.map((column): CellRange => {
      const start = moveCorner(from, row?.from ?? from.row, column?.from ?? from.column)
      const end = moveCorner(to, row?.to ?? to.row, column?.to ?? to.column)
      const isCell = start.row === end.row && start.column === end.column && range.to === undefined
      return { from: start, to: isCell ? undefined : end }
    }),
  )
}

/** Parses 'A1:B2 D4' into areas. Invalid ones are skipped. */
export function parseAreas(list: string): CellRange[] {
  return list.split(/\s+/).flatMap((area) => parseRange(area) ?? [])
}
