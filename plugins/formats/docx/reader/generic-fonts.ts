import { type GenericFont, genericFont } from '../../../../shared/document/generic-font.ts'
import { wordVocabulary } from '../../../../shared/office/ooxml/vocabulary.ts'
import { XmlCursor } from '../../../../shared/xml/cursor.ts'

/** Maximum number of fonts whose description is kept. */
const maxFonts = 2_000
/**
 * w:charset of Japanese, Korean, Johab and Chinese fonts (ECMA-376-1 17.8.3.2). Most are of a single width, which does
 * not apply to the Latin text in them.
 */
const asian = new Set(['80', '81', '82', '86', '88'])

/** Reads the descriptions of the font table (ECMA-376-1 17.8.3.10), by the lower-case name of the font. */
export function readGenericFonts(xml: string): Map<string, GenericFont> {
  const cursor = new XmlCursor(xml, wordVocabulary)
  const kinds = new Map<string, GenericFont>()
  if (!cursor.root()) return kinds
  cursor.each((font) => {
    const name = font === 'w:font' ? cursor.attribute('w:name') : undefined
    if (name === undefined || kinds.size >= maxFonts) return
    const values = new Map<string, string>()
    cursor.each((property) => {
      const value = cursor.attribute('w:val')
      if (value !== undefined) values.set(property, value)
    })
    if (asian.has(values.get('w:charset')?.toUpperCase() ?? '')) return
    const kind = genericFont({
      panose: values.get('w:panose1'),
      family: values.get('w:family'),
      pitch: values.get('w:pitch'),
    })
    if (kind !== undefined) kinds.set(name.toLowerCase(), kind)
  })
  return kinds
}
