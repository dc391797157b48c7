/** Tags in the headers and footers of printed sheets, whose text has codes of its own. Source: ECMA-376-1, 18.3.1.46. */
import { escapeText } from '../../../../shared/office/markup.ts'
import { isValueTag } from '../../../../shared/template/media/pieces.ts'
import type { Piece } from '../../../../shared/template/scan/pieces.ts'

const holders = /^(?:odd|even|first)(?:Header|Footer)$/

/** `&` begins a code there and is written twice to be one; a number behind the size of a font would be part of it. */
export function bindPageHeaders(pieces: readonly Piece[]): readonly Piece[] {
  if (!pieces.some(({ kind }) => kind === 'tag')) return pieces
  let inside = false
  let before = ''
  return pieces.map((piece) => {
    if (piece.kind === 'open') {
      inside = holders.test(piece.name)
      before = ''
    } else if (piece.kind === 'close') inside = false
    else if (piece.kind === 'text') before = piece.raw
    else if (piece.kind === 'tag' && inside && isValueTag(piece)) {
      const isBehindSize = /&amp;\d+$/.test(before)
      before = ''
      return {
        ...piece,
        output: (value: unknown, text: (value: unknown) => string) => {
          const shown = text(value).replaceAll('&', '&&')
          return escapeText(isBehindSize && /^\d/.test(shown) ? ` ${shown}` : shown)
        },
      }
    }
    return piece
  })
}
