import type { FontEntry } from './font-source.ts'
import type { FontFile } from './sfnt/font-file.ts'

/** A cache of parsed faces, bounded by number and by bytes; the least recently used one is evicted first. */
export interface FontCache {
  get(entry: FontEntry): FontFile | undefined
  set(entry: FontEntry, font: FontFile): void
  readonly size: number
  readonly bytes: number
}

export function createFontCache(maxFaces: number, maxBytes: number): FontCache {
  const fonts = new Map<FontEntry, FontFile>()
  // A face grows while its tables are read, so that it is weighed whenever another one comes.
  const weight = () => {
    let bytes = 0
    for (const font of fonts.values()) bytes += font.cachedBytes
    return bytes
  }
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
      let bytes = weight()
      // The newest face is kept whatever its size, because it is about to be used.
      for (const [oldest, old] of fonts) {
        if (fonts.size <= 1 || (fonts.size <= maxFaces && bytes <= maxBytes)) break
        fonts.delete(oldest)
        bytes -= old.cachedBytes
      }
    },
    get size() {
      return fonts.size
    },
    get bytes() {
      return weight()
    },
  }
}
