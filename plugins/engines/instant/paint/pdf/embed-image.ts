import { AppError } from '../../../../../shared/errors/app-error.ts'
import type { Codec, Warning } from '../../../../../shared/plugin/contract.ts'
import { decodeBmp } from '../../images/bmp.ts'
import { decodeGif } from '../../images/gif.ts'
import type { ImageRef } from '../../images/image.ts'
import { jpegHeader } from '../../images/jpeg.ts'
import { decodePng, inflatePng, type PngParts, pngChannels, pngStream, readPng } from '../../images/png.ts'
import { checkSize, guardedImage, type Raster } from '../../images/raster.ts'
import { decodeWebp } from '../../images/webp.ts'
import type { PdfFile } from './pdf-file.ts'
import { reference } from './syntax.ts'

/**
 * Writes a picture as an image XObject and answers its number. JPEG and most PNG go in as they are; alpha becomes a soft
 * mask. What cannot be read is told as a warning, and undefined is answered. ISO 32000-2, 8.9.
 */
export function embedImage(
  file: PdfFile,
  codec: Codec,
  image: ImageRef,
  warn?: (warning: Warning) => void,
): number | undefined {
  try {
    return guardedImage(image.format, () => write(file, codec, image))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    warn?.({ code: error.code, message: error.message })
    return undefined
  }
}

function write(file: PdfFile, codec: Codec, image: ImageRef): number {
  switch (image.format) {
    case 'jpeg':
      return writeJpeg(file, image.bytes)
    case 'png':
      return writePng(file, codec, readPng(image.bytes))
    case 'gif':
      return writeRaster(file, decodeGif(image.bytes))
    case 'bmp':
      return writeRaster(file, decodeBmp(image.bytes))
    case 'webp':
      return writeRaster(file, decodeWebp(image.bytes))
    default:
      return image.format satisfies never
  }
}

const common = '/Type/XObject/Subtype/Image'

function dictionary(width: number, height: number, colours: string, bits = 8): string {
  return `${common}/Width ${width}/Height ${height}/ColorSpace${colours}/BitsPerComponent ${bits}`
}

function writeJpeg(file: PdfFile, bytes: Uint8Array): number {
  const { width, height, components, bitsPerSample, inverted } = jpegHeader(bytes)
  checkSize('jpeg', width, height)
  const colours = components === 1 ? '/DeviceGray' : components === 3 ? '/DeviceRGB' : '/DeviceCMYK'
  const decode = inverted ? '/Decode[1 0 1 0 1 0 1 0]' : ''
  return file.stream(
    `${dictionary(width, height, colours, bitsPerSample)}${decode}/Filter/DCTDecode`,
    bytes,
    'asIs',
  )
}

function writePng(file: PdfFile, codec: Codec, png: PngParts): number {
  checkSize('png', png.width, png.height)
  const maskedPalette = png.colourType === 3 && png.transparency !== undefined
  if (png.interlaced || maskedPalette) return writeRaster(file, decodePng(png, codec))
  if (png.colourType === 4 || png.colourType === 6) return writeWithAlpha(file, codec, png)
  const channels = pngChannels(png)
  const key = png.transparency === undefined ? '' : colourKey(png.transparency, channels)
  return file.stream(
    dictionary(png.width, png.height, colourSpace(file, png), png.bitDepth) + key + predictor(png, channels),
    pngStream(png),
    'deflated',
  )
}

/** Rows keep the predictions of the PNG. */
function predictor(png: PngParts, channels: number): string {
  return `/DecodeParms<</Predictor 15/Colors ${channels}/BitsPerComponent ${png.bitDepth}/Columns ${png.width}>>`
}

function colourSpace(file: PdfFile, png: PngParts): string {
  if (png.colourType !== 3) return png.colourType === 2 || png.colourType === 6 ? '/DeviceRGB' : '/DeviceGray'
  const entries = Math.max(1, Math.floor(png.palette.length / 3))
  const lookup = new Uint8Array(entries * 3)
  lookup.set(png.palette.subarray(0, entries * 3))
  return `[/Indexed/DeviceRGB ${entries - 1} ${reference(file.stream('', lookup))}]`
}

/** One colour that is not painted, as tRNS names it for grey and true colour. */
function colourKey(transparency: Uint8Array, channels: number): string {
  const values: number[] = []
  for (let part = 0; part < channels; part++) {
    const value = (transparency[2 * part]! << 8) | transparency[2 * part + 1]!
    values.push(value, value)
  }
  return values.some(Number.isNaN) ? '' : `/Mask[${values.join(' ')}]`
}

/**
 * Colour and alpha apart, without undoing the predictions: each byte is predicted from bytes of its own channel only,
 * so picking channels out of the filtered rows gives filtered rows again.
 */
function writeWithAlpha(file: PdfFile, codec: Codec, png: PngParts): number {
  const rows = inflatePng(png, codec)
  const sample = png.bitDepth >> 3
  const channels = pngChannels(png)
  const colourBytes = (channels - 1) * sample
  const pixelBytes = channels * sample
  const colours = new Uint8Array(png.height * (1 + png.width * colourBytes))
  const alpha = new Uint8Array(png.height * (1 + png.width * sample))
  let [from, c, a] = [0, 0, 0]
  for (let row = 0; row < png.height; row++) {
    // Filter kinds beyond 4 do not exist; readers would refuse the picture.
    const kind = rows[from++]! % 5
    colours[c++] = kind
    alpha[a++] = kind
    for (let column = 0; column < png.width; column++) {
      for (let byte = 0; byte < colourBytes; byte++) colours[c++] = rows[from + byte]!
      for (let byte = colourBytes; byte < pixelBytes; byte++) alpha[a++] = rows[from + byte]!
      from += pixelBytes
    }
  }
  const mask = file.stream(
    dictionary(png.width, png.height, '/DeviceGray', png.bitDepth) + predictor(png, 1),
    alpha,
  )
  return file.stream(
    `${dictionary(png.width, png.height, colourSpace(file, png), png.bitDepth)}/SMask ${reference(mask)}${predictor(png, channels - 1)}`,
    colours,
  )
}

function writeRaster(file: PdfFile, raster: Raster): number {
  const { width, height } = raster
  const mask =
    raster.alpha === undefined
      ? ''
      : `/SMask ${reference(file.stream(dictionary(width, height, '/DeviceGray'), raster.alpha))}`
  return file.stream(dictionary(width, height, '/DeviceRGB') + mask, raster.rgb)
}
