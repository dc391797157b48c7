/** Maps characters to glyphs. Glyph 0 means that the font has none. */
export interface CharacterMap {
  glyphOf(codePoint: number): number
  /** Whether the font has a glyph, which may be known without reading the map. */
  has(codePoint: number): boolean
  /** Whether the font numbers its characters from U+F000, as Symbol and Wingdings do. */
  readonly symbol: boolean
  /** Ranges of characters beyond the first plane that have glyphs. */
  readonly high: readonly CmapGroup[]
}

const none: CharacterMap = { glyphOf: () => 0, has: () => false, symbol: false, high: [] }
const maxGroups = 200_000

/**
 * Reads the largest subtable of the font: full Unicode, then the BMP, then symbol, then Macintosh.
 *
 * Supports formats 0, 4, 6 and 12 (13 is only for last-resort fonts). Overlapping segments are skipped, so
 * that the work is bounded by the number of characters whatever the table declares. Source: OpenType 1.9
 * `cmap`.
 */
export function readCharacterMap(table: DataView | undefined, glyphCount: number): CharacterMap {
  if (table === undefined) return none
  const chosen = chooseSubtable(table)
  if (chosen === undefined) return none
  const low = new Uint16Array(0x10000)
  const high: CmapGroup[] = []
  const sink: MappingSink = (code, glyph) => {
    if (glyph < glyphCount) low[code] = glyph
  }
  const view = new DataView(table.buffer, table.byteOffset + chosen.offset, table.byteLength - chosen.offset)
  const format = view.getUint16(0)
  if (format === 0) readBytes(view, sink)
  else if (format === 4) readSegments(view, sink)
  else if (format === 6) readTrimmed(view, sink)
  else if (format === 12) readGroups(view, glyphCount, sink, high)
  const glyphOf = (codePoint: number): number => {
    if (codePoint < 0x10000) {
      const glyph = low[codePoint] ?? 0
      if (glyph !== 0 || !chosen.symbol) return glyph
      return codePoint < 0x100 ? (low[0xf000 + codePoint] ?? 0) : 0
    }
    return findHigh(high, codePoint)
  }
  return { symbol: chosen.symbol, high, glyphOf, has: (codePoint) => glyphOf(codePoint) !== 0 }
}

type MappingSink = (code: number, glyph: number) => void
export interface CmapGroup {
  readonly start: number
  readonly end: number
  readonly glyph: number
}

function chooseSubtable(table: DataView): { offset: number; symbol: boolean } | undefined {
  let best: { offset: number; symbol: boolean } | undefined
  let bestRank = 0
  const count = Math.min(table.getUint16(2), 64)
  for (let index = 0; index < count; index++) {
    const at = 4 + 8 * index
    const platform = table.getUint16(at)
    const encoding = table.getUint16(at + 2)
    const offset = table.getUint32(at + 4)
    if (offset + 8 > table.byteLength) continue
    const format = table.getUint16(offset)
    if (format !== 0 && format !== 4 && format !== 6 && format !== 12) continue
    const rank = rankOf(platform, encoding)
    if (rank > bestRank) {
      bestRank = rank
      best = { offset, symbol: platform === 3 && encoding === 0 }
    }
  }
  return best
}

function rankOf(platform: number, encoding: number): number {
  if (platform === 3 && encoding === 10) return 6
  if (platform === 0 && (encoding === 4 || encoding === 6)) return 5
  if (platform === 3 && encoding === 1) return 4
  if (platform === 0 && encoding !== 5) return 3
  if (platform === 3 && encoding === 0) return 2
  return platform === 1 ? 1 : 0
}

function readBytes(view: DataView, sink: MappingSink): void {
  for (let code = 0; code < 256 && 6 + code < view.byteLength; code++) sink(code, view.getUint8(6 + code))
}

function readTrimmed(view: DataView, sink: MappingSink): void {
  const first = view.getUint16(6)
  const count = Math.min(view.getUint16(8), (view.byteLength - 10) >> 1, 0x10000 - first)
  for (let index = 0; index < count; index++) sink(first + index, view.getUint16(10 + 2 * index))
}

function readSegments(view: DataView, sink: MappingSink): void {
  const double = view.getUint16(6) & ~1
  const ends = 14
  const starts = ends + double + 2
  const deltas = starts + double
  const offsets = deltas + double
  let next = 0
  for (let at = 0; at < double && offsets + at + 2 <= view.byteLength; at += 2) {
    const start = Math.max(next, view.getUint16(starts + at))
    const end = view.getUint16(ends + at)
    if (end < start) continue
    next = end + 1
    const delta = view.getUint16(deltas + at)
    const offset = view.getUint16(offsets + at)
    const base = offsets + at + offset - 2 * view.getUint16(starts + at)
    for (let code = start; code <= end; code++) {
      if (offset === 0) {
        sink(code, (code + delta) & 0xffff)
        continue
      }
      const position = base + 2 * code
      if (position + 2 > view.byteLength) break
      const glyph = view.getUint16(position)
      if (glyph !== 0) sink(code, (glyph + delta) & 0xffff)
    }
  }
}

function readGroups(view: DataView, glyphCount: number, sink: MappingSink, high: CmapGroup[]): void {
  const count = Math.min(view.getUint32(12), maxGroups, Math.floor((view.byteLength - 16) / 12))
  let next = 0
  for (let index = 0; index < count; index++) {
    const at = 16 + 12 * index
    const start = view.getUint32(at)
    const end = Math.min(view.getUint32(at + 4), 0x10ffff)
    const glyph = view.getUint32(at + 8)
    if (start < next || end < start) continue
    next = end + 1
    for (let code = start; code <= end && code < 0x10000; code++) sink(code, glyph + code - start)
    if (end >= 0x10000 && glyph < glyphCount) {
      const from = Math.max(start, 0x10000)
      const last = Math.min(end, start + (glyphCount - 1 - glyph))
      if (last >= from) high.push({ start: from, end: last, glyph: glyph + from - start })
    }
  }
}

function findHigh(groups: readonly CmapGroup[], codePoint: number): number {
  let low = 0
  let high = groups.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const group = groups[middle]!
    if (codePoint < group.start) high = middle - 1
    else if (codePoint > group.end) low = middle + 1
    else return group.glyph + codePoint - group.start
  }
  return 0
}
