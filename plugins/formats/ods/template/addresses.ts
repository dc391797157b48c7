/** Addresses outside of cells: named ranges, database ranges, print ranges, conditional formats, charts. */

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
import { placeNow } from '../../../../shared/office/sheet/tokens.ts'
import type { ElementToken, Token } from '../../../../shared/template/scan/tokens.ts'
import { decodeEntities } from '../../../../shared/template/scan/xml.ts'
import type { RenderScope } from '../../../../shared/template/scope.ts'
import { attribute, escaped } from './cells.ts'

const addresses =
  /\s(table:(?:cell-range-address|target-range-address|base-cell-address|print-ranges|source-cell-range-addresses|target-cell-address)|calcext:(?:target-range-address|base-cell-address)|chart:values-cell-range-address|chart:label-cell-address|draw:notify-on-update-of-ranges)="([^"]*)"/
const formulas = /\s(table:expression|table:condition|calcext:value)="([^"]*)"/
/** A place of the document itself. */
const links = /\s(xlink:href)="#([^"]*)"/

/** Where addresses without a sheet are read from. */
export interface AddressedFrom {
  readonly sheets: Sheets
  readonly own?: SheetModel
}

export function followAttributes(tokens: readonly Token[], from: AddressedFrom): Token[] {
  return tokens.flatMap((token) => {
    if (token.kind !== 'open' && token.kind !== 'void') return [token]
    return followOne(token, from)
  })
}

/** Makes each attribute that refers to cells a computed token of the opening tag. */
function followOne(token: ElementToken, from: AddressedFrom): Token[] {
  const based = basedOn(token.raw, from)
  return withComputed(token, [addresses, formulas, links], (name, value) => {
    if (name === 'xlink:href') {
      const follow = followList(value, from, true)
      return follow && ((scope) => follow(scope) || value)
    }
    if (/^(?:table:expression|table:condition|calcext:value)$/.test(name)) return followFormula(value, based)
    return followList(value, from, /base-cell/.test(name))
  })
}

/** An opening tag with attributes computed: `compute` gives undefined for those that stay. */
export function withComputed(
  token: ElementToken,
  wanted: readonly RegExp[],
  compute: (name: string, value: string) => ((scope: RenderScope) => string) | undefined,
): Token[] {
  const { name, offset } = token
  const out: Token[] = []
  let rest = token.raw
  let text = ''
  for (;;) {
    let found: RegExpExecArray | undefined
    for (const each of wanted) {
      const next = each.exec(rest)
      if (next !== null && (found === undefined || next.index < found.index)) found = next
    }
    if (found === undefined) break
    const value = found[2]!
    const start = found.index + found[0].length - 1 - value.length
    text += rest.slice(0, start)
    rest = rest.slice(start + value.length)
    const computed = compute(found[1]!, value)
    if (computed === undefined) {
      text += value
      continue
    }
    out.push(segment(out.length === 0, name, text, offset), { kind: 'computed', offset, compute: computed })
    text = ''
  }
  if (out.length === 0) return [token]
  const tail = text + rest
  if (token.kind === 'open') return [...out, { kind: 'text', raw: tail, offset, markup: true }]
  return [
    ...out,
    { kind: 'text', raw: tail.slice(0, -2), offset, markup: true },
    { kind: 'close', name, raw: '/>', offset },
  ]
}

const segment = (first: boolean, name: string, raw: string, offset: number): Token =>
  first ? { kind: 'open', name, raw, offset } : { kind: 'text', raw, offset, markup: true }

/** A formula beside the address of its base cell: seen from there. */
function basedOn(raw: string, { sheets, own }: AddressedFrom): Based {
  const base = parseOpenAddress(decodeEntities(/base-cell-address="([^"]*)"/.exec(raw)?.[1] ?? ''))
  const model = base?.sheet === undefined ? own : targetOf(base.sheet, own, sheets)
  return { sheets, model, row: base?.range.from.row }
}

