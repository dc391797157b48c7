import { AppError } from '../../../../../shared/errors/app-error.ts'
import { writePng } from '../../../../../shared/images/png.ts'
import { zlib } from '../../../../../shared/pdf/write/zlib.ts'
import type { Codec } from '../../../../../shared/plugin/values.ts'
import type { PictureSettings } from './paint-pictures.ts'

/** Four bytes per pixel; colours are premultiplied by alpha. */
export interface PagePixels {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8ClampedArray<ArrayBuffer>
}

type EncodeSettings = PictureSettings & { readonly codec: Codec; readonly dpi: number }

/** Encodes the pixels of a page. Their buffer must not be used afterwards. */
export function encodePixels(page: PagePixels, settings: EncodeSettings): Uint8Array {
  const { to, options } = settings
  if (options.ColorMode === 1) makeGrey(page.pixels)
  if (options.Translucent === 1 && to !== 'jpg') divideByAlpha(page.pixels)
  const rgba = new Uint8Array(page.pixels.buffer, page.pixels.byteOffset, page.pixels.byteLength)
  const { width, height } = page
  switch (to) {
    case 'png':
      return encodePng(page, settings)
    case 'jpg': {
      if (settings.jpeg === undefined) throw new Error('The JPEG encoder was not loaded.')
      return settings.jpeg.encode({ width, height, data: rgba }, options.Quality ?? 100)
    }
    case 'webp': {
      if (settings.encodeWebp === undefined)
        throw new AppError('convert.engine-off', {
          engine: settings.title,
          because: 'this host has no encoder for WebP',
        })
      return settings.encodeWebp({ width, height, rgba }, options.Quality ?? 90)
    }
    default:
      throw new Error(`No pixels become ${to}.`)
  }
}

function makeGrey(pixels: Uint8ClampedArray): void {
  for (let at = 0; at < pixels.length; at += 4) {
    // Luma of ITU-R BT.601. Alpha multiplies all channels alike.
    const grey = 0.299 * (pixels[at] ?? 0) + 0.587 * (pixels[at + 1] ?? 0) + 0.114 * (pixels[at + 2] ?? 0)
    pixels[at] = pixels[at + 1] = pixels[at + 2] = grey
  }
}

function divideByAlpha(pixels: Uint8ClampedArray): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0
    if (alpha === 0 || alpha === 255) continue
    for (let channel = at; channel < at + 3; channel++)
      pixels[channel] = ((pixels[channel] ?? 0) * 255) / alpha
  }
}

/** Pages without colours are written as greyscale, which takes a third of the time and of the bytes. */
function encodePng(
  { width, height, pixels }: PagePixels,
  { codec, dpi, options }: EncodeSettings,
): Uint8Array {
  const isClear = options.Translucent === 1
  const grey = isGrey(pixels)
  const samples = grey ? (isClear ? 'grey-alpha' : 'grey') : isClear ? 'rgba' : 'rgb'
  const effort = options.Compression === undefined || options.Compression < 6 ? 'fast' : 'best'
  const data = new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength)
  return writePng(
    width,
    height,
    { kind: 'rgba', data, samples },
    { dpi, interlaced: options.Interlaced === 1, zlib: (bytes) => zlib(codec, bytes, effort) },
  )
}

function isGrey(pixels: Uint8ClampedArray): boolean {
  const words = new Uint32Array(pixels.buffer)
  for (const word of words) {
    // White and blank pixels are the most frequent.
    if (word === 0xffffffff || word === 0) continue
    if (((word ^ (word >>> 8)) & 0xffff) !== 0) return false
  }
  return true
}
