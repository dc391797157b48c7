import type { FontFile } from './font-file.ts'

/** A glyph that is a picture (PNG), and where it stands: pixels from its origin, upward, at `perEm` pixels to the em. */
export interface GlyphPicture {
  readonly png: Uint8Array
  readonly left: number
  readonly top: number
  readonly perEm: number
}

const mostSizes = 64
const mostTables = 5_000

/** The largest picture there is of a glyph; undefined where there is none. Source: OpenType 1.9, CBLC and CBDT. */
export function glyphPicture(font: FontFile, glyph: number): GlyphPicture | undefined {
  const [places, data] = [font.table('CBLC'), font.table('CBDT')]
  if (places === undefined || data === undefined) return undefined
  try {
    let found: GlyphPicture | undefined
    const sizes = Math.min(mostSizes, places.getUint32(4))
    for (let n = 0; n < sizes; n += 1) {
      const size = 8 + 48 * n
      const perEm = places.getUint8(size + 45)
      const [first, last] = [places.getUint16(size + 40), places.getUint16(size + 42)]
      if (glyph < first || glyph > last || perEm <= (found?.perEm ?? 0)) continue
      found = pictureOfSize(places, data, { size, perEm, glyph }) ?? found
    }
    return found
  } catch (error) {
    // What says more than it holds has no picture.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

interface Wanted {
  readonly size: number
  readonly perEm: number
  readonly glyph: number
}

function pictureOfSize(places: DataView, data: DataView, wanted: Wanted): GlyphPicture | undefined {
  const array = places.getUint32(wanted.size)
  const count = Math.min(mostTables, places.getUint32(wanted.size + 8))
  for (let n = 0; n < count; n += 1) {
    const entry = array + 8 * n
    const first = places.getUint16(entry)
    if (wanted.glyph < first || wanted.glyph > places.getUint16(entry + 2)) continue
    const table = array + places.getUint32(entry + 4)
    const at = placeOf(places, table, wanted.glyph, first)
    if (at === undefined) return undefined
    return pictureAt(data, places.getUint32(table + 4) + at, places.getUint16(table + 2), wanted.perEm)
  }
  return undefined
}

/** Where the data of a glyph begins, from the beginning of those of its table. The formats that fonts of colours have. */
function placeOf(places: DataView, table: number, glyph: number, first: number): number | undefined {
  const body = table + 8
  switch (places.getUint16(table)) {
    case 1: {
      const [from, to] = [0, 4].map((more) => places.getUint32(body + 4 * (glyph - first) + more))
      return to! > from! ? from : undefined
    }
    case 3: {
      const [from, to] = [0, 2].map((more) => places.getUint16(body + 2 * (glyph - first) + more))
      return to! > from! ? from : undefined
    }
    case 4: {
      const count = places.getUint32(body)
      for (let n = 0; n < count; n += 1)
        if (places.getUint16(body + 4 + 4 * n) === glyph) return places.getUint16(body + 6 + 4 * n)
      return undefined
    }
    default:
      return undefined
  }
}

/** Metrics are small (17) or large (18): height, width, and the bearings of the left and the top. */
function pictureAt(data: DataView, at: number, format: number, perEm: number): GlyphPicture | undefined {
  if (format !== 17 && format !== 18) return undefined
  const [left, top] = [data.getInt8(at + 2), data.getInt8(at + 3)]
  const body = at + (format === 17 ? 5 : 8)
  const length = data.getUint32(body)
  if (body + 4 + length > data.byteLength) return undefined
  return { png: new Uint8Array(data.buffer, data.byteOffset + body + 4, length), left, top, perEm }
}
