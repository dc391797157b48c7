import { splitJson, splitJsonArray } from '../../api/split-json.ts'
import { AppError } from '../../errors/app-error.ts'
import { errorBody, toAppError, toRenderError } from '../../errors/problem.ts'
import { type ArchiveFile, zipStream } from '../../office/zip-stream.ts'
import { pdfStageOptions, securityOptionNames } from '../../pdf/options.ts'
import { bytesOf, fromBytes } from '../../plugin/byte-source.ts'
import type { FormatPlugin, Warning } from '../../plugin/contract.ts'
import type { BatchShape, JsonInput } from '../../ports/index.ts'
import { toHex } from '../../services/ids.ts'
import { notKept, type Result } from '../../services/results.ts'
import type { Services } from '../../services/services.ts'
import { sanitizeReportName } from '../report-name.ts'
import { joinPdfs } from './join-pdfs.ts'

/** One report for each element of an array (specification 4.10), checked for shape. */
export interface BatchRequest {
  readonly data?: Uint8Array // JSON text
  readonly array?: string // name of the array in `d`; absent: `d` is the array
  readonly output: 'zip' | 'pdf'
  readonly reportName?: string
  readonly onError: 'fail' | 'report'
}

/** An element on its way to the merger. */
export interface BatchItem {
  readonly data: JsonInput
  readonly shape: BatchShape
}

/** What one element became. */
export interface BatchPiece extends Result {
  readonly names: Readonly<Record<string, string>> // rendered, not yet sanitised
  readonly warnings: readonly Warning[]
  readonly debug?: { readonly markers: readonly string[] }
}

type FormatOptions = Readonly<Record<string, unknown>>

export interface BatchRun {
  readonly batch: BatchRequest
  readonly options?: FormatOptions
  readonly signal: AbortSignal
  readonly deadline: number // ms since the epoch
  /** The whole way of one element, from template to document. */
  readonly render: (
    item: BatchItem,
    options: FormatOptions | undefined,
    signal: AbortSignal,
  ) => Promise<BatchPiece>
}

interface SplitBatch {
  readonly count: number
  readonly sizes: readonly number[] // bytes of each element
  item(index: number): BatchItem
}

const limitByDefault = 100
const concurrencyByDefault = 4
const errorsFile = 'errors.json'

/**
 * What a batch must fulfil before any of it is rendered (api-decisions 3). `waits` when the caller waits for its end.
 * Throws 'api.body.invalid', 'api.json.invalid', and as the documented 500 'api.render.batch-off', 'api.batch.many',
 * 'api.batch.waiting'.
 */
export function checkBatch(
  services: Services,
  batch: BatchRequest,
  convertTo: { readonly name: string; readonly options?: FormatOptions } | undefined,
  waits: boolean,
): void {
  try {
    const { count } = splitBatch(services, batch)
    const limit = services.settings.maxWaitingBatchReports ?? Number.POSITIVE_INFINITY
    if (waits && count > limit) throw new AppError('api.batch.waiting', { limit })
    checkSecurity(forWhole(batch, convertTo?.options).whole)
  } catch (error) {
    throw toRenderError(error)
  }
  const format = convertTo === undefined ? undefined : services.registry.formatByExtension(convertTo.name)
  if (batch.output !== 'pdf') return
  if (format?.id !== 'pdf') throw invalid('"batchOutput" "pdf" needs "convertTo" "pdf"')
  if (batch.onError === 'report') throw invalid('"batchOnError" "report" needs "batchOutput" "zip"')
}

/** Bytes of data that each document of a request is made of: of one, or of each element of a batch. */
export function documentSizes(
  services: Services,
  { batch, data }: { readonly batch?: BatchRequest; readonly data?: JsonInput },
): readonly number[] {
  if (batch !== undefined) return splitBatch(services, batch).sizes
  return [data === undefined ? 0 : bytesOfText(data)]
}

/** Above the true number for letters beyond ASCII is fine; below it is not. */
function bytesOfText(data: JsonInput): number {
  return 'text' in data ? new TextEncoder().encode(data.text).length : JSON.stringify(data.value).length
}

/**
 * Renders every element, some at once, and joins the reports in the order of the elements: as an archive that is written
 * while they are made, or as one PDF. The result is named by the first report. Throws 'api.batch.item' for the first
 * element that fails; what is not of an element's own making passes unchanged.
 */
