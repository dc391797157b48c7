/**
 * Photos turned the way their camera was held. Word processors show the pixels as they are stored and do not look at
 * the orientation that the file tells. Sources: Exif 2.32, 4.6.4 (tag 274); TIFF 6.0; template language 22.1.
 */
import { encodeJpeg } from './jpeg-encode.ts'

type Decoder = typeof import('jpeg-js')
let decoder: Decoder | undefined

/** Before the first `uprightJpeg`. */
export async function loadJpeg(): Promise<void> {
  if (decoder !== undefined) return
  // The package is CommonJS: its functions stand in the default export.
  const loaded = (await import('jpeg-js')) as unknown as { default?: Decoder } & Decoder
  decoder = loaded.default ?? loaded
}

const megapixelsAtMost = 40
const quality = 90

/**
 * The picture turned, or undefined when it is upright already, no JPEG, or takes more than `memory` bytes to turn: about
 * 15 a pixel. Never throws.
 */
export function uprightJpeg(bytes: Uint8Array, memory: number): Uint8Array | undefined {
  const orientation = jpegOrientation(bytes)
  if (orientation === 1 || decoder === undefined) return undefined
  try {
    const { data, width, height } = decoder.decode(bytes, {
      useTArray: true,
      formatAsRGBA: true,
      maxResolutionInMP: megapixelsAtMost,
      maxMemoryUsageInMB: memory / 1_048_576,
    })
    const turned = oriented(data, width, height, orientation)
    return encodeJpeg(turned.data, turned.width, turned.height, quality)
  } catch {
    return undefined
  }
}

/** 1 to 8, 1 when the file does not say. */
export function jpegOrientation(bytes: Uint8Array): number {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return 1
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    for (let at = 2; at + 4 < bytes.length && bytes[at] === 0xff; at += 2 + view.getUint16(at + 2)) {
      const marker = bytes[at + 1]!
      if (marker === 0xda) return 1
      if (marker === 0xe1 && view.getUint32(at + 4) === 0x45786966) return directory(view, at + 10)
    }
  } catch {
    // Cut off.
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

interface Pixels {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** Where pixel (x, y) of the upright picture lies in the stored one. */
function oriented(data: Uint8Array, width: number, height: number, orientation: number): Pixels {
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
      to[y * w + x] = from[sy * width + sx]!
    }
  }
  return { data: new Uint8Array(to.buffer), width: w, height: h }
}
