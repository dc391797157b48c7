import { AppError } from '../../../../shared/errors/app-error.ts'
import type { ImageFormat } from './image.ts'

/** Decoded pixels, rows from the top: three bytes a pixel, and one for alpha where any pixel is not opaque. */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
  readonly alpha?: Uint8Array | undefined
}

/** 64 megapixels decode to 192 MB: the most a picture in a document may take. */
const maxPixels = 64_000_000

export function damaged(format: ImageFormat, what: string): AppError {
  return new AppError('image.damaged', { format: format.toUpperCase(), what })
}

/** Throws AppError 'image.too-large' or 'image.damaged' before anything is allocated. */
export function checkSize(format: ImageFormat, width: number, height: number, limit = maxPixels): void {
  if (!(width > 0 && height > 0)) throw damaged(format, 'it has no pixels')
  if (width * height > limit) throw new AppError('image.too-large', { pixels: width * height, limit })
}

/** Turns reads past the end into the typed error. */
export function guardedImage<T>(format: ImageFormat, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError(
      'image.damaged',
      { format: format.toUpperCase(), what: 'it is cut short' },
      { cause: error },
    )
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
