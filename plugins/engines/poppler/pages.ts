/** Pages of a PDF as pictures: one file a page. */
import { AppError } from '../../../shared/errors/app-error.ts'
import { pagesOf, parsePageRange } from '../../../shared/pdf/page-range.ts'
import type { Warning } from '../../../shared/plugin/contract.ts'
import { longestSide, mostPixels, type PictureFormat } from '../../../shared/plugin/pictures.ts'
import {
  broken,
  inputName,
  type PdfJob,
  type PdfPage,
  readPages,
  refuseFailure,
  runPoppler,
  title,
} from './document.ts'
import type { PageOptions } from './options.ts'

export type PageFormat = PictureFormat | 'svg' | 'eps'

/** Dots an inch when the caller names no size: sharp on screens, and an A4 page stays below 2.2 megapixels. */
const usualResolution = 150
const pointsAnInch = 72
/** Pages of one run: long documents are spread over the cores. */
const pagesARun = 8
const mostPictures = 2000

export interface PagePictures {
  readonly files: readonly Uint8Array[]
  readonly warnings: readonly Warning[]
}

/** Draws the chosen pages, in the order asked for. Throws 'convert.document', 'convert.password', 'convert.options'. */
export async function drawPages(job: PdfJob, to: PageFormat, options: PageOptions): Promise<PagePictures> {
  const pages = await readPages(job)
  const numbers = chosen(pages.length, options.PageRange)
  const sheets = numbers.map((number) => pages[number - 1] as PdfPage)
  const scale = scaleOf(sheets, to, options)
  const runs: Promise<readonly Uint8Array[]>[] = []
  for (const run of runsOf(numbers))
    runs.push(
      to === 'svg' || to === 'eps'
        ? drawVector(job, to, run)
        : drawRun(job, to, run, { ...options, ...scale }),
    )
  const settled = await Promise.allSettled(runs)
  const failed = settled.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  const files = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  return { files, warnings: scale.warnings }
}

function chosen(total: number, range: string | undefined): readonly number[] {
  const parsed = range === undefined ? [{ from: 1, to: total }] : (parsePageRange(range) ?? [])
  const numbers = pagesOf(parsed, total, mostPictures)
  if (numbers.length === 0)
    throw new AppError('convert.options', {
      option: 'PageRange',
      rule: `names no page of the ${total} there are`,
    })
  if (numbers.length > mostPictures)
    throw broken(`it has more than ${mostPictures} pages to draw; choose some with PageRange`)
  return numbers
}

/** Runs of pages that follow each other. */
function runsOf(numbers: readonly number[]): readonly (readonly number[])[] {
  const runs: number[][] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last !== undefined && last.length < pagesARun && last.at(-1) === number - 1) last.push(number)
    else runs.push([number])
  }
  return runs
}

interface Scale {
  readonly resolution: number
  readonly warnings: readonly Warning[]
}

/** The usual resolution, or the highest at which every page can be held. */
function scaleOf(sheets: readonly PdfPage[], to: PageFormat, options: PageOptions): Scale {
  if (to === 'svg' || to === 'eps') return { resolution: usualResolution, warnings: [] }
  const { PixelWidth, PixelHeight } = options
  if (PixelWidth !== undefined || PixelHeight !== undefined) {
    for (const { width, height } of sheets) {
      const wide = PixelWidth ?? ((PixelHeight ?? 0) * width) / height
      const high = PixelHeight ?? ((PixelWidth ?? 0) * height) / width
      if (wide * high > mostPixels || Math.max(wide, high) > longestSide[to])
        throw new AppError('convert.options', {
          option: PixelWidth === undefined ? 'PixelHeight' : 'PixelWidth',
          rule: `makes a picture of more than ${mostPixels} pixels, or ${longestSide[to]} on a side`,
        })
    }
    return { resolution: usualResolution, warnings: [] }
  }
  let resolution = usualResolution
  for (const { width, height } of sheets) {
    const side = (longestSide[to] * pointsAnInch) / Math.max(width, height)
    const area = pointsAnInch * Math.sqrt(mostPixels / (width * height))
    resolution = Math.min(resolution, Math.floor(side), Math.floor(area))
  }
  if (resolution < 1) throw broken('its pages are too large to be drawn')
  const told = {
    code: 'convert.picture-reduced',
    message: `A page is so large that it was drawn at ${resolution} dots an inch.`,
  }
  return { resolution, warnings: resolution < usualResolution ? [told] : [] }
}

async function drawRun(
  job: PdfJob,
  to: PictureFormat,
  run: readonly number[],
  options: PageOptions & { readonly resolution: number },
): Promise<readonly Uint8Array[]> {
  const { encodePicture } = job.host
  const direct = isDirect(to, options)
  const result = await runPoppler(job, 'pdftocairo', [
    ...sizeArguments(options),
    ...formatArguments(to, options, direct),
    ...rangeOf(run),
    inputName,
    'page',
  ])
  const drawn = picturesOf(result, run.length)
  if (direct) return drawn
  if (encodePicture === undefined)
    throw new AppError('convert.engine-off', { engine: title, because: 'pictures cannot be encoded here' })
  const encoded: Uint8Array[] = []
  for (const picture of drawn)
    encoded.push(
      await encodePicture({
        tiles: [picture],
        to,
        greyscale: options.ColorMode === 1,
        quality: options.Quality,
        compression: options.Compression,
        interlaced: options.Interlaced === 1,
        opaque: options.Translucent !== 1,
      }),
    )
  return encoded
}

function isDirect(to: PictureFormat, { Compression, Interlaced }: PageOptions): boolean {
  return to === 'jpg' || (to === 'png' && Compression === undefined && Interlaced !== 1)
}

function sizeArguments({
  PixelWidth,
  PixelHeight,
  resolution,
}: PageOptions & { readonly resolution: number }): readonly string[] {
  if (PixelWidth === undefined && PixelHeight === undefined) return ['-r', String(resolution)]
  return ['-scale-to-x', String(PixelWidth ?? -1), '-scale-to-y', String(PixelHeight ?? -1)]
}

function formatArguments(
  to: PictureFormat,
  { ColorMode, Translucent, Quality }: PageOptions,
  direct: boolean,
): readonly string[] {
  const grey = ColorMode === 1 ? ['-gray'] : []
  if (direct && to === 'jpg') return ['-jpeg', '-jpegopt', `quality=${Quality ?? 100}`, ...grey]
  // Cairo has no grey pixels that let something through.
  if (Translucent === 1 && to !== 'bmp') return ['-png', '-transp']
  return ['-png', ...grey]
}

async function drawVector(
  job: PdfJob,
  to: 'svg' | 'eps',
  run: readonly number[],
): Promise<readonly Uint8Array[]> {
  const files: Uint8Array[] = []
  // These hold one page each, and are asked for page by page.
  for (const number of run) {
    const result = await runPoppler(job, 'pdftocairo', [
      `-${to}`,
      ...rangeOf([number]),
      inputName,
      `page.${to}`,
    ])
    files.push(...picturesOf(result, 1))
  }
  return files
}

function rangeOf(run: readonly number[]): readonly string[] {
  return ['-f', String(run[0]), '-l', String(run.at(-1))]
}

/** Never fewer files than pages: an output is complete or an error. */
function picturesOf(result: Awaited<ReturnType<typeof runPoppler>>, expected: number): readonly Uint8Array[] {
  refuseFailure(result)
  const files = [...result.files.values()].filter((file) => file.length > 0)
  if (files.length !== expected) throw broken('some of its pages cannot be drawn')
  return files
}
