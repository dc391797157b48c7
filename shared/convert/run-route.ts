import { AppError } from '../errors/app-error.ts'
import { toAppError } from '../errors/problem.ts'
import type { ConversionResult, EnginePlugin, Host } from '../plugin/contract.ts'
import type { FontsReport } from '../plugin/fonts-report.ts'
import type { ByteSource, Outcome, Warning } from '../plugin/values.ts'
import type { EngineSet } from './engine-set.ts'
import type { FinishPlan } from './finish-pdf.ts'
import type { ConversionRoute, EngineConversion } from './graph.ts'
import { archiveFormat, packPages } from './pages.ts'
import type { Converted, ConvertRequest } from './request.ts'

export interface Runner {
  readonly engines: EngineSet
  readonly host: Host
  /** The extension that files of a format are written with. */
  extensionOf(format: string): string
}

export type RouteOutcome =
  | { readonly ok: true; readonly converted: Converted }
  | { readonly ok: false; readonly step: EngineConversion; readonly error: unknown }

/**
 * Converts a document along a route. If a step produces several files, one for each page, each of them is passed to the next
 * step; several files at the end are packed into a zip. Never throws: a failure is returned with the step that failed.
 * `another` means that a later route ends on a host with other fonts. A strict job is then declined if the fonts of this host
 * lack characters of its watermarks.
 */
export async function runRoute(
  runner: Runner,
  route: ConversionRoute,
  request: ConvertRequest,
  finish: FinishPlan | undefined,
  { another = false }: { readonly another?: boolean } = {},
): Promise<RouteOutcome> {
  let files: readonly ByteSource[] = [request.source]
  const record: RouteRecord = { format: request.to, letters: new Set(), warnings: new Map() }
  const selecting = finish === undefined ? pageStep(route, request) : undefined
  for (const [index, step] of route.entries()) {
    const last = index === route.length - 1 ? { finish, another } : undefined
    const options = optionsOfStep(step, request, selecting, last !== undefined)
    const outputs: ByteSource[] = []
    try {
      for (const [at, file] of files.entries()) {
        const outcome = await runStep(runner, step, file, request, options, last)
        for (const output of outcome.pages ?? [outcome.value]) outputs.push(output)
        addOutcome(record, step, outcome, { isFirst: at === 0 })
      }
    } catch (error) {
      return { ok: false, step, error: request.signal.aborted ? endOf(request) : ofCaller(error, request) }
    }
    files = outputs
  }
  const { format, letters, warnings, fonts, pageCount } = record
  const output = await onlyOrPacked(runner, files, format, request.to)
  const engines = route.map((step) => step.engine)
  return {
    ok: true,
    converted: {
      ...output,
      warnings: [...warnings.values()],
      engines,
      letters: [...letters],
      ...(fonts && { fonts }),
      ...(pageCount !== undefined && { pageCount }),
    },
  }
}

/** What the steps of a route have reported so far. */
interface RouteRecord {
  format: string
  fonts?: FontsReport | undefined
  pageCount?: number
  readonly letters: Set<string>
  /** Warnings by their content, because several files of a step may cause the same one. */
  readonly warnings: Map<string, Warning>
}

/** The pages of the files of one step are added; those of an earlier step are the same ones. */
function addOutcome(
  record: RouteRecord,
  step: EngineConversion,
  outcome: ConversionResult,
  { isFirst }: { readonly isFirst: boolean },
): void {
  record.format = outcome.format ?? record.format
  record.fonts ??= outcome.fonts
  if (outcome.pageCount !== undefined)
    record.pageCount = (isFirst ? 0 : (record.pageCount ?? 0)) + outcome.pageCount
  for (const letter of outcome.letters ?? [step.letter ?? []].flat()) record.letters.add(letter)
  for (const warning of outcome.warnings)
    record.warnings.set(`${warning.code} ${warning.message} ${warning.where ?? ''}`, warning)
}

