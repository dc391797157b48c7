import { AppError } from '../../../../../shared/errors/app-error.ts'
import type { PdfFile } from '../../../../../shared/pdf/write/pdf-file.ts'
import type { DecodeWebp } from '../../../../../shared/plugin/contract.ts'
import type { Codec, Warning } from '../../../../../shared/plugin/values.ts'
import type { ImageRef } from '../../images/image.ts'
import { guardedImage } from '../../images/raster.ts'
import { adjusted } from './adjust-picture.ts'
import type { ArchivePart, PdfConformance } from './document-info.ts'
import { type EncodedPicture, encodePicture } from './encode-picture.ts'
import type { PictureCache } from './picture-cache.ts'
import { failConformance } from './resources.ts'
import { reference } from './syntax.ts'

export interface PictureSettings {
  readonly codec: Codec
  readonly pictures?: PictureCache
  readonly decodeWebp?: DecodeWebp
  readonly conformance?: PdfConformance
  readonly check?: (steps: number) => void
  warn?(warning: Warning): void
}

const pixelsPerStep = 100

/**
 * Writes a picture as an image XObject and returns its number. Returns undefined, with a warning, when
 * it cannot be read.
 */
export function embedImage(file: PdfFile, image: ImageRef, settings: PictureSettings): number | undefined {
  const archive = settings.conformance?.archive
  // Pixels are decoded and encoded again, but for JPEG.
  settings.check?.(
    1 + (image.format === 'jpeg' ? 0 : Math.round((image.width * image.height) / pixelsPerStep)),
  )
  try {
    const picture = guardedImage(image.format, () => encode(image, settings))
    if (image.adjust === undefined) return write(file, picture, archive)
    const changed = adjusted(file, picture, image.adjust)
    if (changed === undefined)
      settings.warn?.({
        code: 'image.colours',
        message: 'A picture is drawn in its stored colours, without the adjustments of the document.',
      })
    return write(file, changed ?? picture, archive)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'pdf.promise') throw error
    settings.warn?.({ code: error.code, message: error.message })
    return undefined
  }
}

function encode(image: ImageRef, { codec, pictures, decodeWebp }: PictureSettings): EncodedPicture {
  // A JPEG is embedded as it is, which is cheaper than a look-up in the cache.
  if (image.format === 'jpeg') return encodePicture(codec, image)
  const cached = pictures?.get(image.bytes)
  if (cached !== undefined) return cached
  const picture = encodePicture(codec, image, decodeWebp)
  if (picture.costly) pictures?.set(image.bytes, picture)
  return picture
}

function write(
  file: PdfFile,
  { dictionary, bytes, how, mask }: EncodedPicture,
  archive: ArchivePart | undefined,
): number {
  if (archive !== undefined && dictionary.includes('/DeviceCMYK'))
    failConformance('it has a picture in the colours of print')
  if (archive === 1 && mask !== undefined) failConformance('it has something transparent')
  const maskEntry = mask === undefined ? '' : `/SMask ${reference(write(file, mask, archive))}`
  return file.stream(dictionary + maskEntry, bytes, how)
}
