/**
 * Prepares the tokens of the sheets for the compiler. OpenDocument rows and cells do not declare their position, so they are
 * counted as they are written, and formulas and addresses look up where their cells moved. Elements that represent several
 * (`number-rows-repeated`) are expanded if they contain tags. Cells whose text is a single numeric tag become numeric.
 * Source: ODF 1.3 part 3, 9 and 19.
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
  markerTag,
  positionNow,
  rowRecorder,
  structuralTag,
} from '../../../../shared/office/sheet/tokens.ts'
import { typedTag } from '../../../../shared/office/sheet/typed.ts'
import { pushAll, spliceAll } from '../../../../shared/push-all.ts'
import type { AxisLine } from '../../../../shared/template/axis.ts'
import { inOneTag } from '../../../../shared/template/media/tokens.ts'
import { nest } from '../../../../shared/template/nest/tree.ts'
import type { ComputedToken, ElementToken, Recorder, Token } from '../../../../shared/template/scan/tokens.ts'
import type { RenderScope } from '../../../../shared/template/scope.ts'
import {
  attributeOf,
  attributesIn,
  cutAtAttribute,
  type LocatedAttribute,
  withoutAttribute,
} from '../../../../shared/xml/elements.ts'
import { decodeEntities } from '../../../../shared/xml/scan.ts'
import { followAttributes, followEnd, followSparkline } from './addresses.ts'
import { escaped, saysValue, textElements, typedContent, untyped } from './cells.ts'
import { openingByValue, taggedName, withQuotedNames, withTaggedNames } from './tagged-names.ts'

/** An element that repeats more often than this only fills the sheet to its edge. */
const fillerFrom = 500
/** An element that repeats more often than this is not expanded, since that would cost too much. */
const maxExpanded = 1_000

const emptyElements = /^table:(?:table-row|table-cell|covered-table-cell)$/
/** Whether a token belongs to empty rows. */
const isEmptyElement = (token: Token): boolean =>
  (token.kind === 'open' || token.kind === 'close' || token.kind === 'void') &&
  emptyElements.test(token.name) &&
  !saysValue(token.raw)

/** The names of all sheets as the template has them. */
export function tableNames(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) =>
    token.kind === 'open' && token.name === 'table:table'
      ? [decodeEntities(attributeOf(token.raw, 'table:name') ?? '')]
      : [],
  )
}

/** The position of a cell in the template, counted from 1. */
interface TableCellPosition {
  readonly row: number
  readonly column: number
}

/** A sheet by its tokens. */
interface SheetTable {
  readonly start: number // the index of its opening tag
  readonly stop: number // the index after its closing tag
  readonly model: SheetModel
}

/** Prepares all sheets of a part. `keep` receives their models, which addresses in other parts need. */
export function prepareTables(scanned: readonly Token[], keep?: (sheets: Sheets) => void): Token[] {
  const joined = inOneTag(scanned, ['calcext:sparkline'])
  const scannedTables = tablesOf(joined, nest(joined).match)
  const sheets = new Map(scannedTables.map(({ model }) => [model.name.toLowerCase(), model]))
  keep?.(sheets)
  const tokens = withTaggedNames(joined, sheets, (token, names) =>
    followAttributes([token], { sheets: names }),
  )
  const { match } = nest(tokens)
  const tables = tokens === joined ? scannedTables : tablesOf(tokens, match, scannedTables)
  const out: Token[] = []
  let from = 0
  for (const { start, stop, model } of tables) {
    pushAll(out, followAttributes(tokens.slice(from, start + 1), { sheets }))
    new SheetTokenWriter(tokens, match, model, sheets, out).write(start + 1, stop - 1)
    from = stop - 1
  }
  pushAll(out, followAttributes(tokens.slice(from), { sheets }))
  return withQuotedNames(out)
}

/**
 * Finds the tables of a part. `sheets` are the same tables, found before the tokens around them changed; their models are
 * reused.
 */
