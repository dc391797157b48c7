/**
 * Parts beside the worksheets that name rows and columns: names, tables, drawings, charts, comments, pivot sources.
 * Each address becomes a computed piece that reads where the rows went.
 */

import { escapeText } from '../../../../shared/office/markup.ts'
import { a1 } from '../../../../shared/office/sheet/formula.ts'
import {
  followArea,
  refersToMoving,
  type SheetModel,
  type Sheets,
  writeFormula,
} from '../../../../shared/office/sheet/layout.ts'
import { parseRange, type Range } from '../../../../shared/office/sheet/reference.ts'
import type { ComputedPiece, MarkupPiece, Notes, Piece } from '../../../../shared/template/scan/pieces.ts'
import { decodeEntities } from '../../../../shared/template/scan/xml.ts'
import { format, setAttribute } from './followers.ts'
import { tableIdNow, tableNameNow } from './repeated.ts'
import { attributeOf } from './shared-strings.ts'

/** Names and charts name their sheets themselves. */
export function prepareFormulas(
  pieces: readonly Piece[],
  elements: readonly string[],
  sheets: Sheets,
): Piece[] {
  const plain = inElements(pieces, elements, (raw) => {
    const tokens = a1.parse(decodeEntities(raw))
    if (!refersToMoving(tokens, undefined, sheets)) return undefined
    // An area as a whole: all copies of its rows, also where it was a single cell.
    const wide = tokens.map((token) => (typeof token === 'string' ? token : { ...token, alone: true }))
    return (notes) => escapeText(writeFormula(wide, a1, undefined, sheets, notes))
  })
  return plain.map((piece, at) => behindTaggedName(plain, at, elements, sheets) ?? piece)
}

const withoutBlanks = (name: string): string =>
  name.toLowerCase().replace(/\{[^{}]*\}/g, (tag) => tag.replace(/\s/g, ''))

