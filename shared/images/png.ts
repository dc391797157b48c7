/** Writes PNG files. Source: PNG (third edition), clauses 5, 9 and 11. */
import { zlibSync } from 'fflate'
import { concatBytes } from '../bytes.ts'
import { crc32 } from '../crc32.ts'

/** Pixels row by row. `palette`: one byte each, the index of a colour; `rgba`: four bytes each. */
export type PngPixels =
  | { readonly kind: 'palette'; readonly colors: readonly number[]; readonly data: Uint8Array } // 0xRRGGBB
  | { readonly kind: 'rgba'; readonly data: Uint8Array }

/** Encodes pixels as a PNG. Palette colours that no pixel has are omitted, so that fewer bits may do. `dpi` is recorded when given. */
export function writePng(width: number, height: number, pixels: PngPixels, dpi?: number): Uint8Array {
  const packed = pixels.kind === 'palette' ? packedPalette(width, height, pixels) : undefined
  const depth = packed?.depth ?? 8
  const rowBytes = packed === undefined ? width * 4 : Math.ceil((width * depth) / 8)
  const data = packed?.data ?? pixels.data
  const rows = new Uint8Array(height * (rowBytes + 1))
  for (let y = 0; y < height; y += 1) {
    const to = y * (rowBytes + 1)
    const from = y * rowBytes
    // Filter 2 (Up): rows of drawings mostly equal the row above, so their difference compresses best. Clause 9.2.
    rows[to] = y === 0 ? 0 : 2
    for (let x = 0; x < rowBytes; x += 1)
      rows[to + 1 + x] = y === 0 ? (data[x] ?? 0) : (data[from + x] ?? 0) - (data[from - rowBytes + x] ?? 0)
  }
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header[8] = depth
  header[9] = packed === undefined ? 6 : 3
  const palette = packed?.colors.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255])
  return join([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    ...(dpi === undefined ? [] : [chunk('pHYs', physical(dpi))]),
    ...(palette === undefined ? [] : [chunk('PLTE', Uint8Array.from(palette))]),
    chunk('IDAT', zlibSync(rows, { level: 4 })),
    chunk('IEND', new Uint8Array(0)),
  ])
}

interface Packed {
  readonly depth: number // bits in a sample
  readonly colors: readonly number[]
  readonly data: Uint8Array
}

/** Packs indices with as few bits in a pixel as the number of colours allows: 1, 2, 4 or 8. Clause 11.2.1. */
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
