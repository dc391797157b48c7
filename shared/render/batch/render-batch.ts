import { AppError } from '../../errors/app-error.ts'
import { bytesOf, fromBytes } from '../../plugin/byte-source.ts'
import type { FormatPlugin } from '../../plugin/contract.ts'
import type { ByteSource, Warning } from '../../plugin/values.ts'
import type { Services } from '../../services/services.ts'
import type { FormatOptions, Rendered } from '../request.ts'
import { sanitizeReportName } from '../steps/name-result.ts'
import { writeArchive } from './archive.ts'
import { itemError } from './item-error.ts'
import { splitOptions } from './options.ts'
import { batchOutcomes, type ItemOutcome, type RenderItem } from './outcomes.ts'
import { type BatchRequest, itemsOf, splitBatch } from './split.ts'

export interface BatchRun {
  readonly batch: BatchRequest
  readonly options?: FormatOptions | undefined
  readonly signal: AbortSignal
  readonly deadline: number // ms since the epoch
  /** Renders one item, from template to document. */
  readonly render: RenderItem
  readonly onProgress?: ((progress: BatchProgress) => void) | undefined
}

/** The progress of a batch, in documents. */
export interface BatchProgress {
  readonly total: number
  readonly done: number // excluding failed ones
  readonly failed: number
}

/**
 * Renders every item, several at once, and joins the reports in the order of the items: as an archive that is written as they
 * finish, or as one PDF. The result is named by the first report. Throws 'api.batch.item' for the first item that fails; a
 * failure of the service itself is thrown unchanged.
 */
export async function renderBatch(services: Services, run: BatchRun): Promise<Rendered> {
  const { batch, signal, render, onProgress } = run
  const { count } = await splitBatch(services, batch)
  const summary = new BatchSummary(count, onProgress)
  const outcomes = summary.observe(
    batchOutcomes(services, {
      items: itemsOf(services, batch),
      options: splitOptions(batch, run.options).each,
      signal,
      render,
    }),
  )
  const result =
    batch.output === 'pdf'
      ? await joinReports(services, run, outcomes)
      : { ...(await writeArchive(services, batch, outcomes)), warnings: [] }
  // The summary is complete only now that all outcomes have been read.
  const metadata = summary.metadataOf(formatOf(services, batch.output))
  return { ...metadata, ...result, warnings: [...metadata.warnings, ...result.warnings] }
}

/**
 * The parts of the response that concern all items. It is collected while `observe` passes the reports on, and read
 * afterwards.
 */
class BatchSummary {
  /** Warnings by code and message, because most items cause the same ones. */
  readonly #warnings = new Map<string, Warning>()
  #first: Rendered | undefined
  /** The number of documents so far, for progress reports. */
  #done = 0
  #failed = 0
  readonly #total: number
  readonly #onProgress: BatchRun['onProgress']

  constructor(total: number, onProgress: BatchRun['onProgress']) {
    this.#total = total
    this.#onProgress = onProgress
  }

  async *observe(outcomes: AsyncIterable<ItemOutcome>): AsyncGenerator<ItemOutcome, void, void> {
    for await (const outcome of outcomes) {
      if ('report' in outcome) {
        this.#first ??= outcome.report
        for (const warning of outcome.report.warnings)
          this.#warnings.set(`${warning.code} ${warning.message}`, warning)
      }
      if ('report' in outcome) this.#done++
      else this.#failed++
      this.#onProgress?.({ total: this.#total, done: this.#done, failed: this.#failed })
      yield outcome
    }
  }

  metadataOf(format: FormatPlugin): Pick<Rendered, 'format' | 'name' | 'names' | 'warnings' | 'debug'> {
    const { name = '', debug } = this.#first ?? {}
    return {
      format,
      name: sanitizeReportName(name, format.extensions[0]),
      names: {},
      warnings: [...this.#warnings.values()],
      ...(debug !== undefined && { debug }),
    }
  }
}

/** Joins all reports into one PDF, and encrypts that PDF if the options request it. */
async function joinReports(
  services: Services,
  { batch, options, signal, deadline }: BatchRun,
  outcomes: AsyncIterable<ItemOutcome>,
): Promise<{ readonly source: ByteSource; readonly warnings: readonly Warning[] }> {
  const { join } = services.converter
  if (join === undefined) throw new Error('No converter of this host joins PDFs.')
  const files = async function* () {
    for await (const outcome of outcomes) {
      if ('error' in outcome) throw itemError(outcome.index, outcome.error)
      yield await bytesOf(outcome.report.source)
    }
  }
  const joined = await join(files(), signal)
  const source = fromBytes(joined.value)
  const { joined: joinedOptions } = splitOptions(batch, options)
  if (joinedOptions === undefined) return { source, warnings: joined.warnings }
  const request = { source, from: 'pdf', to: 'pdf', options: joinedOptions, signal, deadline }
  const { value, warnings } = await services.converter.convert(request)
  return { source: value, warnings: [...joined.warnings, ...warnings] }
}

function formatOf({ registry }: Services, id: string): FormatPlugin {
  const format = registry.format(id)
  if (format === undefined) throw new AppError('convert.unknown-format', { to: id })
  return format
}
