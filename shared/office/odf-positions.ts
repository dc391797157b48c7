/** Where a tag of an OpenDocument file stands: the cell of a sheet, the page of a presentation. */
import type { Position } from '../template/positions.ts'
import type { Piece } from '../template/scan/pieces.ts'
import { around } from './line-breaks.ts'
import { columnName } from './sheet/reference.ts'

/** The opening tag that begins at a piece, as far as it is written in one place. */
function tagAt(pieces: readonly Piece[], at: number): string {
  let raw = ''
  for (let n = at; n < pieces.length && n < at + 8; n += 1) {
    const piece = pieces[n]!
    if (piece.kind === 'computed' || piece.kind === 'tag') continue
    raw += piece.raw
    if (raw.endsWith('>')) break
  }
  return raw
}

const named = (pieces: readonly Piece[], at: number, attribute: string): string | undefined =>
  at < 0 ? undefined : new RegExp(`\\s${attribute}="([^"]*)"`).exec(tagAt(pieces, at))?.[1]

/** How many of `names` stand before and at `last`, counting those that stand for several. */
function count(
  pieces: readonly Piece[],
  parent: Int32Array,
  from: number,
  last: number,
  names: readonly string[],
): number {
  let number = 0
  for (let at = from + 1; at <= last; at += 1) {
    const piece = pieces[at]!
    if ((piece.kind !== 'open' && piece.kind !== 'void') || !names.includes(piece.name)) continue
    // Tables inside of cells count for themselves.
    if (around(pieces, parent, at, ['table:table']) !== around(pieces, parent, last, ['table:table']))
      continue
    number +=
      at === last ? 1 : Number(/number-(?:rows|columns)-repeated="(\d+)"/.exec(tagAt(pieces, at))?.[1] ?? 1)
  }
  return number
}

export const pageOf: Position = (pieces, parent, at) => {
  const name = named(pieces, around(pieces, parent, at, ['draw:page']), 'draw:name')
  return name === undefined ? undefined : `page ${name}`
}

export const cellOf: Position = (pieces, parent, at) => {
  const cell = around(pieces, parent, at, ['table:table-cell', 'table:covered-table-cell'])
  const row = around(pieces, parent, at, ['table:table-row'])
  const table = around(pieces, parent, at, ['table:table'])
  if (cell < 0 || row < 0 || table < 0) return undefined
  const column = count(pieces, parent, row, cell, ['table:table-cell', 'table:covered-table-cell'])
  const reference = `${columnName(column)}${count(pieces, parent, table, row, ['table:table-row'])}`
  const name = named(pieces, table, 'table:name')
  return name === undefined ? `cell ${reference}` : `cell ${reference} of sheet ${name}`
}
