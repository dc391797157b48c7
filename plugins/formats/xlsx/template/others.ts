/**
 * Parts beside the worksheets that name rows and columns: names, tables, drawings, charts, comments, pivot sources.
 * Each address becomes a computed token that looks up where the rows went.
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
import type { ComputedToken, ElementToken, Token } from '../../../../shared/template/scan/tokens.ts'
import { decodeEntities } from '../../../../shared/template/scan/xml.ts'
import type { RenderScope } from '../../../../shared/template/scope.ts'
import { format, setAttribute } from './followers.ts'
import { tableIdNow, tableNameNow } from './repeated.ts'
import { attributeOf } from './shared-strings.ts'

/** Names and charts name their sheets themselves. */
export function prepareFormulas(
  tokens: readonly Token[],
  elements: readonly string[],
  sheets: Sheets,
): Token[] {
  const plain = inElements(tokens, elements, (raw) => {
    const formulaTokens = a1.parse(decodeEntities(raw))
    if (!refersToMoving(formulaTokens, undefined, sheets)) return undefined
    // An area as a whole: all copies of its rows, also where it was a single cell.
    const wide = formulaTokens.map((formulaToken) =>
      typeof formulaToken === 'string' ? formulaToken : { ...formulaToken, alone: true },
    )
    return (scope) => escapeText(writeFormula(wide, a1, undefined, sheets, scope))
  })
  return plain.map((token, at) => behindTaggedName(plain, at, elements, sheets) ?? token)
}

const withoutBlanks = (name: string): string =>
  name.toLowerCase().replace(/\{[^{}]*\}/g, (tag) => tag.replace(/\s/g, ''))

