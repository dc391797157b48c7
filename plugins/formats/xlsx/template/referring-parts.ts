/**
 * Parts other than worksheets that refer to rows and columns: names, tables, drawings, charts, comments, pivot
 * sources. Each address becomes a computed token that looks up where the rows have moved. Source: ECMA-376-1, 18.2.5,
 * 18.5.1.2, 18.7.3, 18.10.1.95, 20.5.2 and 21.2.
 */

import { a1, type FormulaToken } from '../../../../shared/office/sheet/formula.ts'
import {
  followArea,
  refersToMoving,
  type SheetModel,
  type Sheets,
  writeFormula,
} from '../../../../shared/office/sheet/layout.ts'
import { sheetsByValue } from '../../../../shared/office/sheet/names.ts'
import { type CellRange, parseRange } from '../../../../shared/office/sheet/reference.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import type { ComputedToken, ElementToken, Token } from '../../../../shared/template/scan/tokens.ts'
import type { RenderScope } from '../../../../shared/template/scope.ts'
import { attributeOf, cutAtAttribute, replaceAttribute } from '../../../../shared/xml/elements.ts'
import { escapeText } from '../../../../shared/xml/markup.ts'
import { decodeEntities } from '../../../../shared/xml/scan.ts'
import { format } from './referring-blocks.ts'
import { tableIdNow, tableNameNow } from './repeated-sheets.ts'
import { taggedBlock } from './tagged-blocks.ts'

/** Prepares the formulas in `elements`, which belong to names and charts. Their references always name a sheet. */
export function prepareFormulas(
  tokens: readonly Token[],
  elements: readonly string[],
  sheets: Sheets,
): Token[] {
  const followed = inElements(tokens, elements, (raw) => {
    const formulaTokens = a1.parse(decodeEntities(raw))
    if (!refersToMoving(formulaTokens, undefined, sheets)) return undefined
    const areas = wide(formulaTokens)
    return (scope) => escapeText(writeFormula(areas, a1, undefined, sheets, scope))
  })
  return withTaggedNames(followed, elements, sheets)
}

/**
 * Prepares addresses on sheets whose names contain tags, `'{d.month} 2026'!$A$1:$B$9`: such a sheet moves like any
 * other.
 */
function withTaggedNames(tokens: readonly Token[], elements: readonly string[], sheets: Sheets): Token[] {
  const out: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    out.push(token)
    if (token.kind !== 'open' || !elements.includes(token.name) || !token.raw.endsWith('>')) continue
    const end = tokens.findIndex(({ kind }, n) => n > at && (kind === 'close' || kind === 'open'))
    const inside = tokens.slice(at, end + 1)
    const tags = inside.flatMap((each) => (each.kind === 'tag' ? [each.text] : []))
    if (tags.length === 0 || sheetsByValue(sheets, tags) === undefined) continue
    const block = taggedBlock(token.name, inside)
    if (block === undefined) continue
    const compute = (scope: RenderScope) => {
      const filled = block.fill(scope).slice(token.raw.length)
      const formulaTokens = a1.parse(decodeEntities(filled.slice(0, filled.lastIndexOf('</'))))
      const named = block.sheetsNow(sheets, scope)
      return escapeText(writeFormula(wide(formulaTokens), a1, undefined, named, scope))
    }
    pushAll(out, [...block.tags, { kind: 'computed', offset: token.offset, compute }])
    at = end - 1
  }
  return out
}

/** Treats every address as an area: a name or a chart over one cell means all copies of that cell. */
const wide = (formulaTokens: readonly FormulaToken[]): readonly FormulaToken[] =>
  formulaTokens.map((token) => (typeof token === 'string' ? token : { ...token, onlyArgument: true }))

/** Removes the caches of a chart, which contain the values of the template, so that applications read the cells. */
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

/** Prepares a table, whose area grows with its rows (18.5.1.2). */
export function prepareTable(tokens: readonly Token[], model: SheetModel): Token[] {
  return tokens.flatMap((token) => {
    if (!isElement(token) || !['table', 'autoFilter', 'sortState', 'sortCondition'].includes(token.name))
      return [token]
    if (token.name === 'table' && model.nameNow !== undefined) return copiedTable(token, model)
    if (!model.moves) return [token]
    const range = parseRange(attributeOf(token.raw, 'ref') ?? '')
    if (range === undefined) return [token]
    const min = token.name === 'table' ? minRows(token) : 1
    return withAttribute(token, 'ref', (scope) =>
      format(withMinRows(followArea(range, model, scope, 'whole')[0] ?? range, min)),
    )
  })
}

