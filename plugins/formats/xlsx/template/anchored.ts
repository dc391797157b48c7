/**
 * Comments, pictures and shapes that hang on cells. They stand in parts of their own, once; a row that repeats takes its
 * own along: each is a document inside the row, written with the items of the row's loops and collected for its part.
 * Source: ECMA-376-1, 18.7.3, 20.5.2.33 and 20.5.2.24; template language 24.3.
 */

import { collector } from '../../../../shared/office/collect.ts'
import { followArea, layoutIn, type SheetModel } from '../../../../shared/office/sheet/layout.ts'
import { columnName, parseCorner, type Range } from '../../../../shared/office/sheet/reference.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import type { ComputedToken, ElementToken, Token } from '../../../../shared/template/scan/tokens.ts'
import { type RenderScope, scopeKey } from '../../../../shared/template/scope.ts'
import { setAttribute } from './followers.ts'
import { anchorCells, corner } from './others.ts'
import { attributeOf } from './shared-strings.ts'

/** What hangs on the cells of one sheet, by row. */
export class Anchors {
  readonly #byRow = new Map<number, Anchored[]>()
  readonly #model: SheetModel
  readonly #rules: () => FormatRules
  /** Those that their rows have taken: their part holds them no more. */
  readonly #taken = new Set<Anchored>()

  /** `rules`: of the workbook, known once it is opened. */
  constructor(model: SheetModel, rules: () => FormatRules) {
    this.#model = model
    this.#rules = rules
  }

  /** Takes note of the elements of a part. */
  find(part: string, text: string): void {
    for (const kind of kinds) {
      let number = 0
      for (const element of elementsOf(text, kind.element)) {
        const order = number++
        const row = kind.rowOf(element)
        if (row === undefined || kind.stays?.test(element) === true) continue
        const anchored: Anchored = { part, kind, order, row, text: element }
        const known = this.#byRow.get(row)
        if (known === undefined) this.#byRow.set(row, [anchored])
        else known.push(anchored)
      }
    }
  }

