/** Moved shapes of slides and Word documents. Source: template language 22.8; ECMA-376-1, 20.1.7.6 and 20.4.2.12. */
import { bindShifts } from '../../template/media/shifts.ts'
import type { MarkupPiece, Piece } from '../../template/scan/pieces.ts'

const emusPerInch = 914_400
const largest = 2_147_483_647
const moved = (text: string | undefined, inches: number): string =>
  String(Math.max(-largest, Math.min(largest, Math.round(Number(text ?? 0) + inches * emusPerInch))))

const shapes = ['p:sp', 'p:pic', 'p:cxnSp', 'p:graphicFrame', 'p:grpSp', 'wp:anchor']

export function bindMoved(pieces: readonly Piece[]): readonly Piece[] {
  return bindShifts(pieces, shapes, ({ open, close, shift }, edits) => {
    const word = (pieces[open] as MarkupPiece).name === 'wp:anchor'
    let axis: 'x' | 'y' = 'x'
    for (let at = open + 1; at < close; at += 1) {
      const piece = pieces[at]!
      const { offset } = piece
      if (!word) {
        if (piece.kind !== 'void' || piece.name !== 'a:off') continue
        const own = (name: string) => new RegExp(`\\s${name}="(-?\\d+)"`).exec(piece.raw)?.[1]
        edits.replace(at, at + 1, [
          {
            kind: 'computed',
            offset,
            compute: (notes) =>
              `<a:off x="${moved(own('x'), shift(notes).x)}" y="${moved(own('y'), shift(notes).y)}"/>`,
          },
        ])
        // Behind it: the shapes of a group, which go along.
        return false
      }
      if (piece.kind === 'open' && piece.name === 'wp:positionH') axis = 'x'
      if (piece.kind === 'open' && piece.name === 'wp:positionV') axis = 'y'
      const text = pieces[at + 1]
      if (piece.kind !== 'open' || piece.name !== 'wp:posOffset' || text?.kind !== 'text') continue
      const own = axis
      edits.replace(at + 1, at + 2, [
        { kind: 'computed', offset, compute: (notes) => moved(text.raw.trim(), shift(notes)[own]) },
      ])
    }
    return false
  })
}
