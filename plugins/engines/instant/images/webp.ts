import { AppError } from '../../../../shared/errors/app-error.ts'
import { damaged, type Raster, viewOf } from './raster.ts'
import { type ArgbPicture, decodeVp8l } from './vp8l.ts'

const maxChunks = 10_000

/**
 * A lossless WebP, or the first frame of a moving one. Lossy ones throw AppError 'image.unsupported': office programs
 * do not write them. Source: RFC 9649.
 */
export function decodeWebp(bytes: Uint8Array): Raster {
  const chunks = readChunks(bytes, 12)
  const frame = chunks.get('ANMF')
  const parts = frame === undefined ? chunks : readChunks(frame, 16)
  const lossless = parts.get('VP8L')
  if (lossless !== undefined) return toRaster(decodeVp8l(lossless))
  if (!parts.has('VP8 ')) throw damaged('webp', 'it has no picture data')
  throw new AppError('image.unsupported', { format: 'WEBP', what: 'it is compressed with losses' })
}

/** The first chunk of each kind. */
function readChunks(bytes: Uint8Array, start: number): Map<string, Uint8Array> {
  const view = viewOf(bytes)
  const chunks = new Map<string, Uint8Array>()
  for (let at = start, count = 0; at + 8 <= bytes.length && count < maxChunks; count++) {
    const kind = String.fromCharCode(...bytes.subarray(at, at + 4))
    const size = view.getUint32(at + 4, true)
    if (!chunks.has(kind)) chunks.set(kind, bytes.subarray(at + 8, at + 8 + size))
    at += 8 + size + (size & 1)
  }
  return chunks
}

function toRaster({ width, height, argb, hasAlpha }: ArgbPicture): Raster {
  const rgb = new Uint8Array(3 * argb.length)
  const alpha = hasAlpha ? new Uint8Array(argb.length) : undefined
  for (let pixel = 0; pixel < argb.length; pixel++) {
    const value = argb[pixel]!
    rgb[3 * pixel] = value >>> 16
    rgb[3 * pixel + 1] = value >>> 8
    rgb[3 * pixel + 2] = value
    if (alpha !== undefined) alpha[pixel] = value >>> 24
  }
  return { width, height, rgb, alpha }
}
