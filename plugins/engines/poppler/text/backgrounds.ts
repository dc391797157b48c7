/** The content of pages besides their text, as background pictures. */
import { withoutText } from '../../../../shared/pdf/stage/without-text.ts'
import { inputName, type PdfJob, runPoppler } from '../document.ts'

/** Maximum number of pages with backgrounds. */
const maxPages = 200
const pagesARun = 8
const resolution = '110'

/** One picture for each page that shows anything but text. A file that cannot be parsed here has none. */
export async function backgroundsOf(
  job: PdfJob,
  pages: number,
): Promise<readonly (Uint8Array | undefined)[]> {
  if (pages > maxPages) return []
  const withoutTexts = await withoutText(job.pdf, job.host.codec, job.signal).catch(() => undefined)
  job.signal.throwIfAborted()
  if (
    withoutTexts === undefined ||
    withoutTexts.painted.length !== pages ||
    !withoutTexts.painted.includes(true)
  )
    return []
  const starts = Array.from({ length: Math.ceil(pages / pagesARun) }, (_, at) => at * pagesARun + 1)
  const runs = starts.map(async (first) => {
    const last = Math.min(first + pagesARun - 1, pages)
    const args = ['-png', '-r', resolution, '-f', String(first), '-l', String(last), inputName, 'page']
    const { code, files } = await runPoppler({ ...job, pdf: withoutTexts.pdf }, 'pdftocairo', args)
    const drawn = [...files.values()]
    return code === 0 && drawn.length === last - first + 1
      ? drawn
      : Array.from({ length: last - first + 1 }, () => undefined)
  })
  const drawn = (await Promise.all(runs)).flat()
  return drawn.map((picture, at) => (withoutTexts.painted[at] === true ? picture : undefined))
}
