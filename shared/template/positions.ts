/** Where a tag stands, in words for people. Asked only when something is wrong. */
import type { Piece } from './scan/pieces.ts'

export type Position = (pieces: readonly Piece[], parent: Int32Array, at: number) => string | undefined

/** Files of text: the line. */
export const lineOf: Position = (pieces, _parent, at) => {
  let line = 1
  for (let n = 0; n < at; n += 1) {
    const piece = pieces[n]!
    if (piece.kind === 'computed' || piece.kind === 'tag') continue
    for (let end = piece.raw.indexOf('\n'); end >= 0; end = piece.raw.indexOf('\n', end + 1)) line += 1
  }
  return `line ${line}`
}

/** The nearest element around a tag that bears a name of its own. */
export const labelOf: Position = (pieces, parent, at) => {
  for (let open = parent[at]!; open >= 0; open = parent[open]!) {
    const piece = pieces[open]!
    if (piece.kind === 'open' && piece.label !== undefined) return piece.label
  }
  return undefined
}
