/**
 * Comments, pictures and shapes that are anchored at cells. A workbook stores them once, in parts of their own. When
 * a row repeats, they must repeat with it: each is compiled as an embedded document within its row, filled with the
 * items of the row's loops, and collected for its part, which is written after the sheet. Source: ECMA-376-1, 18.7.3,
 * 20.5.2.33 and 20.5.2.24; template language 24.3.
 */

import { collector } from '../../../../shared/office/collect.ts'
import { followArea, layoutIn, type SheetModel } from '../../../../shared/office/sheet/layout.ts'
import { type CellRange, columnName, parseCorner } from '../../../../shared/office/sheet/reference.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import type { ComputedToken, ElementToken, Token } from '../../../../shared/template/scan/tokens.ts'
import { type RenderScope, scopeKey } from '../../../../shared/template/scope.ts'
import {
  attributeOf,
  elementIn,
  elementsIn,
  type LocatedElement,
  replaceAttribute,
  replaceTags,
  withoutAttributes,
} from '../../../../shared/xml/elements.ts'
import { type AnchorCell, anchorCells, corner } from './referring-parts.ts'

/** The anchored elements of one sheet, by row. */
export class Anchors {
  readonly #byRow = new Map<number, Anchored[]>()
  readonly #model: SheetModel
  readonly #rules: () => FormatRules
  /** Objects that `take` has embedded into rows, and that `rest` removes from their parts. */
  readonly #embedded = new Set<Anchored>()

  /** `rules` are those of the workbook. They are known only once it is opened, which is why this is a function. */
  constructor(model: SheetModel, rules: () => FormatRules) {
    this.#model = model
    this.#rules = rules
  }

  /** Finds the anchored elements of a part. Called before `take`. */
  find(part: string, text: string): void {
    for (const kind of kinds) {
      let order = -1
      for (const element of elementsIn(text, ...kind.elements)) {
        order += 1
        const row = kind.rowOf(element)
        if (row === undefined || kind.stays?.(element) === true) continue
        const markup = text.slice(element.start, element.end)
        const anchored: Anchored = { part, kind, order, row, text: markup }
        const inRow = this.#byRow.get(row)
        if (inRow === undefined) this.#byRow.set(row, [anchored])
        else inRow.push(anchored)
      }
    }
  }

