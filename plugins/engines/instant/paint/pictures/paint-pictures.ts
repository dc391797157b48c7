/**
 * Creates a picture of each page. The size follows from the options in the same way as for the pages of a PDF. `../raster/`
 * draws pixels and `encode-pixels.ts` encodes them; `../svg/` writes SVG, which has no pixels.
 */
import { AppError } from '../../../../../shared/errors/app-error.ts'
import type { JpegCodec } from '../../../../../shared/images/jpeg-codec.ts'
import {
  type PageSize,
  pagesToDraw,
  pixelsOf,
  rasterScale,
} from '../../../../../shared/pdf/stage/picture-sizes.ts'
import type { EncodeWebp } from '../../../../../shared/plugin/contract.ts'
import type { OptionsOf } from '../../../../../shared/plugin/option-rules.ts'
import type { pictureOptionRules } from '../../../../../shared/plugin/pictures.ts'
import type { Page } from '../../layout/frame.ts'
import type { PaintPages } from '../paint-pages.ts'
import { createRasterPainter, type RasterSize } from '../raster/paint-raster.ts'
import { paintSvg } from '../svg/paint-svg.ts'
import { encodePixels } from './encode-pixels.ts'

export type PagePictureFormat = 'png' | 'jpg' | 'webp' | 'svg'

export type PagePictureOptions = OptionsOf<typeof pictureOptionRules> & { readonly PageRange?: string }

export interface PictureSettings {
  readonly to: PagePictureFormat
  readonly options: PagePictureOptions
  /** The source format, for messages. */
  readonly from: string
  /** The name of the engine, for messages. */
  readonly title: string
  /** The maximum number of pixels of one page. All files of a document together may have eight bytes for each of them. */
  readonly maxPixels: number
  /** Called with the amount of work in thousands of pixels. Throws when the deadline has passed. */
  check(steps: number): void
  /** Both are needed for documents with JPEG pictures, and for this output. */
  readonly jpeg?: JpegCodec | undefined
  /** Needed for WebP. */
  readonly encodeWebp?: EncodeWebp | undefined
}

/** Throws 'convert.options' for a page or a size that cannot be drawn, 'convert.document' for too many or too large ones. */
export function picturePainter(settings: PictureSettings): PaintPages {
  const { to, options, check, maxPixels } = settings
  const refuse = (because: string): AppError =>
    new AppError('convert.document', { engine: settings.title, from: settings.from, because })
  return (laidOut, { codec, decodeWebp, warn = () => undefined }) => {
    const pages = [...laidOut]
    const numbers = pagesToDraw(pages.length, options.PageRange, refuse)
    const chosen = numbers.flatMap((number) => pages[number - 1] ?? [])
    const warnPicture = (error: AppError): void => warn({ code: error.code, message: error.message })
    const decoders = { codec, jpeg: settings.jpeg, webp: decodeWebp }
    const collect = collector(maxPixels * 8, refuse)
    if (to === 'svg')
      return chosen.map(({ frame }) => collect(paintSvg(frame, { decoders, check, warnPicture })))
    const sheets = chosen.map(({ frame }) => frame)
    const { resolution, warnings } = rasterScale(sheets, to, options, refuse, maxPixels)
    for (const warning of warnings) warn(warning)
    const paint = createRasterPainter({
      decoders,
      check,
      warnPicture,
      transparent: options.Translucent === 1 && to !== 'jpg',
    })
    return chosen.map(({ frame }: Page) => {
      const size = sizeOf(frame, resolution, options)
      const layer = paint(frame, size)
      check(Math.ceil((size.width * size.height) / 1000))
      const dpi = (size.width / frame.width) * 72
      return collect(encodePixels({ ...size, pixels: layer.pixels }, { ...settings, codec, dpi }))
    })
  }
}

/** Returns a function that passes files on and throws when their total size exceeds the limit. */
function collector(
  maxBytes: number,
  refuse: (because: string) => AppError,
): (file: Uint8Array) => Uint8Array {
  let bytes = 0
  return (file) => {
    bytes += file.length
    if (bytes <= maxBytes) return file
    const megabytes = Math.floor(maxBytes / 1_000_000)
    throw refuse(
      `the pictures of its pages have more than ${megabytes} MB; choose pages with PageRange, or a lower Resolution`,
    )
  }
}

function sizeOf(page: PageSize, resolution: number, options: PagePictureOptions): RasterSize {
  const { PixelWidth, PixelHeight } = pixelsOf(page, options)
  const scaled = (length: number): number => Math.max(1, Math.round((length * resolution) / 72))
  return { width: PixelWidth ?? scaled(page.width), height: PixelHeight ?? scaled(page.height) }
}
