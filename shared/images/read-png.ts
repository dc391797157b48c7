/** Reads the PNG files that `png.ts` writes. Source: PNG (third edition), clauses 7, 9 and 11. */
import { concatBytes } from '../bytes.ts'
import type { Codec } from '../plugin/values.ts'
import type { Pixels } from './changed-areas.ts'

/** Bytes per pixel by colour type, for the supported types: grey, RGB, grey with alpha, RGBA. */
const bytesOfPixel: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 }

/**
 * The pixels, without alpha. Undefined for unsupported files: palettes, other depths than 8 bits, interlaced ones.
 */
export function readPng(file: Uint8Array, codec: Codec, maxPixels: number): Pixels | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (file.length < 33 || view.getUint32(12) !== 0x49484452) return undefined // IHDR
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  const [depth, type, , , interlaced] = file.subarray(24, 29)
  const size = bytesOfPixel[type ?? -1]
  if (depth !== 8 || interlaced !== 0 || size === undefined || width * height > maxPixels) return undefined
  const stream = imageData(file, view)
  const rowBytes = width * size + 1
  // The two bytes of the zlib header (RFC 1950) are skipped.
  const rows = codec.inflateRaw(stream.subarray(2), rowBytes * height)
  if (rows.length < rowBytes * height) return undefined
  unfilter(rows, rowBytes, size)
  const data = new Uint8ClampedArray(width * height * 4)
  const isGrey = size < 3
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0, from = y * rowBytes + 1; x < width; x++, from += size, to += 4) {
      data[to] = rows[from] ?? 0
      data[to + 1] = rows[isGrey ? from : from + 1] ?? 0
      data[to + 2] = rows[isGrey ? from : from + 2] ?? 0
      data[to + 3] = 255
    }
  return { data, width, height }
}

/** The content of all IDAT chunks. */
function imageData(file: Uint8Array, view: DataView): Uint8Array {
  const chunks: Uint8Array[] = []
  for (let at = 8; at + 12 <= file.length; ) {
    const length = view.getUint32(at)
    if (at + 12 + length > file.length) break
    if (view.getUint32(at + 4) === 0x49444154) chunks.push(file.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return concatBytes(
    chunks,
    chunks.reduce((sum, { length }) => sum + length, 0),
  )
}

/** Undoes the filters of rows, each of which begins with the number of its filter. Clause 9.2. */
function unfilter(rows: Uint8Array, rowBytes: number, size: number): void {
  for (let start = 0; start < rows.length; start += rowBytes) {
    const filter = rows[start] ?? 0
    for (let at = start + 1; at < start + rowBytes; at++) {
      const left = at - size > start ? (rows[at - size] ?? 0) : 0
      const above = start > 0 ? (rows[at - rowBytes] ?? 0) : 0
      const corner = start > 0 && at - size > start ? (rows[at - rowBytes - size] ?? 0) : 0
      rows[at] = (rows[at] ?? 0) + predicted(filter, left, above, corner)
    }
  }
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const estimate = left + above - corner
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((value) => Math.abs(estimate - value))
  if ((toLeft ?? 0) <= (toAbove ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left
  return (toAbove ?? 0) <= (toCorner ?? 0) ? above : corner
}
