/**
 * A worksheet between scanning and analysis: absolute positions become computed ones, formulas follow the rows, typed
 * cells get their number. Source: ECMA-376-1, 18.3.1.
 */

import { escapeText } from '../../../../shared/office/markup.ts'
import { a1 } from '../../../../shared/office/sheet/formula.ts'
import {
  addressed,
  follow,
  layoutIn,
  SheetLayout,
  type SheetModel,
  type Sheets,
  writeFormula,
} from '../../../../shared/office/sheet/layout.ts'
import { columnName, parseCorner, parseRange } from '../../../../shared/office/sheet/reference.ts'
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
import { isValueTag } from '../../../../shared/template/media/tokens.ts'
import { nest } from '../../../../shared/template/nest/tree.ts'
import type {
  ComputedToken,
  ElementToken,
  Recorder,
  TagToken,
  Token,
} from '../../../../shared/template/scan/tokens.ts'
import { decodeEntities } from '../../../../shared/template/scan/xml.ts'
import type { RenderScope } from '../../../../shared/template/scope.ts'
import type { Anchors } from './anchored.ts'
import { typedContent } from './cells.ts'
import { followBlock, followedBlocks, followNow } from './followers.ts'
import { tableNameNow } from './repeated.ts'
import { attributeOf } from './shared-strings.ts'
import { taggedBlock } from './tagged-blocks.ts'

export interface SheetOptions {
  readonly model: SheetModel
  readonly sheets: Sheets
  /** What hangs on the cells: goes along with rows that repeat. */
  readonly anchors: Anchors
  /** Names of tables in formulas, for a sheet whose copies have tables of their own. */
  readonly tables?: RegExp
  /** `:formatN` writes text. */
  readonly formattedAsText: boolean
  /** Cells of the template in which a lone tag is a number without `:formatN`. */
  readonly numeric?: (row: number, column: number) => boolean
}

export function prepareSheet(tokens: readonly Token[], options: SheetOptions): readonly Token[] {
  const data = tokens.findIndex((token) => isOpen(token, 'sheetData'))
  if (data < 0) return tokens
  return new SheetWriter(tokens, options).write(data)
}

class SheetWriter {
  readonly #tokens: readonly Token[]
  readonly #options: SheetOptions
  readonly #match: Int32Array
  readonly #out: Token[] = []
  readonly #rows: Recorder
  readonly #cells: Recorder
  #fillsGaps = false

  constructor(tokens: readonly Token[], options: SheetOptions) {
    this.#tokens = tokens
    this.#options = options
    this.#match = nest(tokens).match
    const { model } = options
    this.#rows = rowRecorder(model)
    this.#cells = cellRecorder(model)
  }

  write(data: number): readonly Token[] {
    const end = this.#match[data]!
    const { model } = this.#options
    this.#outside(0, data)
    this.#out.push(this.#tokens[data]!)
    const rows = this.#findRows(data + 1, end)
    const first = model.moves
      ? rows.findIndex(({ start, stop }) => this.#tags(start, stop, structuralTag))
      : -1
    this.#fillsGaps = first >= 0 && rows.some(({ start, stop }) => this.#tags(start, stop, columnTag))
    const from = this.#fillsGaps ? 0 : first
    if (from < 0) {
      // Nothing moves after all: addresses stay, formulas may still look at other sheets.
      if (model.moves) this.#still()
      for (const row of rows) this.#plainRow(row.start, row.stop)
    } else this.#movingRows(rows, from)
    this.#out.push(this.#tokens[end]!)
    if (from >= 0) this.#merged(end + 1, rows)
    this.#outside(end + 1, this.#tokens.length)
    return this.#out
  }

  /** Merged cells over a row of a list and its marker: what is in them decides for how many copies they are one. */
  #merged(start: number, rows: readonly FoundRow[]): void {
    const byNumber = new Map(rows.map((row) => [row.number, row]))
    for (let at = start; at < this.#tokens.length; at += 1) {
      const token = this.#tokens[at]!
      if (!isElement(token, 'mergeCell')) continue
      const ref = attributeOf(token.raw, 'ref') ?? ''
      const { from, to } = parseRange(ref) ?? {}
      const row = from?.row === undefined ? undefined : byNumber.get(from.row)
      if (row === undefined || to?.row === undefined || to.row === from?.row) continue
      const depth = this.#loops(row.start, row.stop)
      const corner = `${columnName(from?.column ?? 1)}${row.number}`
      let own = 0
      for (let cell = row.start + 1; cell < row.stop; cell += 1) {
        const each = this.#tokens[cell]!
        if (isElement(each, 'c') && attributeOf(each.raw, 'r') === corner)
          own = this.#loops(cell, this.#stop(cell))
      }
      if (own < depth) this.#options.model.merged?.set(ref, depth - own)
    }
  }

