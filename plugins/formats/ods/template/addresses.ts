/**
 * Addresses outside of cells: named ranges, database ranges, print ranges, conditional formats, sparklines, charts, links
 * and the ends of shapes. In OpenDocument all of them are attributes. Source: ODF 1.3 part 3, 9.4 and 19.
 */

import { openFormula, parseOpenAddress } from '../../../../shared/office/sheet/formula.ts'
import {
  follow,
  followArea,
  layoutOf,
  refersToMoving,
  type SheetModel,
  type Sheets,
  targetOf,
  writeFormula,
} from '../../../../shared/office/sheet/layout.ts'
import { formatCorner } from '../../../../shared/office/sheet/reference.ts'
import { positionNow } from '../../../../shared/office/sheet/tokens.ts'
import type { ElementToken, Token } from '../../../../shared/template/scan/tokens.ts'
import type { RenderScope } from '../../../../shared/template/scope.ts'
import { attributeOf, attributesIn, replaceAttribute } from '../../../../shared/xml/elements.ts'
import { decodeEntities } from '../../../../shared/xml/scan.ts'
import { escaped } from './cells.ts'

/** Attributes that contain a list of addresses separated by blanks. */
const addresses: ReadonlySet<string> = new Set([
  'table:cell-range-address',
  'table:target-range-address',
  'table:base-cell-address',
  'table:print-ranges',
  'table:source-cell-range-addresses',
  'table:target-cell-address',
  'calcext:target-range-address',
  'calcext:base-cell-address',
  'chart:values-cell-range-address',
  'chart:label-cell-address',
  'draw:notify-on-update-of-ranges',
])
/** Attributes that refer to a single cell, even if its row repeats. */
const baseCells: readonly string[] = ['table:base-cell-address', 'calcext:base-cell-address']
const formulas: ReadonlySet<string> = new Set(['table:expression', 'table:condition', 'calcext:value'])

/** The context of an address. */
export interface AddressedFrom {
  readonly sheets: Sheets
  /** The sheet of addresses without a sheet name. */
  readonly sheet?: SheetModel
}

/** Makes the attributes of tokens that refer to cells computed. */
export function followAttributes(tokens: readonly Token[], from: AddressedFrom): Token[] {
  return tokens.flatMap((token) => {
    if (token.kind !== 'open' && token.kind !== 'void') return [token]
    return followOne(token, from)
  })
}

/** Makes the attributes of one opening tag that refer to cells computed tokens. */
function followOne(token: ElementToken, from: AddressedFrom): Token[] {
  const based = basedOn(token.raw, from)
  return withComputed(token, (name, value) => {
    if (addresses.has(name)) return followList(value, from, baseCells.includes(name))
    if (formulas.has(name)) return followFormula(value, based)
    // After a number sign: a cell of the document itself.
    if (name !== 'xlink:href' || !value.startsWith('#')) return undefined
    const follow = followList(value.slice(1), from, true)
    return follow && ((scope) => `#${follow(scope) || value.slice(1)}`)
  })
}

/** Makes attributes of an opening tag computed. `compute` returns undefined for attributes that do not change. */
function withComputed(
  token: ElementToken,
  compute: (name: string, value: string) => ((scope: RenderScope) => string) | undefined,
): Token[] {
  const { name, offset, raw } = token
  const out: Token[] = []
  let from = 0
  for (const { name: attribute, valueStart, valueEnd } of attributesIn(raw)) {
    const computed = compute(attribute, raw.slice(valueStart, valueEnd))
    if (computed === undefined) continue
    const before = raw.slice(from, valueStart)
    out.push(segment(out.length === 0, name, before, offset), { kind: 'computed', offset, compute: computed })
    from = valueEnd
  }
  if (out.length === 0) return [token]
  const tail = raw.slice(from)
  if (token.kind === 'open') return [...out, { kind: 'text', raw: tail, offset, markup: true }]
  return [
    ...out,
    { kind: 'text', raw: tail.slice(0, -2), offset, markup: true },
    { kind: 'close', name, raw: '/>', offset },
  ]
}

/** The first part of a start tag represents the element; the others are the markup after it. */
const segment = (first: boolean, name: string, raw: string, offset: number): Token =>
  first ? { kind: 'open', name, raw, offset } : { kind: 'text', raw, offset, markup: true }

/** Resolves a formula relative to its base cell. */
function basedOn(raw: string, { sheets, sheet }: AddressedFrom): Based {
  const [address = ''] = baseCells.flatMap((name) => attributeOf(raw, name) ?? [])
  const base = parseOpenAddress(decodeEntities(address))
  const model = base?.sheet === undefined ? sheet : targetOf(base.sheet, sheet, sheets)
  return { sheets, model, row: base?.range.from.row }
}

