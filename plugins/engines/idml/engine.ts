import { AppError } from '../../../shared/errors/app-error.ts'
import { writeDocbook } from '../../../shared/flow/write-docbook.ts'
import { writeHtml } from '../../../shared/flow/write-html.ts'
import { writeMarkdown } from '../../../shared/flow/write-markdown.ts'
import { writeOdf } from '../../../shared/flow/write-odf.ts'
import { writeText } from '../../../shared/flow/write-text.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type { Engine, Host } from '../../../shared/plugin/contract.ts'
import { type IgnoredOptions, ignoredWarnings } from '../../../shared/plugin/ignored-options.ts'
import type { FormatId, Warning } from '../../../shared/plugin/values.ts'
import type { ArtCounts } from './art.ts'
import { conversions, title } from './conversions.ts'
import { openIdml } from './document.ts'
import { pagesOf } from './pages.ts'
import { flowOfIdml } from './to-flow.ts'
import { writePages } from './write-pages.ts'

export function createEngine(_settings: object, { codec }: Host): Engine<IgnoredOptions> {
  return {
    async convert({ source, from, to, options }, signal) {
      if (!conversions.some((pair) => pair.from === from && pair.to === to))
        throw new AppError('convert.pair', { engine: title, from, to })
      const document = openIdml(await bytesOf(source), codec)
      signal.throwIfAborted()
      const pages = pagesOf(document)
      const notes: ArtCounts = { pictures: 0, names: 0 }
      const text =
        to === 'paged' ? writePages(document, pages, notes) : asText(to, flowOfIdml(document, pages))
      const missing: readonly Warning[] = notes.pictures === 0 ? [] : [picturesMissing(notes.pictures)]
      return {
        value: fromBytes(new TextEncoder().encode(text)),
        warnings: [...missing, ...ignoredWarnings(options, to)],
      }
    },
  }
}

function asText(to: FormatId, flow: ReturnType<typeof flowOfIdml>): string {
  if (to === 'md') return writeMarkdown(flow)
  if (to === 'fodt') return writeOdf(flow)
  if (to === 'docbook') return writeDocbook(flow)
  return to.startsWith('html') ? writeHtml(flow) : writeText(flow)
}

const picturesMissing = (count: number): Warning => ({
  code: 'idml.pictures-missing',
  message: `${count} pictures are missing from the package or have an unsupported format; they are drawn as crossed boxes.`,
})