/** The table of a sheet that repeats. Numbers and names of tables are unique in a workbook, so each copy gets its own. */
function copiedTable(token: ElementToken, model: SheetModel): Token[] {
  const range = parseRange(attributeOf(token.raw, 'ref') ?? '')
  const compute = (scope: RenderScope) => {
    let raw = token.raw
    for (const name of ['name', 'displayName'])
      raw = replaceAttribute(raw, name, tableNameNow(attributeOf(token.raw, name) ?? '', scope))
    raw = replaceAttribute(raw, 'id', tableIdNow(attributeOf(token.raw, 'id') ?? '1', scope))
    const now = range === undefined ? undefined : (followArea(range, model, scope, 'whole')[0] ?? range)
    return now === undefined ? raw : replaceAttribute(raw, 'ref', format(withMinRows(now, minRows(token))))
  }
  const { name, offset } = token
  return [
    { kind: 'open', name, raw: '', offset },
    { kind: 'computed', offset, compute },
  ]
}

/** The smallest number of rows of a table: its header, one row of data and its totals. */
function minRows({ raw }: ElementToken): number {
  const rows = (name: string, without: number) => Number(attributeOf(raw, name) ?? without)
  return rows('headerRowCount', 1) + rows('totalsRowCount', 0) + 1
}

/** Extends a table to at least one row under its header, which may be empty. */
function withMinRows(range: CellRange, rows: number): CellRange {
  const { from, to } = range
  if (to === undefined || from.row === undefined || to.row === undefined || to.row - from.row + 1 >= rows)
    return range
  return { from, to: { ...to, row: from.row + rows - 1 } }
}

/** Prepares the comments of cells, by the cell that each refers to. */
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

/** The area that a pivot table reads. */
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

/** Anchors of pictures, shapes and charts. In the file, rows and columns count from 0. */
export function prepareDrawing(tokens: readonly Token[], model: SheetModel): Token[] {
  if (!model.moves) return [...tokens]
  const out = [...tokens]
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'open' || !/^xdr:(?:twoCell|oneCell)Anchor$/.test(token.name)) continue
    const anchors = anchorCells(tokens, at + 1)
    if (anchors.from === undefined) continue
    const { from, to = from } = anchors
    const range: CellRange = { from: corner(from), to: corner(to) }
    const keepsSize = holdsPicture(tokens, at)
    const rangeIn = (scope: RenderScope) => {
      const now = followArea(range, model, scope, 'copies')[0] ?? range
      if (!keepsSize || now.to === undefined) return now
      const end = (a: 'row' | 'column') => (now.from[a] ?? 1) + to[a] - from[a]
      return { from: now.from, to: { ...now.to, row: end('row'), column: end('column') } }
    }
    const replaceAt = (index: number, compute: ComputedToken['compute']) => {
      out[index] = { kind: 'computed', offset: tokens[index]!.offset, compute }
    }
    replaceAt(from.rowAt, (scope) => String((rangeIn(scope).from.row ?? 1) - 1))
    replaceAt(from.columnAt, (scope) => String((rangeIn(scope).from.column ?? 1) - 1))
    if (to === from) continue
    replaceAt(to.rowAt, (scope) => String((rangeIn(scope).to?.row ?? 1) - 1))
    replaceAt(to.columnAt, (scope) => String((rangeIn(scope).to?.column ?? 1) - 1))
  }
  return out
}

/** Pictures and charts keep their size when a list beside them grows; shapes grow with the cells that they cover. */
function holdsPicture(tokens: readonly Token[], anchor: number): boolean {
  for (let at = anchor + 1; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.kind === 'close' && token.name.endsWith('Anchor')) return false
    if (token.kind === 'open' && /^xdr:(?:pic|graphicFrame|sp|grpSp|cxnSp)$/.test(token.name))
      return /^xdr:(?:pic|graphicFrame)$/.test(token.name)
  }
  return false
}

/** A corner of an anchor. */
export interface AnchorCell {
  readonly row: number // counted from 1, as in addresses
  readonly column: number
  readonly rowAt: number // the index of the token with the row number
  readonly columnAt: number
}

