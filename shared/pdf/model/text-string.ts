import { entryOf } from '../../entry-of.ts'
import { PdfString } from './values.ts'

/** A text string, for titles and names: one byte for each character when it is ASCII, else UTF-16. ISO 32000-2, 7.9.2.2. */
export function textString(text: string): PdfString {
  if (/^[\x20-\x7e]*$/.test(text)) return new PdfString(text)
  let raw = '\xfe\xff'
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    raw += String.fromCharCode(unit >> 8, unit & 255)
  }
  return new PdfString(raw)
}

/** Decodes a text string: UTF-16 or UTF-8 by its byte order mark, else PDFDocEncoding. */
export function textOfString({ raw }: PdfString): string {
  const bytes = Uint8Array.from(raw, (character) => character.charCodeAt(0))
  if (raw.startsWith('\xfe\xff')) return new TextDecoder('utf-16be').decode(bytes)
  if (raw.startsWith('\xff\xfe')) return new TextDecoder('utf-16le').decode(bytes)
  if (raw.startsWith('\xef\xbb\xbf')) return new TextDecoder().decode(bytes)
  return [...raw].map((character) => entryOf(documentEncoding, character) ?? character).join('')
}

/** D:YYYYMMDDHHmmSSZ, in UTC. ISO 32000-2, 7.9.4. */
export const pdfDate = (ms: number): string => `D:${new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')}`

/** Where PDFDocEncoding differs from Latin 1. ISO 32000-2, annex D.3. */
const special = '\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc'
const upper =
  '\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e'
const documentEncoding: Readonly<Record<string, string>> = Object.fromEntries([
  ...[...special].map((character, at) => [String.fromCharCode(0x18 + at), character] as const),
  ...[...upper].map((character, at) => [String.fromCharCode(0x80 + at), character] as const),
  ['\xa0', '\u20ac'] as const,
])
