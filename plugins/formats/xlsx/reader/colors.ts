import { fromHsl, toHsl } from '../../../../shared/document/hsl.ts'
import { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { workbookVocabulary } from './vocabulary.ts'

/** The colours and fonts that formatting refers to by index (ECMA-376-1 18.8.3, 18.8.27, 20.1.6). */
export interface Palette {
  readonly theme: readonly string[]
  readonly indexed: readonly string[]
  /** Latin faces of the theme. */
  readonly major: string | undefined
  readonly minor: string | undefined
}

/** Colours 8 to 63 of the default palette, which 0 to 7 repeat (18.8.27). */
const firstIndexed = 8
const defaultIndexed = (
  '000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF 800000 008000 000080 808000 800080 008080 C0C0C0 808080 ' +
  '9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF 000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF ' +
  '00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99 3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696 ' +
  '003366 339966 003300 333300 993300 993366 333399 333333'
).split(' ')

/** The order in which SpreadsheetML indexes the elements of a:clrScheme: light and dark are exchanged (18.8.3). */
const themeOrder = [
  'a:lt1',
  'a:dk1',
  'a:lt2',
  'a:dk2',
  'a:accent1',
  'a:accent2',
  'a:accent3',
  'a:accent4',
  'a:accent5',
  'a:accent6',
  'a:hlink',
  'a:folHlink',
]
/** The colours of a workbook without a theme. */
const officeTheme =
  'FFFFFF 000000 EEECE1 1F497D 4F81BD C0504D 9BBB59 8064A2 4BACC6 F79646 0000FF 800080'.split(' ')

/** Reads the theme part. Without one, the colours of the Office 2007 theme apply. */
export function readPalette(xml: string | undefined): Palette {
  const colors = new Map<string, string>()
  const faces = new Map<string, string>()
  const cursor = new XmlCursor(xml ?? '', workbookVocabulary)
  if (cursor.root())
    cursor.each((elements) => {
      if (elements !== 'a:themeElements') return
      cursor.each((scheme) => {
        if (scheme === 'a:clrScheme')
          cursor.each((slot) =>
            cursor.each(() => {
              const value = rgb(cursor.attribute('lastClr') ?? cursor.attribute('val'))
              if (value !== undefined) colors.set(slot, value)
            }),
          )
        else if (scheme === 'a:fontScheme')
          cursor.each((font) =>
            cursor.each((script) => {
              const face = cursor.attribute('typeface') ?? ''
              if (script === 'a:latin' && face !== '') faces.set(font, face)
            }),
          )
      })
    })
  const theme = themeOrder.map((slot, at) => colors.get(slot) ?? officeTheme[at] ?? '000000')
  return { theme, indexed: defaultIndexed, major: faces.get('a:majorFont'), minor: faces.get('a:minorFont') }
}

/** Replaces the indexed colours, from index 0 on, by those of the styles part (18.8.27). */
export function withIndexed(palette: Palette, colors: readonly string[]): Palette {
  const custom = colors.slice(firstIndexed)
  return custom.length === 0
    ? palette
    : { ...palette, indexed: [...custom, ...palette.indexed.slice(custom.length)] }
}

/** Reads CT_Color (18.8.3); undefined for automatic and invalid colours. */
export function readColor(cursor: XmlCursor, palette: Palette): string | undefined {
  const base = baseColor(cursor, palette)
  const tint = Number(cursor.attribute('tint') ?? 0)
  return base === undefined || !(Math.abs(tint) <= 1) || tint === 0 ? base : tinted(base, tint)
}

function baseColor(cursor: XmlCursor, palette: Palette): string | undefined {
  const theme = cursor.attribute('theme')
  if (theme !== undefined) return palette.theme[Number(theme)]
  const indexed = cursor.attribute('indexed')
  if (indexed !== undefined) {
    const index = Number(indexed)
    return palette.indexed[index < firstIndexed ? index : index - firstIndexed]
  }
  return rgb(cursor.attribute('rgb'))
}

/** The last six hexadecimal digits of 'AARRGGBB' or 'RRGGBB'. */
export const rgb = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : /^(?:[0-9a-f]{2})?([0-9a-f]{6})$/i.exec(text)?.[1]?.toUpperCase()

/** Makes a colour lighter or darker by a fraction of the distance to white or black (18.8.19). */
export function tinted(color: string, tint: number): string {
  const [hue, saturation, lightness] = toHsl(color)
  return fromHsl(hue, saturation, tint < 0 ? lightness * (1 + tint) : lightness * (1 - tint) + tint)
}
