import { binaryBytes, binaryText } from '../../../bytes.ts'
import { entryOf } from '../../../entry-of.ts'
import { createCopier } from '../../join/copy.ts'
import type { PdfDocument } from '../../model/document.ts'
import { readable } from '../../model/limits.ts'
import { readPages } from '../../model/pages.ts'
import { textString } from '../../model/text-string.ts'
import { dict, isName, name, PdfDict, PdfName, PdfStream } from '../../model/values.ts'
import { openPdf } from '../../read/open.ts'
import { glyphCharacters } from '../watermark/standard-font.ts'
import type { ConformContext } from './job.ts'

/**
 * The standard fonts, which every PDF reader provides and files therefore do not embed. They are replaced by an embedded font
 * with the same metrics: a font of the host becomes a composite font whose character map keeps the one-byte codes, so that
 * page contents do not change.
 */
const families: readonly (readonly [pattern: RegExp, family: string])[] = [
  [/^(Helvetica|Arial)/i, 'Helvetica'],
  [/^(Courier|CourierNew)/i, 'Courier New'],
  [/^(Times|TimesNewRoman)/i, 'Times New Roman'],
]

/** Returns whether the font was a standard font and has been embedded. */
export async function embedStandardFont(
  document: PdfDocument,
  font: PdfDict,
  archive: 0 | 1 | 2 | 3,
  { codec, signal, drawText }: ConformContext,
): Promise<boolean> {
  const kind = document.resolve(font.get('Subtype'))
  const called = document.resolve(font.get('BaseFont'))
  if (drawText === undefined || !(called instanceof PdfName)) return false
  if (!isName(kind, 'Type1') && !isName(kind, 'TrueType')) return false
  const face = called.text.replace(/[ ,-]|PS(?=MT|-)|MT$/g, '')
  const family = families.find(([pattern]) => pattern.test(face))?.[1]
  const isUnencoded =
    /^(Helvetica|Arial|CourierNew|Courier|TimesNewRoman|Times)(PS|MT|Roman|Bold|Italic|Oblique)*$/i.test(face)
  if (family === undefined || !isUnencoded) return false
  const characters = charactersOf(document, font)
  const codes = [...characters.keys()]
  const request = {
    lines: codes.map((code) => characters.get(code) ?? ''),
    family,
    bold: /bold/i.test(face),
    italic: /italic|oblique/i.test(face),
    colour: 0,
    archive: archive === 1 ? (1 as const) : (2 as const),
  }
  const { value } = await drawText(request, signal)
  return adopt(document, font, { drawn: openPdf(value, codec, document.limits), codes, characters })
}

interface Drawn {
  readonly drawn: PdfDocument
  readonly codes: readonly number[]
  readonly characters: ReadonlyMap<number, string>
}

/** Replaces a font by the font of drawn pages that show one character each. */
function adopt(document: PdfDocument, font: PdfDict, { drawn, codes, characters }: Drawn): boolean {
  const glyphs = new Map<number, number>()
  let source: PdfDict | undefined
  for (const [index, page] of readPages(drawn).entries()) {
    const resources = drawn.resolve(page.inherited.get('Resources') ?? null)
    const fonts = resources instanceof PdfDict ? drawn.dictAt(resources, 'Font') : undefined
    const content = drawn.resolve(page.dict.get('Contents'))
    const bytes =
      content instanceof PdfStream
        ? readable(() => drawn.inflater.content(content, drawn.resolve))
        : undefined
    const text = bytes === undefined ? '' : binaryText(bytes)
    const used = /\/(\S+)\s+[\d.]+\s+Tf/.exec(text)?.[1]
    const glyph = shownGlyph(text)
    if (used === undefined || glyph === undefined || fonts === undefined) continue
    const drawnFont = drawn.dictAt(fonts, used)
    source ??= drawnFont
    // A character that was drawn with a fallback font is not part of this font.
    if (drawnFont === source) glyphs.set(codes[index] ?? 0, glyph)
  }
  if (source === undefined) return false
  const copy = createCopier(document, drawn, {
    destinations: new Map(),
    legacyDestinations: new Map(),
    parentKeyOffset: undefined,
    adjustStructure: () => {},
  })
  const copied = copy.value(source)
  copy.settle()
  if (!(copied instanceof PdfDict)) return false
  font.entries.clear()
  for (const [key, value] of copied.entries) font.set(key, value)
  font.set('Encoding', document.put(characterMap(glyphs)))
  font.set('ToUnicode', document.put(unicodeMap(characters)))
  return true
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The glyph of a page that shows exactly one, as a string of two bytes; otherwise undefined. ISO 32000-2, 7.3.4.2. */
function shownGlyph(content: string): number | undefined {
  const strings = [...content.matchAll(/\(((?:\\[\s\S]|[^\\)])*)\)/g)]
  const bytes = strings[0]?.[1]?.replace(/\\([0-7]{1,3}|[\s\S])/g, (_, escaped: string) =>
    /^[0-7]/.test(escaped)
      ? String.fromCharCode(Number.parseInt(escaped, 8))
      : (entryOf(escapes, escaped) ?? escaped),
  )
  if (strings.length !== 1 || bytes?.length !== 2) return undefined
  return bytes.charCodeAt(0) * 256 + bytes.charCodeAt(1)
}

