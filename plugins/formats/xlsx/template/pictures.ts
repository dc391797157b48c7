/**
 * Pictures of sheets whose alternative text is a tag. One that lies between two cells has their size, so it is anchored
 * at its first cell from now on, with a size of its own. Source: template language 22.1; ECMA-376-1, 20.5.2.24 and
 * 20.5.2.33.
 */
import type { Additions } from '../../../../shared/office/opc/additions.ts'
import { bindPictures, type PictureMarkup } from '../../../../shared/office/opc/pictures.ts'
import { closeOf } from '../../../../shared/template/media/pieces.ts'
import type { Piece } from '../../../../shared/template/scan/pieces.ts'

const markup: PictureMarkup = { holder: ['xdr:oneCellAnchor'], described: ['xdr:cNvPr'], box: 'xdr:ext' }

export function bindSheetPictures(
  part: string,
  pieces: readonly Piece[],
  additions: Additions,
): readonly Piece[] {
  const out: Piece[] = []
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at]!
    if (piece.kind !== 'open' || piece.name !== 'xdr:twoCellAnchor') {
      out.push(piece)
      continue
    }
    const close = closeOf(pieces, at)
    const anchor = pieces.slice(at, close + 1)
    out.push(...(atOneCell(anchor) ?? anchor))
    at = close
  }
  return bindPictures(part, out, additions, markup)
}

/** undefined for what is no picture, says no size, or has nothing to do with data. */
function atOneCell(anchor: readonly Piece[]): Piece[] | undefined {
  const isNamed = (name: string) => (piece: Piece) =>
    piece.kind !== 'close' && 'name' in piece && piece.name === name
  const size = anchor.find(
    (piece) => isNamed('a:ext')(piece) && 'raw' in piece && /\scx="[1-9]/.test(piece.raw),
  )
  if (size === undefined || !anchor.some(isNamed('xdr:pic')) || !anchor.some(({ kind }) => kind === 'tag'))
    return undefined
  const [cx, cy] = ['cx', 'cy'].map(
    (name) => new RegExp(`\\s${name}="(\\d+)"`).exec((size as { raw: string }).raw)?.[1],
  )
  const name = 'xdr:oneCellAnchor'
  const out: Piece[] = [{ kind: 'open', name, raw: `<${name}>`, offset: anchor[0]!.offset }]
  for (let at = 1; at < anchor.length - 1; at += 1) {
    const piece = anchor[at]!
    if (piece.kind === 'open' && piece.name === 'xdr:to') at = closeOf(anchor, at)
    else out.push(piece)
    if (piece.kind === 'close' && piece.name === 'xdr:from')
      out.push({
        kind: 'void',
        name: 'xdr:ext',
        raw: `<xdr:ext cx="${cx}" cy="${cy}"/>`,
        offset: piece.offset,
      })
  }
  out.push({ kind: 'close', name, raw: `</${name}>`, offset: anchor.at(-1)!.offset })
  return out
}
