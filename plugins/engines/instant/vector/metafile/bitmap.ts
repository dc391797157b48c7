import type { ImageRef } from '../../images/image.ts'
import { readImage } from '../../images/read-image.ts'
import type { VectorTools } from '../vector.ts'

/** Adds the file header to a device-independent bitmap; undefined for bytes that are not such a bitmap. Source: [MS-WMF] 2.2.2.9. */
export function dibImage(dib: Uint8Array, pixelsAt: number): ImageRef | undefined {
  const bytes = new Uint8Array(14 + dib.length)
  const view = new DataView(bytes.buffer)
  bytes.set([0x42, 0x4d])
  view.setUint32(2, bytes.length, true)
  view.setUint32(10, 14 + pixelsAt, true)
  bytes.set(dib, 14)
  return readImage(bytes)
}

/** Offset of the pixels of a packed bitmap: after its header, masks and colour table. */
export function pixelOffset(dib: Uint8Array): number {
  const view = new DataView(dib.buffer, dib.byteOffset, dib.byteLength)
  const header = view.getUint32(0, true)
  if (header === 12) {
    const bits = view.getUint16(10, true)
    return header + (bits <= 8 ? 3 * (1 << bits) : 0)
  }
  const bits = view.getUint16(14, true)
  const used = view.getUint32(32, true)
  const masks = header === 40 && view.getUint32(16, true) === 3 ? 12 : 0
  const colours = bits <= 8 ? Math.min(256, used || 1 << bits) : 0
  return header + masks + 4 * colours
}

/** The maximum number of pixels of a bitmap that is computed. Those of metafiles are the size of a screen. */
const maxPixels = 16_000_000
/** Pixels that are computed in one step of work. */
const pixelsPerStep = 8

/** A picture from pixels of four bytes: red, green, blue and alpha. Undefined when it has too many. */
export function bitmapOf(
  width: number,
  height: number,
  pixel: (x: number, y: number) => readonly [red: number, green: number, blue: number, alpha: number],
  { check }: Pick<VectorTools, 'check'>,
): ImageRef | undefined {
  if (width * height > maxPixels) return undefined
  check(Math.ceil((width * height) / pixelsPerStep))
  const bytes = startBmp(width, height)
  for (let y = 0, at = headerSize; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 4) {
      const [red, green, blue, alpha] = pixel(x, y)
      bytes[at] = blue
      bytes[at + 1] = green
      bytes[at + 2] = red
      bytes[at + 3] = alpha
    }
  return readImage(bytes)
}

/** Converts pixels whose colours are already multiplied by their alpha. Source: [MS-EMF] 2.3.1.1. */
export function unpremultiplied(image: ImageRef, tools: Pick<VectorTools, 'check'>): ImageRef | undefined {
  const view = new DataView(image.bytes.buffer, image.bytes.byteOffset, image.bytes.byteLength)
  if (view.getUint16(28, true) !== 32) return image
  const from = view.getUint32(10, true)
  const topDown = view.getInt32(22, true) < 0
  const { width, height } = image
  const pixel = (x: number, y: number): [number, number, number, number] => {
    const source = from + 4 * ((topDown ? y : height - 1 - y) * width + x)
    const alpha = image.bytes[source + 3] ?? 0
    const part = (at: number) =>
      alpha === 0 ? 0 : Math.min(255, ((image.bytes[source + at] ?? 0) * 255) / alpha)
    return [part(2), part(1), part(0), alpha]
  }
  return bitmapOf(width, height, pixel, tools)
}

const headerSize = 14 + 108

/** An empty bitmap of four bytes a pixel with alpha, rows from the top. */
function startBmp(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(headerSize + 4 * width * height)
  const view = new DataView(bytes.buffer)
  bytes.set([0x42, 0x4d])
  view.setUint32(2, bytes.length, true)
  view.setUint32(10, headerSize, true)
  view.setUint32(14, 108, true)
  view.setInt32(18, width, true)
  view.setInt32(22, -height, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 32, true)
  view.setUint32(30, 3, true)
  for (const [index, mask] of [0xff0000, 0xff00, 0xff, 0xff000000].entries())
    view.setUint32(54 + 4 * index, mask, true)
  return bytes
}
