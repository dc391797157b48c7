import { viewOf } from './container.ts'
import type { FontFile } from './font-file.ts'

/**
 * A glyph that is a picture (PNG), and its position: pixels from its origin, upward, at `perEm` pixels per
 * em.
 */
export interface GlyphPicture {
  readonly png: Uint8Array
  readonly left: number
  readonly top: number
  readonly perEm: number
}

const maxSizes = 64
const maxTables = 5_000

/**
 * Returns the largest picture of a glyph; undefined when it has no picture. Source: OpenType 1.9, CBLC and CBDT.
 */
export function glyphPicture(font: FontFile, glyph: number): GlyphPicture | undefined {
  const locations = font.table('CBLC')
  if (locations === undefined || font.sizeOf('CBDT') === 0) return undefined
  try {
    let largest: GlyphPicture | undefined
    const sizes = Math.min(maxSizes, locations.getUint32(4))
    for (let n = 0; n < sizes; n += 1) {
      const size = 8 + 48 * n
      const perEm = locations.getUint8(size + 45)
      const [first, last] = [locations.getUint16(size + 40), locations.getUint16(size + 42)]
      if (glyph < first || glyph > last || perEm <= (largest?.perEm ?? 0)) continue
      largest = pictureOfSize(locations, font, { size, perEm, glyph }) ?? largest
    }
    return largest
  } catch (error) {
    // A table that declares more than it contains has no picture.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

interface BitmapRequest {
  readonly size: number
  readonly perEm: number
  readonly glyph: number
}

function pictureOfSize(
  locations: DataView,
  font: FontFile,
  request: BitmapRequest,
): GlyphPicture | undefined {
  const array = locations.getUint32(request.size)
  const count = Math.min(maxTables, locations.getUint32(request.size + 8))
  for (let n = 0; n < count; n += 1) {
    const entry = array + 8 * n
    const first = locations.getUint16(entry)
    if (request.glyph < first || request.glyph > locations.getUint16(entry + 2)) continue
    const table = array + locations.getUint32(entry + 4)
    const at = dataOffset(locations, table, request.glyph, first)
    if (at === undefined) return undefined
    return pictureAt(font, locations.getUint32(table + 4) + at, locations.getUint16(table + 2), request.perEm)
  }
  return undefined
}

/** The offset of the data of a glyph in its table. Supports the formats that colour fonts use. */
function dataOffset(locations: DataView, table: number, glyph: number, first: number): number | undefined {
  const body = table + 8
  switch (locations.getUint16(table)) {
    case 1: {
      const [from, to] = [0, 4].map((more) => locations.getUint32(body + 4 * (glyph - first) + more))
      return to! > from! ? from : undefined
    }
    case 3: {
      const [from, to] = [0, 2].map((more) => locations.getUint16(body + 2 * (glyph - first) + more))
      return to! > from! ? from : undefined
    }
    case 4: {
      const count = locations.getUint32(body)
      for (let n = 0; n < count; n += 1)
        if (locations.getUint16(body + 4 + 4 * n) === glyph) return locations.getUint16(body + 6 + 4 * n)
      return undefined
    }
    default:
      return undefined
  }
}

/** Metrics are small (17) or large (18): height, width, and the left and top bearing. */
function pictureAt(font: FontFile, at: number, format: number, perEm: number): GlyphPicture | undefined {
  if (format !== 17 && format !== 18) return undefined
  const head = format === 17 ? 5 : 8
  const data = viewOf(font.part('CBDT', at, head + 4))
  const [left, top] = [data.getInt8(2), data.getInt8(3)]
  const png = font.part('CBDT', at + head + 4, data.getUint32(head))
  return png.byteLength < data.getUint32(head) ? undefined : { png, left, top, perEm }
}
