/** The three formats of Netpbm, raw. Source: pbm(5), pgm(5), ppm(5). */
import { type Bitmap, greyOf } from './bitmap.ts'

/** Brighter pixels become white in a picture of two colours. */
const white = 128

export function writePpm({ width, height, rgb }: Bitmap): Uint8Array {
  return headed(`P6\n${width} ${height}\n255\n`, rgb)
}

export function writePgm(bitmap: Bitmap): Uint8Array {
  return headed(`P5\n${bitmap.width} ${bitmap.height}\n255\n`, greyOf(bitmap))
}

/** One bit per pixel, 1 is black, rows are padded to bytes. */
export function writePbm(bitmap: Bitmap): Uint8Array {
  const { width, height } = bitmap
  const grey = greyOf(bitmap)
  const rowBytes = Math.ceil(width / 8)
  const bits = new Uint8Array(rowBytes * height)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++)
      if ((grey[at] ?? 0) < white) {
        const to = y * rowBytes + (x >> 3)
        bits[to] = (bits[to] ?? 0) | (0x80 >> (x & 7))
      }
  return headed(`P4\n${width} ${height}\n`, bits)
}

function headed(head: string, body: Uint8Array): Uint8Array {
  const start = new TextEncoder().encode(head)
  const file = new Uint8Array(start.length + body.length)
  file.set(start)
  file.set(body, start.length)
  return file
}
