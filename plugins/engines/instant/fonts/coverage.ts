import type { FontEntry } from './font-source.ts'
import { readCharacterMap } from './sfnt/cmap.ts'
import { readTables } from './sfnt/container.ts'

/**
 * Which characters a face has, remembered in eight kilobytes a face. Looking for a face for an odd character may touch
 * dozens of files: they are read once, and none of them pushes a face in use out of the cache.
 */
export interface CoverageIndex {
  /** undefined: its bytes are not at hand, or it is damaged. */
  has(entry: FontEntry, code: number): boolean | undefined
}

interface Coverage {
  readonly low: Uint8Array // a bit for each character of the first plane
  readonly high: readonly { readonly start: number; readonly end: number }[]
}

/** The most glyphs a font can have: whether the glyph exists is asked again when the face is opened. */
const anyGlyph = 65_536
const maxRemembered = 2_000

export function createCoverageIndex(read: (entry: FontEntry) => Uint8Array | undefined): CoverageIndex {
  const known = new Map<FontEntry, Coverage | null>()
  const coverageOf = (entry: FontEntry): Coverage | null => {
    let coverage = known.get(entry)
    if (coverage !== undefined) return coverage
    const bytes = read(entry)
    if (bytes === undefined) return null // It may be there later.
    coverage = readCoverage(bytes, entry.index)
    if (known.size >= maxRemembered) known.clear()
    known.set(entry, coverage)
    return coverage
  }
  return {
    has(entry, code) {
      const coverage = coverageOf(entry)
      if (coverage === null) return undefined
      if (code < 0x10000) return (coverage.low[code >> 3]! & (1 << (code & 7))) !== 0
      return coverage.high.some(({ start, end }) => code >= start && code <= end)
    },
  }
}

function readCoverage(bytes: Uint8Array, index: number): Coverage | null {
  try {
    const tables = readTables(bytes, index)
    // Without glyphs there is nothing to draw. Symbol fonts mean something else by their characters.
    const drawable = tables.has('glyf') || tables.has('CFF ') || tables.has('CFF2') || tables.has('CBDT')
    const map = readCharacterMap(tables.get('cmap'), anyGlyph)
    if (!drawable || map.symbol) return null
    const low = new Uint8Array(8_192)
    for (let code = 0; code < 0x10000; code++) if (map.glyphOf(code) !== 0) low[code >> 3]! |= 1 << (code & 7)
    return { low, high: map.high }
  } catch {
    return null
  }
}