/** The address in `'{d.month} 2026'!$A$1:$B$9`: a sheet whose name holds tags moves like any other. */
function behindTaggedName(
  tokens: readonly Token[],
  at: number,
  elements: readonly string[],
  sheets: Sheets,
): Token | undefined {
  const token = tokens[at]!
  const found = token.kind === 'text' ? /^([^'!]*)'!([^'!,()]+)$/.exec(token.raw) : null
  if (found === null || tokens[at + 1]?.kind !== 'close') return undefined
  let name = found[1]!
  let start = at - 1
  for (; tokens[start]?.kind === 'tag' || tokens[start]?.kind === 'text'; start -= 1) {
    const before = tokens[start]!
    name = (before.kind === 'tag' ? `{${before.text}}` : (before as { raw: string }).raw) + name
  }
  const open = tokens[start]
  if (open?.kind !== 'open' || !elements.includes(open.name) || !name.startsWith("'")) return undefined
  const wanted = withoutBlanks(decodeEntities(name.slice(1)))
  const model = [...sheets.values()].find((sheet) => withoutBlanks(sheet.name) === wanted)
  const [formulaToken, ...more] = a1.parse(`S!${found[2]!}`)
  if (model?.moves !== true || typeof formulaToken !== 'object' || more.length > 0) return undefined
  const address = [{ ...formulaToken, sheet: model.name, prefix: '', alone: true }]
  const head = `${found[1]!}'!`
  const compute = (scope: RenderScope) =>
    head + escapeText(writeFormula(address, a1, undefined, sheets, scope))
  return { kind: 'computed', offset: token.offset, compute }
}

/** Chart caches hold what the template had: applications read the cells when there are none. */
export function prepareChart(tokens: readonly Token[], sheets: Sheets): Token[] {
  const out: Token[] = []
  let inside = 0
  for (const token of prepareFormulas(tokens, ['c:f'], sheets)) {
    const cache = (token.kind === 'open' || token.kind === 'close') && /^c:(?:num|str)Cache$/.test(token.name)
    if (cache && token.kind === 'open') inside += 1
    if (inside === 0) out.push(token)
    if (cache && token.kind === 'close') inside -= 1
  }
  return out
}

export function prepareTable(tokens: readonly Token[], model: SheetModel): Token[] {
  return tokens.flatMap((token) => {
    if (!isElement(token) || !['table', 'autoFilter', 'sortState', 'sortCondition'].includes(token.name))
      return [token]
    if (token.name === 'table' && model.nameNow !== undefined) return ownTable(token, model)
    if (!model.moves) return [token]
    const range = parseRange(attributeOf(token.raw, 'ref') ?? '')
    if (range === undefined) return [token]
    const least = token.name === 'table' ? leastRows(token) : 1
    return withAttribute(token, 'ref', (scope) =>
      format(atLeast(followArea(range, model, scope, 'whole')[0] ?? range, least)),
    )
  })
}

/** The table of a sheet that repeats: each copy has a number and a name of its own. */
function ownTable(token: ElementToken, model: SheetModel): Token[] {
  const range = parseRange(attributeOf(token.raw, 'ref') ?? '')
  const compute = (scope: RenderScope) => {
    let raw = token.raw
    for (const name of ['name', 'displayName'])
      raw = setAttribute(raw, name, tableNameNow(attributeOf(token.raw, name) ?? '', scope))
    raw = setAttribute(raw, 'id', tableIdNow(attributeOf(token.raw, 'id') ?? '1', scope))
    const now = range === undefined ? undefined : (followArea(range, model, scope, 'whole')[0] ?? range)
    return now === undefined ? raw : setAttribute(raw, 'ref', format(atLeast(now, leastRows(token))))
  }
  const { name, offset } = token
  return [
    { kind: 'open', name, raw: '', offset },
    { kind: 'computed', offset, compute },
  ]
}

function leastRows({ raw }: ElementToken): number {
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

export function prepareComments(tokens: readonly Token[], model: SheetModel): Token[] {
  return tokens.flatMap((token) => {
    const range =
      isElement(token) && /^(?:comment|threadedComment)$/.test(token.name)
        ? parseRange(attributeOf(token.raw, 'ref') ?? '')
        : undefined
    if (range === undefined || !model.moves) return [token]
    return withAttribute(token as ElementToken, 'ref', (scope) =>
      format(followArea(range, model, scope, 'copies')[0] ?? range),
    )
  })
}

export function preparePivotSource(tokens: readonly Token[], sheets: Sheets): Token[] {
  return tokens.flatMap((token) => {
    if (!isElement(token) || token.name !== 'worksheetSource') return [token]
    const model = sheets.get((attributeOf(token.raw, 'sheet') ?? '').toLowerCase())
    const range = parseRange(attributeOf(token.raw, 'ref') ?? '')
    if (model?.moves !== true || range === undefined) return [token]
    return withAttribute(token, 'ref', (scope) =>
      format(followArea(range, model, scope, 'whole')[0] ?? range),
    )
  })
}

/** Anchors of pictures, shapes and charts: rows and columns count from 0. */
export function prepareDrawing(tokens: readonly Token[], model: SheetModel): Token[] {
  if (!model.moves) return [...tokens]
  const out = [...tokens]
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!
    if (token.kind !== 'open' || !/^xdr:(?:twoCell|oneCell)Anchor$/.test(token.name)) continue
    const found = anchorCells(tokens, at + 1)
    if (found.from === undefined) continue
    const { from, to = from } = found
    const range: Range = { from: corner(from), to: corner(to) }
    const keepsSize = holdsPicture(tokens, at)
    const where = (scope: RenderScope) => {
      const now = followArea(range, model, scope, 'copies')[0] ?? range
      if (!keepsSize || now.to === undefined) return now
      const end = (a: 'row' | 'column') => (now.from[a] ?? 1) + to[a] - from[a]
      return { from: now.from, to: { ...now.to, row: end('row'), column: end('column') } }
    }
    const put = (index: number, compute: ComputedToken['compute']) => {
      out[index] = { kind: 'computed', offset: tokens[index]!.offset, compute }
    }
    put(from.rowAt, (scope) => String((where(scope).from.row ?? 1) - 1))
    put(from.columnAt, (scope) => String((where(scope).from.column ?? 1) - 1))
    if (to === from) continue
    put(to.rowAt, (scope) => String((where(scope).to?.row ?? 1) - 1))
    put(to.columnAt, (scope) => String((where(scope).to?.column ?? 1) - 1))
  }
  return out
}

/** Pictures and charts keep their size where a list beside them grows; shapes go with the cells that they cover. */
function holdsPicture(tokens: readonly Token[], anchor: number): boolean {
  for (let at = anchor + 1; at < tokens.length; at += 1) {
    const token = tokens[at]!
    if (token.kind === 'close' && token.name.endsWith('Anchor')) return false
    if (token.kind === 'open' && /^xdr:(?:pic|graphicFrame|sp|grpSp|cxnSp)$/.test(token.name))
      return /^xdr:(?:pic|graphicFrame)$/.test(token.name)
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
export function anchorCells(tokens: readonly Token[], start: number): { from?: AnchorCell; to?: AnchorCell } {
  const found: { from?: AnchorCell; to?: AnchorCell } = {}
  let which: 'from' | 'to' | undefined
  let row: { value: number; at: number } | undefined
  let column: { value: number; at: number } | undefined
  for (let at = start; at < tokens.length; at += 1) {
    const token = tokens[at]!
    if (token.kind === 'open') {
      if (token.name === 'xdr:from') which = 'from'
      else if (token.name === 'xdr:to') which = 'to'
      else if (which === undefined) return found
      const text = tokens[at + 1]
      const value = text?.kind === 'text' ? Number(text.raw.trim()) : Number.NaN
      if (!Number.isInteger(value) || value < 0) continue
      if (token.name === 'xdr:row') row = { value: value + 1, at: at + 1 }
      if (token.name === 'xdr:col') column = { value: value + 1, at: at + 1 }
    } else if (token.kind === 'void') {
      if (which === undefined) return found
    } else if (token.kind === 'close' && (token.name === 'xdr:from' || token.name === 'xdr:to')) {
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
export function prepareLegacyDrawing(tokens: readonly Token[], model: SheetModel): Token[] {
  if (!model.moves) return [...tokens]
  const rowOf = (row: number, scope: RenderScope) =>
    (followArea(cellOf(row + 1, 1), model, scope, 'copies')[0]?.from.row ?? row + 1) - 1
  return inElements(tokens, ['x:Row', 'x:Anchor'], (raw, name) => {
    const numbers = raw.split(',').map((part) => Number(part.trim()))
    if (numbers.some((number) => !Number.isInteger(number) || number < 0)) return undefined
    if (name === 'x:Row') return (scope) => String(rowOf(numbers[0]!, scope))
    if (numbers.length !== 8) return undefined
    return (scope) => {
      const shift = rowOf(numbers[2]!, scope) - numbers[2]!
      return numbers.map((number, at) => (at === 2 || at === 6 ? number + shift : number)).join(', ')
    }
  })
}

function inElements(
  tokens: readonly Token[],
  names: readonly string[],
  make: (raw: string, name: string) => ComputedToken['compute'] | undefined,
): Token[] {
  return tokens.map((token, at) => {
    const open = tokens[at - 1]
    const close = tokens[at + 1]
    if (
      token.kind !== 'text' ||
      open?.kind !== 'open' ||
      close?.kind !== 'close' ||
      !names.includes(open.name)
    )
      return token
    const compute = make(token.raw, open.name)
    return compute === undefined ? token : { kind: 'computed', offset: token.offset, compute }
  })
}

const isElement = (token: Token): token is ElementToken => token.kind === 'open' || token.kind === 'void'

/** An element with one of its attributes computed. */
function withAttribute(token: ElementToken, attribute: string, compute: ComputedToken['compute']): Token[] {
  const found = new RegExp(`\\s${attribute}\\s*=\\s*["']`).exec(token.raw)!
  const start = found.index + found[0].length
  const end = token.raw.indexOf(token.raw[start - 1]!, start)
  const { name, offset } = token
  const tail = token.raw.slice(end)
  const head: Token[] = [
    { kind: 'open', name, raw: token.raw.slice(0, start), offset },
    { kind: 'computed', offset, compute },
  ]
  if (token.kind === 'open') return [...head, { kind: 'text', raw: tail, offset, markup: true }]
  return [
    ...head,
    { kind: 'text', raw: tail.slice(0, -2), offset, markup: true },
    { kind: 'close', name, raw: '/>', offset },
  ]
}
