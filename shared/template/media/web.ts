/**
 * Pictures in formats whose pictures are addresses: HTML, SVG, Markdown. An address from data is written as it is; a
 * picture that the render draws itself becomes a data URI. Source: template language 22.1 to 22.3.
 */
import { escapeFor } from '../emit/escape.ts'
import { type DrawnPicture, PictureValue } from '../formatters/formatter.ts'
import type { Notes, Piece, TagPiece } from '../scan/pieces.ts'
import { type MediaFile, mediaOf } from './media.ts'

/** Types by kind of picture. */
export const pictureTypes: Readonly<Record<MediaFile['kind'], string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  tiff: 'image/tiff',
  webp: 'image/webp',
  svg: 'image/svg+xml',
}

/** Tags that stand for an address of HTML or SVG: `src`, `href` and the like. */
export function bindAddresses(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((piece) =>
    piece.kind === 'tag' && piece.context === 'address' ? { ...piece, output: written('address') } : piece,
  )
}

/** Tags between the parentheses of a Markdown picture or link, or in the `src` of HTML inside it. */
export function bindMarkdown(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((piece, at) => {
    const before = pieces[at - 1]
    const isAddress =
      piece.kind === 'tag' && before?.kind === 'text' && /(?:\]\(\s*<?|\ssrc=["'])$/i.test(before.raw)
    return isAddress ? { ...piece, output: written('plain') } : piece
  })
}

const written =
  (context: 'address' | 'plain'): NonNullable<TagPiece['output']> =>
  (value, textOf, notes) => {
    const source = value instanceof PictureValue ? value.source : value
    const drawn = mediaOf(notes).drawing(source)
    return drawn === undefined ? escapeFor(context, textOf(value)) : dataUri(drawn, notes)
  }

function dataUri(source: DrawnPicture, notes: Notes): string {
  const media = mediaOf(notes)
  const { kind, bytes } = media.find(source) ?? media.neutral(1)
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8_192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return `data:${pictureTypes[kind]};base64,${btoa(binary)}`
}
