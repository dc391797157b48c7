import { binaryText } from '../../../../shared/bytes.ts'
import { bmpHeader } from './bmp.ts'
import type { ImageFormat, ImageRef } from './image.ts'
import { jpegHeader } from './jpeg.ts'
import { readPng } from './png.ts'
import { viewOf } from './raster.ts'

/**
 * Reads the format, size and resolution of a picture from its content, without decoding pixels. Undefined when
 * it is none of PNG, JPEG, GIF, WebP and BMP, or when its header is invalid.
 */
export function readImage(bytes: Uint8Array): ImageRef | undefined {
  try {
    const format = imageFormatOf(bytes)
    if (format === undefined) return undefined
    const size = headers[format](bytes)
    if (!(size.width > 0 && size.height > 0)) return undefined
    return {
      format,
      bytes,
      width: size.width,
      height: size.height,
      dpiX: sensible(size.dpiX),
      dpiY: sensible(size.dpiY),
    }
  } catch {
    return undefined
  }
}

export interface ImageHeader {
  readonly width: number
  readonly height: number
  readonly dpiX?: number | undefined
  readonly dpiY?: number | undefined
}

const headers: Readonly<Record<ImageFormat, (bytes: Uint8Array) => ImageHeader>> = {
  png: readPng,
  jpeg: jpegHeader,
  gif: gifSize,
  webp: webpSize,
  bmp: bmpHeader,
}

function imageFormatOf(bytes: Uint8Array): ImageFormat | undefined {
  const starts = (...signature: number[]) => signature.every((byte, at) => bytes[at] === byte)
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png'
  if (starts(0xff, 0xd8, 0xff)) return 'jpeg'
  if (starts(0x47, 0x49, 0x46, 0x38)) return 'gif'
  if (starts(0x42, 0x4d)) return 'bmp'
  const riff = starts(0x52, 0x49, 0x46, 0x46)
  return riff && bytes[8] === 0x57 && bytes[9] === 0x45 && bytes[10] === 0x42 ? 'webp' : undefined
}

/**
 * Replaces a resolution of zero or of several thousand, which is a mistake, by 96, the value that office
 * programs assume.
 */
function sensible(dpi: number | undefined): number {
  return dpi !== undefined && dpi >= 10 && dpi <= 4800 ? dpi : 96
}

function gifSize(bytes: Uint8Array): ImageHeader {
  const view = viewOf(bytes)
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

/** The size of a WebP picture by the type of its first chunk. Source: RFC 9649. */
function webpSize(bytes: Uint8Array): ImageHeader {
  const view = viewOf(bytes)
  const kind = binaryText(bytes.subarray(12, 16))
  if (kind === 'VP8X') return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
  }
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
}