  /** The largest number of lists that a tag between two tokens goes through. */
  #loops(start: number, stop: number): number {
    let most = 0
    for (let at = start; at < stop; at += 1) {
      const token = this.#tokens[at]!
      if (token.kind !== 'tag') continue
      const path = token.text.replace(/:.*$/s, '')
      const iterators = [...path.matchAll(/\[([^\]]+)\]/g)].filter(([, inside = '']) =>
        inside.split(',').some((part) => /^[A-Za-z_][\w.]*$/.test(part)),
      )
      most = Math.max(most, iterators.length)
    }
    return most
  }

  #findRows(start: number, end: number): FoundRow[] {
    const rows: FoundRow[] = []
    let number = 0
    for (let at = start; at < end; at += 1) {
      const token = this.#tokens[at]!
      if (!isElement(token, 'row')) continue
      const stop = this.#stop(at)
      const written = Number(attributeOf(token.raw, 'r'))
      number = Number.isInteger(written) && written > number ? written : number + 1
      rows.push({ start: at, stop, number })
      at = stop - 1
    }
    return rows
  }

  #stop(at: number): number {
    return (this.#match[at]! < 0 ? at : this.#match[at]!) + 1
  }

  #tags(start: number, stop: number, wanted: RegExp): boolean {
    return hasTagIn(this.#tokens, start, stop, wanted)
  }

  // ----------------------------------------------------------------------------------------------------------- rows

  /** A layout in which every row stays where it is. */
  #still(): void {
    const { model } = this.#options
    const measure = (scope: RenderScope) => scope.set(model.keys.layout, new SheetLayout(model))
    this.#out.push({ kind: 'computed', offset: 0, compute: () => '', measure, recorder: this.#rows })
  }

  #movingRows(rows: readonly FoundRow[], from: number): void {
    const { model } = this.#options
    const { lines } = model
    for (const row of rows.slice(0, from)) this.#plainRow(row.start, row.stop)
    const before = rows[from]!.number - 1
    const written = from > 0 ? rows[from - 1]!.number : 0
    if (before > 0) lines.push({ first: 1, count: before })
    this.#out.push({
      kind: 'computed',
      offset: 0,
      compute: (scope) => {
        const layout = layoutIn(model, scope)
        layout.row = before
        layout.written = written
        layout.event = before > 0 ? 0 : -1
        layout.compact = layout.rows.next > compactFrom && !scope.has(addressed)
        return ''
      },
      measure: (scope) => {
        const layout = new SheetLayout(model)
        scope.set(model.keys.layout, layout)
        if (before > 0) layout.rows.step(0)
      },
      recorder: this.#rows,
    })
    let last = before
    for (const row of rows.slice(from)) {
      if (row.number > last + 1) this.#rowGap(row.number - last - 1, last + 1)
      this.#movingRow(row)
      last = row.number
    }
  }

  /** Rows the file does not mention take their place all the same. */
  #rowGap(count: number, first: number): void {
    const { model } = this.#options
    const line = model.lines.length
    model.lines.push({ first, count })
    this.#out.push({
      kind: 'computed',
      offset: 0,
      compute: (scope) => {
        const layout = layoutIn(model, scope)
        layout.row += count
        layout.event += 1
        return ''
      },
      measure: (scope) => layoutIn(model, scope).rows.step(line),
      recorder: this.#rows,
    })
  }

  #movingRow({ start, stop, number }: FoundRow): void {
    const { model } = this.#options
    const line = model.lines.length
    model.lines.push({ first: number, count: 1 })
    const own = this.#fillsGaps || this.#tags(start, stop, cellTag)
    const token = this.#tokens[start] as ElementToken
    const { before, after, closed } = split(token, 'r', '<row')
    const head = before.replace(/\s+r\s*=\s*["']$/, '')
    this.#out.push({ kind: 'open', name: 'row', raw: head, offset: token.offset })
    this.#out.push({
      kind: 'computed',
      offset: token.offset,
      compute: (scope) => {
        const layout = layoutIn(model, scope)
        layout.row += 1
        layout.event += 1
        layout.column = 0
        layout.columnEvent = -1
        layout.line = line
        layout.rowText = String(layout.row)
        const follows = layout.row === layout.written + 1
        layout.written = layout.row
        return layout.compact && follows ? '' : ` r="${layout.rowText}"`
      },
      measure: (scope) => {
        const layout = layoutIn(model, scope)
        layout.rows.step(line)
        if (own) layout.beginCells(line)
      },
      recorder: this.#rows,
    })
    this.#out.push({
      kind: 'text',
      raw: after.slice(1).replace(/\sspans="[^"]*"/, ''),
      offset: token.offset,
      markup: true,
    })
    const anchored = this.#options.anchors.take(number)
    if (closed) {
      // Behind the end of the tag, and still inside of the row for the compiler.
      if (anchored.length > 0) this.#out.push({ kind: 'text', raw: '/>', offset: token.offset, markup: true })
      this.#out.push(...anchored)
      const raw = anchored.length > 0 ? '' : '/>'
      this.#out.push({ kind: 'close', name: 'row', raw, offset: token.offset })
      return
    }
    this.#out.push(...anchored)
    if (own) this.#ownCells(start + 1, stop - 1, line)
    else
      this.#cellsOf(start + 1, stop - 1, (column, before) => ({
        head: columnName(column),
        reference: this.#rowNumber(),
        implied: column === before + 1,
      }))
    this.#out.push(this.#tokens[stop - 1]!)
  }

  #rowNumber(): ComputedToken {
    const { model } = this.#options
    return { kind: 'computed', offset: 0, compute: (scope) => layoutIn(model, scope).rowText }
  }

  // ---------------------------------------------------------------------------------------------------------- cells

  #cellsOf(start: number, stop: number, place: (column: number, before: number) => Address): void {
    let column = 0
    for (let at = start; at < stop; at += 1) {
      const token = this.#tokens[at]!
      if (!isElement(token, 'c')) {
        this.#out.push(token)
        continue
      }
      const before = column
      column = this.#columnOf(token, column)
      this.#cell(at, place(column, before))
      at = this.#stop(at) - 1
    }
  }

  #columnOf(token: ElementToken, before: number): number {
    const written = parseCorner(attributeOf(token.raw, 'r') ?? '')?.column
    return written !== undefined && written > before ? written : before + 1
  }

  /** Cells that may repeat or vanish: those after them keep their distance, not their letter. */
  #ownCells(start: number, stop: number, line: number): void {
    const { model } = this.#options
    const cells: { first: number; count: number }[] = []
    model.cells.set(line, cells)
    let last = 0
    this.#cellsOf(start, stop, (column) => {
      for (let missing = last + 1; this.#fillsGaps && missing < column; missing += 1) {
        cells.push({ first: missing, count: 1 })
        this.#out.push(
          { kind: 'open', name: 'c', raw: '<c r="', offset: 0 },
          this.#cellReference(cells.length - 1),
        )
        this.#out.push(
          { kind: 'text', raw: '"', offset: 0, markup: true },
          { kind: 'close', name: 'c', raw: '/>', offset: 0 },
        )
      }
      if (!this.#fillsGaps && column > last + 1) {
        const count = column - last - 1
        const gap = cells.length
        cells.push({ first: last + 1, count })
        this.#out.push({
          kind: 'computed',
          offset: 0,
          compute: (scope) => {
            const layout = layoutIn(model, scope)
            layout.column += count
            layout.columnEvent += 1
            return ''
          },
          measure: (scope) => layoutIn(model, scope).cells?.step(gap),
          recorder: this.#cells,
        })
      }
      last = column
      cells.push({ first: column, count: 1 })
      return { head: '', reference: this.#cellReference(cells.length - 1) }
    })
  }

  #cellReference(index: number): ComputedToken {
    const { model } = this.#options
    return {
      kind: 'computed',
      offset: 0,
      compute: (scope) => {
        const layout = layoutIn(model, scope)
        layout.column += 1
        layout.columnEvent += 1
        return columnName(layout.column) + layout.rowText
      },
      measure: (scope) => layoutIn(model, scope).cells?.step(index),
      recorder: this.#cells,
    }
  }

  /** Cells of rows that stay: only what they hold may change. */
  #plainRow(start: number, stop: number): void {
    for (let at = start; at < stop; at += 1) {
      const token = this.#tokens[at]!
      if (!isElement(token, 'c')) this.#out.push(token)
      else {
        this.#cell(at, undefined)
        at = this.#stop(at) - 1
      }
    }
  }

  /** `address` undefined: it stays as it is written. */
  #cell(start: number, address: Address | undefined): void {
    const head = address?.head
    const token = this.#tokens[start] as ElementToken
    const stop = this.#stop(start)
    const tag = this.#typedTag(token, start + 1, stop - 1)
    const { before, after, closed } =
      head === undefined
        ? { before: token.raw, after: '', closed: token.kind === 'void' }
        : split(token, 'r', '<c')
    // A typed cell says itself what type it has and where its tag ends.
    const typeless = (raw: string) =>
      tag === undefined ? raw : raw.replace(/\st="[^"]*"/, '').replace(/>$/, '')
    if (head === undefined && closed) {
      this.#out.push(token)
      return
    }
    const { offset } = token
    const reference = attributeOf(token.raw, 'r')
    const label =
      reference === undefined ? undefined : `cell ${reference} of sheet ${this.#options.model.name}`
    const open = (raw: string): Token => ({ kind: 'open', name: 'c', raw, offset, ...(label && { label }) })
    if (address?.implied === true) {
      const { model } = this.#options
      const compute = (scope: RenderScope) => {
        const { compact, rowText } = layoutIn(model, scope)
        return compact ? '' : ` r="${address.head}${rowText}"`
      }
      this.#out.push(open(before.replace(/\s+r\s*=\s*["']$/, '')))
      this.#out.push({ kind: 'computed', offset, compute })
      this.#out.push({ kind: 'text', raw: typeless(after.slice(1)), offset, markup: true })
    } else {
      const raw = head === undefined ? typeless(before) : before + head
      this.#out.push(open(raw))
      if (address?.reference !== undefined) this.#out.push(address.reference)
      if (after !== '') this.#out.push({ kind: 'text', raw: typeless(after), offset, markup: true })
    }
    if (closed) {
      this.#out.push({ kind: 'close', name: 'c', raw: '/>', offset: token.offset })
      return
    }
    if (tag !== undefined) this.#out.push({ ...tag, output: typedContent, absorbs: 'formatN' })
    else this.#content(start + 1, stop - 1)
    this.#out.push(this.#tokens[stop - 1]!)
  }

  #typedTag(token: ElementToken, start: number, stop: number): TagToken | undefined {
    const { formattedAsText, numeric } = this.#options
    const { row, column } = parseCorner(attributeOf(token.raw, 'r') ?? '') ?? {}
    if (row !== undefined && column !== undefined && numeric?.(row, column) === true) {
      const tag = typedTag(this.#tokens, start, stop, undefined, /^/)
      if (tag !== undefined && isValueTag(tag)) return tag
    }
    return formattedAsText ? undefined : typedTag(this.#tokens, start, stop)
  }

  #content(start: number, stop: number): void {
    for (let at = start; at < stop; at += 1) {
      const token = this.#tokens[at]!
      const text = isOpen(token, 'f') && this.#match[at] === at + 2 ? this.#tokens[at + 1] : undefined
      const followed = text?.kind === 'text' ? this.#formula(text.raw, text.offset) : undefined
      const close = isOpen(token, 'f') ? this.#match[at]! : -1
      const tagged = close > at + 1 ? taggedBlock('f', this.#tokens.slice(at, close + 1)) : undefined
      if (tagged !== undefined) {
        this.#out.push(...tagged.tags, this.#taggedFormula(tagged.fill, token.offset))
        at = close
      } else if (followed === undefined) this.#out.push(token)
      else {
        this.#out.push(...this.#arrayArea(token as ElementToken), followed)
        at += 1
      }
    }
  }

  #formula(raw: string, offset: number): Token | undefined {
    const { model, sheets, tables } = this.#options
    const followed = followedFormula(raw, offset, { model, sheets, notation: a1, escape: escapeText })
    if (tables?.test(raw) !== true) return followed
    const compute = (scope: RenderScope) =>
      (followed?.compute(scope) ?? raw).replace(tables, (name) => tableNameNow(name, scope))
    return { kind: 'computed', offset, compute }
  }

  /** A formula with values in it: `IF(A2>{d.most};"{d.word}";0)`. */
  #taggedFormula(fill: (scope: RenderScope) => string, offset: number): ComputedToken {
    const { model, sheets } = this.#options
    const compute = (scope: RenderScope) =>
      fill(scope).replace(/(<f\b[^<>]*>)([^<]*)(?=<)/, (_, open: string, raw: string) => {
        const formulaTokens = a1.parse(decodeEntities(raw))
        return open + escapeText(writeFormula(formulaTokens, a1, placeNow(model, scope), sheets, scope))
      })
    return { kind: 'computed', offset, compute }
  }

  /** An array formula names the cells it fills. */
  #arrayArea(token: ElementToken): readonly Token[] {
    const range = parseRange(attributeOf(token.raw, 'ref') ?? '')
    const { model } = this.#options
    if (range === undefined || !model.moves) return [token]
    const { before, after } = split(token, 'ref', '<f')
    const compute = (scope: RenderScope) => {
      const now = follow(range, model, placeNow(model, scope), scope, false) ?? range
      return a1.write({ sheet: undefined, prefix: '', range, alone: false }, now)
    }
    return [
      { kind: 'open', name: 'f', raw: before, offset: token.offset },
      { kind: 'computed', offset: token.offset, compute },
      { kind: 'text', raw: after, offset: token.offset, markup: true },
    ]
  }

  // -------------------------------------------------------------------------------------------------------- the rest

  /** What stands before and behind the cells: blocks with addresses follow the rows. */
  #outside(start: number, stop: number): void {
    const { model, sheets } = this.#options
    for (let at = start; at < stop; at += 1) {
      const token = this.#tokens[at]!
      const name = isMarkup(token) ? token.name : ''
      const end = isMarkup(token) && token.kind !== 'close' ? this.#stop(at) : at + 1
      const whole = this.#tokens.slice(at, end)
      const isFollowed = followedBlocks.has(name) && token.kind !== 'close'
      const tagged = isFollowed ? taggedBlock(name, whole) : undefined
      if (tagged !== undefined) {
        const compute = (scope: RenderScope) => followNow(name, tagged.fill(scope), { model, sheets, scope })
        this.#out.push(...tagged.tags, { kind: 'computed', offset: token.offset, compute })
        at = end - 1
        continue
      }
      if (!isFollowed || whole.some(({ kind }) => kind === 'tag')) {
        this.#out.push(token)
        continue
      }
      const raw = whole.map((inside) => ('raw' in inside ? inside.raw : '')).join('')
      const compute = followBlock(name, raw, model, sheets)
      if (compute === undefined) this.#out.push(...whole)
      else this.#out.push({ kind: 'computed', offset: token.offset, compute })
      at = end - 1
    }
  }
}

