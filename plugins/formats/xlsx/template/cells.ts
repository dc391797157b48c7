/**
 * Cells whose whole text is one tag ending in `:formatN` hold a native number. Source: template language 24.3.
 */

import { escapeText } from '../../../../shared/office/markup.ts'
import type { Piece, TagPiece } from '../../../../shared/template/scan/pieces.ts'

const numeric = /:formatN(?:\([^()]*\))?$/

/** The tag of a typed cell, or undefined. `pieces` are what stands between the cell's tags. */
export function typedTag(pieces: readonly Piece[], start: number, stop: number): TagPiece | undefined {
  let tag: TagPiece | undefined
  for (let at = start; at < stop; at += 1) {
    const piece = pieces[at]!
    if (piece.kind === 'tag') {
      if (tag !== undefined || !numeric.test(piece.text)) return undefined
      tag = piece
    } else if (piece.kind === 'text' && piece.markup === undefined && piece.raw.trim() !== '')
      return undefined
  }
  return tag
}

/** Stands between `<c r=".." s=".."` and `</c>`: the rest of the tag, and the value. */
export function typedContent(value: unknown, text: string): string {
  const number = typeof value === 'number' ? value : decimal(value)
  if (number !== undefined && Number.isFinite(number)) return `><v>${number}</v>`
  if (text === '' || (typeof value === 'number' && Number.isNaN(value))) return '>'
  return ` t="inlineStr"><is><t xml:space="preserve">${escapeText(clean(text))}</t></is>`
}

function decimal(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(value) ? Number(value) : undefined
}

/** Characters XML cannot hold. */
const clean = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
