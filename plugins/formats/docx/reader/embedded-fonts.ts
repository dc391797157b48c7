import { readRelationships } from '../../../../shared/office/ooxml/relationships.ts'
import { wordVocabulary } from '../../../../shared/office/ooxml/vocabulary.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import { XmlCursor, xmlText } from '../../../../shared/xml/cursor.ts'

/** The embedded faces of a font (ECMA-376-1 17.8.3). */
const styles = new Set(['w:embedRegular', 'w:embedBold', 'w:embedItalic', 'w:embedBoldItalic'])
/** Maximum number of embedded fonts of a document. A face with four styles counts four times. */
const maxFonts = 64
/** Maximum size of all embedded fonts together, in bytes. */
const maxBytes = 64_000_000

/**
 * Reads the embedded fonts (ECMA-376-1 17.8.1) as font files. `table` is the name of the font table part.
 * Fonts beyond the limits are skipped.
 */
export function readEmbeddedFonts(parts: ReadFile, table: string): Uint8Array[] {
  const bytes = parts(table)
  if (bytes === undefined) return []
  const relationships = readRelationships(parts, table)
  const cursor = new XmlCursor(xmlText(bytes), wordVocabulary)
  const fonts: Uint8Array[] = []
  let totalBytes = 0
  if (!cursor.root()) return []
  cursor.each((font) => {
    if (font !== 'w:font') return
    cursor.each((name) => {
      if (!styles.has(name) || fonts.length >= maxFonts) return
      const target = relationships.get(cursor.attribute('r:id') ?? '')
      const file = target === undefined || target.external ? undefined : parts(target.target)
      if (file === undefined || totalBytes + file.byteLength > maxBytes) return
      totalBytes += file.byteLength
      fonts.push(clearFont(file, cursor.attribute('w:fontKey') ?? ''))
    })
  })
  return fonts
}

/**
 * Removes the obfuscation of an embedded font: the first 32 bytes are XORed with the GUID in `fontKey`, its
 * bytes in reverse order (ECMA-376-4 17.8.1). Without a valid key the bytes are returned as they are.
 */
export function clearFont(bytes: Uint8Array, fontKey: string): Uint8Array {
  const digits = fontKey.replace(/[^0-9A-Fa-f]/g, '')
  if (digits.length !== 32) return bytes
  const clear = bytes.slice()
  for (let i = 0; i < 32 && i < clear.length; i++) {
    /** The key has 16 bytes, written as 32 digits; the last byte applies first. */
    const at = 30 - 2 * (i % 16)
    clear[i] = (clear[i] ?? 0) ^ Number.parseInt(digits.slice(at, at + 2), 16)
  }
  return clear
}