function tablesOf(
  tokens: readonly Token[],
  match: Int32Array,
  sheets: readonly SheetTable[] = [],
): SheetTable[] {
  const tables: SheetTable[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.kind !== 'open' || token.name !== 'table:table') continue
    const stop = (match[at] ?? 0) + 1
    const model = sheets[tables.length]?.model ?? modelOf(tokens, at, stop)
    tables.push({ start: at, stop, model })
    at = stop - 1
  }
  return tables
}

/** Creates the model of a sheet. Writing its tokens fills it. */
function modelOf(tokens: readonly Token[], start: number, stop: number): SheetModel {
  const { raw } = tokens[start] as ElementToken
  const inside = tokens.slice(start, stop)
  const moves = inside.some((each) => each.kind === 'tag' && structuralTag.test(each.text))
  const name = decodeEntities(taggedName(tokens, start) ?? attributeOf(raw, 'table:name') ?? '')
  return { name, moves, lines: [], cells: new Map(), keys: sheetKeys(name) }
}

/** Rewrites the tokens of one sheet, from the first to the last. */
class SheetTokenWriter {
  readonly #tokens: readonly Token[]
  /** For each token the index of the one that closes it; negative for an empty element. */
  readonly #match: Int32Array
  readonly #model: SheetModel
  readonly #sheets: ReadonlyMap<string, SheetModel>
  readonly #out: Token[]
  /** Report to the layout when a loop over rows, or over the cells of a row, begins and ends an iteration. */
  readonly #rows: Recorder
  readonly #cells: Recorder
  /** Whether repeated columns and cells are expanded, since a tag may remove one of them. */
  #fillsGaps = false
  /** Whether the token that begins the layout has been written. It precedes the first row. */
  #begun = false
  /** The index from which on the rows of the table are empty, and the number of these rows. */
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