/** The address in `'{d.month} 2026'!$A$1:$B$9`: a sheet whose name holds tags moves like any other. */
function behindTaggedName(
  pieces: readonly Piece[],
  at: number,
  elements: readonly string[],
  sheets: Sheets,
): Piece | undefined {
  const piece = pieces[at]!
  const found = piece.kind === 'text' ? /^([^'!]*)'!([^'!,()]+)$/.exec(piece.raw) : null
  if (found === null || pieces[at + 1]?.kind !== 'close') return undefined
  let name = found[1]!
  let start = at - 1
  for (; pieces[start]?.kind === 'tag' || pieces[start]?.kind === 'text'; start -= 1) {
    const before = pieces[start]!
    name = (before.kind === 'tag' ? `{${before.text}}` : (before as { raw: string }).raw) + name
  }
  const open = pieces[start]
  if (open?.kind !== 'open' || !elements.includes(open.name) || !name.startsWith("'")) return undefined
  const wanted = withoutBlanks(decodeEntities(name.slice(1)))
  const model = [...sheets.values()].find((sheet) => withoutBlanks(sheet.name) === wanted)
  const [token, ...more] = a1.parse(`S!${found[2]!}`)
  if (model?.moves !== true || typeof token !== 'object' || more.length > 0) return undefined
  const address = [{ ...token, sheet: model.name, prefix: '', alone: true }]
  const head = `${found[1]!}'!`
  const compute = (notes: Notes) => head + escapeText(writeFormula(address, a1, undefined, sheets, notes))
  return { kind: 'computed', offset: piece.offset, compute }
}

/** Chart caches hold what the template had: applications read the cells when there are none. */
export function prepareChart(pieces: readonly Piece[], sheets: Sheets): Piece[] {
  const out: Piece[] = []
  let inside = 0
  for (const piece of prepareFormulas(pieces, ['c:f'], sheets)) {
    const cache = (piece.kind === 'open' || piece.kind === 'close') && /^c:(?:num|str)Cache$/.test(piece.name)
    if (cache && piece.kind === 'open') inside += 1
    if (inside === 0) out.push(piece)
    if (cache && piece.kind === 'close') inside -= 1
  }
  return out
}

export function prepareTable(pieces: readonly Piece[], model: SheetModel): Piece[] {
  return pieces.flatMap((piece) => {
    if (!isElement(piece) || !['table', 'autoFilter', 'sortState', 'sortCondition'].includes(piece.name))
      return [piece]
    if (piece.name === 'table' && model.nameNow !== undefined) return ownTable(piece, model)
    if (!model.moves) return [piece]
    const range = parseRange(attributeOf(piece.raw, 'ref') ?? '')
    if (range === undefined) return [piece]
    const least = piece.name === 'table' ? leastRows(piece) : 1
    return withAttribute(piece, 'ref', (notes) =>
      format(atLeast(followArea(range, model, notes, 'whole')[0] ?? range, least)),
    )
  })
}

/** The table of a sheet that repeats: each copy has a number and a name of its own. */
function ownTable(piece: MarkupPiece, model: SheetModel): Piece[] {
  const range = parseRange(attributeOf(piece.raw, 'ref') ?? '')
  const compute = (notes: Notes) => {
    let raw = piece.raw
    for (const name of ['name', 'displayName'])
      raw = setAttribute(raw, name, tableNameNow(attributeOf(piece.raw, name) ?? '', notes))
    raw = setAttribute(raw, 'id', tableIdNow(attributeOf(piece.raw, 'id') ?? '1', notes))
    const now = range === undefined ? undefined : (followArea(range, model, notes, 'whole')[0] ?? range)
    return now === undefined ? raw : setAttribute(raw, 'ref', format(atLeast(now, leastRows(piece))))
  }
  const { name, offset } = piece
  return [
    { kind: 'open', name, raw: '', offset },
    { kind: 'computed', offset, compute },
  ]
}

function leastRows({ raw }: MarkupPiece): number {
  const rows = (name: string, without: number) => Number(attributeOf(raw, name) ?? without)
  return rows('headerRowCount', 1) + rows('totalsRowCount', 0) + 1
}

/** A table has a row under its header, if only an empty one. */
function atLeast(range: Range, rows: number): Range {
  const { from, to } = range
  if (to === undefined || from.row === undefined || to.row === undefined || to.row - from.row + 1 >= rows)
    return range
  return { from, to: { ...to, row: from.row + rows - 1 } }
}

export function prepareComments(pieces: readonly Piece[], model: SheetModel): Piece[] {
  return pieces.flatMap((piece) => {
    const range =
      isElement(piece) && /^(?:comment|threadedComment)$/.test(piece.name)
        ? parseRange(attributeOf(piece.raw, 'ref') ?? '')
        : undefined
    if (range === undefined || !model.moves) return [piece]
    return withAttribute(piece as MarkupPiece, 'ref', (notes) =>
      format(followArea(range, model, notes, 'copies')[0] ?? range),
    )
  })
}

export function preparePivotSource(pieces: readonly Piece[], sheets: Sheets): Piece[] {
  return pieces.flatMap((piece) => {
    if (!isElement(piece) || piece.name !== 'worksheetSource') return [piece]
    const model = sheets.get((attributeOf(piece.raw, 'sheet') ?? '').toLowerCase())
    const range = parseRange(attributeOf(piece.raw, 'ref') ?? '')
    if (model?.moves !== true || range === undefined) return [piece]
    return withAttribute(piece, 'ref', (notes) =>
      format(followArea(range, model, notes, 'whole')[0] ?? range),
    )
  })
}

/** Anchors of pictures, shapes and charts: rows and columns count from 0. */
export function prepareDrawing(pieces: readonly Piece[], model: SheetModel): Piece[] {
  if (!model.moves) return [...pieces]
  const out = [...pieces]
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at]!
    if (piece.kind !== 'open' || !/^xdr:(?:twoCell|oneCell)Anchor$/.test(piece.name)) continue
    const found = anchorCells(pieces, at + 1)
    if (found.from === undefined) continue
    const { from, to = from } = found
    const range: Range = { from: corner(from), to: corner(to) }
    const keepsSize = holdsPicture(pieces, at)
    const where = (notes: Notes) => {
      const now = followArea(range, model, notes, 'copies')[0] ?? range
      if (!keepsSize || now.to === undefined) return now
      const end = (a: 'row' | 'column') => (now.from[a] ?? 1) + to[a] - from[a]
      return { from: now.from, to: { ...now.to, row: end('row'), column: end('column') } }
    }
    const put = (index: number, compute: ComputedPiece['compute']) => {
      out[index] = { kind: 'computed', offset: pieces[index]!.offset, compute }
    }
    put(from.rowAt, (notes) => String((where(notes).from.row ?? 1) - 1))
    put(from.columnAt, (notes) => String((where(notes).from.column ?? 1) - 1))
    if (to === from) continue
    put(to.rowAt, (notes) => String((where(notes).to?.row ?? 1) - 1))
    put(to.columnAt, (notes) => String((where(notes).to?.column ?? 1) - 1))
  }
  return out
}

/** Pictures and charts keep their size where a list beside them grows; shapes go with the cells that they cover. */
function holdsPicture(pieces: readonly Piece[], anchor: number): boolean {
  for (let at = anchor + 1; at < pieces.length; at += 1) {
    const piece = pieces[at]!
    if (piece.kind === 'close' && piece.name.endsWith('Anchor')) return false
    if (piece.kind === 'open' && /^xdr:(?:pic|graphicFrame|sp|grpSp|cxnSp)$/.test(piece.name))
      return /^xdr:(?:pic|graphicFrame)$/.test(piece.name)
  }
  return false
}

export interface AnchorCell {
  readonly row: number
  readonly column: number
  readonly rowAt: number
  readonly columnAt: number
}

export const corner = ({ row, column }: Pick<AnchorCell, 'row' | 'column'>): Range['from'] => ({
  row,
  column,
  fixedRow: false,
  fixedColumn: false,
})

/** `<xdr:from>` and `<xdr:to>` come first in an anchor. */
export function anchorCells(pieces: readonly Piece[], start: number): { from?: AnchorCell; to?: AnchorCell } {
  const found: { from?: AnchorCell; to?: AnchorCell } = {}
  let which: 'from' | 'to' | undefined
  let row: { value: number; at: number } | undefined
  let column: { value: number; at: number } | undefined
  for (let at = start; at < pieces.length; at += 1) {
    const piece = pieces[at]!
    if (piece.kind === 'open') {
      if (piece.name === 'xdr:from') which = 'from'
      else if (piece.name === 'xdr:to') which = 'to'
      else if (which === undefined) return found
      const text = pieces[at + 1]
      const value = text?.kind === 'text' ? Number(text.raw.trim()) : Number.NaN
      if (!Number.isInteger(value) || value < 0) continue
      if (piece.name === 'xdr:row') row = { value: value + 1, at: at + 1 }
      if (piece.name === 'xdr:col') column = { value: value + 1, at: at + 1 }
    } else if (piece.kind === 'void') {
      if (which === undefined) return found
    } else if (piece.kind === 'close' && (piece.name === 'xdr:from' || piece.name === 'xdr:to')) {
      if (which !== undefined && row !== undefined && column !== undefined) {
        found[which] = { row: row.value, column: column.value, rowAt: row.at, columnAt: column.at }
      }
      row = column = undefined
      if (which === 'to') return found
      which = undefined
    }
  }
  return found
}

const cellOf = (row: number, column: number): Range => ({
  from: { row, column, fixedRow: false, fixedColumn: false },
  to: undefined,
})

/** Notes of cells as old drawings: their anchor and the cell they belong to. Rows and columns count from 0. */
export function prepareLegacyDrawing(pieces: readonly Piece[], model: SheetModel): Piece[] {
  if (!model.moves) return [...pieces]
  const rowOf = (row: number, notes: Notes) =>
    (followArea(cellOf(row + 1, 1), model, notes, 'copies')[0]?.from.row ?? row + 1) - 1
  return inElements(pieces, ['x:Row', 'x:Anchor'], (raw, name) => {
    const numbers = raw.split(',').map((part) => Number(part.trim()))
    if (numbers.some((number) => !Number.isInteger(number) || number < 0)) return undefined
    if (name === 'x:Row') return (notes) => String(rowOf(numbers[0]!, notes))
    if (numbers.length !== 8) return undefined
    return (notes) => {
      const shift = rowOf(numbers[2]!, notes) - numbers[2]!
      return numbers.map((number, at) => (at === 2 || at === 6 ? number + shift : number)).join(', ')
    }
  })
}

function inElements(
  pieces: readonly Piece[],
  names: readonly string[],
  make: (raw: string, name: string) => ComputedPiece['compute'] | undefined,
): Piece[] {
  return pieces.map((piece, at) => {
    const open = pieces[at - 1]
    const close = pieces[at + 1]
    if (
      piece.kind !== 'text' ||
      open?.kind !== 'open' ||
      close?.kind !== 'close' ||
      !names.includes(open.name)
    )
      return piece
    const compute = make(piece.raw, open.name)
    return compute === undefined ? piece : { kind: 'computed', offset: piece.offset, compute }
  })
}

const isElement = (piece: Piece): piece is MarkupPiece => piece.kind === 'open' || piece.kind === 'void'

/** An element with one of its attributes computed. */
function withAttribute(piece: MarkupPiece, attribute: string, compute: ComputedPiece['compute']): Piece[] {
  const found = new RegExp(`\\s${attribute}\\s*=\\s*["']`).exec(piece.raw)!
  const start = found.index + found[0].length
  const end = piece.raw.indexOf(piece.raw[start - 1]!, start)
  const { name, offset } = piece
  const tail = piece.raw.slice(end)
  const head: Piece[] = [
    { kind: 'open', name, raw: piece.raw.slice(0, start), offset },
    { kind: 'computed', offset, compute },
  ]
  if (piece.kind === 'open') return [...head, { kind: 'text', raw: tail, offset, markup: true }]
  return [
    ...head,
    { kind: 'text', raw: tail.slice(0, -2), offset, markup: true },
    { kind: 'close', name, raw: '/>', offset },
  ]
}