/** The corner of a range at an anchor. */
export const corner = ({ row, column }: Pick<AnchorCell, 'row' | 'column'>): CellRange['from'] => ({
  row,
  column,
  fixedRow: false,
  fixedColumn: false,
})

/**
 * The corners of an anchor whose content begins at `start`. `<xdr:from>` and `<xdr:to>` are its first children, so
 * the search ends at any other element; a one-cell anchor has no `<xdr:to>`.
 */
export function anchorCells(tokens: readonly Token[], start: number): { from?: AnchorCell; to?: AnchorCell } {
  const anchors: { from?: AnchorCell; to?: AnchorCell } = {}
  for (let at = start; at < tokens.length; at += 1) {
    const token = tokens[at]!
    if (!isElement(token)) continue
    if (token.kind === 'void' || (token.name !== 'xdr:from' && token.name !== 'xdr:to')) return anchors
    const { cell, end } = anchorCell(tokens, at)
    const side = token.name === 'xdr:from' ? 'from' : 'to'
    if (cell !== undefined) anchors[side] = cell
    if (side === 'to') return anchors
    at = end
  }
  return anchors
}

/** Reads the corner that opens at `start`, up to its closing tag at `end`. No cell: a row or column is missing or negative. */
function anchorCell(tokens: readonly Token[], start: number): { cell?: AnchorCell; end: number } {
  let row: { value: number; at: number } | undefined
  let column: { value: number; at: number } | undefined
  let end = start + 1
  for (; end < tokens.length; end += 1) {
    const token = tokens[end]!
    if (token.kind === 'close' && (token.name === 'xdr:from' || token.name === 'xdr:to')) break
    if (token.kind !== 'open') continue
    const text = tokens[end + 1]
    const value = text?.kind === 'text' ? Number(text.raw.trim()) : Number.NaN
    if (!Number.isInteger(value) || value < 0) continue
    if (token.name === 'xdr:row') row = { value: value + 1, at: end + 1 }
    if (token.name === 'xdr:col') column = { value: value + 1, at: end + 1 }
  }
  if (row === undefined || column === undefined) return { end }
  return { cell: { row: row.value, column: column.value, rowAt: row.at, columnAt: column.at }, end }
}

const cellOf = (row: number, column: number): CellRange => ({
  from: { row, column, fixedRow: false, fixedColumn: false },
  to: undefined,
})

/** The boxes of comments as VML: the cell they belong to and their anchor. Rows and columns count from 0. */
export function prepareLegacyDrawing(tokens: readonly Token[], model: SheetModel): Token[] {
  if (!model.moves) return [...tokens]
  const rowOf = (row: number, scope: RenderScope) =>
    (followArea(cellOf(row + 1, 1), model, scope, 'copies')[0]?.from.row ?? row + 1) - 1
  return inElements(tokens, ['x:Row', 'x:Anchor'], (raw, name) => {
    const numbers = raw.split(',').map((part) => Number(part.trim()))
    if (numbers.some((number) => !Number.isInteger(number) || number < 0)) return undefined
    if (name === 'x:Row') return (scope) => String(rowOf(numbers[0] ?? 0, scope))
    if (numbers.length !== 8) return undefined
    return (scope) => {
      const shift = rowOf(numbers[2] ?? 0, scope) - (numbers[2] ?? 0)
      return numbers.map((number, at) => (at === 2 || at === 6 ? number + shift : number)).join(', ')
    }
  })
}

/**
 * Replaces the texts of elements that contain only text; `make` returns undefined for a text that does not change.
 */
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

/** An element with the value of one of its attributes computed. The attribute must be there. */
function withAttribute(token: ElementToken, attribute: string, compute: ComputedToken['compute']): Token[] {
  const { before, after: tail } = cutAtAttribute(token.raw, attribute)!
  const { name, offset } = token
  const head: Token[] = [
    { kind: 'open', name, raw: before, offset },
    { kind: 'computed', offset, compute },
  ]
  if (token.kind === 'open') return [...head, { kind: 'text', raw: tail, offset, markup: true }]
  return [
    ...head,
    { kind: 'text', raw: tail.slice(0, -2), offset, markup: true },
    { kind: 'close', name, raw: '/>', offset },
  ]
}