  /** The tokens that write what is anchored in a row. Called once for each row of the template that may repeat. */
  take(row: number): ComputedToken[] {
    return (this.#byRow.get(row) ?? []).map((anchored) => {
      this.#embedded.add(anchored)
      return this.#inside(anchored)
    })
  }

  /** A token that prints nothing in the row: it fills the element and keeps the result for the part. */
  #inside(anchored: Anchored): ComputedToken {
    const { part, kind, text } = anchored
    const copies = scopeKey<number>(`copies of an element of ${part}`)
    const model = this.#model
    const workbookRules = this.#rules()
    const rules: FormatRules = {
      ...workbookRules,
      // A segment of a part has the name of the part followed by a number sign, so that the two can be distinguished.
      prepare: (_, tokens) => workbookRules.prepare?.(`${part}#`, kind.follow(tokens, model)) ?? tokens,
    }
    return {
      kind: 'computed',
      offset: 0,
      compute: () => '',
      embedded: {
        packages: [{ format: 'xlsx', rules, parts: [{ name: part, syntax: 'xml', text }] }],
        write(scope, [fill]) {
          const earlier = scope.get(copies) ?? 0
          scope.set(copies, earlier + 1)
          const { writer, texts } = collector()
          fill!(writer, scope)
          collectedIn(model, part, scope).push(copied(texts.get(part) ?? text, earlier, scope))
          return ''
        },
      },
    }
  }

  /**
   * The part without the elements that were moved to rows. What the rows wrote is inserted where the first of them
   * was.
   */
  rest(part: string, tokens: readonly Token[]): readonly Token[] {
    const embedded = [...this.#embedded].filter((each) => each.part === part)
    if (embedded.length === 0) return tokens
    const out: Token[] = []
    const numbers = new Map<AnchoredKind, number>()
    let isWritten = false
    for (let at = 0; at < tokens.length; at += 1) {
      const token = tokens[at]
      if (token === undefined) break
      const kind =
        token.kind === 'open' ? kinds.find(({ elements }) => elements.includes(token.name)) : undefined
      if (kind === undefined) {
        out.push(token)
        continue
      }
      const order = numbers.get(kind) ?? 0
      numbers.set(kind, order + 1)
      const end = endOf(tokens, at)
      if (!embedded.some((each) => each.kind === kind && each.order === order)) {
        pushAll(out, tokens.slice(at, end + 1))
      } else if (!isWritten) {
        isWritten = true
        const compute = (scope: RenderScope) => collectedIn(this.#model, part, scope).join('')
        out.push({ kind: 'computed', offset: token.offset, compute })
      }
      at = end
    }
    return out
  }
}

interface Anchored {
  readonly part: string
  readonly kind: AnchoredKind
  readonly order: number // among the elements of its kind in the part, counted from 0
  readonly row: number // of the template, counted from 1
  readonly text: string
}

/** A kind of anchored element. Elements of a kind do not contain each other. */
interface AnchoredKind {
  readonly elements: readonly string[]
  /** The row at which the element is anchored, counted from 1. */
  rowOf(element: LocatedElement): number | undefined
  /** Whether the element stays where it is although its row repeats. */
  stays?(element: LocatedElement): boolean
  /** The tokens of one element with its addresses computed from the row that is being written. */
  follow(tokens: readonly Token[], model: SheetModel): readonly Token[]
}

/** The markup that the rows of a sheet, or of one copy of it, have written for a part so far. */
function collectedIn(model: SheetModel, part: string, scope: RenderScope): string[] {
  const parts = scope.obtain(model.keys.collected, () => new Map())
  const list = parts.get(part) ?? []
  parts.set(part, list)
  return list
}

const idKey = scopeKey<number>('id of a drawing')
/**
 * The first copy keeps its ids. Later copies get ids above a million, which spreadsheet programs do not reach by
 * counting.
 */
function copied(text: string, earlier: number, scope: RenderScope): string {
  if (earlier === 0) return text
  const id = (scope.get(idKey) ?? 1_000_000) + 1
  scope.set(idKey, id)
  let part = 0
  return replaceTags(text, (tag, name) => {
    const cleaned = withoutAttributes(tag, (attribute) => identities.has(attribute))
    if (name === 'xdr:cNvPr') return replaceAttribute(cleaned, 'id', String(id + 1_000_000 * part++))
    return name === 'v:shape' ? replaceAttribute(cleaned, 'id', `_x0000_s${id}`) : cleaned
  })
}

/**
 * Attributes that identify an object in the history of a workbook or to Excel's drawing layer: copies must not share
 * them.
 */
const identities: ReadonlySet<string> = new Set(['xr:uid', 'xr2:uid', 'xr3:uid', 'o:spid'])

const anchorNames: readonly string[] = ['xdr:twoCellAnchor', 'xdr:oneCellAnchor']

const kinds: readonly AnchoredKind[] = [
  {
    elements: ['comment'],
    rowOf: ({ attributes }) => parseCorner(attributeOf(attributes, 'ref') ?? '')?.row,
    follow: (tokens, model) =>
      tokens.flatMap((token): Token[] => {
        if (token.kind !== 'open' || token.name !== 'comment') return [token]
        const corner = parseCorner(attributeOf(token.raw, 'ref') ?? '')
        if (corner === undefined) return [token]
        const compute = (scope: RenderScope) => {
          const { row, column } = cellNow(corner.row ?? 1, corner.column ?? 1, model, scope)
          return replaceAttribute(token.raw, 'ref', columnName(column) + row)
        }
        return element(token, compute)
      }),
  },
  {
    // Excel writes an object that needs a newer version twice, as a choice and its fallback. Both repeat as one
    // element.
    elements: [...anchorNames, 'mc:AlternateContent'],
    rowOf: (element) => {
      const anchor = anchorNames.includes(element.name)
        ? element
        : elementIn(element.content ?? '', ...anchorNames)
      return rowIn(elementIn(anchor?.content ?? '', 'xdr:from')?.content ?? '', 'xdr:row')
    },
    // A chart is a part of its own that names the cells it draws.
    stays: ({ content = '' }) => elementIn(content, 'xdr:graphicFrame') !== undefined,
    follow: followAnchors,
  },
  {
    elements: ['v:shape'],
    rowOf: ({ content = '' }) => rowIn(content, 'x:Row'),
    follow: followNote,
  },
]

/** The row that an element contains, counted from 1; the file counts from 0. */
function rowIn(markup: string, name: string): number | undefined {
  const text = elementIn(markup, name)?.content?.trim() ?? ''
  return /^\d+$/.test(text) ? Number(text) + 1 : undefined
}

/** The position of a cell of the row that is being written. `row` and `column` are those of the template. */
export function cellNow(
  row: number,
  column: number,
  model: SheetModel,
  scope: RenderScope,
): { row: number; column: number } {
  const layout = layoutIn(model, scope)
  const axis = layout.columnsOf(row, row)?.axis
  return { row: layout.row, column: axis?.resolve(column, column, undefined)?.from ?? column }
}

/** `<xdr:from>` moves with its row; `<xdr:to>` keeps its distance, or follows its cell where the row does not repeat. */
function followAnchors(tokens: readonly Token[], model: SheetModel): readonly Token[] {
  const out = [...tokens]
  const replaceAt = (at: number, compute: ComputedToken['compute']) => {
    out[at] = { kind: 'computed', offset: tokens[at]!.offset, compute }
  }
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'open' || !anchorNames.includes(token.name)) continue
    const { from, to = from } = anchorCells(tokens, at + 1)
    if (from === undefined || to === undefined) continue
    const anchorIn = (scope: RenderScope) => anchorNow(from, to, model, scope)
    replaceAt(from.rowAt, (scope) => String((anchorIn(scope).from.row ?? 1) - 1))
    replaceAt(from.columnAt, (scope) => String((anchorIn(scope).from.column ?? 1) - 1))
    if (to === from) continue
    replaceAt(to.rowAt, (scope) => String((anchorIn(scope).to?.row ?? 1) - 1))
    replaceAt(to.columnAt, (scope) => String((anchorIn(scope).to?.column ?? 1) - 1))
  }
  return out
}

