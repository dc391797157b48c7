/** Writes PNG files. Source: PNG (third edition), clauses 5, 9 and 11. */
import { zlibSync } from 'fflate'
import { concatBytes } from '../bytes.ts'
import { crc32 } from '../office/crc32.ts'

/** Samples of one byte each, row by row. `palette`: bytes are indices; `rgba`: four bytes a pixel. */
export type Pixels =
  | { readonly kind: 'palette'; readonly colors: readonly number[]; readonly data: Uint8Array } // 0xRRGGBB
  | { readonly kind: 'rgba'; readonly data: Uint8Array }

/** A compressed PNG of the pixels, with 300 dpi written down when `dpi` says so. */
export function writePng(width: number, height: number, pixels: Pixels, dpi?: number): Uint8Array {
  const samples = pixels.kind === 'palette' ? 1 : 4
  const rowBytes = width * samples
  const rows = new Uint8Array(height * (rowBytes + 1))
  for (let y = 0; y < height; y += 1) {
    // Filter 0: neighbouring rows of drawings are mostly equal, which DEFLATE sees by itself.
    rows.set(pixels.data.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1)
  }
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header[8] = 8 // bits a sample
  header[9] = pixels.kind === 'palette' ? 3 : 6
  const palette =
    pixels.kind === 'palette'
      ? [chunk('PLTE', Uint8Array.from(pixels.colors.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255])))]
      : []
  return join([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    ...(dpi === undefined ? [] : [chunk('pHYs', physical(dpi))]),
    ...palette,
    chunk('IDAT', zlibSync(rows, { level: 4 })),
    chunk('IEND', new Uint8Array(0)),
  ])
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