/** The options are those of the last step. An earlier one is given only the pages that it selects. */
function optionsOfStep(
  step: EngineConversion,
  request: ConvertRequest,
  selecting: EngineConversion | undefined,
  isLast: boolean,
): ConvertRequest['options'] {
  if (isLast) return withoutPages(request.options, selecting)
  return step === selecting ? pagesIn(request) : undefined
}

/**
 * The step that draws only the requested pages, where the last step of a route draws what it gets from it and knows no pages:
 * pictures of a PDF by a browser, for example. Undefined where the last step selects them, or none does.
 */
function pageStep(route: ConversionRoute, { options }: ConvertRequest): EngineConversion | undefined {
  if (options?.['PageRange'] === undefined || route.at(-1)?.options.includes('PageRange')) return undefined
  return route.find((step) => step.options.includes('PageRange'))
}

const pagesIn = ({ options }: ConvertRequest) => ({ PageRange: options?.['PageRange'] })

function withoutPages(options: ConvertRequest['options'], selecting: EngineConversion | undefined) {
  if (selecting === undefined) return options
  const { PageRange: _, ...others } = options ?? {}
  return others
}

/** `last` is set for the last step of a route, which is followed by the post-processing. */
async function runStep(
  { engines, host }: Runner,
  step: EngineConversion,
  source: ByteSource,
  request: ConvertRequest,
  given: ConvertRequest['options'],
  last: { readonly finish: FinishPlan | undefined; readonly another: boolean } | undefined,
): Promise<ConversionResult> {
  if (request.signal.aborted) throw endOf(request)
  /** Runs code of the engine. An error outside of the catalogue is logged and becomes 'engine.failed'. */
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw request.signal.aborted ? error : engineError(host, step, error)
    }
  }
  const { plugin, engine, withoutOptions } = await guarded(() => engines.started(step.engine, request.signal))
  const received = optionsFor(plugin, given, request, last)
  const options =
    received === undefined ? withoutOptions : await guarded(async () => plugin.options.parse(received))
  if (!options.ok) {
    const [issue] = options.issues
    throw new AppError('convert.options', { option: issue?.path ?? '', rule: issue?.rule ?? '' })
  }
  const { egressAuthorization, client } = request
  const job = {
    source,
    from: step.from,
    to: step.to,
    options: options.value,
    letter: request.letter ?? step.letter,
    ...(request.auto === true && plugin.selfAssessing === true && { strict: true }),
    ...(egressAuthorization !== undefined && { egressAuthorization }),
    ...(client !== undefined && { client }),
    deadline: request.deadline,
  }
  const acceptance = (await guarded(async () => engine.accepts?.(job))) ?? { ok: true }
  if (!acceptance.ok)
    throw new AppError('convert.engine-off', { engine: step.title, because: acceptance.because })
  const prepared = await guarded(async () => plugin.prepare?.(job, host, request.signal))
  const preparedJob = prepared
    ? { ...job, source: prepared.value, ...(prepared.pictures && { pictures: prepared.pictures }) }
    : job
  const result = await guarded(async () => checkResult(await engine.convert(preparedJob, request.signal)))
  const original = step.from === 'pdf' && step.to === 'pdf' ? source : undefined
  const finishing = async () => last?.finish?.finish(result.value, plugin, request.signal, original)
  const isDeclinable = job.strict === true && last?.another === true
  const finished = await (isDeclinable ? orDecline(step, finishing) : finishing())
  return {
    ...result,
    value: finished?.value ?? result.value,
    warnings: [...(prepared?.warnings ?? []), ...result.warnings, ...(finished?.warnings ?? [])],
  }
}

/**
 * Finishes a document. Throws 'convert.beyond' when the fonts of this host lack characters of its watermarks, as engine
 * I does for those of the document itself.
 */