function anchorNow(from: AnchorCell, to: AnchorCell, model: SheetModel, scope: RenderScope): CellRange {
  const range: CellRange = { from: corner(from), to: corner(to) }
  const layout = layoutIn(model, scope)
  if (!layout.rows.isRepeated(from.row)) return followArea(range, model, scope, 'copies')[0] ?? range
  const start = cellNow(from.row, from.column, model, scope)
  const end = cellNow(to.row, to.column, model, scope)
  return {
    from: corner(start),
    to: corner({ row: start.row + to.row - from.row, column: Math.max(start.column, end.column) }),
  }
}

/**
 * The box of a comment as VML: its cell (`x:Row`, `x:Column`), and in `x:Anchor` eight numbers, of which the third and the
 * seventh are rows. All of them count from 0. Source: ECMA-376-4, 14.4.2.
 */
function followNote(tokens: readonly Token[], model: SheetModel): readonly Token[] {
  return tokens.map((token, at) => {
    const open = tokens[at - 1]
    if (token.kind !== 'text' || open?.kind !== 'open' || !/^x:(?:Row|Column|Anchor)$/.test(open.name))
      return token
    const numbers = token.raw.split(',').map((text) => Number(text.trim()))
    if (numbers.some((each) => !Number.isInteger(each) || each < 0)) return token
    const [first = 0] = numbers
    const compute = (scope: RenderScope) => {
      if (open.name === 'x:Column')
        return String(cellNow(layoutIn(model, scope).row, first + 1, model, scope).column - 1)
      const now = layoutIn(model, scope).row - 1
      if (open.name === 'x:Row') return String(now)
      // The box begins beside its cell, perhaps a row above.
      const shift = now - (rowOfNote(tokens) ?? numbers[2] ?? 0)
      return numbers.map((each, n) => (n === 2 || n === 6 ? Math.max(0, each + shift) : each)).join(', ')
    }
    return { kind: 'computed', offset: token.offset, compute }
  })
}

function rowOfNote(tokens: readonly Token[]): number | undefined {
  const at = tokens.findIndex((token) => token.kind === 'open' && token.name === 'x:Row')
  const text = tokens[at + 1]
  return at >= 0 && text?.kind === 'text' ? Number(text.raw) : undefined
}

/** An element whose start tag is computed. The compiler still sees an element, so that the rest of it nests. */
const element = ({ name, offset }: ElementToken, compute: ComputedToken['compute']): Token[] => [
  { kind: 'open', name, raw: '', offset },
  { kind: 'computed', offset, compute },
]

/** The index of the token that closes the element at `at`. */
function endOf(tokens: readonly Token[], at: number): number {
  let depth = 0
  for (let n = at; n < tokens.length; n += 1) {
    const { kind } = tokens[n]!
    if (kind === 'open') depth += 1
    else if (kind === 'close' && --depth === 0) return n
  }
  return at
}
