/** Typed cells. Source: template language 24.3 and B.5. */
import type { Piece, TagPiece } from '../../../../shared/template/scan/pieces.ts'

const numeric = /:formatN(?:\([^()]*\))?$/

/** The tag of a cell that holds nothing but one tag ending in `:formatN`. */
export function typedTag(pieces: readonly Piece[], start: number, stop: number): TagPiece | undefined {
  let tag: TagPiece | undefined
  for (let at = start; at < stop; at += 1) {
    const piece = pieces[at]!
    if (piece.kind === 'tag') {
      if (tag !== undefined || !numeric.test(piece.text)) return undefined
      tag = piece
    } else if (piece.kind === 'text') {
      if (piece.markup !== undefined || piece.raw.trim() !== '') return undefined
    } else if (piece.kind === 'computed' || !/^text:(?:p|span)$/.test(piece.name)) return undefined
  }
  return tag
}

const typing =
  /\s(?:office:(?:value-type|value|string-value|date-value|time-value|boolean-value|currency)|calcext:value-type)="[^"]*"/g

/** A cell's opening tag without what says its type and value. */
export const untyped = (raw: string): string => raw.replace(typing, '')

/** Stands between the beginning of a cell's tag and its end. */
export function typedContent(value: unknown, text: string): string {
  const number = typeof value === 'number' ? value : decimal(value)
  if (number !== undefined && Number.isFinite(number)) {
    return ` office:value-type="float" office:value="${number}" calcext:value-type="float"><text:p>${number}</text:p>`
  }
  if (text === '' || (typeof value === 'number' && Number.isNaN(value))) return '>'
  return ` office:value-type="string" calcext:value-type="string"><text:p>${escaped(text)}</text:p>`
}

function decimal(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(value) ? Number(value) : undefined
}

export function attribute(raw: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(raw)?.[1]
}

export const escaped = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
