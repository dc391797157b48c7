import { binaryText } from '../bytes.ts'
import { entryOf } from '../entry-of.ts'
/**
 * Determines the type and size of a picture from its first bytes alone: declared types are ignored, and no pixel is
 * decoded. Sources: PNG 11.2.2; ITU-T T.81 annex B; GIF89a 18; RFC 9649; TIFF 6.0 clause 2; SVG 2 clause 8.
 */
export type ImageKind = 'png' | 'jpeg' | 'gif' | 'bmp' | 'tiff' | 'webp' | 'svg'

/** Media types. */
export const pictureTypes: Readonly<Record<ImageKind, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  tiff: 'image/tiff',
  webp: 'image/webp',
  svg: 'image/svg+xml',
}

export interface MeasuredImage {
  readonly kind: ImageKind
  /** Pixels; for SVG any unit that the file uses, so that only the ratio is meaningful. */
  readonly width: number
  readonly height: number
}

/** Pixels. No office program shows larger pictures, so they are errors or attacks. */
const maxSide = 1_000_000

/** Returns undefined for everything that is not a picture of a known type or has no size. Never throws. */
export function measureImage(bytes: Uint8Array): MeasuredImage | undefined {
  const kind = kindOf(bytes)
  if (kind === undefined) return undefined
  try {
    const [width, height] = sizes[kind](bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    const sound = width > 0 && height > 0 && width <= maxSide && height <= maxSide
    return sound ? { kind, width, height } : undefined
  } catch {
    // The header is truncated.
    return undefined
  }
}

const signatures: readonly (readonly [ImageKind, readonly number[]])[] = [
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['gif', [0x47, 0x49, 0x46, 0x38]],
  ['bmp', [0x42, 0x4d]],
  ['tiff', [0x49, 0x49, 0x2a, 0x00]],
  ['tiff', [0x4d, 0x4d, 0x00, 0x2a]],
]

function kindOf(bytes: Uint8Array): ImageKind | undefined {
  for (const [kind, signature] of signatures)
    if (signature.every((byte, at) => bytes[at] === byte)) return kind
  if (latin(bytes, 0, 4) === 'RIFF' && latin(bytes, 8, 12) === 'WEBP') return 'webp'
  return svgRoot(bytes) === undefined ? undefined : 'svg'
}

/** A size in CSS pixels for SVG, otherwise in pixels of the image. */
type PixelSize = readonly [width: number, height: number]
const sizes: Readonly<Record<ImageKind, (bytes: Uint8Array, view: DataView) => PixelSize>> = {
  png: (_, view) => [view.getUint32(16), view.getUint32(20)],
  jpeg: jpegSize,
  gif: (_, view) => [view.getUint16(6, true), view.getUint16(8, true)],
  bmp: (_, view) =>
    view.getUint32(14, true) === 12
      ? [view.getUint16(18, true), view.getUint16(20, true)]
      : [view.getInt32(18, true), Math.abs(view.getInt32(22, true))],
  tiff: (_, view) => tiffSize(view),
  webp: webpSize,
  svg: svgSize,
}

/**
 * Iterates over the segments up to the frame header. The EXIF orientation is ignored: the stored size is returned.
 */
function jpegSize(bytes: Uint8Array, view: DataView): PixelSize {
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return [0, 0]
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)]
    if (marker === 0xd9 || marker === 0xda) return [0, 0]
    const hasNoLength = marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    at += marker === 0xff ? 1 : hasNoLength ? 2 : 2 + Math.max(2, view.getUint16(at + 2))
  }
  return [0, 0]
}

function webpSize(bytes: Uint8Array, view: DataView): PixelSize {
  const chunk = latin(bytes, 12, 16)
  if (chunk === 'VP8X') {
    const side = (at: number) => 1 + (view.getUint16(at, true) | (view.getUint8(at + 2) << 16))
    return [side(24), side(27)]
  }
  if (chunk === 'VP8L') {
    const packed = view.getUint32(21, true)
    return [1 + (packed & 0x3fff), 1 + ((packed >>> 14) & 0x3fff)]
  }
  return chunk === 'VP8 ' ? [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff] : [0, 0]
}

/** The first directory's ImageWidth (256) and ImageLength (257), each a SHORT or a LONG. */
function tiffSize(view: DataView): PixelSize {
  const little = view.getUint8(0) === 0x49
  const directory = view.getUint32(4, little)
  const size = { width: 0, height: 0 }
  for (let left = view.getUint16(directory, little), at = directory + 2; left > 0; left -= 1, at += 12) {
    const tag = view.getUint16(at, little)
    if (tag !== 256 && tag !== 257) continue
    const value =
      view.getUint16(at + 2, little) === 3 ? view.getUint16(at + 8, little) : view.getUint32(at + 8, little)
    size[tag === 256 ? 'width' : 'height'] = value
  }
  return [size.width, size.height]
}

const latin = (bytes: Uint8Array, from: number, to: number): string => binaryText(bytes.subarray(from, to))

/** Bytes within which the root element must begin. */
const headBytes = 8192

/** The start tag of an SVG's root, after a byte order mark, a declaration, comments and a document type. */
function svgRoot(bytes: Uint8Array): string | undefined {
  if (![0x3c, 0x20, 0x0a, 0x0d, 0x09, 0xef].includes(bytes[0] ?? 0)) return undefined
  let text = new TextDecoder().decode(bytes.subarray(0, headBytes)).trimStart()
  for (let terminator: string | undefined = '-->'; terminator !== undefined; ) {
    terminator = text.startsWith('<?')
      ? '?>'
      : text.startsWith('<!--')
        ? '-->'
        : /^<!DOCTYPE/i.test(text)
          ? '>'
          : undefined
    if (terminator === undefined) break
    const end = text.indexOf(terminator)
    if (end < 0) return undefined
    text = text.slice(end + terminator.length).trimStart()
  }
  return /^<(?:\w+:)?svg[\s/>][^>]*>?/.exec(text)?.[0]
}

function svgSize(bytes: Uint8Array): PixelSize {
  const root = svgRoot(bytes)!
  const attribute = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(root)?.[1]
  const width = length(attribute('width'))
  const height = length(attribute('height'))
  const [, , boxWidth = 0, boxHeight = 0] = (attribute('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  if (width !== undefined && height !== undefined) return [width, height]
  if (!(boxWidth > 0 && boxHeight > 0)) return [width ?? 300, height ?? 150]
  if (width !== undefined) return [width, (width * boxHeight) / boxWidth]
  return height === undefined ? [boxWidth, boxHeight] : [(height * boxWidth) / boxHeight, height]
}

/** CSS pixels in each unit (CSS Values 3, 5.2). */
export const cssPixels: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
}

/** A length in CSS pixels. Returns undefined for percentages and for units relative to a font. */
function length(text: string | undefined): number | undefined {
  const match = /^\+?((?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)$/i.exec((text ?? '').trim())
  const unit = match === null ? undefined : entryOf(cssPixels, (match[2] ?? '').toLowerCase())
  return unit === undefined ? undefined : Number(match![1]) * unit
}
