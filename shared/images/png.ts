/** Writes PNG files. Source: PNG (third edition), clauses 5, 9 and 11. */
import { zlibSync } from 'fflate'
import { concatBytes } from '../bytes.ts'
import { crc32 } from '../crc32.ts'

/**
 * Pixels in row order. `palette`: one byte each, the index of a colour. `rgba`: four bytes each, of which the file
 * stores the channels of `samples`; absent: all four.
 */
export type PngPixels =
  | { readonly kind: 'palette'; readonly colors: readonly number[]; readonly data: Uint8Array } // 0xRRGGBB
  | { readonly kind: 'rgba'; readonly data: Uint8Array; readonly samples?: PngSamples }

/** The stored channels of a pixel: `grey` is taken from the red channel. */
export type PngSamples = 'grey' | 'grey-alpha' | 'rgb' | 'rgba'

/** The colour type of the header, and the positions of the stored bytes within a pixel of four. Clause 11.2.1. */
const layouts: Readonly<Record<PngSamples, { readonly type: number; readonly bytes: readonly number[] }>> = {
  grey: { type: 0, bytes: [0] },
  'grey-alpha': { type: 4, bytes: [0, 3] },
  rgb: { type: 2, bytes: [0, 1, 2] },
  rgba: { type: 6, bytes: [0, 1, 2, 3] },
}

export interface PngSettings {
  /** The resolution to record. */
  readonly dpi?: number
  /** Creates a zlib stream (RFC 1950); absent: in JavaScript. */
  readonly zlib?: (bytes: Uint8Array) => Uint8Array
  /** Writes the pixels in seven passes, so that viewers can show a coarse picture early. Not for palettes. */
  readonly interlaced?: boolean
}

/** Encodes pixels as a PNG. Unused palette colours are omitted, so that fewer bits per pixel may suffice. */
export function writePng(
  width: number,
  height: number,
  pixels: PngPixels,
  { dpi, zlib = (bytes) => zlibSync(bytes, { level: 4 }), interlaced = false }: PngSettings = {},
): Uint8Array {
  const image =
    pixels.kind === 'palette'
      ? paletteImage(width, height, pixels)
      : fullImage(width, height, pixels, interlaced)
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header.set([image.depth, image.type, 0, 0, image.interlaced ? 1 : 0], 8)
  return join([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    ...(dpi === undefined ? [] : [chunk('pHYs', physical(dpi))]),
    ...(image.palette === undefined ? [] : [chunk('PLTE', image.palette)]),
    chunk('IDAT', zlib(image.rows)),
    chunk('IEND', new Uint8Array(0)),
  ])
}

/** The parts of a file that depend on the kind of pixels: fields of the header, and the filtered rows. */
interface FilteredImage {
  readonly depth: number
  readonly type: number
  readonly interlaced: boolean
  readonly palette?: Uint8Array
  readonly rows: Uint8Array
}

function paletteImage(
  width: number,
  height: number,
  pixels: Extract<PngPixels, { kind: 'palette' }>,
): FilteredImage {
  const { depth, colors, data } = packedPalette(width, height, pixels)
  const rowBytes = Math.ceil((width * depth) / 8)
  const rows = new Uint8Array(height * (rowBytes + 1))
  for (let y = 0; y < height; y += 1) {
    const to = y * (rowBytes + 1)
    const from = y * rowBytes
    rows[to] = y === 0 ? 0 : up
    for (let x = 0; x < rowBytes; x += 1)
      rows[to + 1 + x] = (data[from + x] ?? 0) - (y === 0 ? 0 : (data[from - rowBytes + x] ?? 0))
  }
  const palette = Uint8Array.from(colors.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))
  return { depth, type: 3, interlaced: false, palette, rows }
}

function fullImage(
  width: number,
  height: number,
  { data, samples = 'rgba' }: Extract<PngPixels, { kind: 'rgba' }>,
  interlaced: boolean,
): FilteredImage {
  const { type, bytes } = layouts[samples]
  const aligned = data.byteOffset % 4 === 0 ? data : data.slice()
  const pixels = new Uint32Array(aligned.buffer, aligned.byteOffset, width * height)
  const rows = interlaced
    ? join(passesOf(pixels, width, height).map((pass) => filteredRows(pass, bytes)))
    : filteredRows({ pixels, width, height }, bytes)
  return { depth: 8, type, interlaced, rows }
}

