import { AppError } from '../../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type { ConversionResult, ConvertJob, Engine, Host } from '../../../shared/plugin/contract.ts'
import { ignoredWarnings } from '../../../shared/plugin/ignored-options.ts'
import type { Warning } from '../../../shared/plugin/values.ts'
import { conversions, type PageFormat, type TextFormat, textCosts, title } from './conversions.ts'
import type { PdfJob } from './document.ts'
import { type CheckedPageOptions, idleOptions } from './options.ts'
import { drawPages } from './pages.ts'
import { readText } from './text/read-text.ts'

export function createEngine(_settings: object, host: Host): Engine<CheckedPageOptions> {
  return {
    async convert(
      { source, from, to, options, deadline }: ConvertJob<CheckedPageOptions>,
      signal,
    ): Promise<ConversionResult> {
      if (!conversions.some((pair) => pair.from === from && pair.to === to))
        throw new AppError('convert.pair', { engine: title, from, to })
      const pdf = await bytesOf(source)
      if (pdf.length === 0)
        throw new AppError('convert.document', { engine: title, from, because: 'it is empty' })
      const reported = new Set<Warning>()
      const job: PdfJob = { host, pdf, doing: `converting ${from} to ${to}`, reported, deadline, signal }
      const ignored = ignoredWarnings({ names: [...options.unknown, ...idleOptions(to, options.given)] }, to)
      if (Object.hasOwn(textCosts, to)) {
        const { value, warnings } = await readText(job, to as TextFormat)
        return {
          value: fromBytes(new TextEncoder().encode(value)),
          warnings: [...reported, ...warnings, ...ignored],
        }
      }
      const { files, pageCount, warnings } = await drawPages(job, to as PageFormat, options.given)
      const pages = files.map(fromBytes)
      return {
        value: pages[0] ?? fromBytes(new Uint8Array()),
        pages,
        pageCount,
        warnings: [...reported, ...warnings, ...ignored],
      }
    },
    async health() {
      if (host.runProgram === undefined) return { ok: false, because: 'this host cannot run programs' }
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

/** The failure may be temporary, because the machine was overloaded. */
function whyOff(error: unknown): string {
  const isSpecific = error instanceof AppError && error.code !== 'convert.engine-off'
  return isSpecific ? error.message : 'Poppler (poppler-utils) is not installed'
}