  /** Writes the tokens [start, stop) inside the table. */
  write(start: number, stop: number): void {
    this.#fillsGaps = this.#tags(start, stop, columnTag)
    this.#tail = start
    this.#tailRows = 0
    for (let at = start; at < stop; at += 1) {
      if (!isElement(this.#tokens[at]!, 'table:table-row')) continue
      const end = this.#stop(at)
      this.#tailRows += repeated(this.#tokens[at] as ElementToken, 'table:number-rows-repeated')
      if (!this.#tokens.slice(at, end).every(isEmptyElement)) {
        this.#tail = end
        this.#tailRows = 0
      }
      at = end - 1
    }
    let row = 1
    for (let at = start; at < stop; at += 1) {
      const token = this.#tokens[at]
      if (token === undefined) break
      if (isElement(token, 'table:table-column') && this.#fillsGaps) {
        this.#repeat(token, 'table:number-columns-repeated', () =>
          pushAll(this.#out, this.#tokens.slice(at, this.#stop(at))),
        )
        at = this.#stop(at) - 1
        continue
      }
      if (!isElement(token, 'table:table-row')) {
        pushAll(this.#out, this.#outsideRows(token))
        continue
      }
      const end = this.#stop(at)
      row += this.#row(at, end, row)
      at = end - 1
    }
  }

  /** Writes elements of a table besides its rows: names, conditional formats and sparklines. */
  #outsideRows(token: Token): readonly Token[] {
    const from = { sheets: this.#sheets, own: this.#model }
    if (isElement(token, 'calcext:sparkline') && token.kind === 'void') return [followSparkline(token, from)]
    return followAttributes([token], from)
  }

  /** Inside a cell, links follow the cells that they refer to, and floating objects the cell at which they end. */
  *#inside(start: number, stop: number, cell: TableCellPosition): Iterable<Token> {
    const from = { sheets: this.#sheets, own: this.#model }
    for (let at = start; at < stop; at += 1) {
      const token = this.#tokens[at]
      if (token === undefined) break
      if (token.kind !== 'open' && token.kind !== 'void') yield token
      else if (this.#model.moves && token.raw.includes('table:end-cell-address'))
        yield* followEnd(token, cell, this.#model)
      else if (token.name === 'text:a' || token.name === 'draw:object') yield* followAttributes([token], from)
      else yield token
    }
  }

  /** The index after the element at `at`. */
  #stop(at: number): number {
    return ((this.#match[at] ?? 0) < 0 ? at : (this.#match[at] ?? 0)) + 1
  }

  #tags(start: number, stop: number, pattern: RegExp): boolean {
    return hasTagIn(this.#tokens, start, stop, pattern)
  }

  /** Writes a repeated element. It is expanded if the number of copies is small enough. */
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
      this.#out[from] = { ...first, raw: withoutAttribute(first.raw, name) }
    }
  }

  /**
   * Begins the layout of a copy of the sheet. The measuring pass creates a layout for each copy, and writing consumes them in
   * the same order. The last one is kept for addresses after the sheet.
   */
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

  /** Writes a row, which is row `number` of the template. Returns how many rows of the template it represents. */
  #row(start: number, end: number, number: number): number {
    const { moves } = this.#model
    const token = this.#tokens[start] as ElementToken
    const count = repeated(token, 'table:number-rows-repeated')
    if (!moves) {
      this.#content(start, end, { line: -1, tracksCells: false })
      return count
    }
    if (!this.#begun) this.#begin()
    if (start >= this.#tail) {
      if (count >= fillerFrom) this.#filler(token, start, end, count)
      else this.#content(start, end, { line: -1, tracksCells: false })
      return count
    }
    const expands = count > 1 && count <= maxExpanded && this.#tags(start, end, /./)
    if (!expands) {
      this.#countedRow(start, end, { first: number, count })
      return count
    }
    const single = { ...token, raw: withoutAttribute(token.raw, 'table:number-rows-repeated') }
    for (let n = 0; n < count; n += 1) this.#countedRow(start, end, { first: number + n, count: 1 }, single)
    return count
  }

  /**
   * Writes the rows that fill the sheet to its edge. Their number is reduced when rows above have grown, since LibreOffice
   * rejects a sheet with too many rows. If the sheet has print ranges, LibreOffice itself writes a single row after them.
   */
  #filler(token: ElementToken, start: number, end: number, count: number): void {
    const model = this.#model
    const edge = maxRows + 1 - (this.#tailRows - count)
    const { before, after } = cutAtAttribute(token.raw, 'table:number-rows-repeated')!
    this.#out.push({ ...token, kind: 'open', raw: before })
    this.#out.push({
      kind: 'computed',
      offset: token.offset,
      compute: (scope) => String(Math.max(1, Math.min(count, edge - layoutIn(model, scope).rows.next))),
    })
    this.#out.push({
      kind: 'text',
      raw: token.kind === 'void' ? after.slice(0, -2) : after,
      offset: token.offset,
      markup: true,
    })
    if (token.kind === 'void')
      this.#out.push({ kind: 'close', name: token.name, raw: '/>', offset: token.offset })
    else pushAll(this.#out, this.#tokens.slice(start + 1, end))
  }

  /** Writes a row that the layout counts. `as` replaces its opening tag. */
  #countedRow(start: number, end: number, line: AxisLine, as?: ElementToken): void {
    const model = this.#model
    const index = model.lines.length
    const marker = this.#tags(start, end, markerTag)
    model.lines.push(marker ? { ...line, marker } : line)
    const tracksCells = this.#fillsGaps || this.#tags(start, end, cellTag)
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
        if (tracksCells) layout.beginCells(index)
      },
      recorder: this.#rows,
    }
    this.#content(start, end, { line: index, tracksCells, counter, ...(as === undefined ? {} : { as }) })
  }

  /**
   * Writes the tokens of a row. `line` is its index in the model, or -1 if rows do not move. With `own`, its cells may repeat
   * or vanish and are counted too.
   */
  #content(
    start: number,
    end: number,
    {
      line,
      tracksCells,
      counter,
      as,
    }: { line: number; tracksCells: boolean; counter?: ComputedToken; as?: ElementToken },
  ): void {
    const token = as ?? (this.#tokens[start] as ElementToken)
    this.#element(token, counter)
    if (token.kind === 'void') return
    const lines: AxisLine[] = []
    if (tracksCells) this.#model.cells.set(line, lines)
    let column = 1
    for (let at = start + 1; at < end - 1; at += 1) {
      const cell = this.#tokens[at]
      if (cell === undefined) break
      if (!isElement(cell, 'table:table-cell') && !isElement(cell, 'table:covered-table-cell')) {
        this.#out.push(cell)
        continue
      }
      const stop = this.#stop(at)
      const from = at
      const count = repeated(cell, 'table:number-columns-repeated')
      const filler = tracksCells && count >= fillerFrom && !this.#tags(at, stop, /./)
      const expands = count > 1 && count <= maxExpanded && (this.#fillsGaps || this.#tags(at, stop, /./))
      const write = (first: number, width: number, replacement?: ElementToken) => {
        const marker = tracksCells && this.#tags(from, stop, markerTag)
        const step =
          tracksCells && !filler
            ? this.#cellCounter(lines, { first, count: width, ...(marker && { marker }) })
            : undefined
        const begun = this.#out.length
        this.#cell(
          from,
          stop,
          { row: line >= 0 ? this.#model.lines[line]!.first : 1, column: first },
          step,
          replacement,
        )
        if (line >= 0) this.#spans(begun, this.#model.lines[line]!.first, first)
      }
      if (filler) this.#cellFiller(cell, from, stop, count)
      else if (expands) {
        const single = { ...cell, raw: withoutAttribute(cell.raw, 'table:number-columns-repeated') }
        for (let n = 0; n < count; n += 1) write(column + n, 1, single)
      } else write(column, count)
      column += count
      at = stop - 1
    }
    this.#out.push(this.#tokens[end - 1]!)
  }

  /**
   * Makes the span of a cell computed, since the covered cells may repeat. `begun` is the index in the output at which its
   * opening tag begins.
   */
  #spans(begun: number, row: number, column: number): void {
    const model = this.#model
    for (let at = begun; at < this.#out.length; at += 1) {
      const token = this.#out[at]
      if (token === undefined) break
      if (
        token.kind !== 'open' &&
        token.kind !== 'void' &&
        !(token.kind === 'text' && token.markup === true)
      ) {
        if (token.kind === 'computed' || token.kind === 'tag') continue
        return
      }
      const attribute = spanIn(token.raw)
      if (attribute !== undefined) {
        const start = attribute.valueStart
        const count = Number(token.raw.slice(start, attribute.valueEnd))
        const rows = attribute.name === 'table:number-rows-spanned'
        const end = { row: rows ? row + count - 1 : row, column: rows ? column : column + count - 1 }
        const range = { from: { row, column, ...relative }, to: { ...end, ...relative } }
        const compute = (scope: RenderScope) => {
          const now = follow(range, model, positionNow(model, scope), scope, false)
          const grown = rows ? spanOf(now?.from.row, now?.to?.row) : spanOf(now?.from.column, now?.to?.column)
          return String(grown ?? count)
        }
        const tail = token.raw.slice(attribute.valueEnd)
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
        spliceAll(this.#out, at, 1, [head, computed, ...rest])
        at += 1
        continue
      }
      if (token.raw.endsWith('>')) return
    }
  }

  /** A token that counts the cell in which it is written. */
  #cellCounter(lines: AxisLine[], line: AxisLine): ComputedToken {
    const model = this.#model
    const index = lines.length
    const { count } = line
    lines.push(line)
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

  /** Writes the cells that fill the row to the edge of the sheet, as many as fit. */
  #cellFiller(token: ElementToken, start: number, stop: number, count: number): void {
    const model = this.#model
    const { before, after } = cutAtAttribute(token.raw, 'table:number-columns-repeated')!
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
    else pushAll(this.#out, this.#tokens.slice(start + 1, stop))
  }

  // ----------------------------------------------------------------------------------------------------------- cells

  /** Writes an opening tag with a counter after its name, since attributes with tags may follow. */
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

  /** Writes one cell: a formula, a typed value, or anything else. `replacement` replaces its opening tag. */
  #cell(
    start: number,
    stop: number,
    position: TableCellPosition,
    counter: Token | undefined,
    replacement?: ElementToken,
  ): void {
    const token = replacement ?? (this.#tokens[start] as ElementToken)
    if (token.raw.includes(' table:formula="') && !token.raw.endsWith('>')) {
      const byValue = openingByValue(
        this.#tokens,
        start,
        this.#sheets,
        (opening, names) => this.#formulaOpening(opening, names),
        counter,
      )
      if (byValue !== undefined) {
        pushAll(this.#out, byValue.tokens)
        this.#withoutResult(byValue.next, stop, position)
        return
      }
    }
    const formula = attributeOf(token.raw, 'table:formula')
    if (formula !== undefined) {
      this.#formulaCell(token, formula, position, counter, start, stop)
      return
    }
    const tag = token.kind === 'open' ? typedTag(this.#tokens, start + 1, stop - 1, textElements) : undefined
    if (tag === undefined) {
      this.#element(token, counter)
      if (token.kind === 'open') pushAll(this.#out, this.#inside(start + 1, stop, position))
      return
    }
    const raw = untyped(token.raw).replace(/>$/, '')
    this.#element({ ...token, raw }, counter)
    this.#out.push({ ...tag, output: typedContent, absorbs: 'formatN' }, this.#tokens[stop - 1]!)
  }

  /** Writes a cell with a formula. Its result is removed, so that the application computes it. */
  #formulaCell(
    token: ElementToken,
    formula: string,
    position: TableCellPosition,
    counter: Token | undefined,
    start: number,
    stop: number,
  ): void {
    const opening = this.#formulaOpening(token, this.#sheets)
    if (opening.length === 1 || formula === '') this.#element({ ...token, raw: untyped(token.raw) }, counter)
    else {
      const [first, ...rest] = opening as [ElementToken, ...Token[]]
      const { name, offset } = token
      const head = `<${name}`
      this.#out.push({ kind: 'open', name, raw: head, offset })
      if (counter !== undefined) this.#out.push(counter)
      this.#out.push({ kind: 'text', raw: first.raw.slice(head.length), offset, markup: true })
      pushAll(this.#out, rest)
    }
    if (token.kind !== 'void') this.#withoutResult(start + 1, stop, position)
  }

  /** The opening tag of a cell with a computed formula, or the unchanged tag if the formula never changes. */
  #formulaOpening(token: ElementToken, sheets: Sheets): readonly Token[] {
    const raw = untyped(token.raw)
    const { name, offset } = token
    const followed = followedFormula(attributeOf(raw, 'table:formula') ?? '', offset, {
      model: this.#model,
      sheets,
      notation: openFormula,
      escape: escaped,
    })
    if (followed === undefined) return [token]
    const { before, after } = cutAtAttribute(raw, 'table:formula')!
    const head: Token[] = [{ kind: 'open', name, raw: before, offset }, followed]
    if (token.kind === 'open') return [...head, { kind: 'text', raw: after, offset, markup: true }]
    return [
      ...head,
      { kind: 'text', raw: after.slice(0, -2), offset, markup: true },
      { kind: 'close', name, raw: '/>', offset },
    ]
  }

  /** The content of a cell without the text of its result. Notes and pictures of the cell are kept. */
  #withoutResult(start: number, stop: number, position: TableCellPosition): void {
    for (let at = start; at < stop - 1; at += 1) {
      if (isElement(this.#tokens[at]!, 'text:p')) at = this.#stop(at) - 1
      else pushAll(this.#out, this.#inside(at, at + 1, position))
    }
    if (start < stop) this.#out.push(this.#tokens[stop - 1]!)
  }
}

const relative = { fixedRow: false, fixedColumn: false }
const spanOf = (from: number | undefined, to: number | undefined): number | undefined =>
  from === undefined || to === undefined ? undefined : to - from + 1

/** The number of rows or cells that an element represents. */
function repeated(token: ElementToken, name: string): number {
  const count = Number(attributeOf(token.raw, name) ?? 1)
  return Number.isInteger(count) && count > 0 ? Math.min(count, maxRows) : 1
}

/** The first attribute that makes a cell span several rows or columns. */
function spanIn(raw: string): LocatedAttribute | undefined {
  for (const attribute of attributesIn(raw)) {
    const spans =
      attribute.name === 'table:number-rows-spanned' || attribute.name === 'table:number-columns-spanned'
    const count = spans ? Number(raw.slice(attribute.valueStart, attribute.valueEnd)) : 1
    if (count > 1 && count <= maxRows) return attribute
  }
  return undefined
}
