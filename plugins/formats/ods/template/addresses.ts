/** Addresses outside of cells: named ranges, database ranges, print ranges, conditional formats, charts. */
import { openFormula, parseOpenAddress } from '../../../../shared/office/sheet/formula.ts'
import {
  followArea,
  refersToMoving,
  type Sheets,
  targetOf,
  writeFormula,
} from '../../../../shared/office/sheet/layout.ts'
import { formatCorner } from '../../../../shared/office/sheet/reference.ts'
import type { MarkupPiece, Notes, Piece } from '../../../../shared/template/scan/pieces.ts'
import { decodeEntities } from '../../../../shared/template/scan/xml.ts'
import { escaped } from './cells.ts'

const addresses =
  /\s(table:(?:cell-range-address|target-range-address|base-cell-address|print-ranges|source-cell-range-addresses|target-cell-address)|calcext:(?:target-range-address|base-cell-address)|chart:values-cell-range-address|chart:label-cell-address)="([^"]*)"/
const formulas = /\s(table:expression|table:condition|calcext:value)="([^"]*)"/

export function followAttributes(pieces: readonly Piece[], sheets: Sheets): Piece[] {
  return pieces.flatMap((piece) => {
    if (piece.kind !== 'open' && piece.kind !== 'void') return [piece]
    return followOne(piece, sheets)
  })
}

/** Each attribute that names cells becomes a computed stretch of the opening tag. */
function followOne(piece: MarkupPiece, sheets: Sheets): Piece[] {
  const { name, offset } = piece
  const out: Piece[] = []
  let rest = piece.raw
  let text = ''
  for (;;) {
    const found = earlier(addresses.exec(rest), formulas.exec(rest))
    if (found === undefined) break
    const value = found[2]!
    const start = found.index + found[0].length - 1 - value.length
    text += rest.slice(0, start)
    rest = rest.slice(start + value.length)
    const compute = addresses.test(found[0]) ? followList(value, sheets) : followFormula(value, sheets)
    if (compute === undefined) {
      text += value
      continue
    }
    out.push(stretch(out.length === 0, name, text, offset), { kind: 'computed', offset, compute })
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

function earlier(a: RegExpExecArray | null, b: RegExpExecArray | null): RegExpExecArray | undefined {
  if (a === null || b === null) return a ?? b ?? undefined
  return a.index <= b.index ? a : b
}

/** Addresses are divided by blanks; blanks in quoted sheet names divide nothing. */
function followList(value: string, sheets: Sheets): ((notes: Notes) => string) | undefined {
  const parts = decodeEntities(value).match(/(?:'(?:[^']|'')*'|[^\s'])+/g) ?? []
  const parsed = parts.map((part) => {
    const address = parseOpenAddress(part)
    const model = address === undefined ? undefined : targetOf(address.sheet, undefined, sheets)
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
            return to === undefined ? start : `${start}:${address.prefix}.${formatCorner(to)}`
          })
        })
        .join(' '),
    )
}

function followFormula(value: string, sheets: Sheets): ((notes: Notes) => string) | undefined {
  const tokens = openFormula.parse(decodeEntities(value))
  if (!refersToMoving(tokens, undefined, sheets)) return undefined
  return (notes) => escaped(writeFormula(tokens, openFormula, undefined, sheets, notes))
}
