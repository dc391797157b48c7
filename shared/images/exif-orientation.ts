/**
 * Applies the EXIF orientation of photographs. Word processors show the pixels as they are stored and ignore the
 * orientation that the file declares. Sources: Exif 2.32, 4.6.4 (tag 274); TIFF 6.0; template language 22.1.
 */
import { type JpegCodec, type JpegPixels, loadJpegCodec } from './jpeg-codec.ts'

let jpeg: JpegCodec | undefined

/** Loads the decoder. Must be awaited before the first `orientJpeg`. */
export async function loadJpeg(): Promise<void> {
  jpeg = await loadJpegCodec()
}

const maxPixels = 40_000_000
const quality = 90

/**
 * Returns the picture with its orientation applied, or undefined if there is none to apply, if it is not a JPEG, or
 * if the work would take more than `memory` bytes: about 15 per pixel. Never throws.
 */
export function orientJpeg(bytes: Uint8Array, memory: number): Uint8Array | undefined {
  const orientation = jpegOrientation(bytes)
  if (orientation === 1 || jpeg === undefined) return undefined
  const decoded = jpeg.decode(bytes, 4, { maxPixels, maxBytes: memory })
  return decoded && jpeg.encode(oriented(decoded, orientation), quality)
}

/** The declared orientation, 1 to 8. Returns 1 when the file declares none. */
export function jpegOrientation(bytes: Uint8Array): number {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return 1
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    for (let at = 2; at + 4 < bytes.length && bytes[at] === 0xff; at += 2 + view.getUint16(at + 2)) {
      const marker = bytes[at + 1] ?? 0
      if (marker === 0xda) return 1
      if (marker === 0xe1 && view.getUint32(at + 4) === 0x45786966) return directory(view, at + 10)
    }
  } catch {
    // The file is truncated.
  }
  return 1
}

/** The first directory of the TIFF file inside. */
function directory(view: DataView, start: number): number {
  const little = view.getUint16(start) === 0x4949
  const first = start + view.getUint32(start + 4, little)
  for (let left = view.getUint16(first, little), at = first + 2; left > 0; left -= 1, at += 12) {
    if (view.getUint16(at, little) !== 274) continue
    const value = view.getUint16(at + 8, little)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** The stored pixels, rearranged according to the orientation. */
function oriented({ data, width, height }: JpegPixels, orientation: number): JpegPixels {
  const isSideways = orientation >= 5
  const [w, h] = isSideways ? [height, width] : [width, height]
  const from = new Uint32Array(data.buffer, data.byteOffset, width * height)
  const to = new Uint32Array(w * h)
  const [right, bottom] = [width - 1, height - 1]
  for (let y = 0; y < h; y += 1) {
    for (let x = 0; x < w; x += 1) {
      let [sx, sy] = isSideways ? [y, x] : [x, y]
      if (orientation === 2 || orientation === 3 || orientation === 7 || orientation === 8) sx = right - sx
      if (orientation === 3 || orientation === 4 || orientation === 6 || orientation === 7) sy = bottom - sy
      to[y * w + x] = from[sy * width + sx] ?? 0
    }
  }
  return { data: new Uint8Array(to.buffer), width: w, height: h }
}
