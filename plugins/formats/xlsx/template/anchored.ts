/**
 * Comments, pictures and shapes that hang on cells. They stand in parts of their own, once; a row that repeats takes its
 * own along: each is a document inside the row, written with the items of the row's loops and collected for its part.
 * Source: ECMA-376-1, 18.7.3, 20.5.2.33 and 20.5.2.24; template language 24.3.
 */
import { collector } from '../../../../shared/office/collect.ts'
import { followArea, layoutIn, type SheetModel } from '../../../../shared/office/sheet/layout.ts'
import { columnName, parseCorner, type Range } from '../../../../shared/office/sheet/reference.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import type { ComputedPiece, MarkupPiece, Notes, Piece } from '../../../../shared/template/scan/pieces.ts'
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

  /** The pieces that write what hangs on a row; called once for each row that may repeat. */
  take(row: number): ComputedPiece[] {
    return (this.#byRow.get(row) ?? []).map((anchored) => {
      this.#taken.add(anchored)
      return this.#inside(anchored)
    })
  }

  #inside(anchored: Anchored): ComputedPiece {
    const { part, kind, text } = anchored
    const model = this.#model
    const own = this.#rules()
    const rules: FormatRules = {
      ...own,
      prepare: (_, pieces) => own.prepare?.(`${part}#`, kind.follow(pieces, model)) ?? pieces,
    }
    return {
      kind: 'computed',
      offset: 0,
      compute: () => '',
      inner: {
        packages: [{ format: 'xlsx', rules, parts: [{ name: part, syntax: 'xml', text }] }],
        write(notes, [fill]) {
          const turns = (notes.get(anchored) as number | undefined) ?? 0
          notes.set(anchored, turns + 1)
          const { writer, texts } = collector()
          fill!(writer, notes)
          collectedIn(model, part, notes).push(copied(texts.get(part) ?? text, turns, notes))
          return ''
        },
      },
    }
  }

  /** The part without the elements that rows took; what these wrote stands where the first of them stood. */
  rest(part: string, pieces: readonly Piece[]): readonly Piece[] {
    const taken = [...this.#taken].filter((each) => each.part === part)
    if (taken.length === 0) return pieces
    const out: Piece[] = []
    const numbers = new Map<Kind, number>()
    let placed = false
    for (let at = 0; at < pieces.length; at += 1) {
      const piece = pieces[at]!
      const kind = piece.kind === 'open' ? kinds.find(({ name }) => name.test(piece.name)) : undefined
      if (kind === undefined) {
        out.push(piece)
        continue
      }
      const order = numbers.get(kind) ?? 0
      numbers.set(kind, order + 1)
      const end = endOf(pieces, at)
      if (!taken.some((each) => each.kind === kind && each.order === order)) {
        out.push(...pieces.slice(at, end + 1))
      } else if (!placed) {
        placed = true
        const compute = (notes: Notes) => collectedIn(this.#model, part, notes).join('')
        out.push({ kind: 'computed', offset: piece.offset, compute })
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
  follow(pieces: readonly Piece[], model: SheetModel): readonly Piece[]
}

/** What the rows of a sheet (of one copy of it) wrote for a part. */
function collectedIn(model: SheetModel, part: string, notes: Notes): string[] {
  const known = notes.get(model.cells) as Map<string, string[]> | undefined
  const parts = known ?? new Map<string, string[]>()
  if (known === undefined) notes.set(model.cells, parts)
  const list = parts.get(part) ?? []
  parts.set(part, list)
  return list
}

const idKey = {}
/** Ids of later copies: above what spreadsheet programs count with. */
function copied(text: string, turns: number, notes: Notes): string {
  if (turns === 0) return text
  const id = ((notes.get(idKey) as number | undefined) ?? 1_000_000) + 1
  notes.set(idKey, id)
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
    follow: (pieces, model) =>
      pieces.flatMap((piece): Piece[] => {
        if (piece.kind !== 'open' || piece.name !== 'comment') return [piece]
        const corner = parseCorner(attributeOf(piece.raw, 'ref') ?? '')
        if (corner === undefined) return [piece]
        const compute = (notes: Notes) => {
          const { row, column } = cellNow(corner.row ?? 1, corner.column ?? 1, model, notes)
          return setAttribute(piece.raw, 'ref', columnName(column) + row)
        }
        return whole(piece, compute)
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
  notes: Notes,
): { row: number; column: number } {
  const layout = layoutIn(model, notes)
  const axis = layout.columnsOf(row, row)?.axis
  return { row: layout.row, column: axis?.resolve(column, column, undefined)?.from ?? column }
}

/** `<xdr:from>` goes with the row; `<xdr:to>` keeps its distance, or follows its cell where the row does not repeat. */
function followAnchor(pieces: readonly Piece[], model: SheetModel): readonly Piece[] {
  const { from, to = from } = anchorCells(pieces, 1)
  if (from === undefined || to === undefined) return pieces
  const range: Range = { from: corner(from), to: corner(to) }
  const where = (notes: Notes): Range => {
    const layout = layoutIn(model, notes)
    if (!layout.rows.isRepeated(from.row)) return followArea(range, model, notes, 'copies')[0] ?? range
    const start = cellNow(from.row, from.column, model, notes)
    const end = cellNow(to.row, to.column, model, notes)
    return {
      from: corner(start),
      to: corner({ row: start.row + to.row - from.row, column: Math.max(start.column, end.column) }),
    }
  }
  const out = [...pieces]
  const put = (at: number, compute: ComputedPiece['compute']) => {
    out[at] = { kind: 'computed', offset: pieces[at]!.offset, compute }
  }
  put(from.rowAt, (notes) => String((where(notes).from.row ?? 1) - 1))
  put(from.columnAt, (notes) => String((where(notes).from.column ?? 1) - 1))
  if (to === from) return out
  put(to.rowAt, (notes) => String((where(notes).to?.row ?? 1) - 1))
  put(to.columnAt, (notes) => String((where(notes).to?.column ?? 1) - 1))
  return out
}

/** The box of a comment: its cell, and where it floats. Rows and columns count from 0. */
function followNote(pieces: readonly Piece[], model: SheetModel): readonly Piece[] {
  return pieces.map((piece, at) => {
    const open = pieces[at - 1]
    if (piece.kind !== 'text' || open?.kind !== 'open' || !/^x:(?:Row|Column|Anchor)$/.test(open.name))
      return piece
    const numbers = piece.raw.split(',').map((text) => Number(text.trim()))
    if (numbers.some((each) => !Number.isInteger(each) || each < 0)) return piece
    const [first = 0] = numbers
    const compute = (notes: Notes) => {
      if (open.name === 'x:Column')
        return String(cellNow(layoutIn(model, notes).row, first + 1, model, notes).column - 1)
      const now = layoutIn(model, notes).row - 1
      if (open.name === 'x:Row') return String(now)
      // The box begins beside its cell, perhaps a row above.
      const shift = now - (rowOfNote(pieces) ?? numbers[2] ?? 0)
      return numbers.map((each, n) => (n === 2 || n === 6 ? Math.max(0, each + shift) : each)).join(', ')
    }
    return { kind: 'computed', offset: piece.offset, compute }
  })
}

function rowOfNote(pieces: readonly Piece[]): number | undefined {
  const at = pieces.findIndex((piece) => piece.kind === 'open' && piece.name === 'x:Row')
  const text = pieces[at + 1]
  return at >= 0 && text?.kind === 'text' ? Number(text.raw) : undefined
}

/** An element whose opening tag is computed. */
const whole = ({ name, offset }: MarkupPiece, compute: ComputedPiece['compute']): Piece[] => [
  { kind: 'open', name, raw: '', offset },
  { kind: 'computed', offset, compute },
]

function endOf(pieces: readonly Piece[], at: number): number {
  let depth = 0
  for (let n = at; n < pieces.length; n += 1) {
    const { kind } = pieces[n]!
    if (kind === 'open') depth += 1
    else if (kind === 'close' && --depth === 0) return n
  }
  return at
}
