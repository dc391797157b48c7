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
import { type BatchItem, type BatchRequest, splitBatch } from './split.ts'

export interface BatchRun {
  readonly batch: BatchRequest
  readonly options?: FormatOptions | undefined
  readonly signal: AbortSignal
  readonly deadline: number // ms since the epoch
  /** Renders one item, from template to document. */
  readonly render: (
    item: BatchItem,
    options: FormatOptions | undefined,
    signal: AbortSignal,
  ) => Promise<Rendered>
}

export type ItemOutcome =
  | { readonly index: number; readonly report: Rendered }
  | { readonly index: number; readonly error: unknown }

const defaultConcurrency = 4

/**
 * Renders every item, some at once, and joins the reports in the order of the items: as an archive that is written while
 * they are made, or as one PDF. The result is named by the first report. Throws 'api.batch.item' for the first item that
 * fails; a failure of the service itself passes unchanged.
 */
export async function renderBatch(services: Services, run: BatchRun): Promise<Rendered> {
  const { batch, signal } = run
  const items = await splitBatch(services, batch)
  const { each } = splitOptions(batch, run.options)
  const control = new AbortController()
  const leave = () => control.abort(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  const renderItem = async (index: number): Promise<ItemOutcome> => {
    control.signal.throwIfAborted()
    try {
      return { index, report: await run.render(items.item(index), each, control.signal) }
    } catch (error) {
      return { index, error: control.signal.aborted ? control.signal.reason : error }
    }
  }
  const concurrency = services.settings.batchConcurrency ?? defaultConcurrency
  const summary = new BatchSummary()
  const outcomes = summary.observe(inOrder(items.count, concurrency, renderItem))
  try {
    const result =
      batch.output === 'pdf'
        ? await joinReports(services, run, outcomes)
        : { ...(await writeArchive(services, batch, outcomes)), warnings: [] }
    // The summary is complete only now that all outcomes have been read.
    const about = summary.about(formatOf(services, batch.output))
    return { ...about, ...result, warnings: [...about.warnings, ...result.warnings] }
  } finally {
    control.abort(new AppError('api.aborted')) // ends the items still in work when one has failed
    signal.removeEventListener('abort', leave)
  }
}

/**
 * The parts of the answer that concern all items. It is collected while `observe` passes the reports on, and read
 * afterwards.
 */
class BatchSummary {
  /** Warnings by code and message, because most items cause the same ones. */
  readonly #warnings = new Map<string, Warning>()
  #first: Rendered | undefined

  async *observe(outcomes: AsyncIterable<ItemOutcome>): AsyncGenerator<ItemOutcome, void, void> {
    for await (const outcome of outcomes) {
      if ('report' in outcome) {
        this.#first ??= outcome.report
        for (const warning of outcome.report.warnings)
          this.#warnings.set(`${warning.code} ${warning.message}`, warning)
      }
      yield outcome
    }
  }

  about(format: FormatPlugin): Pick<Rendered, 'format' | 'name' | 'names' | 'warnings' | 'debug'> {
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

/** Joins all reports to one PDF, and encrypts that PDF where the options request it. */
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

/** Runs up to `ahead` calls at once and yields their results in order. No further call starts once the consumer stops. */
async function* inOrder<T>(
  count: number,
  ahead: number,
  run: (index: number) => Promise<T>,
): AsyncGenerator<T, void, void> {
  const running: Promise<T>[] = []
  let nextIndex = 0
  while (nextIndex < count || running.length > 0) {
    while (nextIndex < count && running.length < ahead) {
      const pending = run(nextIndex++)
      pending.catch(() => {}) // thrown when it is awaited below, if it is
      running.push(pending)
    }
    const result = await running.shift()
    if (result !== undefined) yield result
  }
}

function formatOf({ registry }: Services, id: string): FormatPlugin {
  const format = registry.format(id)
  if (format === undefined) throw new AppError('convert.unknown-format', { to: id })
  return format
}
