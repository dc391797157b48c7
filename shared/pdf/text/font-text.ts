/** Maps the character codes of a font to text and widths. ISO 32000-2, 9.7 and 9.10. */
import { binaryText } from '../../bytes.ts'
import type { PdfDocument } from '../model/document.ts'
import { readable } from '../model/limits.ts'
import { isName, PdfDict, PdfStream, type PdfValue } from '../model/values.ts'

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
/** The number of codes of two bytes. */
const maxCodes = 65_536
/** The maximum number of entries of a ToUnicode map or of widths, counting codes that are given again. */
const maxEntries = 4 * maxCodes
/** The maximum length of the text of one code in UTF-16 units. ISO 32000-2, 9.10.3: 512 bytes. */
const maxCodeText = 256

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
    width: (code) => widths.byCode.get(code) ?? widths.otherwise,
  }
}

/** What a font gives for its codes. Codes that no font can have are left out, and entries beyond `maxEntries`. */
class Entries<T> {
  readonly byCode = new Map<number, T>()
  private left = maxEntries

  get isFull(): boolean {
    return this.left <= 0
  }

  set(code: number, value: T): void {
    if (--this.left >= 0 && Number.isInteger(code) && code >= 0 && code < maxCodes)
      this.byCode.set(code, value)
  }

  /** Sets the codes of a range, each from its index in it. */
  setRange(first: number, last: number, valueAt: (index: number) => T | undefined): void {
    const count = Math.min(last - first + 1, maxCodes)
    for (let index = 0; index < count && !this.isFull; index++) {
      const value = valueAt(index)
      if (value === undefined) this.left--
      else this.set(first + index, value)
    }
  }
}

/** Parses the entries of `bfchar` and `bfrange`. ISO 32000-2, 9.10.3. */
function readUnicodeMap(document: PdfDocument, stream: PdfStream): ReadonlyMap<number, string> {
  const map = new Entries<string>()
  const content = readable(() => document.inflater.content(stream, document.resolve))
  if (content === undefined) return map.byCode
  for (const [, kind, body = ''] of binaryText(content).matchAll(/begin(bfchar|bfrange)([\s\S]*?)end\1/g)) {
    const entries =
      kind === 'bfchar'
        ? body.matchAll(/<([\da-f\s]+)>\s*<([\da-f\s]*)>/gi)
        : body.matchAll(/<([\da-f\s]+)>\s*<([\da-f\s]+)>\s*(?:<([\da-f\s]*)>|\[([^\]]*)\])/gi)
    for (const entry of entries) {
      if (kind === 'bfchar') map.set(codeOf(entry[1]), utf16(entry[2]))
      else addRange(map, entry)
      if (map.isFull) return map.byCode
    }
  }
  return map.byCode
}

function addRange(map: Entries<string>, [, from, to, first, list]: readonly (string | undefined)[]): void {
  const texts = list === undefined ? undefined : (list.match(/<[\da-f\s]*>/gi) ?? [])
  const start = utf16(first)
  map.setRange(codeOf(from), codeOf(to), (index) => {
    if (texts === undefined) return `${start.slice(0, -1)}${following(start, index)}`
    return texts[index] === undefined ? undefined : utf16(texts[index].slice(1, -1))
  })
}

/** Adds `step` to the last code unit of a text. */
const following = (text: string, step: number): string =>
  text === '' ? '' : String.fromCharCode(text.charCodeAt(text.length - 1) + step)

const codeOf = (hex = ''): number => Number.parseInt(hex.replace(/\s/g, '') || '0', 16)

function utf16(hex = ''): string {
  const digits = hex.replace(/\s/g, '')
  let text = ''
  for (let at = 0; at + 4 <= Math.min(digits.length, 4 * maxCodeText); at += 4)
    text += String.fromCharCode(Number.parseInt(digits.slice(at, at + 4), 16))
  return text
}

interface Widths {
  readonly byCode: ReadonlyMap<number, number>
  readonly otherwise: number
}

/** Source: ISO 32000-2, 9.7.4.3. */
function compositeWidths(document: PdfDocument, font: PdfDict): Widths {
  const widths = new Entries<number>()
  const descendants = document.resolve(font.get('DescendantFonts'))
  const descendant = Array.isArray(descendants) ? document.resolve(descendants[0] ?? null) : null
  if (!(descendant instanceof PdfDict)) return { byCode: widths.byCode, otherwise: defaultWidth }
  const declared = document.resolve(descendant.get('DW'))
  const result = { byCode: widths.byCode, otherwise: typeof declared === 'number' ? declared : 1000 }
  const list = document.resolve(descendant.get('W'))
  if (!Array.isArray(list)) return result
  const values = list.map(document.resolve)
  for (let at = 0; at + 1 < values.length && !widths.isFull; ) {
    const [first, second, third] = [values[at], values[at + 1], values[at + 2]]
    if (typeof first !== 'number') break
    if (Array.isArray(second)) {
      setWidths(document, widths, first, second)
      at += 2
      continue
    }
    if (typeof second !== 'number') break
    if (typeof third === 'number') widths.setRange(first, second, () => third)
    at += 3
  }
  return result
}

/** Source: ISO 32000-2, 9.6.2. */
function simpleWidths(document: PdfDocument, font: PdfDict): Widths {
  const widths = new Entries<number>()
  const first = document.resolve(font.get('FirstChar'))
  const list = document.resolve(font.get('Widths'))
  if (typeof first === 'number' && Array.isArray(list)) setWidths(document, widths, first, list)
  return { byCode: widths.byCode, otherwise: defaultWidth }
}

function setWidths(
  document: PdfDocument,
  widths: Entries<number>,
  first: number,
  list: readonly PdfValue[],
): void {
  widths.setRange(first, first + list.length - 1, (index) => {
    const width = document.resolve(list[index] ?? null)
    return typeof width === 'number' ? width : undefined
  })
}
