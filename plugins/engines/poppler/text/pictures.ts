/** The pictures of a PDF, and which of them have masks. */
import { measureImage } from '../../../../shared/images/measure.ts'
import { withoutText } from '../../../../shared/pdf/stage/without-text.ts'
import { inputName, type PdfJob, runPoppler } from '../document.ts'
import type { DocumentText, PagePicture } from './text-positions.ts'

/** One line of the list of pdfimages: a picture, or the mask of the picture before it. */
export interface PictureRow {
  readonly page: number // from 1
  readonly type: string
  readonly width: number // px
  readonly height: number
}

/** Returns undefined when the list took too long. */
export async function listPictures(job: PdfJob): Promise<readonly PictureRow[] | undefined> {
  const { code, stdout } = await runPoppler(job, 'pdfimages', ['-list', inputName])
  if (code !== 0) return undefined
  const text = new TextDecoder().decode(stdout)
  return [...text.matchAll(/^\s*(\d+)\s+\d+\s+(\w+)\s+(\d+)\s+(\d+)\s/gm)].map(
    ([, page, type = '', width, height]) => ({
      page: Number(page),
      type,
      width: Number(width),
      height: Number(height),
    }),
  )
}

const maxMasked = 60
const concurrency = 4
/** Dots per inch: not coarser than a screen, not finer than print needs. */
const resolutions = { min: 72, max: 300 }

/**
 * The stored form of a masked picture is a rectangle, often black. It is replaced by an image of the page at
 * its position, without the text.
 */
export async function withMasks(
  job: PdfJob,
  extracted: DocumentText,
  rows: readonly PictureRow[],
): Promise<DocumentText> {
  const masked = new Set(
    rows.flatMap((row, at) => {
      const next = rows[at + 1]
      const isMasked = row.type === 'image' && (next?.type === 'smask' || next?.type === 'mask')
      return isMasked && next.page === row.page ? [`${row.page} ${row.width} ${row.height}`] : []
    }),
  )
  if (masked.size === 0) return extracted
  const toRedraw = new Map<
    string,
    { readonly page: number; readonly picture: PagePicture; readonly width: number }
  >()
  for (const [at, { pictures }] of extracted.pages.entries())
    for (const picture of pictures) {
      const size = measureImage(extracted.pictures.get(picture.name)?.bytes ?? new Uint8Array())
      if (
        size !== undefined &&
        masked.has(`${at + 1} ${size.width} ${size.height}`) &&
        toRedraw.size < maxMasked
      )
        toRedraw.set(picture.name, { page: at + 1, picture, width: size.width })
    }
  const withoutTexts = await withoutText(job.pdf, job.host.codec, job.signal).catch(() => undefined)
  job.signal.throwIfAborted()
  const source: PdfJob = { ...job, pdf: withoutTexts?.pdf ?? job.pdf }
  const pictures = new Map(extracted.pictures)
  const left = [...toRedraw]
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [name, { page, picture, width }] = next
      const bytes = await cutOut(source, page, picture, width)
      if (bytes !== undefined) pictures.set(name, { bytes, mime: 'image/png' })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return { ...extracted, pictures }
}

async function cutOut(
  job: PdfJob,
  page: number,
  { x, y, width, height }: PagePicture,
  pixels: number,
): Promise<Uint8Array | undefined> {
  const resolution = Math.round(Math.min(Math.max((pixels / width) * 72, resolutions.min), resolutions.max))
  const px = (points: number) => String(Math.max(Math.round((points * resolution) / 72), 0))
  const cropArguments = ['-x', px(x), '-y', px(y), '-W', px(width), '-H', px(height)]
  const at = ['-f', String(page), '-l', String(page), '-singlefile', '-r', String(resolution)]
  const { code, files } = await runPoppler(job, 'pdftocairo', [
    '-png',
    '-transp',
    ...at,
    ...cropArguments,
    inputName,
    'cut',
  ])
  return code === 0 ? files.get('cut.png') : undefined
}
