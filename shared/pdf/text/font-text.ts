/** Maps the character codes of a font to text and widths. ISO 32000-2, 9.7 and 9.10. */
import type { PdfDocument } from '../model/document.ts'
import { readable } from '../model/limits.ts'
import { binaryText, isName, PdfDict, PdfStream, type PdfValue } from '../model/values.ts'

export interface FontText {
  /** The number of bytes of a code. */
  readonly codeBytes: 1 | 2
  /** The characters of a code; '' if the font does not specify them. */
  text(code: number): string
  /** The advance of a code, in thousandths of the font size. */
  width(code: number): number
}

/** The width of codes without a width. It only determines where a gap counts as a space. */
const defaultWidth = 500
/** The maximum number of codes of a ToUnicode map, which a font cannot exceed. */
const maxCodes = 65_536

const simpleText = new TextDecoder('windows-1252')

export function readFont(document: PdfDocument, font: PdfDict): FontText {
  const isComposite = isName(document.resolve(font.get('Subtype')), 'Type0')
  const stream = document.resolve(font.get('ToUnicode'))
  const map = stream instanceof PdfStream ? readUnicodeMap(document, stream) : undefined
  const widths = isComposite ? compositeWidths(document, font) : simpleWidths(document, font)
  return {
    codeBytes: isComposite ? 2 : 1,
    text: (code) =>
      map?.get(code) ?? (isComposite ? '' : simpleText.decode(new Uint8Array([code])).replace(/\0/g, '')),
    width: (code) => widths.get(code) ?? widths.get(-1) ?? defaultWidth,
  }
}

/** Parses the entries of `bfchar` and `bfrange`. ISO 32000-2, 9.10.3. */
function readUnicodeMap(document: PdfDocument, stream: PdfStream): ReadonlyMap<number, string> {
  const map = new Map<number, string>()
  const content = readable(() => document.inflater.content(stream, document.resolve))
  if (content === undefined) return map
  for (const [, kind, body = ''] of binaryText(content).matchAll(/begin(bfchar|bfrange)([\s\S]*?)end\1/g)) {
    const entries =
      kind === 'bfchar'
        ? body.matchAll(/<([\da-f\s]+)>\s*<([\da-f\s]*)>/gi)
        : body.matchAll(/<([\da-f\s]+)>\s*<([\da-f\s]+)>\s*(?:<([\da-f\s]*)>|\[([^\]]*)\])/gi)
    for (const entry of entries) {
      if (kind === 'bfchar') map.set(codeOf(entry[1]), utf16(entry[2]))
      else addRange(map, entry)
      if (map.size > maxCodes) return map
    }
  }
  return map
}

function addRange(
  map: Map<number, string>,
  [, from, to, first, list]: readonly (string | undefined)[],
): void {
  const [low, high] = [codeOf(from), codeOf(to)]
  const texts = list === undefined ? undefined : (list.match(/<[\da-f\s]*>/gi) ?? [])
  const start = utf16(first)
  for (let code = low; code <= Math.min(high, low + 0xffff); code++) {
    const step = code - low
    if (texts === undefined) map.set(code, `${start.slice(0, -1)}${following(start, step)}`)
    else if (texts[step] !== undefined) map.set(code, utf16(texts[step].slice(1, -1)))
  }
}

/** Adds `step` to the last code unit of a text. */
const following = (text: string, step: number): string =>
  text === '' ? '' : String.fromCharCode(text.charCodeAt(text.length - 1) + step)

const codeOf = (hex = ''): number => Number.parseInt(hex.replace(/\s/g, '') || '0', 16)

function utf16(hex = ''): string {
  const digits = hex.replace(/\s/g, '')
  let text = ''
  for (let at = 0; at + 4 <= digits.length; at += 4)
    text += String.fromCharCode(Number.parseInt(digits.slice(at, at + 4), 16))
  return text
}

/** The widths by code; -1 is the default. ISO 32000-2, 9.7.4.3. */
function compositeWidths(document: PdfDocument, font: PdfDict): ReadonlyMap<number, number> {
  const widths = new Map<number, number>()
  const descendants = document.resolve(font.get('DescendantFonts'))
  const descendant = Array.isArray(descendants) ? document.resolve(descendants[0] ?? null) : null
  if (!(descendant instanceof PdfDict)) return widths
  const otherwise = document.resolve(descendant.get('DW'))
  widths.set(-1, typeof otherwise === 'number' ? otherwise : 1000)
  const list = document.resolve(descendant.get('W'))
  if (!Array.isArray(list)) return widths
  const values = list.map(document.resolve)
  for (let at = 0; at + 1 < values.length; ) {
    const [first, second, third] = [values[at], values[at + 1], values[at + 2]]
    if (typeof first !== 'number') break
    if (Array.isArray(second)) {
      for (const [index, width] of second.entries()) setWidth(widths, first + index, document.resolve(width))
      at += 2
      continue
    }
    if (typeof second !== 'number') break
    for (let code = first; code <= Math.min(second, first + 0xffff); code++)
      setWidth(widths, code, third ?? null)
    at += 3
  }
  return widths
}

/** Source: ISO 32000-2, 9.6.2. */
function simpleWidths(document: PdfDocument, font: PdfDict): ReadonlyMap<number, number> {
  const widths = new Map<number, number>()
  const first = document.resolve(font.get('FirstChar'))
  const list = document.resolve(font.get('Widths'))
  if (typeof first !== 'number' || !Array.isArray(list)) return widths
  for (const [index, width] of list.entries()) setWidth(widths, first + index, document.resolve(width))
  return widths
}

function setWidth(widths: Map<number, number>, code: number, width: PdfValue): void {
  if (typeof width === 'number' && widths.size <= maxCodes) widths.set(code, width)
}