  /** The tokens that write what is anchored in a row. Called once for each row that may repeat. */
  take(row: number): ComputedToken[] {
    return (this.#byRow.get(row) ?? []).map((anchored) => {
      this.#taken.add(anchored)
      return this.#inside(anchored)
    })
  }

  #inside(anchored: Anchored): ComputedToken {
    const { part, kind, text } = anchored
    const copies = scopeKey<number>(`copies of an element of ${part}`)
    const model = this.#model
    const own = this.#rules()
    const rules: FormatRules = {
      ...own,
      prepare: (_, tokens) => own.prepare?.(`${part}#`, kind.follow(tokens, model)) ?? tokens,
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

  /** The part without the elements that rows took; what these wrote stands where the first of them stood. */
  rest(part: string, tokens: readonly Token[]): readonly Token[] {
    const taken = [...this.#taken].filter((each) => each.part === part)
    if (taken.length === 0) return tokens
    const out: Token[] = []
    const numbers = new Map<Kind, number>()
    let placed = false
    for (let at = 0; at < tokens.length; at += 1) {
      const token = tokens[at]!
      const kind = token.kind === 'open' ? kinds.find(({ name }) => name.test(token.name)) : undefined
      if (kind === undefined) {
        out.push(token)
        continue
      }
      const order = numbers.get(kind) ?? 0
      numbers.set(kind, order + 1)
      const end = endOf(tokens, at)
      if (!taken.some((each) => each.kind === kind && each.order === order)) {
        out.push(...tokens.slice(at, end + 1))
      } else if (!placed) {
        placed = true
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
  readonly kind: Kind
  readonly order: number // among its kind in its part
  readonly row: number
  readonly text: string
}

interface Kind {
  readonly name: RegExp
  /** The beginning of its opening tag. */
  readonly element: RegExp
  rowOf(element: string): number | undefined
  /** Elements that stay where they are. */
  readonly stays?: RegExp
  follow(tokens: readonly Token[], model: SheetModel): readonly Token[]
}

/** What the rows of a sheet (of one copy of it) wrote for a part. */
function collectedIn(model: SheetModel, part: string, scope: RenderScope): string[] {
  const parts = scope.obtain(model.keys.collected, () => new Map())
  const list = parts.get(part) ?? []
  parts.set(part, list)
  return list
}

const idKey = scopeKey<number>('id of a drawing')
/** The first copy keeps its ids. Later ones get ids above those that spreadsheet programs count with. */
function copied(text: string, earlier: number, scope: RenderScope): string {
  if (earlier === 0) return text
  const id = (scope.get(idKey) ?? 1_000_000) + 1
  scope.set(idKey, id)
  let part = 0
  return text
    .replace(
      /(<xdr:cNvPr\b[^>]*?\sid=")[^"]*(")/g,
      (_, head, tail) => `${head}${id + 1_000_000 * part++}${tail}`,
    )
    .replace(/(<v:shape\b[^>]*?\sid=")[^"]*(")/g, `$1_x0000_s${id}$2`)
    .replace(/\s(?:xr\d?:uid|o:spid)="[^"]*"/g, '')
}

const kinds: readonly Kind[] = [
  {
    name: /^comment$/,
    element: /<(comment)(?=[\s>])/g,
    rowOf: (element) => parseCorner(attributeOf(element.slice(0, element.indexOf('>')), 'ref') ?? '')?.row,
    follow: (tokens, model) =>
      tokens.flatMap((token): Token[] => {
        if (token.kind !== 'open' || token.name !== 'comment') return [token]
        const corner = parseCorner(attributeOf(token.raw, 'ref') ?? '')
        if (corner === undefined) return [token]
        const compute = (scope: RenderScope) => {
          const { row, column } = cellNow(corner.row ?? 1, corner.column ?? 1, model, scope)
          return setAttribute(token.raw, 'ref', columnName(column) + row)
        }
        return whole(token, compute)
      }),
  },
  {
    name: /^xdr:(?:twoCell|oneCell)Anchor$/,
    element: /<(xdr:(?:twoCell|oneCell)Anchor)(?=[\s>])/g,
    rowOf: (element) => number(/<xdr:from>[\s\S]*?<xdr:row>\s*(\d+)/.exec(element)?.[1]),
    // A chart is a part of its own that names the cells it draws.
    stays: /<xdr:graphicFrame\b/,
    follow: followAnchor,
  },
  {
    name: /^v:shape$/,
    element: /<(v:shape)(?=[\s>])/g,
    rowOf: (element) => number(/<x:Row>\s*(\d+)/.exec(element)?.[1]),
    follow: followNote,
  },
]

/** Elements of a kind with what they hold; they do not lie in each other. Ends where one is not closed. */
function* elementsOf(text: string, opening: RegExp): Iterable<string> {
  let from = 0
  for (const found of text.matchAll(opening)) {
    if (found.index < from) continue
    const close = `</${found[1]}>`
    const end = text.indexOf(close, found.index)
    if (end < 0) return
    from = end + close.length
    yield text.slice(found.index, from)
  }
}

/** Counted from 0 in the file, from 1 here. */
const number = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text) + 1

/** Where a cell of the row being written stands. */
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

/** `<xdr:from>` goes with the row; `<xdr:to>` keeps its distance, or follows its cell where the row does not repeat. */
function followAnchor(tokens: readonly Token[], model: SheetModel): readonly Token[] {
  const { from, to = from } = anchorCells(tokens, 1)
  if (from === undefined || to === undefined) return tokens
  const range: Range = { from: corner(from), to: corner(to) }
  const where = (scope: RenderScope): Range => {
    const layout = layoutIn(model, scope)
    if (!layout.rows.isRepeated(from.row)) return followArea(range, model, scope, 'copies')[0] ?? range
    const start = cellNow(from.row, from.column, model, scope)
    const end = cellNow(to.row, to.column, model, scope)
    return {
      from: corner(start),
      to: corner({ row: start.row + to.row - from.row, column: Math.max(start.column, end.column) }),
    }
  }
  const out = [...tokens]
  const put = (at: number, compute: ComputedToken['compute']) => {
    out[at] = { kind: 'computed', offset: tokens[at]!.offset, compute }
  }
  put(from.rowAt, (scope) => String((where(scope).from.row ?? 1) - 1))
  put(from.columnAt, (scope) => String((where(scope).from.column ?? 1) - 1))
  if (to === from) return out
  put(to.rowAt, (scope) => String((where(scope).to?.row ?? 1) - 1))
  put(to.columnAt, (scope) => String((where(scope).to?.column ?? 1) - 1))
  return out
}

/** The box of a comment: its cell, and where it floats. Rows and columns count from 0. */
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

/** An element whose opening tag is computed. */
const whole = ({ name, offset }: ElementToken, compute: ComputedToken['compute']): Token[] => [
  { kind: 'open', name, raw: '', offset },
  { kind: 'computed', offset, compute },
]

function endOf(tokens: readonly Token[], at: number): number {
  let depth = 0
  for (let n = at; n < tokens.length; n += 1) {
    const { kind } = tokens[n]!
    if (kind === 'open') depth += 1
    else if (kind === 'close' && --depth === 0) return n
  }
  return at
}
