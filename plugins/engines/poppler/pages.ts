/** Pages of a PDF as pictures: one file for each page. */

import { AppError } from '../../../shared/errors/app-error.ts'
import {
  type PixelSize,
  pagesToDraw,
  pixelsOf,
  rasterScale,
} from '../../../shared/pdf/stage/picture-sizes.ts'
import type { PictureFormat } from '../../../shared/plugin/pictures.ts'
import type { Warning } from '../../../shared/plugin/values.ts'
import { pushAll } from '../../../shared/push-all.ts'
import { type PageFormat, title } from './conversions.ts'
import {
  broken,
  inputName,
  type PdfJob,
  type PdfPageSize,
  readPages,
  refuseFailure,
  runPoppler,
} from './document.ts'
import type { PageOptions } from './options.ts'

/** Pages drawn by one process. Long documents are distributed over the cores. */
const pagesARun = 8

export interface PagePictures {
  readonly files: readonly Uint8Array[]
  /** Number of pages of the PDF, drawn or not. */
  readonly pageCount: number
  readonly warnings: readonly Warning[]
}

/**
 * Draws the selected pages in the requested order. Throws 'convert.document', 'convert.password',
 * 'convert.options'.
 */
export async function drawPages(job: PdfJob, to: PageFormat, options: PageOptions): Promise<PagePictures> {
  const pages = await readPages(job)
  const numbers = pagesToDraw(pages.length, options.PageRange, broken)
  const sheets = numbers.map((number) => pages[number - 1] as PdfPageSize)
  const scale = isVector(to) ? { resolution: 0, warnings: [] } : rasterScale(sheets, to, options, broken)
  const runs: Promise<readonly Uint8Array[]>[] = []
  const pixels = sheets.map((sheet) => pixelsOf(sheet, options))
  for (const { run, size } of runsOf(numbers, pixels))
    runs.push(
      isVector(to) ? drawVector(job, to, run) : drawRun(job, to, run, { ...options, ...scale, ...size }),
    )
  const settled = await Promise.allSettled(runs)
  const failed = settled.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  const files = settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  return { files, pageCount: pages.length, warnings: scale.warnings }
}

const isVector = (to: PageFormat): to is 'svg' | 'eps' => to === 'svg' || to === 'eps'

interface PageRun {
  readonly run: readonly number[]
  readonly size: PixelSize
}

/** Ranges of consecutive pages that become pictures of one size. */
function runsOf(numbers: readonly number[], pixels: readonly PixelSize[]): readonly PageRun[] {
  const runs: { run: number[]; size: PixelSize }[] = []
  for (const [at, number] of numbers.entries()) {
    const size = pixels[at] ?? {}
    const last = runs.at(-1)
    const fits =
      last !== undefined &&
      last.run.length < pagesARun &&
      last.run.at(-1) === number - 1 &&
      last.size.PixelWidth === size.PixelWidth &&
      last.size.PixelHeight === size.PixelHeight
    if (fits) last.run.push(number)
    else runs.push({ run: [number], size })
  }
  return runs
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
    throw new AppError('convert.engine-off', { engine: title, because: 'this host cannot encode pictures' })
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

function isDirect(
  to: PictureFormat,
  { Compression, Interlaced, ColorMode, Translucent }: PageOptions,
): boolean {
  if (to === 'jpg') return true
  // Cairo cannot write grey pixels with transparency.
  const isGreyAndClear = ColorMode === 1 && Translucent === 1
  return to === 'png' && Compression === undefined && Interlaced !== 1 && !isGreyAndClear
}

function sizeArguments({
  PixelWidth,
  PixelHeight,
  resolution,
}: PageOptions & { readonly resolution: number }): readonly string[] {
  if (PixelWidth === undefined || PixelHeight === undefined) return ['-r', String(resolution)]
  const [width, height] = [String(PixelWidth), String(PixelHeight)]
  // Without the crop area rounding adds a pixel to some pages. Observed in Poppler 22.12.
  return ['-scale-to-x', width, '-scale-to-y', height, '-x', '0', '-y', '0', '-W', width, '-H', height]
}

function formatArguments(
  to: PictureFormat,
  { ColorMode, Translucent, Quality }: PageOptions,
  direct: boolean,
): readonly string[] {
  const grey = ColorMode === 1 ? ['-gray'] : []
  if (direct && to === 'jpg') return ['-jpeg', '-jpegopt', `quality=${Quality ?? 100}`, ...grey]
  if (Translucent === 1 && to !== 'bmp') return ['-png', '-transp']
  return ['-png', ...grey]
}

async function drawVector(
  job: PdfJob,
  to: 'svg' | 'eps',
  run: readonly number[],
): Promise<readonly Uint8Array[]> {
  const files: Uint8Array[] = []
  // These formats contain one page, so each page is a run of its own.
  for (const number of run) {
    const result = await runPoppler(job, 'pdftocairo', [
      `-${to}`,
      ...rangeOf([number]),
      inputName,
      `page.${to}`,
    ])
    pushAll(files, picturesOf(result, 1))
  }
  return files
}

function rangeOf(run: readonly number[]): readonly string[] {
  return ['-f', String(run[0]), '-l', String(run.at(-1))]
}

/** The output is complete or an error: it never has fewer files than pages. */
function picturesOf(result: Awaited<ReturnType<typeof runPoppler>>, expected: number): readonly Uint8Array[] {
  refuseFailure(result)
  const files = [...result.files.values()].filter((file) => file.length > 0)
  if (files.length !== expected) throw broken('some of its pages cannot be drawn')
  return files
}