interface Based {
  readonly sheets: Sheets
  readonly model: SheetModel | undefined
  readonly row: number | undefined
}

/** Addresses are divided by blanks; blanks in quoted sheet names divide nothing. `single`: cells, not areas. */
function followList(
  value: string,
  { sheets, own }: AddressedFrom,
  single: boolean,
): ((scope: RenderScope) => string) | undefined {
  const parts = decodeEntities(value).match(/(?:'(?:[^']|'')*'|[^\s'])+/g) ?? []
  const parsed = parts.map((part) => {
    const address = parseOpenAddress(part)
    const model = address === undefined ? undefined : targetOf(address.sheet, own, sheets)
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

function followFormula(
  value: string,
  { sheets, model, row }: Based,
): ((scope: RenderScope) => string) | undefined {
  const formulaTokens = openFormula.parse(decodeEntities(value))
  if (!refersToMoving(formulaTokens, model, sheets)) return undefined
  return (scope) => {
    const event =
      model === undefined || row === undefined ? undefined : layoutOf(model, scope)?.rows.firstEvent(row)
    const place = model === undefined ? undefined : { model, event }
    return escaped(writeFormula(formulaTokens, openFormula, place, sheets, scope))
  }
}

/** A sparkline stands in one cell: each copy of its row has one of its own, over the cells of that copy. */
export function followSparkline(token: ElementToken, { sheets, own }: AddressedFrom): Token {
  const cell = parseOpenAddress(decodeEntities(attribute(token.raw, 'calcext:cell-address') ?? ''))
  const values = parseOpenAddress(decodeEntities(attribute(token.raw, 'calcext:data-range') ?? ''))
  const model = cell === undefined ? undefined : targetOf(cell.sheet, own, sheets)
  if (cell?.range.from.row === undefined || values === undefined || model?.moves !== true) return token
  const source = targetOf(values.sheet, model, sheets)
  const compute = (scope: RenderScope) =>
    (layoutOf(model, scope)?.rows.eventsOf(cell.range.from.row!) ?? [])
      .flatMap((event) => {
        const place = { model, event }
        const at = follow(cell.range, model, place, scope, false)
        const area = source === undefined ? values.range : follow(values.range, source, place, scope, false)
        if (at === undefined || area === undefined) return []
        return [
          ['calcext:cell-address', `${cell.prefix}.${formatCorner(at.from)}`] as const,
          [
            'calcext:data-range',
            `${values.prefix}.${formatCorner(area.from)}:${values.prefix}.${formatCorner(area.to ?? area.from)}`,
          ] as const,
        ].reduce(
          (raw, [name, address]) =>
            raw.replace(new RegExp(`(\\s${name}=")[^"]*`), `$1${escaped(address).replaceAll('$', '$$$$')}`),
          token.raw,
        )
      })
      .join('')
  return { kind: 'computed', offset: token.offset, compute }
}

/** Where what floats over the cells ends. A picture or a chart keeps its rows, a shape goes with what it covers. */
export function followEnd(
  token: ElementToken,
  cell: { readonly row: number; readonly column: number },
  model: SheetModel,
): Token[] {
  return withComputed(token, [/\s(table:end-cell-address)="([^"]*)"/], (_, value) => {
    const end = parseOpenAddress(decodeEntities(value))
    const { row, column } = end?.range.from ?? {}
    if (end === undefined || row === undefined || column === undefined || row < cell.row) return undefined
    return (scope) => {
      const place = placeNow(model, scope)
      const at = (corner: typeof cell) => ({ ...corner, fixedRow: false, fixedColumn: false })
      const start = follow({ from: at(cell), to: undefined }, model, place, scope, false)?.from
      const keeps = token.name === 'draw:frame'
      const now = keeps
        ? undefined
        : follow({ from: at(cell), to: at({ row, column }) }, model, place, scope, false)
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
