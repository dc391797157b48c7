import type { FontEntry } from './font-source.ts'
import type { FontFile } from './sfnt/font-file.ts'

/** Parsed faces, least recently used first out; bounded by number and by bytes. */
export interface FontCache {
  get(entry: FontEntry): FontFile | undefined
  set(entry: FontEntry, font: FontFile): void
  readonly size: number
  readonly bytes: number
}

/** What a parsed face holds besides its file: the character map and decoded layout tables. */
const overhead = 160_000

export function createFontCache(maxFaces: number, maxBytes: number): FontCache {
  const fonts = new Map<FontEntry, FontFile>()
  let bytes = 0
  const weigh = (font: FontFile) => font.bytes.byteLength + overhead
  return {
    get(entry) {
      const font = fonts.get(entry)
      if (font === undefined) return undefined
      fonts.delete(entry)
      fonts.set(entry, font)
      return font
    },
    set(entry, font) {
      fonts.set(entry, font)
      bytes += weigh(font)
      // The newest stays whatever its size: somebody is about to use it.
      for (const [oldest, old] of fonts) {
        if (fonts.size <= 1 || (fonts.size <= maxFaces && bytes <= maxBytes)) break
        fonts.delete(oldest)
        bytes -= weigh(old)
      }
    },
    get size() {
      return fonts.size
    },
    get bytes() {
      return bytes
    },
  }
}
