/**
 * Sheets between scanning and analysis: rows and cells are counted as they are written, so that formulas follow; rows
 * that stand for several are written out around tags; typed cells get their number. Source: ODF 1.3 part 3, 9 and 19.
 */

import { openFormula } from '../../../../shared/office/sheet/formula.ts'
import {
  follow,
  layoutIn,
  SheetLayout,
  type SheetModel,
  type Sheets,
  sheetKeys,
} from '../../../../shared/office/sheet/layout.ts'
import { maxColumns, maxRows } from '../../../../shared/office/sheet/reference.ts'
import {
  cellRecorder,
  cellTag,
  columnTag,
  followedFormula,
  hasTagIn,
  isElement,
  placeNow,
  rowRecorder,
  structuralTag,
} from '../../../../shared/office/sheet/tokens.ts'
import { typedTag } from '../../../../shared/office/sheet/typed.ts'
import { nest } from '../../../../shared/template/nest/tree.ts'
import type { ComputedToken, ElementToken, Recorder, Token } from '../../../../shared/template/scan/tokens.ts'
import { decodeEntities } from '../../../../shared/template/scan/xml.ts'
import type { RenderScope } from '../../../../shared/template/scope.ts'
import { followAttributes, followEnd, followSparkline } from './addresses.ts'
import { attribute, escaped, textElements, typedContent, untyped } from './cells.ts'
import { taggedName, withTaggedNames } from './tagged-names.ts'

/** Rows and cells beyond these numbers fill the sheet up to its edge. */
const fillerFrom = 500
const maxExpanded = 1_000

const emptyElements = /^table:(?:table-row|table-cell|covered-table-cell)$/
const saysNothing = (token: Token): boolean =>
  (token.kind === 'open' || token.kind === 'close' || token.kind === 'void') &&
  emptyElements.test(token.name) &&
  !/\s(?:office:(?:\w+-)?value|table:formula)=/.test(token.raw)

export function tableNames(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) =>
    token.kind === 'open' && token.name === 'table:table'
      ? [decodeEntities(attribute(token.raw, 'table:name') ?? '')]
      : [],
  )
}

/** The position of a cell in the template. */
interface CellPlace {
  readonly row: number
  readonly column: number
}

interface Table {
  readonly start: number
  readonly stop: number // behind its close
  readonly model: SheetModel
}

/** Prepares all sheets of a part. `keep` receives their models, which addresses in other parts need. */
export function prepareTables(given: readonly Token[], keep?: (sheets: Sheets) => void): Token[] {
  const known = tablesOf(given, nest(given).match)
  const sheets = new Map(known.map(({ model }) => [model.name.toLowerCase(), model]))
  keep?.(sheets)
  const tokens = withTaggedNames(given, sheets, (token, names) =>
    followAttributes([token], { sheets: names }),
  )
  const { match } = nest(tokens)
  const tables = tokens === given ? known : tablesOf(tokens, match, known)
  const out: Token[] = []
  let from = 0
  for (const { start, stop, model } of tables) {
    out.push(...followAttributes(tokens.slice(from, start + 1), { sheets }))
    new TableWriter(tokens, match, model, sheets, out).write(start + 1, stop - 1)
    from = stop - 1
  }
  out.push(...followAttributes(tokens.slice(from), { sheets }))
  return out
}

/** `known`: the same tables, found before the tokens around them changed. */
function tablesOf(tokens: readonly Token[], match: Int32Array, known: readonly Table[] = []): Table[] {
  const tables: Table[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!
    if (token.kind !== 'open' || token.name !== 'table:table') continue
    const stop = match[at]! + 1
    const model = known[tables.length]?.model ?? modelOf(tokens, at, stop)
    tables.push({ start: at, stop, model })
    at = stop - 1
  }
  return tables
}

function modelOf(tokens: readonly Token[], start: number, stop: number): SheetModel {
  const { raw } = tokens[start] as ElementToken
  const inside = tokens.slice(start, stop)
  const moves = inside.some((each) => each.kind === 'tag' && structuralTag.test(each.text))
  const name = decodeEntities(taggedName(tokens, start) ?? attribute(raw, 'table:name') ?? '')
  return { name, moves, lines: [], cells: new Map(), keys: sheetKeys(name) }
}

