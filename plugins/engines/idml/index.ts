/**
 * InDesign documents (IDML) in pure TypeScript, on both sides: as the pages they are, in OpenDocument, from which the
 * office makes the rest (`write-pages.ts`), and as text that flows (`to-flow.ts`). A helper: it stands before the office.
 */
import { AppError } from '../../../shared/errors/app-error.ts'
import { writeDocbook } from '../../../shared/flow/write-docbook.ts'
import { writeHtml } from '../../../shared/flow/write-html.ts'
import { writeMarkdown } from '../../../shared/flow/write-markdown.ts'
import { writeOdf } from '../../../shared/flow/write-odf.ts'
import { writeText } from '../../../shared/flow/write-text.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import {
  type Conversion,
  defineEngine,
  type FormatId,
  type Warning,
} from '../../../shared/plugin/contract.ts'
import {
  type IgnoredOptions,
  ignoredOptions,
  ignoredWarnings,
} from '../../../shared/plugin/ignored-options.ts'
import type { Notes } from './art.ts'
import { openIdml } from './document.ts'
import { pagesOf } from './pages.ts'
import { flowOfIdml } from './to-flow.ts'
import { title } from './unreadable.ts'
import { writePages } from './write-pages.ts'

/**
 * ms for a typical page. `paged` is a flat text with the pages as they are, which the office turns into what holds frames
 * (`../libreoffice/conversions.ts`). Everything else is made of text that flows:
 * dearer than the pages straight to an output, cheaper than the pages through another format on the way there.
 */
const conversions: readonly Conversion[] = [
  { from: 'idml', to: 'paged', fidelity: 'high', cost: 20 },
  { from: 'idml', to: 'fodt', fidelity: 'high', cost: 60 },
  { from: 'idml', to: 'docbook', fidelity: 'high', cost: 60 },
  ...['html', 'html10', 'md', 'txt', 'text', 'etext', 'text10'].map(
    (to): Conversion => ({ from: 'idml', to, fidelity: 'basic', cost: 15 }),
  ),
]

export default defineEngine<object, IgnoredOptions>({
  kind: 'engine',
  contract: 1,
  id: 'idml',
  title,
  standsFor: ['L'],
  sides: ['edge', 'origin'],
  conversions,
  settings: { json: { type: 'object' }, parse: () => ({ ok: true, value: {} }) },
  options: ignoredOptions,
  create: (_, { codec }) => ({
    async convert({ source, from, to, options }, signal) {
      if (!conversions.some((pair) => pair.from === from && pair.to === to))
        throw new AppError('convert.pair', { engine: title, from, to })
      const document = openIdml(await bytesOf(source), codec)
      signal.throwIfAborted()
      const pages = pagesOf(document)
      const notes: Notes = { pictures: 0, names: 0 }
      const text =
        to === 'paged' ? writePages(document, pages, notes) : asText(to, flowOfIdml(document, pages))
      const missing: readonly Warning[] = notes.pictures === 0 ? [] : [picturesMissing(notes.pictures)]
      return {
        value: fromBytes(new TextEncoder().encode(text)),
        warnings: [...missing, ...ignoredWarnings(options, to)],
      }
    },
  }),
})

function asText(to: FormatId, flow: ReturnType<typeof flowOfIdml>): string {
  if (to === 'md') return writeMarkdown(flow)
  if (to === 'fodt') return writeOdf(flow)
  if (to === 'docbook') return writeDocbook(flow)
  return to.startsWith('html') ? writeHtml(flow) : writeText(flow)
}

const picturesMissing = (count: number): Warning => ({
  code: 'idml.pictures-missing',
  message: `${count} pictures are not in the package, or of a kind that is not shown: they are crossed boxes.`,
})
