/**
 * Prepares the tokens of a worksheet for the compiler. Rows and cells state their position (`r="B7"`), so a row that
 * repeats cannot be copied unchanged: its position becomes a computed token, and so does every formula and block that
 * refers to cells. A cell whose text is one tag with a number becomes a number. Source: ECMA-376-1, 18.3.1.
 */

import { a1 } from '../../../../shared/office/sheet/formula.ts'
import {
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
  markerTag,
  positionNow,
  rowRecorder,
  structuralTag,
} from '../../../../shared/office/sheet/tokens.ts'
import { typedTag } from '../../../../shared/office/sheet/typed.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import type { AxisLine } from '../../../../shared/template/axis.ts'
import { isValueTag } from '../../../../shared/template/media/tokens.ts'
import { nest } from '../../../../shared/template/nest/tree.ts'
import type {
  ComputedToken,
  ElementToken,
  Recorder,
  TagToken,
  Token,
} from '../../../../shared/template/scan/tokens.ts'
import { addressed, type RenderScope } from '../../../../shared/template/scope.ts'
import {
  attributeOf,
  cutAtAttribute,
  replaceContents,
  withoutAttribute,
} from '../../../../shared/xml/elements.ts'
import { escapeText } from '../../../../shared/xml/markup.ts'
import { decodeEntities } from '../../../../shared/xml/scan.ts'
import type { Anchors } from './anchored.ts'
import { typedContent } from './cells.ts'
import { followBlock, followedBlocks, followNow } from './referring-blocks.ts'
import { tableNameNow } from './repeated-sheets.ts'
import { type TaggedBlock, taggedBlock } from './tagged-blocks.ts'

/** The context for preparing a sheet. */
export interface SheetOptions {
  readonly model: SheetModel
  readonly sheets: Sheets
  /** Comments, pictures and shapes, which repeat with their rows. */
  readonly anchors: Anchors
  /** Matches names of tables in formulas, for a sheet whose copies have tables of their own. */
  readonly tables?: RegExp
  /** Whether `:formatN` writes text (`{o.exportFormattedValuesAsText=true}`). */
  readonly formattedAsText: boolean
  /** Returns whether a lone tag in a cell of the template is a number even without `:formatN`. */
  readonly numeric?: (row: number, column: number) => boolean
}

/** Returns the prepared tokens of a sheet. A sheet without cells is returned unchanged. */
export function prepareSheet(tokens: readonly Token[], options: SheetOptions): readonly Token[] {
  const data = tokens.findIndex((token) => isOpen(token, 'sheetData'))
  if (data < 0) return tokens
  return new SheetWriter(tokens, options).write(data)
}

/** Rewrites the tokens of one sheet, from the first to the last. */
class SheetWriter {
  readonly #tokens: readonly Token[]
  readonly #options: SheetOptions
  /** For each token the index of the one that closes it; negative for an empty tag. */
  readonly #match: Int32Array
  readonly #out: Token[] = []
  /** Record in the layout when a loop over rows, or over the cells of a row, begins and ends an iteration. */
  readonly #rows: Recorder
  readonly #cells: Recorder
  /** Whether cells that the file omits are written, since a tag may remove one of them from every row. */
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
    const end = this.#match[data] ?? 0
    const { model } = this.#options
    this.#outside(0, data)
    this.#out.push(this.#tokens[data]!)
    const rows = this.#findRows(data + 1, end)
    // Rows above the first tag that repeats or removes anything keep their positions.
    const first = model.moves
      ? rows.findIndex(({ start, stop }) => this.#hasTag(start, stop, structuralTag))
      : -1
    this.#fillsGaps = first >= 0 && rows.some(({ start, stop }) => this.#hasTag(start, stop, columnTag))
    const from = this.#fillsGaps ? 0 : first
    if (from < 0) {
      // No row or cell moves, so addresses stay, although formulas may still refer to other sheets that change.
      if (model.moves) this.#unmovedRows()
      for (const row of rows) this.#fixedRow(row.start, row.stop)
    } else this.#movingRows(rows, from)
    this.#out.push(this.#tokens[end]!)
    if (from >= 0) this.#recordMergedCells(end + 1, rows)
    this.#outside(end + 1, this.#tokens.length)
    return this.#out
  }

