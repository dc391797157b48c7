import { AppError } from '../../../shared/errors/app-error.ts'

/** Pixels in rows from the top, three bytes each: red, green, blue. */
export interface Bitmap {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
}

const maxPixels = 100_000_000

/**
 * Reads a BMP as the engines of this service write it: 24 or 32 bits per pixel, or a palette of 8, 4 or 1,
 * uncompressed.
 *
 * Throws 'convert.document'. Source: [MS-WMF] 2.2.2.9, DeviceIndependentBitmap.
 */
export function readBitmap(bytes: Uint8Array): Bitmap {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 54 || view.getUint16(0) !== 0x424d) throw unreadable('it is not a BMP')
  const start = view.getUint32(10, true)
  const headerBytes = view.getUint32(14, true)
  const width = view.getInt32(18, true)
  const tall = view.getInt32(22, true)
  const depth = view.getUint16(28, true)
  const packing = view.getUint32(30, true)
  const height = Math.abs(tall)
  if (headerBytes < 40 || (packing !== 0 && packing !== 3)) throw unreadable('its pixels are compressed')
  if (![1, 4, 8, 24, 32].includes(depth)) throw unreadable('its depth is unknown')
  if (width <= 0 || height === 0 || width * height > maxPixels) throw unreadable('its size is invalid')
  const rowBytes = Math.ceil((width * depth) / 32) * 4
  if (start + rowBytes * height > bytes.length) throw unreadable('it is truncated')
  const palette = bytes.subarray(14 + headerBytes, start)
  const rgb = new Uint8Array(width * height * 3)
  for (let y = 0, to = 0; y < height; y++) {
    const row = start + rowBytes * (tall > 0 ? height - 1 - y : y)
    for (let x = 0; x < width; x++, to += 3) {
      const from = depth >= 24 ? row + x * (depth >> 3) : 0
      const colour = depth >= 24 ? 0 : indexAt(bytes, row, x, depth) * 4
      const [source, at] = depth >= 24 ? [bytes, from] : [palette, colour]
      rgb[to] = source[at + 2] ?? 0
      rgb[to + 1] = source[at + 1] ?? 0
      rgb[to + 2] = source[at] ?? 0
    }
  }
  return { width, height, rgb }
}

function indexAt(bytes: Uint8Array, row: number, x: number, depth: number): number {
  const bit = x * depth
  const shift = 8 - depth - (bit & 7)
  return ((bytes[row + (bit >> 3)] ?? 0) >> shift) & ((1 << depth) - 1)
}

/** Luma by ITU-R BT.601, 0 to 255. */
export function greyOf({ rgb }: Bitmap): Uint8Array {
  const grey = new Uint8Array(rgb.length / 3)
  for (let at = 0, from = 0; at < grey.length; at++, from += 3)
    grey[at] = Math.round(
      0.299 * (rgb[from] ?? 0) + 0.587 * (rgb[from + 1] ?? 0) + 0.114 * (rgb[from + 2] ?? 0),
    )
  return grey
}

function unreadable(because: string): AppError {
  return new AppError('convert.document', { engine: 'Pictures', from: 'bmp', because })
}