/** Sheets with more rows leave out addresses that follow from the row or the cell before. */
const compactFrom = 5_000

/** How a cell that moves says where it is. */
interface Address {
  readonly head: string
  readonly reference: Token | undefined
  /** It stands right behind the cell before: its address says nothing new. */
  readonly implied?: boolean
}

interface FoundRow {
  readonly start: number
  readonly stop: number
  readonly number: number
}

const isMarkup = (token: Token): token is ElementToken =>
  token.kind === 'open' || token.kind === 'void' || token.kind === 'close'
const isOpen = (token: Token, name: string): boolean => token.kind === 'open' && token.name === name

/** An opening tag cut open where the value of an attribute stands; the attribute is added when it is missing. */
function split(
  token: ElementToken,
  attribute: string,
  head: string,
): { before: string; after: string; closed: boolean } {
  const closed = token.kind === 'void'
  const raw = closed ? token.raw.replace(/\/>$/, '') : token.raw
  const found = new RegExp(`\\s${attribute}\\s*=\\s*("[^"]*"|'[^']*')`).exec(raw)
  if (found === null) return { before: `${head} ${attribute}="`, after: `"${raw.slice(head.length)}`, closed }
  const value = found[1]!
  const start = found.index + found[0].length - value.length + 1
  return { before: raw.slice(0, start), after: raw.slice(start + value.length - 2), closed }
}
