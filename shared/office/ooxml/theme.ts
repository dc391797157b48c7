import { fromHsl, toHsl } from '../../document/hsl.ts'
import { entryOf, setEntry } from '../../entry-of.ts'
import { XmlCursor } from '../../xml/cursor.ts'
import type { Effects } from './shadow.ts'
import { color } from './values.ts'
import { wordVocabulary } from './vocabulary.ts'

/** Fonts and colours that formatting refers to through the theme part (ECMA-376-1 20.1.6). */
export interface Theme {
  readonly fonts: ReadonlyMap<string, string> // 'minorHAnsi' -> 'Calibri'
  readonly colors: ReadonlyMap<string, string> // 'accent1' -> 'RRGGBB'
  /** Effect styles of shapes; the index is a:effectRef's `idx` less one (20.1.4.1.11). */
  readonly effects?: readonly Effects[]
  /** Presentations: the theme colours that the names of a colour map refer to, such as 'bg1' to 'dk1' (19.3.1.6). */
  readonly map?: ReadonlyMap<string, string>
}

export const emptyTheme: Theme = { fonts: new Map(), colors: new Map() }

/** Element of a font collection to the suffixes of the names that w:rFonts uses for it (17.18.96). */
const slots: Readonly<Record<string, readonly string[]>> = {
  'a:latin': ['Ascii', 'HAnsi'],
  'a:ea': ['EastAsia'],
  'a:cs': ['Bidi'],
}

/**
 * Languages that select the theme fonts for Asian and complex scripts (w:themeFontLang, ECMA-376-1
 * 17.15.1.88).
 */
export interface ThemeLanguages {
  readonly eastAsia?: string
  readonly bidi?: string
}

/**
 * Reads word/theme/theme1.xml. Where a:ea or a:cs names no face, the a:font of the script of the document's
 * language is used (20.1.4.1.16).
 */
export function readTheme(xml: string, languages: ThemeLanguages = {}): Theme {
  const fonts = new Map<string, string>()
  const colors = new Map<string, string>()
  const cursor = new XmlCursor(xml, wordVocabulary)
  if (!cursor.root()) return emptyTheme
  const scripts = { EastAsia: scriptOf(languages.eastAsia), Bidi: scriptOf(languages.bidi) }
  const readFonts = (prefix: string): void => {
    const byScript: Record<string, string> = {}
    cursor.each((name) => {
      const face = cursor.attribute('typeface')
      if (face === undefined || face === '') return
      for (const slot of entryOf(slots, name) ?? []) fonts.set(prefix + slot, face)
      if (name === 'a:font') setEntry(byScript, cursor.attribute('script') ?? '', face)
    })
    for (const slot of ['EastAsia', 'Bidi'] as const) {
      const face = entryOf(byScript, scripts[slot])
      if (face !== undefined && !fonts.has(prefix + slot)) fonts.set(prefix + slot, face)
    }
  }
  cursor.each((name) => {
    if (name !== 'a:themeElements') return
    cursor.each((child) => {
      if (child === 'a:fontScheme') {
        cursor.each((scheme) => {
          if (scheme === 'a:majorFont') readFonts('major')
          else if (scheme === 'a:minorFont') readFonts('minor')
        })
      } else if (child === 'a:clrScheme') {
        cursor.each((slot) => {
          const key = slot.slice(2)
          cursor.each(() => {
            const value = color(cursor.attribute('lastClr') ?? cursor.attribute('val'))
            if (value !== undefined) colors.set(key, value)
          })
        })
      }
    })
  })
  return { fonts, colors }
}

/** Language tag to the script name (ISO 15924) that a:font elements of a theme use. */
const scriptsByLanguage: Readonly<Record<string, string>> = {
  ar: 'Arab',
  fa: 'Arab',
  ur: 'Arab',
  he: 'Hebr',
  th: 'Thai',
  hi: 'Deva',
  ja: 'Jpan',
  ko: 'Hang',
  zh: 'Hans',
  'zh-tw': 'Hant',
  'zh-hk': 'Hant',
  'zh-mo': 'Hant',
}

function scriptOf(language: string | undefined): string | undefined {
  const tag = language?.toLowerCase() ?? ''
  return entryOf(scriptsByLanguage, tag) ?? entryOf(scriptsByLanguage, tag.split('-')[0]!)
}

/** Theme colour names of WordprocessingML (17.18.97) and DrawingML to the elements of a:clrScheme. */
const wordNames: Readonly<Record<string, string>> = {
  background1: 'lt1',
  bg1: 'lt1',
  background2: 'lt2',
  bg2: 'lt2',
  text1: 'dk1',
  tx1: 'dk1',
  text2: 'dk2',
  tx2: 'dk2',
  dark1: 'dk1',
  dark2: 'dk2',
  light1: 'lt1',
  light2: 'lt2',
  hyperlink: 'hlink',
  followedHyperlink: 'folHlink',
}

/** Returns a theme colour (RRGGBB) by its WordprocessingML or DrawingML name. */
export function themeColor(theme: Theme, name: string): string | undefined {
  return theme.colors.get(theme.map?.get(name) ?? entryOf(wordNames, name) ?? name)
}

/**
 * Applies w:themeTint and w:themeShade: shares, 0 to 1, of the lightness difference to white or black that is
 * kept (17.3.2.6).
 */
export function tinted(hex: string, tint: number | undefined, shade: number | undefined): string {
  const [h, s, l] = toHsl(hex)
  let lightness = l
  if (shade !== undefined) lightness *= shade
  if (tint !== undefined) lightness = lightness * tint + (1 - tint)
  return fromHsl(h, s, lightness)
}

/** Applies DrawingML lumMod and lumOff, as factor and summand of the lightness (20.1.2.3.20). */
export function luminance(hex: string, modulate: number, offset: number): string {
  const [h, s, l] = toHsl(hex)
  return fromHsl(h, s, Math.max(0, Math.min(1, l * modulate + offset)))
}
