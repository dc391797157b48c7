import { XmlCursor, xmlText } from '../../../../shared/document/xml-cursor.ts'
import { type Parts, readRelationships } from './package.ts'
import { wordVocabulary } from './vocabulary.ts'

const styles = new Set(['w:embedRegular', 'w:embedBold', 'w:embedItalic', 'w:embedBoldItalic'])
/** Fonts one document may bring along, and their bytes in all. */
const mostFonts = 64
const mostBytes = 64_000_000

/** The fonts a document carries (ECMA-376-1 17.8.1), as font files. `table` names its font table. */
export function readEmbeddedFonts(parts: Parts, table: string): Uint8Array[] {
  const bytes = parts(table)
  if (bytes === undefined) return []
  const relationships = readRelationships(parts, table)
  const cursor = new XmlCursor(xmlText(bytes), wordVocabulary)
  const fonts: Uint8Array[] = []
  let weight = 0
  if (!cursor.root()) return []
  cursor.each((font) => {
    if (font !== 'w:font') return
    cursor.each((name) => {
      if (!styles.has(name) || fonts.length >= mostFonts) return
      const target = relationships.get(cursor.attribute('r:id') ?? '')
      const file = target === undefined || target.external ? undefined : parts(target.target)
      if (file === undefined || weight + file.byteLength > mostBytes) return
      weight += file.byteLength
      fonts.push(clearFont(file, cursor.attribute('w:fontKey') ?? ''))
    })
  })
  return fonts
}

/** Undoes the obfuscation: the key, read backwards, lies over the first 32 bytes (ECMA-376-4 17.8.1). */
export function clearFont(bytes: Uint8Array, fontKey: string): Uint8Array {
  const digits = fontKey.replace(/[^0-9A-Fa-f]/g, '')
  if (digits.length !== 32) return bytes
  const clear = bytes.slice()
  for (let i = 0; i < 32 && i < clear.length; i++) {
    const at = 30 - 2 * (i % 16)
    clear[i] = clear[i]! ^ Number.parseInt(digits.slice(at, at + 2), 16)
  }
  return clear
}
