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
import { placeNow } from '../../../../shared/office/sheet/pieces.ts'
import { formatCorner } from '../../../../shared/office/sheet/reference.ts'
import type { MarkupPiece, Notes, Piece } from '../../../../shared/template/scan/pieces.ts'
import { decodeEntities } from '../../../../shared/template/scan/xml.ts'
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

export function followAttributes(pieces: readonly Piece[], from: AddressedFrom): Piece[] {
  return pieces.flatMap((piece) => {
    if (piece.kind !== 'open' && piece.kind !== 'void') return [piece]
    return followOne(piece, from)
  })
}

/** Each attribute that names cells becomes a computed stretch of the opening tag. */
function followOne(piece: MarkupPiece, from: AddressedFrom): Piece[] {
  const based = basedOn(piece.raw, from)
  return withComputed(piece, [addresses, formulas, links], (name, value) => {
    if (name === 'xlink:href') {
      const follow = followList(value, from, true)
      return follow && ((notes) => follow(notes) || value)
    }
    if (/^(?:table:expression|table:condition|calcext:value)$/.test(name)) return followFormula(value, based)
    return followList(value, from, /base-cell/.test(name))
  })
}

/** An opening tag with attributes computed: `compute` gives undefined for those that stay. */
export function withComputed(
  piece: MarkupPiece,
  wanted: readonly RegExp[],
  compute: (name: string, value: string) => ((notes: Notes) => string) | undefined,
): Piece[] {
  const { name, offset } = piece
  const out: Piece[] = []
  let rest = piece.raw
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
    out.push(stretch(out.length === 0, name, text, offset), { kind: 'computed', offset, compute: computed })
    text = ''
  }
  if (out.length === 0) return [piece]
  const tail = text + rest
  if (piece.kind === 'open') return [...out, { kind: 'text', raw: tail, offset, markup: true }]
  return [
    ...out,
    { kind: 'text', raw: tail.slice(0, -2), offset, markup: true },
    { kind: 'close', name, raw: '/>', offset },
  ]
}

const stretch = (first: boolean, name: string, raw: string, offset: number): Piece =>
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
): ((notes: Notes) => string) | undefined {
  const parts = decodeEntities(value).match(/(?:'(?:[^']|'')*'|[^\s'])+/g) ?? []
  const parsed = parts.map((part) => {
    const address = parseOpenAddress(part)
    const model = address === undefined ? undefined : targetOf(address.sheet, own, sheets)
    return { part, address, model }
  })
  if (!parsed.some(({ model }) => model?.moves === true)) return undefined
  return (notes) =>
    escaped(
      parsed
        .flatMap(({ part, address, model }) => {
          if (address === undefined || model === undefined) return [part]
          return followArea(address.range, model, notes, 'whole').map(({ from, to }) => {
            const start = `${address.prefix}.${formatCorner(from)}`
            return to === undefined || single ? start : `${start}:${address.prefix}.${formatCorner(to)}`
          })
        })
        .join(' '),
    )
}

function followFormula(value: string, { sheets, model, row }: Based): ((notes: Notes) => string) | undefined {
  const tokens = openFormula.parse(decodeEntities(value))
  if (!refersToMoving(tokens, model, sheets)) return undefined
  return (notes) => {
    const event =
      model === undefined || row === undefined ? undefined : layoutOf(model, notes)?.rows.firstEvent(row)
    const place = model === undefined ? undefined : { model, event }
    return escaped(writeFormula(tokens, openFormula, place, sheets, notes))
  }
}

/** A sparkline stands in one cell: each copy of its row has one of its own, over the cells of that copy. */
export function followSparkline(piece: MarkupPiece, { sheets, own }: AddressedFrom): Piece {
  const cell = parseOpenAddress(decodeEntities(attribute(piece.raw, 'calcext:cell-address') ?? ''))
  const values = parseOpenAddress(decodeEntities(attribute(piece.raw, 'calcext:data-range') ?? ''))
  const model = cell === undefined ? undefined : targetOf(cell.sheet, own, sheets)
  if (cell?.range.from.row === undefined || values === undefined || model?.moves !== true) return piece
  const source = targetOf(values.sheet, model, sheets)
  const compute = (notes: Notes) =>
    (layoutOf(model, notes)?.rows.eventsOf(cell.range.from.row!) ?? [])
      .flatMap((event) => {
        const place = { model, event }
        const at = follow(cell.range, model, place, notes, false)
        const area = source === undefined ? values.range : follow(values.range, source, place, notes, false)
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
          piece.raw,
        )
      })
      .join('')
  return { kind: 'computed', offset: piece.offset, compute }
}

/** Where what floats over the cells ends. A picture or a chart keeps its rows, a shape goes with what it covers. */
export function followEnd(
  piece: MarkupPiece,
  cell: { readonly row: number; readonly column: number },
  model: SheetModel,
): Piece[] {
  return withComputed(piece, [/\s(table:end-cell-address)="([^"]*)"/], (_, value) => {
    const end = parseOpenAddress(decodeEntities(value))
    const { row, column } = end?.range.from ?? {}
    if (end === undefined || row === undefined || column === undefined || row < cell.row) return undefined
    return (notes) => {
      const place = placeNow(model, notes)
      const at = (corner: typeof cell) => ({ ...corner, fixedRow: false, fixedColumn: false })
      const start = follow({ from: at(cell), to: undefined }, model, place, notes, false)?.from
      const keeps = piece.name === 'draw:frame'
      const now = keeps
        ? undefined
        : follow({ from: at(cell), to: at({ row, column }) }, model, place, notes, false)
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
