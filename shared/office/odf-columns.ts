/**
 * Columns and cells that stand for several, written out in tables that may lose columns or gain some: each then goes or
 * repeats alone. Source: ODF 1.3 part 3, 9.1.6 and 19.675.
 */
import type { MarkupPiece, Piece } from '../template/scan/pieces.ts'

const sideways = /\+1[^\]]*\]|\$|:(?:drop|keep)\(col/
const repeatable = /^table:(?:table-column|table-cell|covered-table-cell)$/
const repeated = /\stable:number-columns-repeated\s*=\s*["'](\d+)["']/
const expandedAtMost = 200

export function expandColumns(pieces: readonly Piece[]): readonly Piece[] {
  const tables: number[] = []
  const wanted = new Set<number>()
  const holders = new Map<number, number>() // repeated element -> table
  pieces.forEach((piece, at) => {
    if (piece.kind === 'open' && piece.name === 'table:table') tables.push(at)
    else if (piece.kind === 'close' && piece.name === 'table:table') tables.pop()
    else if (piece.kind === 'tag' && tables.length > 0 && sideways.test(piece.text))
      wanted.add(tables.at(-1)!)
    else if (isRepeated(piece) && tables.length > 0) holders.set(at, tables.at(-1)!)
  })
  if (wanted.size === 0 || holders.size === 0) return pieces
  const out: Piece[] = []
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at]!
    const table = holders.get(at)
    const written =
      table !== undefined && wanted.has(table) ? repeated.exec((piece as MarkupPiece).raw)! : undefined
    const count = Number(written?.[1] ?? 1)
    if (count < 2 || count > expandedAtMost) {
      out.push(piece)
      continue
    }
    const stop = endOf(pieces, at)
    const first = piece as MarkupPiece
    const single = [{ ...first, raw: first.raw.replace(repeated, '') }, ...pieces.slice(at + 1, stop)]
    for (let n = 0; n < count; n += 1) out.push(...single)
    at = stop - 1
  }
  return out
}

const isRepeated = (piece: Piece): piece is MarkupPiece =>
  (piece.kind === 'open' || piece.kind === 'void') && repeatable.test(piece.name) && repeated.test(piece.raw)

function endOf(pieces: readonly Piece[], at: number): number {
  if (pieces[at]!.kind !== 'open') return at + 1
  let depth = 0
  for (let n = at; n < pieces.length; n += 1) {
    const { kind } = pieces[n]!
    if (kind === 'open') depth += 1
    else if (kind === 'close') depth -= 1
    if (depth === 0) return n + 1
  }
  return at + 1
}
