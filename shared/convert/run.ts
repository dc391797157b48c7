import { AppError } from '../errors/app-error.ts'
import type {
  ByteSource,
  ConvertJob,
  Engine,
  EnginePlugin,
  FormatFamily,
  FormatId,
  Host,
  Made,
  Warning,
} from '../plugin/contract.ts'
import type { FontsReport } from '../plugin/fonts-report.ts'
import type { Registry } from '../plugin/registry.ts'
import type { Finisher, FinishPlan } from './finish-pdf.ts'
import { type Arrow, buildGraph } from './graph.ts'
import { unwritten } from './output-types.ts'
import { archiveFormat, packPages } from './pages.ts'
import { findRoutes, type Route } from './route.ts'

/** What the render and convert services ask for. */
export interface ConvertRequest {
  readonly source: ByteSource
  readonly from: FormatId
  readonly to: FormatId
  /** The caller's `formatOptions`, as sent; each engine checks its own. Given to the last step only. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly letter?: string // 'L', 'C', ...; absent: the default of the source's family
  /** The quick engine where the document is within its limits, else the default one. */
  readonly auto?: boolean
  /** Recompute indexes, page counts and formulas, also when `from` and `to` are equal. */
  readonly hardRefresh?: boolean
  /** Sent with whatever the document makes an engine fetch. */
  readonly egressAuthorization?: string
  readonly deadline: number // ms since the epoch
  readonly signal: AbortSignal
}

export interface Converted {
  readonly value: ByteSource
  /** What `value` is: the format asked for, or 'zip' around several files of it. */
  readonly format: FormatId
  /** The files in that zip, in order. Absent where this side does not have them one by one. */
  readonly pages?: readonly ByteSource[]
  readonly warnings: readonly Warning[]
  readonly engines: readonly string[] // ids, in order of the steps
  /** Letters of those engines that have one, each once. */
  readonly letters: readonly string[]
  readonly fonts?: FontsReport
}

export interface Converter {
  convert(request: ConvertRequest): Promise<Converted>
  /** Whether a route exists, without running it. */
  can(from: FormatId, to: FormatId, letter?: string): boolean
  /** What can be said against the options before there is a document. Throws 'convert.options'. */
  checkOptions(to: FormatId, options: Readonly<Record<string, unknown>>): void
  /** What a render asks to be done to its PDF. Absent where nothing finishes PDFs. */
  readonly compose?: Finisher['compose'] | undefined
  arrows(): readonly Arrow[]
  /** Starts the engines that are slow to wake. Failures are for health to report. */
  warm(): Promise<void>
  health(): Promise<readonly EngineHealth[]>
  stop(): Promise<void>
}

export interface EngineHealth {
  readonly id: string
  readonly letter?: string
  readonly title: string
  readonly ok: boolean
  readonly because?: string // it is not
  readonly using?: string // where it is, and there is a choice
  /** Nobody misses it where it is off. */
  readonly optional?: true
}

export interface ConverterParts {
  readonly registry: Registry
  readonly host: Host
  /** The operator's settings by engine id; what is absent is checked as `{}`. */
  readonly settings: Readonly<Record<string, unknown>>
  /** What is done to outputs whichever engine made them. */
  readonly finisher?: Finisher
}

