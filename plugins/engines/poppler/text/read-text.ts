import { writeHtml } from '../../../../shared/flow/write-html.ts'
import { writeMarkdown } from '../../../../shared/flow/write-markdown.ts'
import { writeOdf } from '../../../../shared/flow/write-odf.ts'
import { sheetsOfPages } from '../../../../shared/flow/write-sheets.ts'
import { writeText } from '../../../../shared/flow/write-text.ts'
import type { Outcome, Warning } from '../../../../shared/plugin/contract.ts'
import type { PdfJob } from '../document.ts'
import { createPause, readPages } from '../document.ts'
import { backgroundsOf } from './backgrounds.ts'
import { readFlow } from './flow.ts'
import { takeForm, withForm } from './form-fields.ts'
import { type DocumentMarks, readMarks } from './marks.ts'
import { rulingsOf } from './rulings.ts'
import { writeSlides } from './slides.ts'
import { turnPages } from './turn-pages.ts'

export type TextFormat = 'fodt' | 'fods' | 'fodp' | 'html' | 'md' | 'txt' | 'text'

const approximate: Warning = {
  code: 'pdf.approximate',
  message:
    'A PDF holds no paragraphs or tables: they were found by where the text stands, and the layout is approximate.',
}
const noText: Warning = {
  code: 'pdf.no-text',
  message: 'This PDF has no text, only pictures of it: nothing here reads text from pictures.',
}

const noPictures: Warning = {
  code: 'pdf.pictures-left-out',
  message: 'The pictures of this PDF took too long to be taken out; its text is complete.',
}

export async function readText(job: PdfJob, to: TextFormat): Promise<Outcome<string>> {
  // Says what is wrong with a file before its text is asked for.
  await readPages(job)
  const pictures = to === 'fodt' || to === 'html' || to === 'md'
  const { marks, job: upright } = await readUpright(job, pictures)
  job.signal.throwIfAborted()
  const empty = marks.pages.every((page) => page.marks.length === 0)
  const warnings = [empty ? noText : approximate, ...(marks.withoutPictures ? [noPictures] : [])]
  if (to === 'fodp')
    return { value: writeSlides(marks, await backgroundsOf(upright, marks.pages.length)), warnings }
  return { value: await write(marks, to, createPause(job)), warnings }
}

/** The marks of all pages, after those whose text stands on its side have been turned. */
async function readUpright(
  sent: PdfJob,
  pictures: boolean,
): Promise<{ readonly marks: DocumentMarks; readonly job: PdfJob }> {
  const form = await takeForm(sent)
  const given = form === undefined ? sent : { ...sent, pdf: form.pdf }
  const first = await readMarks(given, { pictures })
  const turned = first.pages.some((page) => page.turn !== undefined)
    ? await turnPages(
        given,
        first.pages.map((page) => page.turn),
      )
    : undefined
  const job = turned === undefined ? given : { ...given, pdf: turned }
  const found = turned === undefined ? first : await readMarks(job, { pictures })
  const drawn = await rulingsOf(job)
  const pages = found.pages.map((page, at) =>
    withForm({ ...page, ...drawn[at] }, form?.pages[at], first.pages[at]?.turn),
  )
  return { marks: { ...found, pages }, job }
}

async function write(
  marks: DocumentMarks,
  to: Exclude<TextFormat, 'fodp'>,
  pause: () => Promise<void>,
): Promise<string> {
  const { flow, pages } = await readFlow(marks, pause)
  switch (to) {
    case 'fodt':
      return writeOdf(flow)
    case 'fods':
      return sheetsOfPages(pages)
    case 'html':
      return writeHtml(flow)
    case 'md':
      return writeMarkdown(flow)
    case 'txt':
    case 'text':
      return writeText(flow)
    default:
      return to satisfies never
  }
}
