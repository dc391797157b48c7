import { normalForm } from '../../../normal-form.ts'
import { dict, name, type PdfDict, type PdfValue } from '../../model/values.ts'
import { standardWidths } from './standard-widths.ts'

export const standardFonts = [
  'Courier',
  'Courier-Bold',
  'Courier-Oblique',
  'Courier-BoldOblique',
  'Helvetica',
  'Helvetica-Bold',
  'Helvetica-Oblique',
  'Helvetica-BoldOblique',
  'Times-Roman',
  'Times-Bold',
  'Times-Italic',
  'Times-BoldItalic',
] as const
export type StandardFont = (typeof standardFonts)[number]

/** Distances from the baseline, in 1/1000 em. The values are those of Adobe's font metrics (AFM). */
export interface VerticalMetrics {
  readonly ascent: number
  readonly descent: number // negative
  readonly capHeight: number
}

export function verticalMetrics(font: StandardFont): VerticalMetrics {
  if (font.startsWith('Courier')) return { ascent: 629, descent: -157, capHeight: 562 }
  if (font.startsWith('Helvetica')) return { ascent: 718, descent: -207, capHeight: 718 }
  return { ascent: 683, descent: -217, capHeight: 662 }
}

interface Glyph {
  readonly name: string
  readonly widths: readonly number[]
}
let glyphs: ReadonlyMap<number, Glyph> | undefined

/** Characters that are drawn as another one that looks the same. */
const alike = new Map([
  [0x09, 0x20],
  [0xa0, 0x20],
  [0xad, 0x2d],
  [0x2010, 0x2d],
  [0x2011, 0x2d],
  [0x21a, 0x162],
  [0x21b, 0x163],
  [0x394, 0x2206],
  [0x3bc, 0xb5],
])

function glyphOf(character: string): { readonly point: number; readonly glyph: Glyph } | undefined {
  glyphs ??= readGlyphs()
  const code = character.codePointAt(0) ?? 0
  const point = alike.get(code) ?? code
  const glyph = glyphs.get(point)
  return glyph && { point, glyph }
}

function readGlyphs(): ReadonlyMap<number, Glyph> {
  const glyphs = new Map<number, Glyph>()
  for (const row of standardWidths.trim().split('\n')) {
    const [point, glyph, ...widths] = row.split(' ')
    glyphs.set(Number.parseInt(point!, 16), { name: glyph!, widths: widths.map(Number) })
  }
  return glyphs
}

/** The characters of the standard Latin fonts by the names of their glyphs. */
export function glyphCharacters(): ReadonlyMap<string, string> {
  glyphs ??= readGlyphs()
  characters ??= new Map([...glyphs].map(([point, { name }]) => [name, String.fromCodePoint(point)]))
  return characters
}
let characters: ReadonlyMap<string, string> | undefined

const columns = [
  'Helvetica',
  'Helvetica-Bold',
  'Times-Roman',
  'Times-Bold',
  'Times-Italic',
  'Times-BoldItalic',
]

/**
 * Assigns codes to the characters of a standard font. The fonts have glyphs beyond the Windows code page; those in use get
 * codes that the page leaves free.
 */
export interface FontEncoding {
  /** The codes of a line and its width in 1/1000 em. A character that the font does not have becomes a question mark. */
  encode(line: string): { readonly codes: string; readonly width: number; readonly missing: number }
  /** The font dictionary, once all lines are encoded. */
  dict(): PdfDict
}

/** ISO 32000-2, 9.6.2.2 and annex D. */
export function createFontEncoding(font: StandardFont): FontEncoding {
  const column = columns.indexOf(font.replace('Oblique', '').replace(/-$/, ''))
  const extra = new Map<string, number>() // glyph name -> code
  const free = freeCodes()
  const codeOf = (point: number, glyph: string): number | undefined => {
    const windowsByte = windowsCode(point)
    if (windowsByte !== undefined) return windowsByte
    const existing = extra.get(glyph)
    if (existing !== undefined) return existing
    const code = free.shift()
    if (code !== undefined) extra.set(glyph, code)
    return code
  }
  return {
    encode(line) {
      let codes = ''
      let width = 0
      let missing = 0
      for (const character of normalForm(line, 'NFC')) {
        const drawnGlyph = glyphOf(character)
        const code = drawnGlyph && codeOf(drawnGlyph.point, drawnGlyph.glyph.name)
        const glyph = code === undefined ? glyphOf('?')! : drawnGlyph!
        if (code === undefined) missing++
        codes += String.fromCharCode(code ?? 63)
        width += column < 0 ? 600 : (glyph.glyph.widths[column] ?? 0)
      }
      return { codes, width, missing }
    },
    dict() {
      const base = { Type: name('Font'), Subtype: name('Type1'), BaseFont: name(font) }
      if (extra.size === 0) return dict({ ...base, Encoding: name('WinAnsiEncoding') })
      const differences: PdfValue[] = []
      for (const [glyph, code] of extra) differences.push(code, name(glyph))
      return dict({
        ...base,
        Encoding: dict({
          Type: name('Encoding'),
          BaseEncoding: name('WinAnsiEncoding'),
          Differences: differences,
        }),
      })
    },
  }
}

const windowsBlock =
  '\u20ac\0\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\0\u017d\0\0\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\0\u017e\u0178'

function windowsCode(point: number): number | undefined {
  if ((point >= 0x20 && point < 0x7f) || (point > 0xa0 && point < 0x100)) return point
  const at = windowsBlock.indexOf(String.fromCharCode(point))
  return at < 0 || point === 0 ? undefined : 0x80 + at
}

/** Codes that are free for other glyphs: control characters, then those that the Windows code page leaves undefined. */
function freeCodes(): number[] {
  const codes: number[] = []
  for (let code = 1; code < 32; code++) codes.push(code)
  return [...codes, 0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x9d]
}
