/**
 * Pictures in formats whose pictures are addresses: HTML, SVG, Markdown. An address from data is written as it is; a
 * picture that the render draws itself becomes a data URI. Source: template language 22.1 to 22.3.
 */

import { pictureTypes } from '../../images/measure.ts'
import { toBase64 } from '../../plugin/base64.ts'
import type { Warning } from '../../plugin/contract.ts'
import { escapeFor } from '../emit/escape.ts'
import { type DrawnPicture, type ImageFit, LinkValue, PictureValue } from '../formatters/formatter.ts'
import type { Notes, Piece, TagPiece, TextPiece } from '../scan/pieces.ts'
import { linkAddress } from './link.ts'
import { mediaOf } from './media.ts'

/**
 * Tags that stand for an address of HTML or SVG: `src`, `href` and the like. A picture with a fit of its own gets it as
 * a style, unless it has one already.
 */
export function bindAddresses(pieces: readonly Piece[]): readonly Piece[] {
  const out: Piece[] = []
  let fit: object | undefined // asked for in the opening tag that is being read
  pieces.forEach((piece, at) => {
    if (piece.kind === 'tag' && piece.context === 'address') {
      const before = pieces[at - 1]
      const first = before !== undefined && 'raw' in before && /["'=]\s*$/.test(before.raw)
      const key = /:imageFit\b/.test(piece.text) && isImage(pieces, at) ? {} : undefined
      fit = key ?? fit
      out.push({ ...piece, output: written('address', first, key) })
    } else if (fit !== undefined && piece.kind === 'text' && piece.raw.includes('>')) {
      out.push(...fitted(piece, fit))
      fit = undefined
    } else if (fit !== undefined && piece.kind === 'close') {
      out.push(
        ...fitted({ kind: 'text', raw: piece.raw, offset: piece.offset, markup: true }, fit).slice(0, -1),
      )
      out.push({ ...piece, raw: /\s*\/?>$/.exec(piece.raw)?.[0] ?? piece.raw })
      fit = undefined
    } else out.push(piece)
  })
  return out
}

/** Whether the tag stands in the opening tag of a picture without a style. */
function isImage(pieces: readonly Piece[], at: number): boolean {
  let open = at - 1
  while (open >= 0 && (pieces[open]!.kind === 'text' || pieces[open]!.kind === 'tag')) open -= 1
  const first = pieces[open]
  if (first?.kind !== 'open' || first.name !== 'img') return false
  for (let n = open; n < pieces.length; n += 1) {
    const piece = pieces[n]!
    if (!('raw' in piece)) continue
    if (/\sstyle\s*=/i.test(piece.raw)) return false
    if (piece.raw.includes('>')) return true
  }
  return false
}

const styles: Readonly<Record<ImageFit, string>> = {
  fillWidth: 'height:auto',
  contain: 'object-fit:contain',
  fill: 'object-fit:fill',
}

/** The end of an opening tag with the style before it. */
function fitted(piece: TextPiece, key: object): Piece[] {
  const end = /\s*\/?>/.exec(piece.raw)!.index
  const compute = (notes: Notes) => {
    const fit = notes.get(key) as ImageFit | undefined
    return fit === undefined ? '' : ` style="${styles[fit]}"`
  }
  return [
    { ...piece, raw: piece.raw.slice(0, end) },
    { kind: 'computed', offset: piece.offset, hidden: true, compute },
    { ...piece, raw: piece.raw.slice(end) },
  ]
}

/** Tags between the parentheses of a Markdown picture or link, or in the `src` of HTML inside it. */
export function bindMarkdown(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((piece, at) => {
    const before = pieces[at - 1]
    const isAddress =
      piece.kind === 'tag' && before?.kind === 'text' && /(?:\]\(\s*<?|\ssrc=["'])$/i.test(before.raw)
    return isAddress ? { ...piece, output: written('plain', true) } : piece
  })
}

/** Programs, not places: a page would run them. Blanks and control characters within do not disguise them. */
const runs = /^(?:javascript|vbscript):/i
const blanks = /[\u0000-\u0020\u007f-\u00a0]/g

const notShown: Warning = { code: 'picture.not-shown', message: 'Browsers show no TIFF pictures.' }

/** `first`: nothing stands before the tag, so that its value says the scheme. `fit` keeps the picture's. */
const written =
  (context: 'address' | 'plain', first: boolean, fit?: object): NonNullable<TagPiece['output']> =>
  (value, textOf, notes) => {
    if (fit !== undefined) notes.set(fit, value instanceof PictureValue ? value.fit : undefined)
    if (value instanceof LinkValue) {
      const usable = linkAddress(textOf(value.address)) ?? linkAddress(value.fallback)
      return escapeFor(context, usable ?? '')
    }
    const source = value instanceof PictureValue ? value.source : value
    const drawn = mediaOf(notes).drawing(source)
    if (drawn !== undefined) return dataUri(drawn, notes)
    const text = textOf(value)
    if (first && /^\s*data:image\/tiff?\b/i.test(text)) mediaOf(notes).warnings.set(notShown.code, notShown)
    return first && runs.test(text.replace(blanks, '')) ? '' : escapeFor(context, text)
  }

function dataUri(source: DrawnPicture, notes: Notes): string {
  const media = mediaOf(notes)
  const { kind, bytes } = media.find(source) ?? media.neutral(1)
  return `data:${pictureTypes[kind]};base64,${toBase64(bytes)}`
}
