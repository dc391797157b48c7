import type { Flow } from '../../../../shared/flow/flow.ts'
import { writeHtml } from '../../../../shared/flow/write-html.ts'
import { writeMarkdown } from '../../../../shared/flow/write-markdown.ts'
import { writeOdf } from '../../../../shared/flow/write-odf.ts'
import { sheetsOfPages } from '../../../../shared/flow/write-sheets.ts'
import { writeText } from '../../../../shared/flow/write-text.ts'
import type { Outcome, Warning } from '../../../../shared/plugin/values.ts'
import type { TextFormat } from '../conversions.ts'
import type { PdfJob } from '../document.ts'
import { readPages } from '../document.ts'
import { readTagged } from '../tagged/read-tagged.ts'
import { backgroundsOf } from './backgrounds.ts'
import { flowOf, readFlow } from './flow.ts'
import { extractForm, withForm } from './form-fields.ts'
import { rotatePages } from './rotate-pages.ts'
import { rulingsOf } from './rulings.ts'
import { writeSlides } from './slides.ts'
import { type DocumentText, type PageText, readPositions } from './text-positions.ts'
import { readWordBoxes, type WordBox, withWords } from './word-boxes.ts'

const approximate: Warning = {
  code: 'pdf.approximate',
  message:
    'The PDF has no structure tags, so paragraphs and tables were inferred from the positions of its text; the layout is approximate.',
}
const byTags: Warning = {
  code: 'pdf.approximate',
  message: 'Paragraphs, lists and tables follow the structure tags of the PDF; the layout is approximate.',
}
const noText: Warning = {
  code: 'pdf.no-text',
  message:
    'The pages of this PDF are pictures without text, and the service does not recognise text in pictures. Run text recognition (OCR) on the file first.',
}

/** How a flow is written in each format. */
const writers: Readonly<Record<Exclude<TextFormat, 'fodp' | 'fods'>, (flow: Flow) => string>> = {
  fodt: writeOdf,
  html: writeHtml,
  md: writeMarkdown,
  txt: writeText,
  text: writeText,
}

const noPictures: Warning = {
  code: 'pdf.pictures-left-out',
  message: 'Extracting the pictures of this PDF took too long, so they are missing; its text is complete.',
}

export async function readText(job: PdfJob, to: TextFormat): Promise<Outcome<string>> {
  // Reports why a file cannot be read, before its text is extracted.
  await readPages(job)
  const pictures = to === 'fodt' || to === 'html' || to === 'md'
  const { positions, job: rotatedJob, hasForm } = await readRotated(job, pictures)
  job.signal.throwIfAborted()
  const empty = positions.pages.every((page) => page.positions.length === 0)
  const warnings = [empty ? noText : approximate, ...(positions.withoutPictures ? [noPictures] : [])]
  if (to === 'fodp') {
    const backgrounds = await backgroundsOf(rotatedJob, positions.pages.length)
    return { value: writeSlides(positions, backgrounds), warnings }
  }
  // Values of fields are inserted into the text, and sheets need the tables of each page.
  const tagged = hasForm || to === 'fods' ? undefined : readTagged(rotatedJob, positions)
  if (tagged !== undefined && to !== 'fods')
    return { value: writers[to](flowOf(tagged, positions)), warnings: [byTags, ...warnings.slice(1)] }
  return { value: write(positions, to), warnings }
}

/** The text positions of all pages, after pages with rotated text have been rotated back. */
async function readRotated(
  sent: PdfJob,
  pictures: boolean,
): Promise<{ readonly positions: DocumentText; readonly job: PdfJob; readonly hasForm: boolean }> {
  const form = await extractForm(sent)
  const withoutForm = form === undefined ? sent : { ...sent, pdf: form.pdf }
  const [first, boxes] = await Promise.all([readPositions(withoutForm, { pictures }), wordBoxes(withoutForm)])
  const rotated = first.pages.some((page) => page.rotation !== undefined)
    ? await rotatePages(
        withoutForm,
        first.pages.map((page) => page.rotation),
      )
    : undefined
  const job = rotated === undefined ? withoutForm : { ...withoutForm, pdf: rotated }
  const [positions, words] =
    rotated === undefined
      ? [first, boxes]
      : await Promise.all([readPositions(job, { pictures }), wordBoxes(job)])
  const drawn = rulingsOf(job)
  const pages: PageText[] = []
  for (const [at, page] of positions.pages.entries()) {
    const positions = withWords(page.positions, words[at] ?? [])
    pages.push(withForm({ ...page, positions, ...drawn[at] }, form?.pages[at], first.pages[at]?.rotation))
  }
  return { positions: { ...positions, pages }, job, hasForm: form !== undefined }
}

/** The text can be read without word boxes, although less accurately. */
async function wordBoxes(job: PdfJob): Promise<readonly (readonly WordBox[])[]> {
  try {
    return await readWordBoxes(job)
  } catch (error) {
    if (job.signal.aborted) throw error
    return []
  }
}

function write(positions: DocumentText, to: Exclude<TextFormat, 'fodp'>): string {
  const { flow, pages } = readFlow(positions)
  return to === 'fods' ? sheetsOfPages(pages) : writers[to](flow)
}