/** Walks conversion routes: steps, fallback by blame, deadline. Knows no engine and no format by name. */
export function createConverter({ registry, host, settings, finisher }: ConverterParts): Converter {
  const plugins = new Map<string, EnginePlugin>(registry.engines().map((plugin) => [plugin.id, plugin]))
  const engines = new Map<string, Engine>()
  const started = new Map<string, Promise<void>>()
  const graph = buildGraph([...plugins.values()])

  for (const plugin of plugins.values()) {
    const checked = plugin.settings.parse(settings[plugin.id] ?? {})
    if (!checked.ok) {
      const [issue] = checked.issues
      throw new Error(`Setting ${issue?.path} of engine "${plugin.id}" ${issue?.rule}.`)
    }
    engines.set(plugin.id, plugin.create(checked.value, host))
  }

  return {
    convert,
    can,
    checkOptions,
    compose: finisher?.compose,
    arrows: () => graph.arrows,
    warm,
    health,
    stop,
  }

  async function convert(request: ConvertRequest): Promise<Converted> {
    const plan = finisher?.plan(request.to, request.options ?? {})
    if (plan?.alone && request.from === request.to) {
      const finished = await plan
        .finish(request.source, undefined, request.signal)
        .catch((error: unknown) => {
          throw request.signal.aborted ? ended(request) : error
        })
      return { ...finished, format: request.to, engines: [], letters: [] }
    }
    const routes = routesFor(request, plan)
    if (routes.length === 0) throw noRoute(request)
    const broken = new Set<string>() // engine ids
    let reason: unknown
    let refused: { readonly route: Route; readonly error: AppError } | undefined
    for (const route of routes) {
      if (route.some((arrow) => broken.has(arrow.engine))) continue
      const outcome = await walk(route, request, plan)
      if (outcome.ok) return withFallback(outcome.converted, [...broken])
      if (isBeyond(outcome.error)) {
        refused ??= { route, error: outcome.error }
        reason ??= outcome.error
        continue
      }
      if (request.signal.aborted || !mayFallBack(outcome.error)) throw outcome.error
      broken.add(outcome.at.engine)
      reason = outcome.error
      host.log.warn('convert.fallback', {
        engine: outcome.at.engine,
        from: outcome.at.from,
        to: outcome.at.to,
      })
    }
    if (refused === undefined || request.signal.aborted) throw reason
    return inspiteOf(refused, request, plan)
  }

  /** Nobody else is there to make it: what an engine refused is made by it, and told. */
  async function inspiteOf(
    { route, error }: { readonly route: Route; readonly error: AppError },
    request: ConvertRequest,
    plan?: FinishPlan,
  ): Promise<Converted> {
    const outcome = await walk(route, { ...request, auto: false }, plan)
    if (!outcome.ok) throw outcome.error
    const message = `${error.message} No other engine could make it, so this one did.`
    const { converted } = outcome
    return { ...converted, warnings: [{ code: 'convert.beyond', message }, ...converted.warnings] }
  }

  type Walked =
    | { readonly ok: true; readonly converted: Converted }
    | { readonly ok: false; readonly at: Arrow; readonly error: unknown }

  async function walk(route: Route, request: ConvertRequest, plan?: FinishPlan): Promise<Walked> {
    let files: readonly ByteSource[] = [request.source]
    let format = request.to
    const warnings = new Map<string, Warning>()
    let fonts: FontsReport | undefined
    for (const [index, arrow] of route.entries()) {
      const last = index === route.length - 1
      const made: ByteSource[] = []
      try {
        for (const file of files) {
          const outcome = await step(arrow, file, last, request, last ? plan : undefined)
          made.push(...(outcome.pages ?? [outcome.value]))
          format = outcome.format ?? format
          fonts ??= outcome.fonts
          for (const warning of outcome.warnings)
            warnings.set(`${warning.code} ${warning.message} ${warning.where ?? ''}`, warning)
        }
      } catch (error) {
        return { ok: false, at: arrow, error: request.signal.aborted ? ended(request) : error }
      }
      files = made
    }
    const about = {
      warnings: [...warnings.values()],
      engines: route.map((arrow) => arrow.engine),
      letters: [...new Set(route.flatMap(({ letter }) => letter ?? []))],
      ...(fonts !== undefined && { fonts }),
    }
    const [only] = files
    if (files.length === 1 && only !== undefined)
      return { ok: true, converted: { value: only, format, ...about } }
    const extension = registry.format(request.to)?.extensions[0] ?? request.to
    const value = await packPages(files, { extension, codec: host.codec, time: host.now() })
    return { ok: true, converted: { value, format: archiveFormat, pages: files, ...about } }
  }

  async function step(
    arrow: Arrow,
    source: ByteSource,
    last: boolean,
    request: ConvertRequest,
    plan?: FinishPlan,
  ): Promise<Made> {
    if (request.signal.aborted) throw ended(request)
    const plugin = plugins.get(arrow.engine)
    const engine = engines.get(arrow.engine)
    if (plugin === undefined || engine === undefined) throw new Error(`No engine ${arrow.engine}`)
    const given = plan === undefined ? request.options : plan.engineOptions(plugin)
    const refresh = request.hardRefresh === true ? { hardRefresh: true } : {}
    const options = plugin.options.parse(last ? { ...given, ...refresh } : {})
    if (!options.ok) {
      const [issue] = options.issues
      throw new AppError('convert.options', { option: issue?.path ?? '', rule: issue?.rule ?? '' })
    }
    // It may take as long as a request: who gives up does not wait for it, the next one finds it started.
    await orAborted(start(arrow.engine, engine), request.signal)
    const job = {
      source,
      from: arrow.from,
      to: arrow.to,
      options: options.value,
      letter: request.letter ?? arrow.letter,
      ...(request.auto === true && plugin.judges === true && { careful: true }),
      ...(request.egressAuthorization !== undefined && { egressAuthorization: request.egressAuthorization }),
      deadline: request.deadline,
    }
    const verdict = (await engine.accepts?.(job)) ?? { ok: true }
    if (!verdict.ok)
      throw new AppError('convert.engine-off', { engine: arrow.title, because: verdict.because })
    const made = await prepared(plugin, engine, job, request.signal)
    if (plan === undefined) return made
    const finished = await plan.finish(made.value, plugin, request.signal)
    return { ...made, value: finished.value, warnings: [...made.warnings, ...finished.warnings] }
  }

  async function prepared(
    { prepare }: EnginePlugin,
    engine: Engine,
    job: ConvertJob,
    signal: AbortSignal,
  ): Promise<Made> {
    if (prepare === undefined) return engine.convert(job, signal)
    const { value: source, warnings } = await prepare(job, host, signal)
    const made = await engine.convert({ ...job, source }, signal)
    return { ...made, warnings: [...warnings, ...made.warnings] }
  }

  function start(id: string, engine: Engine): Promise<void> {
    const known = started.get(id)
    if (known !== undefined) return known
    const starting = engine.start?.() ?? Promise.resolve()
    started.set(id, starting)
    // A failed start is tried again by the next request.
    starting.catch(() => started.delete(id))
    return starting
  }

  function can(from: FormatId, to: FormatId, letter?: string): boolean {
    return findRoutes(graph, { from, to, letter, family: familyOf(from) }).length > 0
  }

  function checkOptions(to: FormatId, options: Readonly<Record<string, unknown>>): void {
    finisher?.plan(to, options)
  }

  async function warm(): Promise<void> {
    await Promise.allSettled([...engines].map(([id, engine]) => start(id, engine)))
  }

  async function health(): Promise<readonly EngineHealth[]> {
    return Promise.all(
      [...plugins.values()].map(async ({ id, letter, title, optional }) => {
        const verdict = (await engines.get(id)?.health?.()) ?? { ok: true as const }
        return { id, letter, title, ...(optional && { optional }), ...verdict }
      }),
    )
  }

  async function stop(): Promise<void> {
    await Promise.allSettled([...started.keys()].map((id) => engines.get(id)?.stop?.()))
    started.clear()
  }

  /** Left to the service: engines that know their limits first, whatever is the default. */
  function routesFor(request: ConvertRequest, plan?: FinishPlan): readonly Route[] {
    const fitOf = (route: Route) => {
      const plugin = plugins.get(route.at(-1)?.engine ?? '')
      return plugin === undefined ? 'all' : (plan?.fit(plugin) ?? 'all')
    }
    const found = findRoutes(graph, query(request))
    const fitting = found.filter((route) => fitOf(route) !== 'none')
    // Where none is left the one that was meant says why.
    const usual = request.letter !== undefined || fitting.length === 0 ? found : fitting
    if (request.auto !== true) return usual
    const judges = [...plugins.values()].filter((plugin) => plugin.judges === true)
    const judged = judges.flatMap(({ id, letter }) =>
      findRoutes(graph, { ...query(request), letter }).filter(
        (route) => route.some(({ engine }) => engine === id) && fitOf(route) === 'all',
      ),
    )
    // What a judge refuses is not given to its like somewhere else, which does not judge.
    const letters = judges.map(({ letter }) => letter)
    const others = usual.filter((route) => !route.some(({ letter }) => letter && letters.includes(letter)))
    return [...judged, ...others]
  }

  function query(request: ConvertRequest) {
    return { from: request.from, to: request.to, letter: request.letter, family: familyOf(request.from) }
  }

  function familyOf(id: FormatId): FormatFamily | undefined {
    return registry.format(id)?.family
  }

  /** Another engine lays a document out in another way: whoever gets it is told. */
  function withFallback(converted: Converted, failed: readonly string[]): Converted {
    if (failed.length === 0) return converted
    const titles = failed.map((id) => plugins.get(id)?.title ?? id).join(', ')
    const message = `${titles} could not take this conversion; another engine made it.`
    return { ...converted, warnings: [{ code: 'convert.fallback', message }, ...converted.warnings] }
  }

  function noRoute({ from, to, letter }: ConvertRequest): AppError {
    const because = unwritten.get(to)
    if (because !== undefined) return new AppError('convert.unwritten', { from, to, because })
    const engine = letter === undefined ? 'This service' : engineTitle(letter)
    return new AppError('convert.pair', { engine, from, to })
  }

  function engineTitle(letter: string): string {
    const known = [...plugins.values()].find((plugin) => plugin.letter === letter)
    return known === undefined ? `Engine ${letter}` : known.title
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** No failure: the engine was asked to say so. */
function isBeyond(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'convert.beyond'
}

/** Only an engine's own failure moves on to another engine; a bad document or a deadline ends the job. */
function mayFallBack(error: unknown): boolean {
  if (!(error instanceof AppError)) return true
  return error.blame === 'engine'
}

function ended(request: ConvertRequest): unknown {
  const reason: unknown = request.signal.reason
  if (reason instanceof AppError) return reason
  return new AppError('convert.timeout', { doing: `converting ${request.from} to ${request.to}` })
}
