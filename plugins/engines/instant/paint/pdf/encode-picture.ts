import { zlib } from '../../../../../shared/pdf/write/zlib.ts'
import type { DecodeWebp } from '../../../../../shared/plugin/contract.ts'
import type { Codec } from '../../../../../shared/plugin/values.ts'
import { decodeBmp } from '../../images/bmp.ts'
import { decodeGif } from '../../images/gif.ts'
import type { ImageRef } from '../../images/image.ts'
import { jpegHeader } from '../../images/jpeg.ts'
import { decodePng, inflatePng, type PngParts, pngChannels, pngStream, readPng } from '../../images/png.ts'
import { checkSize, type Raster } from '../../images/raster.ts'
import { decodeWebp } from '../../images/webp.ts'

/** A picture ready for an image XObject: the entries of its dictionary and its final bytes. */
export interface EncodedPicture {
  readonly dictionary: string
  readonly bytes: Uint8Array
  readonly how: 'deflated' | 'asIs'
  readonly mask?: EncodedPicture | undefined
  /** Whether encoding it took enough work to cache the result. */
  readonly costly: boolean
}

/**
 * Encodes a picture. JPEG and most PNG data are embedded unchanged; alpha becomes a soft mask (ISO 32000-2,
 * 8.9). Throws AppError 'image.damaged', 'image.unsupported' or 'image.too-large'.
 */
export function encodePicture(codec: Codec, image: ImageRef, webp?: DecodeWebp): EncodedPicture {
  switch (image.format) {
    case 'jpeg':
      return encodeJpeg(image.bytes)
    case 'png':
      return encodePng(codec, readPng(image.bytes))
    case 'gif':
      return encodeRaster(codec, decodeGif(image.bytes))
    case 'bmp':
      return encodeRaster(codec, decodeBmp(image.bytes))
    case 'webp':
      return encodeRaster(codec, decodeWebp(image.bytes, webp))
    default:
      return image.format satisfies never
  }
}

const common = '/Type/XObject/Subtype/Image'

function dictionary(width: number, height: number, colours: string, bits = 8): string {
  return `${common}/Width ${width}/Height ${height}/ColorSpace${colours}/BitsPerComponent ${bits}`
}

function encodeJpeg(bytes: Uint8Array): EncodedPicture {
  const { width, height, components, bitsPerSample, inverted } = jpegHeader(bytes)
  checkSize('jpeg', width, height)
  const colours = components === 1 ? '/DeviceGray' : components === 3 ? '/DeviceRGB' : '/DeviceCMYK'
  const decode = inverted ? '/Decode[1 0 1 0 1 0 1 0]' : ''
  return {
    dictionary: `${dictionary(width, height, colours, bitsPerSample)}${decode}/Filter/DCTDecode`,
    bytes,
    how: 'asIs',
    costly: false,
  }
}

function encodePng(codec: Codec, png: PngParts): EncodedPicture {
  checkSize('png', png.width, png.height)
  const maskedPalette = png.colourType === 3 && png.transparency !== undefined
  if (png.interlaced || maskedPalette) return encodeRaster(codec, decodePng(png, codec))
  if (png.colourType === 4 || png.colourType === 6) return encodeWithAlpha(codec, png)
  const channels = pngChannels(png)
  const key = png.transparency === undefined ? '' : colourKey(png.transparency, channels)
  return {
    dictionary:
      dictionary(png.width, png.height, colourSpace(png), png.bitDepth) + key + predictor(png, channels),
    bytes: pngStream(png),
    how: 'deflated',
    costly: false,
  }
}

/** Rows keep the PNG predictors, which PDF readers undo themselves. */
function predictor(png: PngParts, channels: number): string {
  return `/DecodeParms<</Predictor 15/Colors ${channels}/BitsPerComponent ${png.bitDepth}/Columns ${png.width}>>`
}

function colourSpace(png: PngParts): string {
  if (png.colourType !== 3) return png.colourType === 2 || png.colourType === 6 ? '/DeviceRGB' : '/DeviceGray'
  const entries = Math.max(1, Math.floor(png.palette.length / 3))
  let lookup = ''
  for (let at = 0; at < 3 * entries; at++) lookup += (png.palette[at] ?? 0).toString(16).padStart(2, '0')
  return `[/Indexed/DeviceRGB ${entries - 1}<${lookup}>]`
}

/** The single transparent colour that tRNS declares for grey and true-colour pictures. */
function colourKey(transparency: Uint8Array, channels: number): string {
  const values: number[] = []
  for (let part = 0; part < channels; part++) {
    const value = ((transparency[2 * part] ?? 0) << 8) | (transparency[2 * part + 1] ?? 0)
    values.push(value, value)
  }
  return values.some(Number.isNaN) ? '' : `/Mask[${values.join(' ')}]`
}

/**
 * Separates colour and alpha without undoing the predictors: each byte is predicted from bytes of its own
 * channel only, so picking channels out of filtered rows gives filtered rows again.
 */
function encodeWithAlpha(codec: Codec, png: PngParts): EncodedPicture {
  const rows = inflatePng(png, codec)
  const sample = png.bitDepth >> 3
  const channels = pngChannels(png)
  const colourBytes = (channels - 1) * sample
  const pixelBytes = channels * sample
  const colours = new Uint8Array(png.height * (1 + png.width * colourBytes))
  const alpha = new Uint8Array(png.height * (1 + png.width * sample))
  let [from, c, a] = [0, 0, 0]
  for (let row = 0; row < png.height; row++) {
    // PNG defines filter types 0 to 4. Anything else would make readers refuse the picture.
    const kind = (rows[from++] ?? 0) % 5
    colours[c++] = kind
    alpha[a++] = kind
    for (let column = 0; column < png.width; column++) {
      for (let byte = 0; byte < colourBytes; byte++) colours[c++] = rows[from + byte] ?? 0
      for (let byte = colourBytes; byte < pixelBytes; byte++) alpha[a++] = rows[from + byte] ?? 0
      from += pixelBytes
    }
  }
  const part = (colours: string, bytes: Uint8Array, count: number): EncodedPicture => ({
    dictionary: dictionary(png.width, png.height, colours, png.bitDepth) + predictor(png, count),
    bytes: zlib(codec, bytes),
    how: 'deflated',
    costly: true,
  })
  return { ...part(colourSpace(png), colours, channels - 1), mask: part('/DeviceGray', alpha, 1) }
}

function encodeRaster(codec: Codec, { width, height, rgb, alpha }: Raster): EncodedPicture {
  const part = (colours: string, bytes: Uint8Array): EncodedPicture => ({
    dictionary: dictionary(width, height, colours),
    bytes: zlib(codec, bytes),
    how: 'deflated',
    costly: true,
  })
  return { ...part('/DeviceRGB', rgb), mask: alpha && part('/DeviceGray', alpha) }
}
