/** Decoded pictures that can be sampled at any size. */
import type { PictureAdjust } from '../../../../../shared/document/paint.ts'
import type { JpegCodec } from '../../../../../shared/images/jpeg-codec.ts'
import type { DecodeWebp } from '../../../../../shared/plugin/contract.ts'
import type { Codec } from '../../../../../shared/plugin/values.ts'
import { decodeBmp } from '../../images/bmp.ts'
import { decodeGif } from '../../images/gif.ts'
import type { ImageRef } from '../../images/image.ts'
import { decodePng, readPng } from '../../images/png.ts'
import { checkSize, damaged, type Raster } from '../../images/raster.ts'
import { decodeWebp } from '../../images/webp.ts'
import { adjustPixels } from './adjust-pixels.ts'

/** Four bytes per pixel: red, green, blue and alpha; colours are premultiplied by alpha. */
export interface Pixmap {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8ClampedArray
}

export interface PictureDecoders {
  readonly codec: Codec
  readonly jpeg?: JpegCodec | undefined
  readonly webp?: DecodeWebp | undefined
}

const jpegLimits = { maxPixels: 40_000_000, maxBytes: 600_000_000 }

/** Decodes a picture. Throws AppError 'image.damaged', 'image.unsupported' or 'image.too-large'. */
export function decodePicture(image: ImageRef, { codec, jpeg, webp }: PictureDecoders): Raster {
  const { format, bytes } = image
  checkSize(format, image.width, image.height)
  switch (format) {
    case 'png':
      return decodePng(readPng(bytes), codec)
    case 'gif':
      return decodeGif(bytes)
    case 'bmp':
      return decodeBmp(bytes)
    case 'webp':
      return decodeWebp(bytes, webp)
    case 'jpeg': {
      checkSize(format, image.width, image.height, jpegLimits.maxPixels)
      const decoded = jpeg?.decode(bytes, 3, jpegLimits)
      if (decoded === undefined) throw damaged('jpeg', 'its pixels cannot be read')
      return { width: decoded.width, height: decoded.height, rgb: decoded.data }
    }
    default:
      return format satisfies never
  }
}

/**
 * Reduces a picture by integer factors, so that it is sampled at about its own size. Each pixel becomes the mean of those it
 * replaces. Also applies the colour changes of the drawing.
 */
export function reducedPixmap(
  { width, height, rgb, alpha }: Raster,
  factorX: number,
  factorY: number,
  adjust: PictureAdjust | undefined,
): Pixmap {
  const [columns, rows] = [Math.ceil(width / factorX), Math.ceil(height / factorY)]
  const pixels = new Uint8ClampedArray(columns * rows * 4)
  if (factorX === 1 && factorY === 1) {
    writePixels(pixels, rgb, alpha)
    if (adjust !== undefined) adjustPixels(pixels, adjust)
    return { width, height, pixels }
  }
  for (let row = 0, to = 0; row < rows; row++) {
    const [top, bottom] = [row * factorY, Math.min(height, (row + 1) * factorY)]
    for (let column = 0; column < columns; column++, to += 4) {
      const [left, right] = [column * factorX, Math.min(width, (column + 1) * factorX)]
      let [red, green, blue, clear] = [0, 0, 0, 0]
      for (let y = top; y < bottom; y++) {
        for (let at = y * width + left, end = y * width + right; at < end; at++) {
          const pixelAlpha = alpha === undefined ? 255 : (alpha[at] as number)
          red += (rgb[3 * at] as number) * pixelAlpha
          green += (rgb[3 * at + 1] as number) * pixelAlpha
          blue += (rgb[3 * at + 2] as number) * pixelAlpha
          clear += pixelAlpha
        }
      }
      const count = (right - left) * (bottom - top)
      pixels[to] = red / (255 * count)
      pixels[to + 1] = green / (255 * count)
      pixels[to + 2] = blue / (255 * count)
      pixels[to + 3] = clear / count
    }
  }
  if (adjust !== undefined) adjustPixels(pixels, adjust)
  return { width: columns, height: rows, pixels }
}

/** Writes the pixels of a picture as they are, premultiplied: most pictures are drawn at about their own size. */
function writePixels(pixels: Uint8ClampedArray, rgb: Uint8Array, alpha: Uint8Array | undefined): void {
  for (let to = 0, from = 0, at = 0; to < pixels.length; to += 4, from += 3, at++) {
    const pixelAlpha = alpha === undefined ? 255 : (alpha[at] as number)
    const isOpaque = pixelAlpha === 255
    const [red, green, blue] = [rgb[from] as number, rgb[from + 1] as number, rgb[from + 2] as number]
    pixels[to] = isOpaque ? red : (red * pixelAlpha) / 255
    pixels[to + 1] = isOpaque ? green : (green * pixelAlpha) / 255
    pixels[to + 2] = isOpaque ? blue : (blue * pixelAlpha) / 255
    pixels[to + 3] = pixelAlpha
  }
}

/**
 * Writes the bilinearly interpolated colour at a point of a picture, as RGBA without premultiplied alpha. (0, 0) is the top
 * left corner of the first pixel. Points outside get the colour of the edge.
 */
export function samplePixmap(
  { width, height, pixels }: Pixmap,
  u: number,
  v: number,
  out: Uint8ClampedArray,
  to: number,
): void {
  const x = Math.min(width - 1, Math.max(0, u - 0.5))
  const y = Math.min(height - 1, Math.max(0, v - 0.5))
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [fx, fy] = [x - left, y - top]
  const first = (top * width + left) * 4
  const right = left + 1 < width ? 4 : 0
  const below = top + 1 < height ? width * 4 : 0
  const [k0, k1, k2, k3] = [(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy]
  const channel = (at: number): number =>
    k0 * (pixels[at] as number) +
    k1 * (pixels[at + right] as number) +
    k2 * (pixels[at + below] as number) +
    k3 * (pixels[at + below + right] as number)
  const alpha = channel(first + 3)
  const factor = alpha > 0 ? 255 / alpha : 0
  out[to] = channel(first) * factor
  out[to + 1] = channel(first + 1) * factor
  out[to + 2] = channel(first + 2) * factor
  out[to + 3] = alpha
}