/** The base cell of the relative addresses of a formula. */
interface Based {
  readonly sheets: Sheets
  readonly model: SheetModel | undefined // the sheet of the base cell
  readonly row: number | undefined // of the base cell in the template
}

/**
 * The list of addresses in a render; undefined if none of them moves. Addresses are separated by blanks outside of quoted
 * sheet names. With `single`, each address is a cell and not an area.
 */
function followList(
  value: string,
  { sheets, sheet }: AddressedFrom,
  single: boolean,
): ((scope: RenderScope) => string) | undefined {
  const parts = decodeEntities(value).match(/(?:'(?:[^']|'')*'|[^\s'])+/g) ?? []
  const parsed = parts.map((part) => {
    const address = parseOpenAddress(part)
    const model = address === undefined ? undefined : targetOf(address.sheet, sheet, sheets)
    return { part, address, model }
  })
  if (!parsed.some(({ model }) => model?.moves === true)) return undefined
  return (scope) =>
    escaped(
      parsed
        .flatMap(({ part, address, model }) => {
          if (address === undefined || model === undefined) return [part]
          return followArea(address.range, model, scope, 'whole').map(({ from, to }) => {
            const start = `${address.prefix}.${formatCorner(from)}`
            return to === undefined || single ? start : `${start}:${address.prefix}.${formatCorner(to)}`
          })
        })
        .join(' '),
    )
}

/** The formula of an attribute in a render; undefined if it never changes. */
function followFormula(
  value: string,
  { sheets, model, row }: Based,
): ((scope: RenderScope) => string) | undefined {
  const formulaTokens = openFormula.parse(decodeEntities(value))
  if (!refersToMoving(formulaTokens, model, sheets)) return undefined
  return (scope) => {
    const event =
      model === undefined || row === undefined ? undefined : layoutOf(model, scope)?.rows.firstEvent(row)
    const position = model === undefined ? undefined : { model, event }
    return escaped(writeFormula(formulaTokens, openFormula, position, sheets, scope))
  }
}

/** A sparkline is drawn in one cell. Each copy of its row has its own sparkline over the cells of that copy. */
export function followSparkline(token: ElementToken, { sheets, sheet }: AddressedFrom): Token {
  const cell = parseOpenAddress(decodeEntities(attributeOf(token.raw, 'calcext:cell-address') ?? ''))
  const values = parseOpenAddress(decodeEntities(attributeOf(token.raw, 'calcext:data-range') ?? ''))
  const model = cell === undefined ? undefined : targetOf(cell.sheet, sheet, sheets)
  if (cell?.range.from.row === undefined || values === undefined || model?.moves !== true) return token
  const source = targetOf(values.sheet, model, sheets)
  const compute = (scope: RenderScope) =>
    (layoutOf(model, scope)?.rows.eventsOf(cell.range.from.row!) ?? [])
      .flatMap((event) => {
        const position = { model, event }
        const at = follow(cell.range, model, position, scope, false)
        const area =
          source === undefined ? values.range : follow(values.range, source, position, scope, false)
        if (at === undefined || area === undefined) return []
        return [
          ['calcext:cell-address', `${cell.prefix}.${formatCorner(at.from)}`] as const,
          [
            'calcext:data-range',
            `${values.prefix}.${formatCorner(area.from)}:${values.prefix}.${formatCorner(area.to ?? area.from)}`,
          ] as const,
        ].reduce((raw, [name, address]) => replaceAttribute(raw, name, escaped(address)), token.raw)
      })
      .join('')
  return { kind: 'computed', offset: token.offset, compute }
}

/**
 * The cell at which a floating object ends. `cell` is the cell that contains the object. A picture or a chart keeps its
 * number of rows; a shape grows with the cells that it covers.
 */
export function followEnd(
  token: ElementToken,
  cell: { readonly row: number; readonly column: number },
  model: SheetModel,
): Token[] {
  return withComputed(token, (name, value) => {
    if (name !== 'table:end-cell-address') return undefined
    const end = parseOpenAddress(decodeEntities(value))
    const { row, column } = end?.range.from ?? {}
    if (end === undefined || row === undefined || column === undefined || row < cell.row) return undefined
    return (scope) => {
      const position = positionNow(model, scope)
      const at = (corner: typeof cell) => ({ ...corner, fixedRow: false, fixedColumn: false })
      const start = follow({ from: at(cell), to: undefined }, model, position, scope, false)?.from
      const keeps = token.name === 'draw:frame'
      const now = keeps
        ? undefined
        : follow({ from: at(cell), to: at({ row, column }) }, model, position, scope, false)
      const last = now?.to ?? {
        row: (start?.row ?? cell.row) + row - cell.row,
        column: (start?.column ?? cell.column) + column - cell.column,
      }
      return escaped(
        `${end.prefix}.${formatCorner({ ...end.range.from, row: last.row, column: last.column })}`,
      )
    }
  })
}
