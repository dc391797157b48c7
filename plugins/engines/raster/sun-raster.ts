import type { Bitmap } from './bitmap.ts'

const magic = 0x59a66a95
const standard = 1 // rows of blue, green, red
const headBytes = 32

/** Sun raster, 24 bits per pixel, rows padded to 16 bits. Source: rasterfile(5) of SunOS 4. */
export function writeSunRaster({ width, height, rgb }: Bitmap): Uint8Array {
  const rowBytes = width * 3 + ((width * 3) & 1)
  const file = new Uint8Array(headBytes + rowBytes * height)
  const view = new DataView(file.buffer)
  const head = [magic, width, height, 24, rowBytes * height, standard, 0, 0]
  for (const [at, value] of head.entries()) view.setUint32(at * 4, value)
  for (let y = 0, from = 0; y < height; y++) {
    let to = headBytes + y * rowBytes
    for (let x = 0; x < width; x++, from += 3, to += 3) {
      file[to] = rgb[from + 2] ?? 0
      file[to + 1] = rgb[from + 1] ?? 0
      file[to + 2] = rgb[from] ?? 0
    }
  }
  return file
}