  /**
   * Records in the model how many lists merged cells over a repeated row and its marker span. If their first cell shows a property of an item, there is one
   * area for each item; if it shows a property of an outer list or no value, one area spans the items.
   */
  #recordMergedCells(start: number, rows: readonly RowRange[]): void {
    const byNumber = new Map(rows.map((row) => [row.number, row]))
    for (let at = start; at < this.#tokens.length; at += 1) {
      const token = this.#tokens[at]
      if (token === undefined) break
      if (!isElement(token, 'mergeCell')) continue
      const ref = attributeOf(token.raw, 'ref') ?? ''
      const { from, to } = parseRange(ref) ?? {}
      const row = from?.row === undefined ? undefined : byNumber.get(from.row)
      if (row === undefined || to?.row === undefined || to.row === from?.row) continue
      const depth = this.#loopDepth(row.start, row.stop)
      const corner = `${columnName(from?.column ?? 1)}${row.number}`
      let cornerDepth = 0
      for (let cell = row.start + 1; cell < row.stop; cell += 1) {
        const each = this.#tokens[cell]
        if (each === undefined) break
        if (isElement(each, 'c') && attributeOf(each.raw, 'r') === corner)
          cornerDepth = this.#loopDepth(cell, this.#indexAfter(cell))
      }
      if (cornerDepth < depth) this.#options.model.merged?.set(ref, depth - cornerDepth)
    }
  }

  /** The largest number of lists that a tag between two tokens iterates over. */
  #loopDepth(start: number, stop: number): number {
    let max = 0
    for (let at = start; at < stop; at += 1) {
      const token = this.#tokens[at]
      if (token === undefined) break
      if (token.kind !== 'tag') continue
      const path = token.text.replace(/:.*$/s, '')
      const iterators = [...path.matchAll(/\[([^\]]+)\]/g)].filter(([, inside = '']) =>
        inside.split(',').some((part) => /^[A-Za-z_][\w.]*$/.test(part)),
      )
      max = Math.max(max, iterators.length)
    }
    return max
  }

  /**
   * The rows between two tokens. A row may omit its number, which is then that of the previous row plus one
   * (18.3.1.73).
   */
  #findRows(start: number, end: number): RowRange[] {
    const rows: RowRange[] = []
    let number = 0
    for (let at = start; at < end; at += 1) {
      const token = this.#tokens[at]
      if (token === undefined) break
      if (!isElement(token, 'row')) continue
      const stop = this.#indexAfter(at)
      const written = Number(attributeOf(token.raw, 'r'))
      number = Number.isInteger(written) && written > number ? written : number + 1
      rows.push({ start: at, stop, number })
      at = stop - 1
    }
    return rows
  }

  /** The index after the element at `at`. */
  #indexAfter(at: number): number {
    return ((this.#match[at] ?? 0) < 0 ? at : (this.#match[at] ?? 0)) + 1
  }

  /** Whether a tag between two tokens matches. */
  #hasTag(start: number, stop: number, pattern: RegExp): boolean {
    return hasTagIn(this.#tokens, start, stop, pattern)
  }

  // ----------------------------------------------------------------------------------------------------------- rows

  /** Emits the layout of a sheet in which no row moves, for formulas of other sheets that refer to it. */
  #unmovedRows(): void {
    const { model } = this.#options
    const measure = (scope: RenderScope) => scope.set(model.keys.layout, new SheetLayout(model))
    this.#out.push({ kind: 'computed', offset: 0, compute: () => '', measure, recorder: this.#rows })
  }

  /**
   * Emits the rows from index `from` on, which move. A token before them begins the layout, in the measuring pass and
   * in the writing pass.
   */
  #movingRows(rows: readonly RowRange[], from: number): void {
    const { model } = this.#options
    const { lines } = model
    for (const row of rows.slice(0, from)) this.#fixedRow(row.start, row.stop)
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

  /** Rows that the file omits move like others. They are counted but not written. */
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

  /**
   * Emits a row with a computed number. Large sheets omit the number of a row that directly follows the previous one.
   */
  #movingRow({ start, stop, number }: RowRange): void {
    const { model } = this.#options
    const line = model.lines.length
    const marker = this.#hasTag(start, stop, markerTag)
    model.lines.push({ first: number, count: 1, ...(marker && { marker }) })
    const tracksCells = this.#fillsGaps || this.#hasTag(start, stop, cellTag)
    const token = this.#tokens[start] as ElementToken
    const { before, after, closed } = split(withoutSpans(token), 'r', '<row')
    this.#out.push({ kind: 'open', name: 'row', raw: withoutReference(before), offset: token.offset })
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
        if (tracksCells) layout.beginCells(line)
      },
      recorder: this.#rows,
    })
    this.#out.push({
      kind: 'text',
      raw: after.slice(1),
      offset: token.offset,
      markup: true,
    })
    const anchored = this.#options.anchors.take(number)
    if (closed) {
      // After the end of the tag, and for the compiler still inside the row.
      if (anchored.length > 0) this.#out.push({ kind: 'text', raw: '/>', offset: token.offset, markup: true })
      pushAll(this.#out, anchored)
      const raw = anchored.length > 0 ? '' : '/>'
      this.#out.push({ kind: 'close', name: 'row', raw, offset: token.offset })
      return
    }
    pushAll(this.#out, anchored)
    if (tracksCells) this.#trackedCells(start + 1, stop - 1, line)
    else
      this.#cellsOf(start + 1, stop - 1, (column, before) => ({
        head: columnName(column),
        reference: this.#rowNumber(),
        implied: column === before + 1,
      }))
    this.#out.push(this.#tokens[stop - 1]!)
  }

  /** The row number in a cell reference. */
  #rowNumber(): ComputedToken {
    const { model } = this.#options
    return { kind: 'computed', offset: 0, compute: (scope) => layoutIn(model, scope).rowText }
  }

  // ---------------------------------------------------------------------------------------------------------- cells

  /**
   * Emits the cells between two tokens. `addressFor` returns the address of each; `before` is the column of the
   * previous cell.
   */
  #cellsOf(
    start: number,
    stop: number,
    addressFor: (column: number, before: number, at: number) => Address,
  ): void {
    let column = 0
    for (let at = start; at < stop; at += 1) {
      const token = this.#tokens[at]
      if (token === undefined) break
      if (!isElement(token, 'c')) {
        this.#out.push(token)
        continue
      }
      const before = column
      column = this.#columnOf(token, column)
      this.#cell(at, addressFor(column, before, at))
      at = this.#indexAfter(at) - 1
    }
  }

  #columnOf(token: ElementToken, before: number): number {
    const written = parseCorner(attributeOf(token.raw, 'r') ?? '')?.column
    return written !== undefined && written > before ? written : before + 1
  }

  /** Emits cells that may repeat or vanish: later cells keep their distance to them, not their column letter. */
  #trackedCells(start: number, stop: number, line: number): void {
    const { model } = this.#options
    const cells: AxisLine[] = []
    model.cells.set(line, cells)
    let last = 0
    this.#cellsOf(start, stop, (column, _, at) => {
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
      const marker = this.#hasTag(at, this.#indexAfter(at), markerTag)
      cells.push({ first: column, count: 1, ...(marker && { marker }) })
      return { head: '', reference: this.#cellReference(cells.length - 1) }
    })
  }

  /** The reference of a cell that may be repeated; `index` is that of its line in the model. */
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

  /** Emits the cells of a row that stays: only their content may change. */
  #fixedRow(start: number, stop: number): void {
    for (let at = start; at < stop; at += 1) {
      const token = this.#tokens[at]
      if (token === undefined) break
      if (!isElement(token, 'c')) this.#out.push(token)
      else {
        this.#cell(at, undefined)
        at = this.#indexAfter(at) - 1
      }
    }
  }

  /**
   * Emits one cell. `address` is undefined where its position stays. The start tag is split at the value of `r`, so
   * that the text before and after it is written unchanged.
   */
  #cell(start: number, address: Address | undefined): void {
    const head = address?.head
    const token = this.#tokens[start] as ElementToken
    const stop = this.#indexAfter(start)
    const tag = this.#typedTag(token, start + 1, stop - 1)
    const { before, after, closed } =
      head === undefined
        ? { before: token.raw, after: '', closed: token.kind === 'void' }
        : split(token, 'r', '<c')
    // A typed cell declares its type where its tag ends.
    const typeless = (raw: string) => (tag === undefined ? raw : withoutAttribute(raw, 't').replace(/>$/, ''))
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
      this.#out.push(open(typeless(withoutReference(before))))
      this.#out.push({ kind: 'computed', offset, compute })
      this.#out.push({ kind: 'text', raw: typeless(after.slice(1)), offset, markup: true })
    } else {
      const raw = typeless(before) + (head ?? '')
      this.#out.push(open(raw))
      if (address?.reference !== undefined) this.#out.push(address.reference)
      if (after !== '')
        this.#out.push({ kind: 'text', raw: `"${typeless(after.slice(1))}`, offset, markup: true })
    }
    if (closed) {
      this.#out.push({ kind: 'close', name: 'c', raw: '/>', offset: token.offset })
      return
    }
    if (tag !== undefined) this.#out.push({ ...tag, output: typedContent, absorbs: 'formatN' })
    else this.#content(start + 1, stop - 1)
    this.#out.push(this.#tokens[stop - 1]!)
  }

  /** The tag of a cell that becomes a number: it ends with `:formatN`, or a chart draws the cell as a number. */
  #typedTag(token: ElementToken, start: number, stop: number): TagToken | undefined {
    const { formattedAsText, numeric } = this.#options
    const { row, column } = parseCorner(attributeOf(token.raw, 'r') ?? '') ?? {}
    if (row !== undefined && column !== undefined && numeric?.(row, column) === true) {
      const tag = typedTag(this.#tokens, start, stop, undefined, /^/)
      if (tag !== undefined && isValueTag(tag)) return tag
    }
    return formattedAsText ? undefined : typedTag(this.#tokens, start, stop)
  }

  /** Emits the content of a cell, with its formula adjusted to the moved rows. */
  #content(start: number, stop: number): void {
    for (let at = start; at < stop; at += 1) {
      const token = this.#tokens[at]
      if (token === undefined) break
      const text = isOpen(token, 'f') && this.#match[at] === at + 2 ? this.#tokens[at + 1] : undefined
      const followed = text?.kind === 'text' ? this.#formula(text.raw, text.offset) : undefined
      const close = isOpen(token, 'f') ? (this.#match[at] ?? 0) : -1
      const tagged = close > at + 1 ? taggedBlock('f', this.#tokens.slice(at, close + 1)) : undefined
      if (tagged !== undefined) {
        pushAll(this.#out, [...tagged.tags, this.#taggedFormula(tagged, token.offset)])
        at = close
      } else if (followed === undefined) this.#out.push(token)
      else {
        pushAll(this.#out, [...this.#arrayArea(token as ElementToken), followed])
        at += 1
      }
    }
  }

  /** Undefined for a formula that never changes. Names of tables become those of the current copy of the sheet. */
  #formula(raw: string, offset: number): Token | undefined {
    const { model, sheets, tables } = this.#options
    const followed = followedFormula(raw, offset, { model, sheets, notation: a1, escape: escapeText })
    if (tables?.test(raw) !== true) return followed
    const compute = (scope: RenderScope) =>
      (followed?.compute(scope) ?? raw).replace(tables, (name) => tableNameNow(name, scope))
    return { kind: 'computed', offset, compute }
  }

  /** A formula with values in it: `IF(A2>{d.most};"{d.word}";0)`. */
  #taggedFormula({ fill, sheetsNow }: TaggedBlock, offset: number): ComputedToken {
    const { model, sheets } = this.#options
    const compute = (scope: RenderScope) =>
      replaceContents(fill(scope), 'f', (raw) => {
        const formulaTokens = a1.parse(decodeEntities(raw))
        const named = sheetsNow(sheets, scope)
        return escapeText(writeFormula(formulaTokens, a1, positionNow(model, scope), named, scope))
      })
    return { kind: 'computed', offset, compute }
  }

  /** An array formula states the area that it fills. */
  #arrayArea(token: ElementToken): readonly Token[] {
    const range = parseRange(attributeOf(token.raw, 'ref') ?? '')
    const { model } = this.#options
    if (range === undefined || !model.moves) return [token]
    const { before, after } = split(token, 'ref', '<f')
    const compute = (scope: RenderScope) => {
      const now = follow(range, model, positionNow(model, scope), scope, false) ?? range
      return a1.write({ sheet: undefined, prefix: '', range, onlyArgument: false }, now)
    }
    return [
      { kind: 'open', name: 'f', raw: before, offset: token.offset },
      { kind: 'computed', offset: token.offset, compute },
      { kind: 'text', raw: after, offset: token.offset, markup: true },
    ]
  }

  // -------------------------------------------------------------------------------------------------------- the rest

  /**
   * Emits the markup before and after the cells: blocks with addresses are adjusted to the moved rows, the rest is
   * unchanged.
   */
  #outside(start: number, stop: number): void {
    const { model, sheets } = this.#options
    for (let at = start; at < stop; at += 1) {
      const token = this.#tokens[at]
      if (token === undefined) break
      const name = isMarkup(token) ? token.name : ''
      const end = isMarkup(token) && token.kind !== 'close' ? this.#indexAfter(at) : at + 1
      const block = this.#tokens.slice(at, end)
      const isFollowed = followedBlocks.has(name) && token.kind !== 'close'
      const tagged = isFollowed ? taggedBlock(name, block) : undefined
      if (tagged !== undefined) {
        const compute = (scope: RenderScope) => {
          const named = tagged.sheetsNow(sheets, scope)
          return followNow(name, tagged.fill(scope), { model, sheets: named, scope })
        }
        pushAll(this.#out, [...tagged.tags, { kind: 'computed', offset: token.offset, compute }])
        at = end - 1
        continue
      }
      if (!isFollowed || block.some(({ kind }) => kind === 'tag')) {
        this.#out.push(token)
        continue
      }
      const raw = block.map((inside) => ('raw' in inside ? inside.raw : '')).join('')
      const compute = followBlock(name, raw, model, sheets)
      if (compute === undefined) pushAll(this.#out, block)
      else this.#out.push({ kind: 'computed', offset: token.offset, compute })
      at = end - 1
    }
  }
}

/**
 * Larger sheets omit addresses that follow from the previous row or cell, which are optional (18.3.1.4 and
 * 18.3.1.73). Smaller sheets state them all, because simple readers rely on them.
 */
const compactFrom = 5_000

/** How the address of a moving cell is written. */
interface Address {
  readonly head: string // the letters of its column, when these are fixed
  readonly reference: Token | undefined // the rest of its reference
  /** Whether the cell directly follows the one before it, so that its address can be omitted. */
  readonly implied?: boolean
}

interface RowRange {
  readonly start: number // the index of its first token
  readonly stop: number // the index after its last token
  readonly number: number // of the template, counted from 1
}

const isMarkup = (token: Token): token is ElementToken =>
  token.kind === 'open' || token.kind === 'void' || token.kind === 'close'
const isOpen = (token: Token, name: string): boolean => token.kind === 'open' && token.name === name

/**
 * Splits a start tag before and after the value of an attribute, which is added when it is missing. `head` is the
 * beginning of the tag up to its name; `closed` is true for an empty tag, whose slash is removed.
 */
function split(
  token: ElementToken,
  attribute: string,
  head: string,
): { before: string; after: string; closed: boolean } {
  const closed = token.kind === 'void'
  const raw = closed ? token.raw.replace(/\/>$/, '') : token.raw
  const cut = cutAtAttribute(raw, attribute)
  return cut === undefined
    ? { before: `${head} ${attribute}="`, after: `"${raw.slice(head.length)}`, closed }
    : { ...cut, closed }
}

/** `spans` lists the columns that a row uses, as a hint for readers (18.3.1.73). It may be wrong once cells repeat. */
const withoutSpans = (token: ElementToken): ElementToken => ({
  ...token,
  raw: withoutAttribute(token.raw, 'spans'),
})

/** The text that `split` returns before a reference, without the name of its attribute. */
const withoutReference = (before: string): string => before.slice(0, before.lastIndexOf('r=')).trimEnd()