class TableWriter {
  readonly #tokens: readonly Token[]
  readonly #match: Int32Array
  readonly #model: SheetModel
  readonly #sheets: ReadonlyMap<string, SheetModel>
  readonly #out: Token[]
  readonly #rows: Recorder
  readonly #cells: Recorder
  #fillsGaps = false
  #begun = false
  /** From here on the rows of the table say nothing. */
  #tail = -1
  #tailRows = 0

  constructor(
    tokens: readonly Token[],
    match: Int32Array,
    model: SheetModel,
    sheets: ReadonlyMap<string, SheetModel>,
    out: Token[],
  ) {
    this.#tokens = tokens
    this.#match = match
    this.#model = model
    this.#sheets = sheets
    this.#out = out
    this.#rows = rowRecorder(model)
    this.#cells = cellRecorder(model)
  }

  /** The tokens [start, stop) inside the table. */
  write(start: number, stop: number): void {
    this.#fillsGaps = this.#tags(start, stop, columnTag)
    this.#tail = start
    this.#tailRows = 0
    for (let at = start; at < stop; at += 1) {
      if (!isElement(this.#tokens[at]!, 'table:table-row')) continue
      const end = this.#stop(at)
      this.#tailRows += repeated(this.#tokens[at] as ElementToken, 'table:number-rows-repeated')
      if (!this.#tokens.slice(at, end).every(saysNothing)) {
        this.#tail = end
        this.#tailRows = 0
      }
      at = end - 1
    }
    let row = 1
    for (let at = start; at < stop; at += 1) {
      const token = this.#tokens[at]!
      if (isElement(token, 'table:table-column') && this.#fillsGaps) {
        this.#repeat(token, 'table:number-columns-repeated', () =>
          this.#out.push(...this.#tokens.slice(at, this.#stop(at))),
        )
        at = this.#stop(at) - 1
        continue
      }
      if (!isElement(token, 'table:table-row')) {
        this.#out.push(...this.#beside(token))
        continue
      }
      const end = this.#stop(at)
      row += this.#row(at, end, row)
      at = end - 1
    }
  }

  /** What a table holds beside its rows: names, formats and sparklines of its own. */
  #beside(token: Token): readonly Token[] {
    const from = { sheets: this.#sheets, own: this.#model }
    if (isElement(token, 'calcext:sparkline') && token.kind === 'void') return [followSparkline(token, from)]
    return followAttributes([token], from)
  }

  /** What a cell holds: links to other cells follow these, what floats ends where it should. */
  *#inside(start: number, stop: number, cell: CellPlace): Iterable<Token> {
    const from = { sheets: this.#sheets, own: this.#model }
    for (let at = start; at < stop; at += 1) {
      const token = this.#tokens[at]!
      if (token.kind !== 'open' && token.kind !== 'void') yield token
      else if (this.#model.moves && token.raw.includes('table:end-cell-address'))
        yield* followEnd(token, cell, this.#model)
      else if (token.name === 'text:a' || token.name === 'draw:object') yield* followAttributes([token], from)
      else yield token
    }
  }

  #stop(at: number): number {
    return (this.#match[at]! < 0 ? at : this.#match[at]!) + 1
  }

  #tags(start: number, stop: number, wanted: RegExp): boolean {
    return hasTagIn(this.#tokens, start, stop, wanted)
  }

  /** An element that stands for several, written once for each where that is few enough. */
  #repeat(token: ElementToken, name: string, write: () => void): void {
    const count = repeated(token, name)
    if (count < 2 || count > maxExpanded) {
      write()
      return
    }
    for (let n = 0; n < count; n += 1) {
      const from = this.#out.length
      write()
      const first = this.#out[from] as ElementToken
      this.#out[from] = { ...first, raw: without(first.raw, name) }
    }
  }

  /** The layout of this copy of the sheet. Sheets repeat too: each copy has its own. */
  #begin(): void {
    const model = this.#model
    this.#begun = true
    this.#out.push({
      kind: 'computed',
      offset: 0,
      compute: (scope) => {
        const copies = scope.require(model.keys.copies)
        const layout = copies.length > 1 ? copies.shift()! : copies[0]!
        scope.set(model.keys.layout, layout)
        return ''
      },
      measure: (scope) => {
        const layout = new SheetLayout(model)
        scope.obtain(model.keys.copies, () => []).push(layout)
        scope.set(model.keys.layout, layout)
      },
    })
  }

  /** Returns how many rows of the template it was. */
  #row(start: number, end: number, number: number): number {
    const { moves } = this.#model
    const token = this.#tokens[start] as ElementToken
    const count = repeated(token, 'table:number-rows-repeated')
    if (!moves) {
      this.#content(start, end, { line: -1, own: false })
      return count
    }
    if (!this.#begun) this.#begin()
    if (start >= this.#tail) {
      if (count >= fillerFrom) this.#filler(token, start, end, count)
      else this.#content(start, end, { line: -1, own: false })
      return count
    }
    const expands = count > 1 && count <= maxExpanded && this.#tags(start, end, /./)
    if (!expands) {
      this.#countedRow(start, end, { first: number, count })
      return count
    }
    const single = { ...token, raw: without(token.raw, 'table:number-rows-repeated') }
    for (let n = 0; n < count; n += 1) this.#countedRow(start, end, { first: number + n, count: 1 }, single)
    return count
  }

  /** Rows behind the last one that says something; LibreOffice writes a single one behind them where it prints areas. */
  #filler(token: ElementToken, start: number, end: number, count: number): void {
    const model = this.#model
    const most = maxRows + 1 - (this.#tailRows - count)
    const { before, after } = cutAt(token.raw, 'table:number-rows-repeated')
    this.#out.push({ ...token, kind: 'open', raw: before })
    this.#out.push({
      kind: 'computed',
      offset: token.offset,
      compute: (scope) => String(Math.max(1, Math.min(count, most - layoutIn(model, scope).rows.next))),
    })
    this.#out.push({
      kind: 'text',
      raw: token.kind === 'void' ? after.slice(0, -2) : after,
      offset: token.offset,
      markup: true,
    })
    if (token.kind === 'void')
      this.#out.push({ kind: 'close', name: token.name, raw: '/>', offset: token.offset })
    else this.#out.push(...this.#tokens.slice(start + 1, end))
  }

  #countedRow(start: number, end: number, line: { first: number; count: number }, as?: ElementToken): void {
    const model = this.#model
    const index = model.lines.length
    model.lines.push(line)
    const own = this.#fillsGaps || this.#tags(start, end, cellTag)
    const counter: ComputedToken = {
      kind: 'computed',
      offset: 0,
      compute: (scope) => {
        const layout = layoutIn(model, scope)
        layout.row += line.count
        layout.event += 1
        layout.column = 0
        layout.columnEvent = -1
        layout.line = index
        return ''
      },
      measure: (scope) => {
        const layout = layoutIn(model, scope)
        layout.rows.step(index)
        if (own) layout.beginCells(index)
      },
      recorder: this.#rows,
    }
    this.#content(start, end, { line: index, own, counter, ...(as === undefined ? {} : { as }) })
  }

  #content(
    start: number,
    end: number,
    { line, own, counter, as }: { line: number; own: boolean; counter?: ComputedToken; as?: ElementToken },
  ): void {
    const token = as ?? (this.#tokens[start] as ElementToken)
    this.#element(token, counter)
    if (token.kind === 'void') return
    const lines: { first: number; count: number }[] = []
    if (own) this.#model.cells.set(line, lines)
    let column = 1
    for (let at = start + 1; at < end - 1; at += 1) {
      const cell = this.#tokens[at]!
      if (!isElement(cell, 'table:table-cell') && !isElement(cell, 'table:covered-table-cell')) {
        this.#out.push(cell)
        continue
      }
      const stop = this.#stop(at)
      const from = at
      const count = repeated(cell, 'table:number-columns-repeated')
      const filler = own && count >= fillerFrom && !this.#tags(at, stop, /./)
      const expands = count > 1 && count <= maxExpanded && (this.#fillsGaps || this.#tags(at, stop, /./))
      const write = (first: number, width: number, shown?: ElementToken) => {
        const step = own && !filler ? this.#cellCounter(lines, first, width) : undefined
        const begun = this.#out.length
        this.#cell(
          from,
          stop,
          { row: line >= 0 ? this.#model.lines[line]!.first : 1, column: first },
          step,
          shown,
        )
        if (line >= 0) this.#spans(begun, this.#model.lines[line]!.first, first)
      }
      if (filler) this.#cellFiller(cell, from, stop, count)
      else if (expands) {
        const single = { ...cell, raw: without(cell.raw, 'table:number-columns-repeated') }
        for (let n = 0; n < count; n += 1) write(column + n, 1, single)
      } else write(column, count)
      column += count
      at = stop - 1
    }
    this.#out.push(this.#tokens[end - 1]!)
  }

  /** A cell that covers others grows with the rows and columns it covers. */
  #spans(begun: number, row: number, column: number): void {
    const model = this.#model
    for (let at = begun; at < this.#out.length; at += 1) {
      const token = this.#out[at]!
      if (
        token.kind !== 'open' &&
        token.kind !== 'void' &&
        !(token.kind === 'text' && token.markup === true)
      ) {
        if (token.kind === 'computed' || token.kind === 'tag') continue
        return
      }
      const found = /\stable:number-(row|column)s-spanned="([2-9]|\d{2,6})"/.exec(token.raw)
      if (found !== null) {
        const count = Number(found[2])
        const rows = found[1] === 'row'
        const end = { row: rows ? row + count - 1 : row, column: rows ? column : column + count - 1 }
        const range = { from: { row, column, ...relative }, to: { ...end, ...relative } }
        const compute = (scope: RenderScope) => {
          const now = follow(range, model, placeNow(model, scope), scope, false)
          const grown = rows ? spanOf(now?.from.row, now?.to?.row) : spanOf(now?.from.column, now?.to?.column)
          return String(grown ?? count)
        }
        const start = found.index + found[0].length - 1 - found[2]!.length
        const tail = token.raw.slice(start + found[2]!.length)
        const { offset } = token
        const computed: Token = { kind: 'computed', offset, compute }
        const raw = token.raw.slice(0, start)
        const head: Token = token.kind === 'void' ? { ...token, kind: 'open', raw } : { ...token, raw }
        const rest: Token[] =
          token.kind === 'void'
            ? [
                { kind: 'text', raw: tail.slice(0, -2), offset, markup: true },
                { kind: 'close', name: token.name, raw: '/>', offset },
              ]
            : [{ kind: 'text', raw: tail, offset, markup: true }]
        this.#out.splice(at, 1, head, computed, ...rest)
        at += 1
        continue
      }
      if (token.raw.endsWith('>')) return
    }
  }

  #cellCounter(lines: { first: number; count: number }[], first: number, count: number): ComputedToken {
    const model = this.#model
    const index = lines.length
    lines.push({ first, count })
    return {
      kind: 'computed',
      offset: 0,
      compute: (scope) => {
        const layout = layoutIn(model, scope)
        layout.column += count
        layout.columnEvent += 1
        return ''
      },
      measure: (scope) => layoutIn(model, scope).cells?.step(index),
      recorder: this.#cells,
    }
  }

  #cellFiller(token: ElementToken, start: number, stop: number, count: number): void {
    const model = this.#model
    const { before, after } = cutAt(token.raw, 'table:number-columns-repeated')
    this.#out.push({ ...token, kind: 'open', raw: before })
    this.#out.push({
      kind: 'computed',
      offset: token.offset,
      compute: (scope) => String(Math.max(1, Math.min(count, maxColumns - layoutIn(model, scope).column))),
    })
    this.#out.push({
      kind: 'text',
      raw: token.kind === 'void' ? after.slice(0, -2) : after,
      offset: token.offset,
      markup: true,
    })
    if (token.kind === 'void')
      this.#out.push({ kind: 'close', name: token.name, raw: '/>', offset: token.offset })
    else this.#out.push(...this.#tokens.slice(start + 1, stop))
  }

  // ----------------------------------------------------------------------------------------------------------- cells

  /** An opening tag, with a counter behind its name. */
  #element(token: ElementToken, counter: Token | undefined): void {
    if (counter === undefined) {
      this.#out.push(token)
      return
    }
    const head = `<${token.name}`
    const rest = token.raw.slice(head.length)
    const { name, offset } = token
    this.#out.push({ kind: 'open', name, raw: head, offset }, counter)
    if (token.kind === 'open') this.#out.push({ kind: 'text', raw: rest, offset, markup: true })
    else
      this.#out.push(
        { kind: 'text', raw: rest.slice(0, -2), offset, markup: true },
        { kind: 'close', name, raw: '/>', offset },
      )
  }

  #cell(
    start: number,
    stop: number,
    place: CellPlace,
    counter: Token | undefined,
    shown?: ElementToken,
  ): void {
    const token = shown ?? (this.#tokens[start] as ElementToken)
    const formula = attribute(token.raw, 'table:formula')
    if (formula !== undefined) {
      this.#formulaCell(token, formula, place, counter, start, stop)
      return
    }
    const tag = token.kind === 'open' ? typedTag(this.#tokens, start + 1, stop - 1, textElements) : undefined
    if (tag === undefined) {
      this.#element(token, counter)
      if (token.kind === 'open') this.#out.push(...this.#inside(start + 1, stop, place))
      return
    }
    const raw = untyped(token.raw).replace(/>$/, '')
    this.#element({ ...token, raw }, counter)
    this.#out.push({ ...tag, output: typedContent, absorbs: 'formatN' }, this.#tokens[stop - 1]!)
  }

  /** Results are left out, so that the application works them out. */
  #formulaCell(
    token: ElementToken,
    formula: string,
    place: CellPlace,
    counter: Token | undefined,
    start: number,
    stop: number,
  ): void {
    const raw = untyped(token.raw)
    const followed = followedFormula(formula, token.offset, {
      model: this.#model,
      sheets: this.#sheets,
      notation: openFormula,
      escape: escaped,
    })
    if (followed === undefined) this.#element({ ...token, raw }, counter)
    else {
      const { name, offset } = token
      const { before, after } = cutAt(raw, 'table:formula')
      const head = `<${name}`
      this.#out.push({ kind: 'open', name, raw: head, offset })
      if (counter !== undefined) this.#out.push(counter)
      this.#out.push({ kind: 'text', raw: before.slice(head.length), offset, markup: true })
      this.#out.push(followed)
      if (token.kind === 'open') this.#out.push({ kind: 'text', raw: after, offset, markup: true })
      else {
        this.#out.push({ kind: 'text', raw: after.slice(0, -2), offset, markup: true })
        this.#out.push({ kind: 'close', name, raw: '/>', offset })
      }
    }
    if (token.kind === 'void') return
    // What the result read like goes; notes and pictures of the cell stay.
    for (let at = start + 1; at < stop - 1; at += 1) {
      if (isElement(this.#tokens[at]!, 'text:p')) at = this.#stop(at) - 1
      else this.#out.push(...this.#inside(at, at + 1, place))
    }
    this.#out.push(this.#tokens[stop - 1]!)
  }
}

const relative = { fixedRow: false, fixedColumn: false }
const spanOf = (from: number | undefined, to: number | undefined): number | undefined =>
  from === undefined || to === undefined ? undefined : to - from + 1

function repeated(token: ElementToken, name: string): number {
  const count = Number(attribute(token.raw, name) ?? 1)
  return Number.isInteger(count) && count > 0 ? Math.min(count, maxRows) : 1
}

const without = (raw: string, name: string): string => raw.replace(new RegExp(`\\s${name}="[^"]*"`), '')

/** An opening tag cut where the value of an attribute stands. */
function cutAt(raw: string, name: string): { before: string; after: string } {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(raw)!
  const end = found.index + found[0].length - 1
  return { before: raw.slice(0, end - found[1]!.length), after: raw.slice(end) }
}
