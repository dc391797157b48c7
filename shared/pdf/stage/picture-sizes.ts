/** Which pages become pictures, and how large. The same rules hold for every engine that draws pages. */
import { AppError } from '../../errors/app-error.ts'
import { maxPixels, maxSide, type PictureFormat } from '../../plugin/pictures.ts'
import type { Warning } from '../../plugin/values.ts'
import { pagesOf, parsePageRange } from './page-range.ts'

/**
 * Dots per inch when the caller specifies no size: sharp on screens, and an A4 page stays below 2.2
 * megapixels.
 */
const defaultResolution = 150
const pointsAnInch = 72
const maxPictures = 2000

/** The size of a page in points. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

export interface SizeOptions {
  readonly Resolution?: number
  readonly PixelWidth?: number
  readonly PixelHeight?: number
}

/**
 * The numbers of the pages to draw, from 1, in the requested order. Throws 'convert.options' when there is none of them.
 * `refuse` makes the error for a document that has too many.
 */
export function pagesToDraw(
  total: number,
  range: string | undefined,
  refuse: (because: string) => AppError,
): readonly number[] {
  const parsed = range === undefined ? [{ from: 1, to: total }] : (parsePageRange(range) ?? [])
  const numbers = pagesOf(parsed, total, maxPictures)
  if (numbers.length === 0)
    throw new AppError('convert.options', {
      option: 'PageRange',
      rule: `selects none of the ${total} pages`,
    })
  if (numbers.length > maxPictures)
    throw refuse(`it has more than ${maxPictures} pages to draw; choose some with PageRange`)
  return numbers
}

/** The requested size. When only one side is requested, the other follows from the aspect ratio of the page. */
export function pixelsOf({ width, height }: PageSize, { PixelWidth, PixelHeight }: SizeOptions): PixelSize {
  if (PixelWidth === undefined && PixelHeight === undefined) return {}
  const other = (side: number, ratio: number) => Math.max(1, Math.round(side * ratio))
  return {
    PixelWidth: PixelWidth ?? other(PixelHeight ?? 1, width / height),
    PixelHeight: PixelHeight ?? other(PixelWidth ?? 1, height / width),
  }
}

export type PixelSize = Pick<SizeOptions, 'PixelWidth' | 'PixelHeight'>

export interface RasterScale {
  /** In dots per inch, for pages whose size in pixels the request does not name. */
  readonly resolution: number
  readonly warnings: readonly Warning[]
}

/**
 * The requested or default resolution, or else the highest one at which every page fits into memory. Throws
 * 'convert.options' when a size in pixels is too large, and what `refuse` makes when a page is.
 *
 * limit  pixels that one picture may have
 */
export function rasterScale(
  sheets: readonly PageSize[],
  to: PictureFormat,
  options: SizeOptions,
  refuse: (because: string) => AppError,
  limit = maxPixels,
): RasterScale {
  const { PixelWidth, PixelHeight } = options
  if (PixelWidth !== undefined || PixelHeight !== undefined) {
    for (const { width, height } of sheets) {
      const wide = PixelWidth ?? ((PixelHeight ?? 0) * width) / height
      const high = PixelHeight ?? ((PixelWidth ?? 0) * height) / width
      if (wide * high > limit || Math.max(wide, high) > maxSide[to])
        throw new AppError('convert.options', {
          option: PixelWidth === undefined ? 'PixelHeight' : 'PixelWidth',
          rule: `makes a picture of more than ${limit} pixels, or ${maxSide[to]} on a side`,
        })
    }
    return { resolution: defaultResolution, warnings: [] }
  }
  const maxResolution = options.Resolution ?? defaultResolution
  let resolution = maxResolution
  for (const { width, height } of sheets) {
    const side = (maxSide[to] * pointsAnInch) / Math.max(width, height)
    const area = pointsAnInch * Math.sqrt(limit / (width * height))
    resolution = Math.min(resolution, Math.floor(side), Math.floor(area))
  }
  if (resolution < 1) throw refuse('its pages are too large to be drawn')
  const reduced = {
    code: 'convert.picture-reduced',
    message: `A page is too large for the requested resolution and was drawn at ${resolution} dpi.`,
  }
  return { resolution, warnings: resolution < maxResolution ? [reduced] : [] }
}
