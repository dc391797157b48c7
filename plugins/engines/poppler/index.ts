/**
 * PDF as input, by the programs of Poppler. In: PDF. Out: pages as pictures, one file each (`pages.ts`); and the text,
 * read from where it stands on the pages (`text/flow.ts`), as Markdown, HTML, text, and the flat OpenDocument formats from
 * which an office makes all others.
 *
 * A helper: it stands before and behind any engine. Each run is confined by the host (`Host.runProgram`).
 */
import { AppError } from '../../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import {
  type Conversion,
  type ConvertJob,
  defineEngine,
  type Engine,
  type Host,
  type Made,
  type Warning,
} from '../../../shared/plugin/contract.ts'
import { type PdfJob, title } from './document.ts'
import { type CheckedPageOptions, idleOptions, optionsSchema } from './options.ts'
import { drawPages, type PageFormat } from './pages.ts'
import { readText, type TextFormat } from './text/read-text.ts'

/** ms for a page, measured. */
const costs: Readonly<Record<PageFormat, number>> = {
  png: 60,
  jpg: 60,
  webp: 120,
  tiff: 90,
  gif: 120,
  bmp: 80,
  svg: 50,
  eps: 60,
}

/**
 * ms for a page. The layout of the text is made anew, and a table is what looks like one: a poor passage, so that no route
 * from another format leads through a PDF. Slides seem cheaper
 * than they are, or the office would make them; text seems dearer, or documents would be made of it.
 */
const textCosts: Readonly<Record<TextFormat, number>> = {
  fodt: 60,
  fods: 60,
  fodp: 20,
  html: 100,
  md: 100,
  txt: 150,
  text: 150,
}

const conversions: readonly Conversion[] = [
  ...Object.entries(costs).map(([to, cost]): Conversion => ({ from: 'pdf', to, fidelity: 'exact', cost })),
  ...Object.entries(textCosts).map(
    ([to, cost]): Conversion => ({ from: 'pdf', to, fidelity: 'basic', cost }),
  ),
]

export default defineEngine<object, CheckedPageOptions>({
  kind: 'engine',
  contract: 1,
  id: 'poppler',
  title,
  standsFor: ['L'],
  sides: ['origin'],
  programs: 'plain',
  conversions,
  settings: { json: { type: 'object' }, parse: () => ({ ok: true, value: {} }) },
  options: optionsSchema,
  create: (_settings, host) => createEngine(host),
})

function createEngine(host: Host): Engine<CheckedPageOptions> {
  return {
    async convert(
      { source, from, to, options, deadline }: ConvertJob<CheckedPageOptions>,
      signal,
    ): Promise<Made> {
      if (!conversions.some((pair) => pair.from === from && pair.to === to))
        throw new AppError('convert.pair', { engine: title, from, to })
      const pdf = await bytesOf(source)
      if (pdf.length === 0)
        throw new AppError('convert.document', { engine: title, from, because: 'it is empty' })
      const told = new Set<Warning>()
      const job: PdfJob = { host, pdf, doing: `converting ${from} to ${to}`, told, deadline, signal }
      const ignored = [...options.unknown, ...idleOptions(to, options.given)].map((name) => ({
        code: 'convert.option-ignored',
        message: `Option ${name.replace(/[^\w.-]/g, '?').slice(0, 60)} means nothing for ${to}.`,
      }))
      if (Object.hasOwn(textCosts, to)) {
        const { value, warnings } = await readText(job, to as TextFormat)
        return {
          value: fromBytes(new TextEncoder().encode(value)),
          warnings: [...told, ...warnings, ...ignored],
        }
      }
      const { files, warnings } = await drawPages(job, to as PageFormat, options.given)
      const pages = files.map(fromBytes)
      return {
        value: pages[0] ?? fromBytes(new Uint8Array()),
        pages,
        warnings: [...told, ...warnings, ...ignored],
      }
    },
    async health() {
      if (host.runProgram === undefined) return { ok: false, because: 'this side runs no programs' }
      const control = new AbortController()
      return host
        .runProgram({
          title,
          program: 'pdftocairo',
          args: ['-v'],
          files: {},
          doing: 'looking for Poppler',
          deadline: host.now() + 60_000,
          signal: control.signal,
        })
        .then(
          () => ({ ok: true }) as const,
          (error: unknown) => ({ ok: false, because: whyOff(error) }) as const,
        )
    },
  }
}

/** A machine that has no time for it now may well have it. */
function whyOff(error: unknown): string {
  const told = error instanceof AppError && error.code !== 'convert.engine-off'
  return told ? error.message : 'Poppler (poppler-utils) is not installed'
}
