import type { FontEntry } from './font-source.ts'
import { readCharacterMap } from './sfnt/cmap.ts'
import { readTables } from './sfnt/container.ts'
import { hasCharacter, coverageOf as recordedCoverage } from './sfnt/face-record.ts'

/**
 * Which characters a face has: from the index of its source, otherwise from its file and then cached in eight
 * kilobytes. A search for an odd character may touch dozens of files; each is read once, and none of them evicts a
 * face in use from the cache.
 */
export interface CoverageIndex {
  /** Returns undefined when the bytes of the face are not available or are damaged. */
  has(entry: FontEntry, code: number): boolean | undefined
}

interface CharacterCoverage {
  readonly low: Uint8Array // a bit for each character of the first plane
  readonly high: readonly { readonly start: number; readonly end: number }[]
}

/**
 * The maximum number of glyphs of a font. Whether the glyph exists is checked again when the face is opened.
 */
const anyGlyph = 65_536
const maxRemembered = 2_000

export function createCoverageIndex(read: (entry: FontEntry) => Uint8Array | undefined): CoverageIndex {
  const cache = new Map<FontEntry, CharacterCoverage | null>()
  const coverageOf = (entry: FontEntry): CharacterCoverage | null => {
    let coverage = cache.get(entry)
    if (coverage !== undefined) return coverage
    const bytes = read(entry)
    if (bytes === undefined) return null // The bytes may be available later.
    coverage = readCoverage(bytes, entry.index)
    if (cache.size >= maxRemembered) cache.clear()
    cache.set(entry, coverage)
    return coverage
  }
  return {
    has(entry, code) {
      const { record } = entry
      if (record !== undefined) return !record.symbol && hasCharacter(recordedCoverage(record), code)
      const coverage = coverageOf(entry)
      if (coverage === null) return undefined
      if (code < 0x10000) return ((coverage.low[code >> 3] ?? 0) & (1 << (code & 7))) !== 0
      return coverage.high.some(({ start, end }) => code >= start && code <= end)
    },
  }
}

function readCoverage(bytes: Uint8Array, index: number): CharacterCoverage | null {
  try {
    const tables = readTables(bytes, index)
    // Without glyphs there is nothing to draw. The characters of symbol fonts have other meanings.
    const drawable = tables.has('glyf') || tables.has('CFF ') || tables.has('CFF2') || tables.has('CBDT')
    const map = readCharacterMap(tables.get('cmap'), anyGlyph)
    if (!drawable || map.symbol) return null
    const low = new Uint8Array(8_192)
    for (let code = 0; code < 0x10000; code++)
      if (map.glyphOf(code) !== 0) low[code >> 3] = (low[code >> 3] ?? 0) | (1 << (code & 7))
    return { low, high: map.high }
  } catch {
    return null
  }
}