async function orDecline<T extends Outcome<unknown> | undefined>(
  { title }: EngineConversion,
  finishing: () => Promise<T>,
): Promise<T> {
  const reason = 'the fonts of this host lack characters of its watermark'
  try {
    const finished = await finishing()
    if (finished === undefined || !lacksCharacters(finished)) return finished
  } catch (error) {
    // A file that must conform is not drawn with missing characters.
    if (!(error instanceof AppError) || error.code !== 'pdf.promise') throw error
  }
  throw new AppError('convert.beyond', { engine: title, what: reason })
}

/** Whether the fonts of this host lack characters of the watermarks that were drawn. */
export function lacksCharacters({ warnings }: Pick<Outcome<unknown>, 'warnings'>): boolean {
  return warnings.some(({ code }) => code === 'pdf.watermark-characters')
}

/** The options for one step: those that are `given` to it, or what post-processing leaves of them. Undefined when there are none. */
function optionsFor(
  plugin: EnginePlugin,
  given: ConvertRequest['options'],
  { hardRefresh, signal }: ConvertRequest,
  last: { readonly finish: FinishPlan | undefined } | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const requested = {
    ...(last?.finish === undefined ? given : last.finish.engineOptions(plugin, signal)),
    ...(hardRefresh === true && (last !== undefined || refreshes(plugin)) && { hardRefresh: true }),
  }
  return Object.keys(requested).length === 0 ? undefined : requested
}

/** Whether an engine has an option to compute fields, indexes and formulas again. */
function refreshes({ options }: EnginePlugin): boolean {
  const properties: unknown = options.json['properties']
  return typeof properties === 'object' && properties !== null && 'hardRefresh' in properties
}

/** The error as the caller gets it. Errors of the catalogue are meant for the caller; any other is a defect. */
function engineError(host: Host, { engine, title, from, to }: EngineConversion, error: unknown): AppError {
  const appError = toAppError(error)
  if (appError.code !== 'api.internal') return appError
  const cause = appError.cause ?? error
  host.log.error('engine.failed', { engine, from, to, error: cause })
  return new AppError('engine.failed', { engine: title, from, to }, { cause })
}

/** Throws TypeError for a result that violates the contract, so that the engine is blamed and not a later step. */
function checkResult(result: ConversionResult): ConversionResult {
  const isSource = (source: ByteSource | undefined) =>
    typeof source?.arrayBuffer === 'function' && typeof source.size === 'number'
  if (!isSource(result?.value))
    throw new TypeError('The engine returned no `value` with the bytes of the file.')
  if (!Array.isArray(result.warnings)) throw new TypeError('The engine returned no list of `warnings`.')
  if (result.pages?.every(isSource) === false)
    throw new TypeError('The engine returned `pages` without bytes.')
  return result
}

async function onlyOrPacked(
  { host, extensionOf }: Runner,
  files: readonly ByteSource[],
  format: string,
  to: string,
): Promise<Pick<Converted, 'value' | 'format' | 'pages'>> {
  const [only] = files
  if (files.length === 1 && only !== undefined) return { value: only, format }
  const value = await packPages(files, { extension: extensionOf(to), codec: host.codec, time: host.now() })
  return { value, format: archiveFormat, pages: files }
}

/** A step that ran out of time is reported as the conversion that the caller asked for, who does not know its steps. */
function ofCaller(error: unknown, request: ConvertRequest): unknown {
  const { from, to } = request
  if (!(error instanceof AppError) || error.code !== 'convert.timeout') return error
  return new AppError('convert.timeout', { doing: `converting ${from} to ${to}` }, { cause: error })
}

/** The error of a conversion whose signal was aborted: the reason of the signal, or else 'convert.timeout'. */
export function endOf({ signal, from, to }: Pick<ConvertRequest, 'signal' | 'from' | 'to'>): AppError {
  const reason: unknown = signal.reason
  if (reason instanceof AppError) return reason
  return new AppError('convert.timeout', { doing: `converting ${from} to ${to}` })
}
