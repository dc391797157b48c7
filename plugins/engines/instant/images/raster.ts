import { AppError } from '../../../../shared/errors/app-error.ts'
import type { ImageFormat } from './image.ts'

/**
 * Decoded pixels, rows from the top: three bytes for each pixel, plus one for alpha where any pixel is not
 * opaque.
 */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
  readonly alpha?: Uint8Array | undefined
}

/** The maximum number of pixels of a picture. 64 megapixels decode to 192 MB. */
const maxPixels = 64_000_000

export function damaged(format: ImageFormat, what: string): AppError {
  return new AppError('image.damaged', { format: format.toUpperCase(), what })
}

/**
 * Checks a declared size before memory is allocated for it. Throws AppError 'image.too-large' or
 * 'image.damaged'.
 */
export function checkSize(format: ImageFormat, width: number, height: number, limit = maxPixels): void {
  if (!(width > 0 && height > 0)) throw damaged(format, 'it has no pixels')
  if (width * height > limit) throw new AppError('image.too-large', { pixels: width * height, limit })
}

/** Runs a reader and converts reads past the end into AppError 'image.damaged'. */
export function guardedImage<T>(format: ImageFormat, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError(
      'image.damaged',
      { format: format.toUpperCase(), what: 'it is truncated' },
      { cause: error },
    )
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