/** The character of each code of a simple font. ISO 32000-2, 9.6.5, annex D. */
function charactersOf(document: PdfDocument, font: PdfDict): ReadonlyMap<number, string> {
  const encoding = document.resolve(font.get('Encoding'))
  const base = encoding instanceof PdfDict ? document.resolve(encoding.get('BaseEncoding')) : encoding
  const characters = new Map<number, string>()
  const label = isName(base, 'MacRomanEncoding') ? 'macintosh' : 'windows-1252'
  const decoder = new TextDecoder(label)
  const isStandard = base === null || isName(base, 'StandardEncoding')
  for (let code = 32; code < 256; code++) {
    const character = isStandard && code > 126 ? undefined : decoder.decode(Uint8Array.of(code))
    if (character !== undefined && !/[\0-\x1f\x7f-\x9f\ufffd]/.test(character))
      characters.set(code, character)
  }
  if (isStandard) {
    characters.set(0x27, '\u2019').set(0x60, '\u2018')
    for (const [code, character] of standardHigh) characters.set(code, character)
  }
  const differences = encoding instanceof PdfDict ? document.resolve(encoding.get('Differences')) : null
  let code = 0
  for (const difference of Array.isArray(differences) ? differences : []) {
    const value = document.resolve(difference)
    if (typeof value === 'number') code = value
    else if (value instanceof PdfName) {
      const character = glyphCharacters().get(value.text)
      if (character === undefined) characters.delete(code)
      else characters.set(code, character)
      code++
    }
  }
  return characters
}

/** The upper half of StandardEncoding. ISO 32000-2, annex D.2. */
const standardHigh: readonly (readonly [number, string])[] = [
  [0xa1, "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ"],
  [0xb1, '–†‡·'],
  [0xb6, '¶•‚„”»…‰'],
  [0xbf, '¿'],
  [0xc1, '`´ˆ˜¯˘˙¨'],
  [0xca, '˚¸'],
  [0xcd, '˝˛ˇ—'],
  [0xe1, 'Æ'],
  [0xe3, 'ª'],
  [0xe8, 'ŁØŒº'],
  [0xf1, 'æ'],
  [0xf5, 'ı'],
  [0xf8, 'łøœß'],
].flatMap(([first, characters]) =>
  [...(characters as string)].map((character, at) => [(first as number) + at, character] as const),
)

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/** A character map from codes of one byte to glyphs. ISO 32000-2, 9.7.5.4. */
function characterMap(glyphs: ReadonlyMap<number, number>): PdfStream {
  const rows = [...glyphs].map(([code, glyph]) => `<${hex(code, 2)}> ${glyph}`)
  const head = dict({
    Type: name('CMap'),
    CMapName: name('OneByte'),
    CIDSystemInfo: dict({ Registry: textString('Adobe'), Ordering: textString('Identity'), Supplement: 0 }),
  })
  return mapStream(head, 'OneByte', rows, 'cidchar')
}

function unicodeMap(characters: ReadonlyMap<number, string>): PdfStream {
  const utf16 = (character: string) =>
    Array.from({ length: character.length }, (_, at) => hex(character.charCodeAt(at), 4)).join('')
  const rows = [...characters].map(([code, character]) => `<${hex(code, 2)}> <${utf16(character)}>`)
  return mapStream(dict({}), 'ToUnicode', rows, 'bfchar')
}

/** A section of a character map holds at most 100 entries. */
const maxRows = 100

function mapStream(
  head: PdfDict,
  called: string,
  rows: readonly string[],
  kind: 'cidchar' | 'bfchar',
): PdfStream {
  const sections: string[] = []
  for (let at = 0; at < rows.length; at += maxRows) {
    const part = rows.slice(at, at + maxRows)
    sections.push(`${part.length} begin${kind}\n${part.join('\n')}\nend${kind}`)
  }
  const content = `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> def
/CMapName /${called} def
/CMapType ${kind === 'cidchar' ? 1 : 2} def
1 begincodespacerange
<00> <ff>
endcodespacerange
${sections.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end
`
  return new PdfStream(head, binaryBytes(content))
}
