import { binaryText } from '../../../../shared/bytes.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import type { DecodeWebp } from '../../../../shared/plugin/contract.ts'
import { checkSize, damaged, type Raster, viewOf } from './raster.ts'

/**
 * The maximum number of pixels. They exist as RGBA and as separate planes at the same time, 8 bytes each: 50
 * megapixels occupy 400 MB.
 */
const maxPixels = 50_000_000
const maxChunks = 10_000

/**
 * Decodes a WebP picture, or the first frame of an animated one. Throws AppError 'image.too-large' before
 * anything is decoded, 'image.damaged', or 'image.unsupported' when there is no decoder. Source of the
 * container format: RFC 9649.
 */
export function decodeWebp(bytes: Uint8Array, decode: DecodeWebp | undefined): Raster {
  if (decode === undefined) {
    throw new AppError('image.unsupported', { format: 'WEBP', what: 'this host has no decoder for it' })
  }
  const chunks = readChunks(bytes, 12)
  checkCanvas(chunks)
  const animated = chunks.find(({ kind }) => kind === 'ANMF')
  const picture = decode(animated === undefined ? bytes : firstFrame(animated.data))
  if (picture === undefined) throw damaged('webp', 'its picture data cannot be read')
  return toRaster(picture)
}

/**
 * Whether a file contains WebP pictures, for which a decoder must be loaded before painting: the file itself is
 * one, or it is an SVG with one in a `data:` address.
 */
export function needsWebpDecoder(bytes: Uint8Array): boolean {
  if (tagAt(bytes, 0) === 'RIFF') return tagAt(bytes, 8) === 'WEBP'
  const isText = bytes[0] === 0x3c || (bytes[0] === 0xef && bytes[3] === 0x3c) // '<', possibly after a byte order mark
  return isText && new TextDecoder().decode(bytes).includes('data:image/webp')
}

interface Chunk {
  readonly kind: string
  /** The data without padding, truncated where the file ends. */
  readonly data: Uint8Array
}

/** Checks every size that libwebp allocates memory for: the canvas and the pictures on it. */
function checkCanvas(chunks: readonly Chunk[]): void {
  for (const { kind, data } of chunks) {
    const view = viewOf(data)
    if (kind === 'VP8X') checkSize('webp', 1 + uint24(view, 4), 1 + uint24(view, 7), maxPixels)
    else if (kind === 'VP8 ') {
      checkSize('webp', view.getUint16(6, true) & 0x3fff, view.getUint16(8, true) & 0x3fff, maxPixels)
    } else if (kind === 'VP8L') {
      const bits = view.getUint32(1, true)
      checkSize('webp', 1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff), maxPixels)
    } else if (kind === 'ANMF') {
      checkCanvas(readChunks(data, frameHeader))
      return // later frames are not decoded
    }
  }
}

/** The length of the position, size, duration and flags before the chunks of a frame. */
const frameHeader = 16

/** Wraps one frame in a file of its own, since libwebp's simple decoder refuses animations. */
function firstFrame(frame: Uint8Array): Uint8Array {
  const parts = readChunks(frame, frameHeader).filter(({ kind }) => /^(?:ALPH|VP8 |VP8L)$/.test(kind))
  const hasAlpha = parts.some(({ kind }) => kind === 'ALPH')
  const extended = new Uint8Array(10)
  extended[0] = hasAlpha ? 0x10 : 0
  extended.set(frame.subarray(6, 12), 4) // width and height, each less one, in 24 bits
  return riff(hasAlpha ? [{ kind: 'VP8X', data: extended }, ...parts] : parts)
}

function riff(chunks: readonly Chunk[]): Uint8Array {
  const size = chunks.reduce((sum, { data }) => sum + 8 + data.length + (data.length & 1), 12)
  const bytes = new Uint8Array(size)
  const view = viewOf(bytes)
  const begin = (at: number, kind: string, length: number): void => {
    for (let index = 0; index < 4; index++) bytes[at + index] = kind.charCodeAt(index)
    view.setUint32(at + 4, length, true)
  }
  begin(0, 'RIFF', size - 8)
  bytes.set([0x57, 0x45, 0x42, 0x50], 8)
  let at = 12
  for (const { kind, data } of chunks) {
    begin(at, kind, data.length)
    bytes.set(data, at + 8)
    at += 8 + data.length + (data.length & 1)
  }
  return bytes
}

function readChunks(bytes: Uint8Array, start: number): readonly Chunk[] {
  const view = viewOf(bytes)
  const chunks: Chunk[] = []
  for (let at = start; at + 8 <= bytes.length && chunks.length < maxChunks; ) {
    const size = view.getUint32(at + 4, true)
    chunks.push({ kind: tagAt(bytes, at), data: bytes.subarray(at + 8, at + 8 + size) })
    at += 8 + size + (size & 1)
  }
  return chunks
}

const tagAt = (bytes: Uint8Array, at: number): string => binaryText(bytes.subarray(at, at + 4))

const uint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) | (view.getUint8(at + 2) << 16)

/** Splits RGBA into colour and alpha. Alpha is omitted when every pixel is opaque. */
function toRaster({ width, height, rgba }: NonNullable<ReturnType<DecodeWebp>>): Raster {
  const rgb = new Uint8Array(3 * width * height)
  const alpha = new Uint8Array(width * height)
  let isOpaque = true
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    rgb[3 * pixel] = rgba[4 * pixel] ?? 0
    rgb[3 * pixel + 1] = rgba[4 * pixel + 1] ?? 0
    rgb[3 * pixel + 2] = rgba[4 * pixel + 2] ?? 0
    alpha[pixel] = rgba[4 * pixel + 3] ?? 0
    isOpaque &&= alpha[pixel] === 255
  }
  return { width, height, rgb, alpha: isOpaque ? undefined : alpha }
}
