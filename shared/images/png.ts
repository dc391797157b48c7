/** Writes PNG files. Source: PNG (third edition), clauses 5, 9 and 11. */
import { zlibSync } from 'fflate'
import { concatBytes } from '../bytes.ts'
import { crc32 } from '../office/crc32.ts'

/** Samples of one byte each, row by row. `palette`: bytes are indices; `rgba`: four bytes a pixel. */
export type Pixels =
  | { readonly kind: 'palette'; readonly colors: readonly number[]; readonly data: Uint8Array } // 0xRRGGBB
  | { readonly kind: 'rgba'; readonly data: Uint8Array }

/** A compressed PNG of the pixels; `dpi` is written down where it is known. Colours that no pixel has are left out. */
export function writePng(width: number, height: number, pixels: Pixels, dpi?: number): Uint8Array {
  const packed = pixels.kind === 'palette' ? packedPalette(width, height, pixels) : undefined
  const depth = packed?.depth ?? 8
  const rowBytes = packed === undefined ? width * 4 : Math.ceil((width * depth) / 8)
  const data = packed?.data ?? pixels.data
  const rows = new Uint8Array(height * (rowBytes + 1))
  for (let y = 0; y < height; y += 1) {
    const to = y * (rowBytes + 1)
    const from = y * rowBytes
    rows[to] = y === 0 ? 0 : 2 // Up: rows of drawings are mostly like the row above
    for (let x = 0; x < rowBytes; x += 1)
      rows[to + 1 + x] = y === 0 ? data[x]! : data[from + x]! - data[from - rowBytes + x]!
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
  readonly depth: number // bits a sample
  readonly colors: readonly number[]
  readonly data: Uint8Array
}

/** As few bits a pixel as the colours that occur need. */
function packedPalette(
  width: number,
  height: number,
  { colors, data }: Extract<Pixels, { kind: 'palette' }>,
): Packed {
  const index = new Int16Array(256).fill(-1)
  const used: number[] = []
  for (let at = 0; at < data.length; at += 1) {
    const color = data[at]!
    if (index[color]! < 0) index[color] = used.push(color) - 1
  }
  const depth = used.length <= 2 ? 1 : used.length <= 4 ? 2 : used.length <= 16 ? 4 : 8
  const rowBytes = Math.ceil((width * depth) / 8)
  const out = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const bit = x * depth
      out[y * rowBytes + (bit >> 3)]! |= index[data[y * width + x]!]! << (8 - depth - (bit & 7))
    }
  }
  return { depth, colors: used.map((color) => colors[color]!), data: out }
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
