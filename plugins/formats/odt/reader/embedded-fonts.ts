import { XmlCursor } from '../../../../shared/document/xml-cursor.ts'
import type { Parts } from './story.ts'
import { openVocabulary } from './vocabulary.ts'

/** Fonts one document may bring along, and their bytes in all. */
const mostFonts = 64
const mostBytes = 64_000_000

/** The fonts a document carries (ODF 1.3 part 3, 14.6), as font files. `xml`: the parts that may declare them. */
export function readEmbeddedFonts(parts: Parts, xml: readonly string[]): Uint8Array[] {
  const names = new Set<string>()
  for (const text of xml) {
    if (!text.includes('font-face-uri')) continue
    const cursor = new XmlCursor(text, openVocabulary)
    if (!cursor.root()) continue
    const visit = (name: string): void => {
      const href = name === 'svg:font-face-uri' ? cursor.attribute('xlink:href') : undefined
      if (href !== undefined && names.size < mostFonts) names.add(href.replace(/^\.\//, ''))
      cursor.each(visit)
    }
    cursor.each((name) => {
      if (name === 'office:font-face-decls') cursor.each(visit)
    })
  }
  const fonts: Uint8Array[] = []
  let weight = 0
  for (const name of names) {
    const bytes = parts(name)
    if (bytes === undefined || weight + bytes.byteLength > mostBytes) continue
    weight += bytes.byteLength
    fonts.push(bytes)
  }
  return fonts
}