/** Filter 2 (Up): rows of drawings mostly equal the row above, so their difference compresses best. Clause 9.2. */
const up = 2

/** One pixel in four bytes, red first. */
interface PixelRows {
  readonly pixels: Uint32Array
  readonly width: number
  readonly height: number
}

/** The filtered rows. Only pixels that differ from those above are processed, since all others become zero. */
function filteredRows({ pixels, width, height }: PixelRows, channels: readonly number[]): Uint8Array {
  const size = channels.length
  const rowBytes = width * size + 1
  const rows = new Uint8Array(height * rowBytes)
  const shifts = channels.map((byte) => byte * 8)
  const write = (to: number, pixel: number, above: number): void => {
    for (let byte = 0; byte < size; byte += 1) {
      const shift = shifts[byte] as number
      rows[to + byte] = (pixel >>> shift) - (above >>> shift)
    }
  }
  for (let x = 0; x < width && height > 0; x += 1) write(1 + x * size, pixels[x] as number, 0)
  for (let y = 1; y < height; y += 1) {
    const start = y * width
    const first = y * rowBytes + 1
    rows[first - 1] = up
    for (let x = start, end = start + width; x < end; x += 1) {
      const pixel = pixels[x] as number
      const above = pixels[x - width] as number
      if (pixel !== above) write(first + (x - start) * size, pixel, above)
    }
  }
  return rows
}

/** The passes of Adam7: the first column and row, and the steps between them. Clause 8.2. */
export const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** The pixels of each pass that is not empty. */
function passesOf(pixels: Uint32Array, width: number, height: number): readonly PixelRows[] {
  const passes: PixelRows[] = []
  for (const [left, top, stepX, stepY] of adam7) {
    const columns = Math.max(0, Math.ceil((width - left) / stepX))
    const rows = Math.max(0, Math.ceil((height - top) / stepY))
    if (columns === 0 || rows === 0) continue
    const pass = new Uint32Array(columns * rows)
    let to = 0
    for (let y = top; y < height; y += stepY)
      for (let x = left; x < width; x += stepX) pass[to++] = pixels[y * width + x] as number
    passes.push({ pixels: pass, width: columns, height: rows })
  }
  return passes
}

interface Packed {
  readonly depth: number // bits in a sample
  readonly colors: readonly number[]
  readonly data: Uint8Array
}

/** Packs indices with as few bits per pixel as the number of colours allows: 1, 2, 4 or 8. Clause 11.2.1. */
function packedPalette(
  width: number,
  height: number,
  { colors, data }: Extract<PngPixels, { kind: 'palette' }>,
): Packed {
  const index = new Int16Array(256).fill(-1)
  const used: number[] = []
  for (let at = 0; at < data.length; at += 1) {
    const color = data[at] ?? 0
    if ((index[color] ?? 0) < 0) index[color] = used.push(color) - 1
  }
  const depth = used.length <= 2 ? 1 : used.length <= 4 ? 2 : used.length <= 16 ? 4 : 8
  const rowBytes = Math.ceil((width * depth) / 8)
  const out = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const bit = x * depth
      out[y * rowBytes + (bit >> 3)] =
        (out[y * rowBytes + (bit >> 3)] ?? 0) |
        ((index[data[y * width + x] ?? 0] ?? 0) << (8 - depth - (bit & 7)))
    }
  }
  return { depth, colors: used.map((color) => colors[color] ?? 0), data: out }
}

function physical(dpi: number): Uint8Array {
  const bytes = new Uint8Array(9)
  const view = new DataView(bytes.buffer)
  const perMetre = Math.round(dpi / 0.0254)
  view.setUint32(0, perMetre)
  view.setUint32(4, perMetre)
  bytes[8] = 1
  return bytes
}

function chunk(kind: string, body: Uint8Array): Uint8Array {
  const named = join([new TextEncoder().encode(kind), body])
  const bytes = new Uint8Array(named.length + 8)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, body.length)
  bytes.set(named, 4)
  view.setUint32(named.length + 4, crc32(named))
  return bytes
}

const join = (parts: readonly Uint8Array[]): Uint8Array =>
  concatBytes(
    parts,
    parts.reduce((sum, { length }) => sum + length, 0),
  )
