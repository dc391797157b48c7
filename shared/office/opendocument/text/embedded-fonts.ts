import { XmlCursor } from '../../../xml/cursor.ts'
import type { ReadFile } from '../../package.ts'
import { openVocabulary } from '../vocabulary.ts'

/** Maximum number of embedded fonts of a document. */
const maxFonts = 64
/** Maximum size of all embedded fonts together, in bytes. */
const maxBytes = 64_000_000

/**
 * Reads the embedded fonts (ODF 1.3 part 3, 14.6) as font files. `xml`: the texts of the parts that may
 * declare them. Fonts beyond the limits are skipped.
 */
export function readEmbeddedFonts(parts: ReadFile, xml: readonly string[]): Uint8Array[] {
  const names = new Set<string>()
  for (const text of xml) {
    if (!text.includes('font-face-uri')) continue
    const cursor = new XmlCursor(text, openVocabulary)
    if (!cursor.root()) continue
    const visit = (name: string): void => {
      const href = name === 'svg:font-face-uri' ? cursor.attribute('xlink:href') : undefined
      if (href !== undefined && names.size < maxFonts) names.add(href.replace(/^\.\//, ''))
      cursor.each(visit)
    }
    cursor.each((name) => {
      if (name === 'office:font-face-decls') cursor.each(visit)
    })
  }
  const fonts: Uint8Array[] = []
  let totalBytes = 0
  for (const name of names) {
    const bytes = parts(name)
    if (bytes === undefined || totalBytes + bytes.byteLength > maxBytes) continue
    totalBytes += bytes.byteLength
    fonts.push(bytes)
  }
  return fonts
}