export async function renderBatch(services: Services, run: BatchRun): Promise<BatchPiece> {
  const { batch, signal } = run
  const items = splitBatch(services, batch)
  const { options } = forWhole(batch, run.options)
  const control = new AbortController()
  const leave = () => control.abort(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  const joined = new Joined()
  const outcomes = inOrder(
    items.count,
    services.settings.batchConcurrency ?? concurrencyByDefault,
    async (index): Promise<Outcome> => {
      control.signal.throwIfAborted()
      try {
        return { index, piece: await run.render(items.item(index), options, control.signal) }
      } catch (error) {
        return { index, error: control.signal.aborted ? control.signal.reason : error }
      }
    },
  )
  try {
    const result = await (batch.output === 'pdf' ? asPdf : asArchive)(services, run, outcomes, joined)
    return { ...result, ...joined.about(result.format) }
  } finally {
    control.abort(new AppError('api.aborted')) // those still in work when one has failed
    signal.removeEventListener('abort', leave)
  }
}

type Outcome =
  | { readonly index: number; readonly piece: BatchPiece }
  | { readonly index: number; readonly error: unknown }

/** What is known of all reports once they are joined. */
class Joined {
  readonly #warnings = new Map<string, Warning>()
  #first: BatchPiece | undefined

  add(piece: BatchPiece): void {
    this.#first ??= piece
    for (const warning of piece.warnings) this.#warnings.set(`${warning.code} ${warning.message}`, warning)
  }

  about(format: FormatPlugin): Pick<BatchPiece, 'name' | 'names' | 'warnings' | 'debug'> {
    const { name = '', debug } = this.#first ?? {}
    return {
      name: sanitizeReportName(name, format.extensions[0]),
      names: {},
      warnings: [...this.#warnings.values()],
      ...(debug === undefined ? {} : { debug }),
    }
  }
}

/** Spooled, because nothing of it may reach the caller before its last report has been made. */
async function asArchive(
  services: Services,
  { batch }: BatchRun,
  outcomes: AsyncGenerator<Outcome>,
  joined: Joined,
): Promise<Pick<BatchPiece, 'source' | 'format' | 'spool'>> {
  const format = formatOf(services, 'zip')
  const spool = `spool/renders/${toHex(services.ids.random(16))}`
  const files = archiveFiles(batch, outcomes, joined)
  const archive = zipStream(files, services.codec, services.clock.now())
  await services.blobs.put(spool, archive).catch((error: unknown) => {
    throw notKept(error)
  })
  const source = await services.blobs.get(spool)
  if (source === undefined) throw new AppError('storage.blobs')
  return { source, format, spool }
}

async function* archiveFiles(
  batch: BatchRequest,
  outcomes: AsyncGenerator<Outcome>,
  joined: Joined,
): AsyncGenerator<ArchiveFile, void, void> {
  const errors: object[] = []
  const taken = new Map<string, number>(batch.onError === 'report' ? [[errorsFile, 1]] : [])
  for await (const outcome of outcomes) {
    if ('error' in outcome) {
      if (batch.onError === 'fail' || !isOwnFault(outcome.error))
        throw itemError(outcome.index, outcome.error)
      const { success: _, data: __, ...told } = errorBody(toRenderError(outcome.error))
      errors.push({ index: outcome.index, ...told })
      continue
    }
    const { piece } = outcome
    joined.add(piece)
    const [extension] = piece.format.extensions
    const wanted = piece.names['batchReportName'] ?? batch.reportName ?? ''
    const name = uniqueName(sanitizeReportName(wanted, extension), extension, taken)
    yield { name, bytes: await bytesOf(piece.source), compress: isText(piece.format) }
  }
  if (errors.length > 0)
    yield {
      name: errorsFile,
      bytes: new TextEncoder().encode(JSON.stringify(errors, undefined, 2)),
      compress: true,
    }
}

async function asPdf(
  services: Services,
  run: BatchRun,
  outcomes: AsyncGenerator<Outcome>,
  joined: Joined,
): Promise<Pick<BatchPiece, 'source' | 'format'>> {
  const files = async function* () {
    for await (const outcome of outcomes) {
      if ('error' in outcome) throw itemError(outcome.index, outcome.error)
      joined.add(outcome.piece)
      yield await bytesOf(outcome.piece.source)
    }
  }
  const format = formatOf(services, 'pdf')
  const source = fromBytes(await joinPdfs(files()))
  const { whole } = forWhole(run.batch, run.options)
  if (whole === undefined) return { source, format }
  const { signal, deadline } = run
  const asked = { source, from: format.id, to: format.id, options: whole, signal, deadline }
  return { source: (await services.converter.convert(asked)).value, format }
}

/**
 * Passwords and permissions of a joined PDF are set once, when it is whole: encrypted ones could not be joined. All else
 * is done to each report, as if it had been asked for alone.
 */
function forWhole(
  { output }: BatchRequest,
  options: FormatOptions | undefined,
): { readonly options?: FormatOptions; readonly whole?: FormatOptions } {
  if (output === 'zip' || options === undefined) return { options }
  const entries = Object.groupBy(Object.entries(options), ([name]) =>
    securityOptionNames.includes(name) ? 'whole' : 'each',
  )
  return {
    options: Object.fromEntries(entries.each ?? []),
    ...(entries.whole === undefined ? {} : { whole: Object.fromEntries(entries.whole) }),
  }
}

/** Before any report is made, not after all. */
function checkSecurity(options: FormatOptions | undefined): void {
  const checked = pdfStageOptions.parse(options ?? {})
  if (checked.ok) return
  const [issue] = checked.issues
  throw new AppError('convert.options', { option: issue?.path ?? '', rule: issue?.rule ?? '' })
}

/** Runs `ahead` at once and gives what they become in order. No further one starts once the reader has left. */
async function* inOrder<T>(
  count: number,
  ahead: number,
  run: (index: number) => Promise<T>,
): AsyncGenerator<T, void, void> {
  const running: Promise<T>[] = []
  let next = 0
  while (next < count || running.length > 0) {
    while (next < count && running.length < ahead) {
      const started = run(next++)
      started.catch(() => {}) // told when its turn comes, if it does
      running.push(started)
    }
    yield await running.shift()!
  }
}

const splits = new WeakMap<BatchRequest, { readonly limit: number; readonly split: SplitBatch }>()

/** Large data is gone through once, though it is checked before it is rendered. */
function splitBatch(services: Services, batch: BatchRequest): SplitBatch {
  const limit = services.settings.maxBatchReports ?? limitByDefault
  const known = splits.get(batch)
  if (known?.limit === limit) return known.split
  const split = findItems(batch, limit)
  splits.set(batch, { limit, split })
  return split
}

/** Only the ranges of the elements are found here; they are parsed where they are merged. */
function findItems({ data, array }: BatchRequest, limit: number): SplitBatch {
  if (limit === 0) throw new AppError('api.render.batch-off')
  if (data === undefined) throw invalid('"batchSplitBy" needs "data"')
  const isObject = data[0] === OPEN_OBJECT
  if (array === undefined && isObject) throw invalid('"batchSplitBy" is "d", so "data" must be an array')
  const members = array === undefined || !isObject ? undefined : splitJson(data)
  const place = array === undefined ? undefined : members?.get(array)
  if (array !== undefined && (place === undefined || data[place.start] !== OPEN_ARRAY))
    throw invalid('"batchSplitBy" must name an array that is a direct child of "data"')
  const list = place === undefined ? data : data.subarray(place.start, place.end)
  const items = splitJsonArray(list, limit + 1)
  if (items.length > limit) throw new AppError('api.batch.many', { limit })
  if (items.length === 0) throw invalid('"batchSplitBy" must name an array of at least 1 object')
  const odd = items.findIndex(({ start }) => list[start] !== OPEN_OBJECT)
  if (odd !== -1) throw invalid(`"batchSplitBy" must name an array of objects, item ${odd} is none`)
  const text = (from: Uint8Array, { start, end }: { readonly start: number; readonly end: number }) =>
    new TextDecoder().decode(from.subarray(start, end))
  const rest = [...(members ?? [])].filter(([name]) => name !== array)
  const shape: BatchShape =
    array === undefined
      ? {}
      : {
          array,
          ...(rest.length === 0
            ? {}
            : {
                rest: {
                  text: `{${rest.map(([name, at]) => `${JSON.stringify(name)}:${text(data, at)}`).join(',')}}`,
                },
              }),
        }
  const sizes = items.map(({ start, end }) => end - start)
  return {
    count: items.length,
    sizes,
    item: (index) => ({ data: { text: text(list, items[index]!) }, shape }),
  }
}

const OPEN_OBJECT = 123
const OPEN_ARRAY = 91

function invalid(issue: string): AppError {
  return new AppError('api.body.invalid', { issue })
}

/** A mistake in the element or its document, or an engine's failure with it: not of the service, nor of the caller's leaving. */
function isOwnFault(error: unknown): boolean {
  const { code, blame } = toAppError(error)
  return !(
    blame === 'us' ||
    code === 'api.aborted' ||
    code === 'api.render.timeout' ||
    code === 'api.too-many'
  )
}

/** With the element's index, counted from 0 as in `d[0]`. */
function itemError(index: number, error: unknown): unknown {
  if (!isOwnFault(error)) return error
  const found = toRenderError(error)
  const cause = found.cause instanceof AppError && found.code === 'api.render.failed' ? found.cause : found
  const hint = cause.hint === undefined ? '' : ` ${cause.hint}`
  return new AppError(
    'api.batch.item',
    { index, cause: `${cause.message}${hint}` },
    { cause: error, problems: found.problems },
  )
}

/** Not taken in any mix of capitals, for not all file systems tell them apart. */
function uniqueName(name: string, extension: string, taken: Map<string, number>): string {
  const plain = `${name}.${extension}`
  const key = plain.toLowerCase()
  const before = taken.get(key) ?? 0
  if (before === 0) {
    taken.set(key, 1)
    return plain
  }
  for (let count = before + 1; ; count++) {
    const file = `${name} (${count}).${extension}`
    if (taken.has(file.toLowerCase())) continue
    taken.set(key, count)
    taken.set(file.toLowerCase(), 1)
    return file
  }
}

function isText(format: FormatPlugin): boolean {
  return format.mime.some((type) => /^text\/|[/+](xml|json|rtf)$|-flat-xml$/.test(type))
}

function formatOf(services: Services, id: string): FormatPlugin {
  const format = services.registry.format(id)
  if (format === undefined) throw new AppError('convert.unknown-format', { to: id })
  return format
}
