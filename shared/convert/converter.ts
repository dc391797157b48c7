/**
 * Conversions between formats. `plan-routes.ts` finds the routes, `run-route.ts` runs one of them, and `finish-pdf.ts`
 * does the post-processing of PDFs, which is the same for every engine. This file decides what happens when a route fails.
 */
import { AppError } from '../errors/app-error.ts'
import type { Host } from '../plugin/contract.ts'
import type { Registry } from '../plugin/registry.ts'
import type { FormatId } from '../plugin/values.ts'
import { createEngineSet, type EngineHealth } from './engine-set.ts'
import type { Finisher, FinishPlan } from './finish-pdf.ts'
import { buildGraph, type ConversionRoute, type EngineConversion, findRoutes } from './graph.ts'
import { isPresent, planRoutes, refusalOf } from './plan-routes.ts'
import type { Converted, ConvertRequest } from './request.ts'
import { endOf, lacksCharacters, type Runner, runRoute } from './run-route.ts'

export type { EngineHealth } from './engine-set.ts'
export type { Converted, ConvertRequest } from './request.ts'

export interface Converter {
  convert(request: ConvertRequest): Promise<Converted>
  /** Whether a route exists, without running it. */
  can(from: FormatId, to: FormatId, letter?: string): boolean
  /** The error of a conversion that has no route; undefined where it has one. */
  refusal(from: FormatId, to: FormatId, letter?: string): AppError | undefined
  /** Checks the options as far as that is possible without a document. Throws 'convert.options'. */
  checkOptions(to: FormatId, options: Readonly<Record<string, unknown>>): void
  /** Assembles the PDF of a render with other files. Absent where nothing finishes PDFs. */
  readonly compose?: Finisher['compose'] | undefined
  /** Attaches a manifest to a PDF. Absent where nothing finishes PDFs. */
  readonly attachManifest?: Finisher['attachManifest'] | undefined
  /** Changes and describes PDFs for routes of plugins. Absent where nothing finishes PDFs. */
  readonly amend?: Finisher['amend'] | undefined
  readonly describe?: Finisher['describe'] | undefined
  readonly checkInvoice?: Finisher['checkInvoice'] | undefined
  /** Signs a PDF. Absent where nothing finishes PDFs. */
  readonly sign?: Finisher['sign'] | undefined
  /** The text of the pages of a PDF. Absent where nothing finishes PDFs. */
  readonly readText?: Finisher['readText'] | undefined
  /** Joins the PDFs of a batch. Absent where nothing finishes PDFs. */
  readonly join?: Finisher['join'] | undefined
  conversions(): readonly EngineConversion[]
  /** Starts all engines, because some are slow to start. Failures are not thrown; `health` reports them. */
  warm(): Promise<void>
  health(): Promise<readonly EngineHealth[]>
  stop(): Promise<void>
}

export interface ConverterParts {
  readonly registry: Registry
  readonly host: Host
  /** The operator's settings by engine id; absent ones are checked as `{}`. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The post-processing of outputs, whichever engine made them. */
  readonly finisher?: Finisher
  /** Called at the end of each conversion, for metrics. */
  readonly observe?: (conversion: ObservedConversion) => void
}

export interface ObservedConversion {
  /** Ids of the engines that took part. Of a failed conversion: the letter that the request named, or 'default'. */
  readonly engines: readonly string[]
  readonly ms: number
  /** Set where it failed. */
  readonly error?: unknown
}

/** Creates the converter of a host from the engines in its registry. Throws for settings that an engine refuses. */
export function createConverter(parts: ConverterParts): Converter {
  const { registry, host, settings, finisher, observe } = parts
  const engines = createEngineSet(registry.engines(), host, settings)
  const graph = buildGraph(registry.engines())
  const familyOf = (id: FormatId) => registry.format(id)?.family
  const planner = { graph, plugins: engines.plugins, familyOf }
  const runner = { engines, host, extensionOf: (id: FormatId) => registry.format(id)?.extensions[0] ?? id }

  return {
    async convert(request) {
      const startedAt = performance.now()
      try {
        const converted = await convert(request)
        observe?.({ engines: converted.engines, ms: performance.now() - startedAt })
        return converted
      } catch (error) {
        const isKnown = graph.conversions.some(({ letter }) => letter === request.letter)
        const engine = (isKnown ? request.letter : undefined) ?? 'default'
        observe?.({ engines: [engine], ms: performance.now() - startedAt, error })
        throw error
      }
    },
    can,
    refusal: (from, to, letter) =>
      can(from, to, letter) ? undefined : refusalOf(planner, { from, to, letter }),
    checkOptions: (to, options) => void finisher?.plan(to, options, engines.drawText),
    compose: finisher?.compose,
    readText: finisher?.readText,
    attachManifest: finisher?.attachManifest,
    amend:
      finisher &&
      ((bytes, changes, bounds) => finisher.amend(bytes, changes, { drawText: engines.drawText, ...bounds })),
    describe: finisher?.describe,
    checkInvoice: finisher?.checkInvoice,
    sign:
      finisher &&
      ((bytes, field, context) => finisher.sign(bytes, field, { drawText: engines.drawText, ...context })),
    join: finisher?.join,
    conversions: () => graph.conversions,
    warm: engines.warm,
    health: engines.health,
    stop: engines.stop,
  }

  function can(from: FormatId, to: FormatId, letter?: string): boolean {
    return findRoutes(graph, { from, to, letter, family: familyOf(from) }).length > 0
  }

  async function convert(request: ConvertRequest): Promise<Converted> {
    const finish = finisher?.plan(request.to, request.options ?? {}, engines.drawText)
    if (finish?.byStageAlone && request.from === request.to) return finishSomewhere(request, finish)
    if (finish?.conform === undefined || request.from !== request.to)
      return tryRoutes(runner, planRoutes(planner, request, finish), request, finish)
    const conformed = await conformOnly(request, finish.conform)
    if ('value' in conformed) return conformed
    return drawAnew(request, finish, conformed.because)
  }

  /** Where the fonts of this host lack characters of a watermark, a host that finishes files itself is asked instead. */
  async function finishSomewhere(request: ConvertRequest, finish: FinishPlan): Promise<Converted> {
    const finished = await finishOnly(request, finish)
    if (!lacksCharacters(finished) || !can(request.from, request.to)) return finished
    const routes = planRoutes(planner, { ...request, letter: undefined }, finish).filter(
      (route) => finishesElsewhere(runner, route) && isPresent(planner, route),
    )
    if (routes.length === 0) return finished
    const elsewhere = await tryRoutes(runner, routes, request, finish).catch((error: unknown) => {
      if (request.signal.aborted) throw error
      return finished
    })
    return elsewhere
  }

  /**
   * Lets an engine redraw a PDF that cannot be made to conform in place. That can lose links, forms and structure, so a
   * warning gives the reason.
   */
  async function drawAnew(request: ConvertRequest, finish: FinishPlan, because: string): Promise<Converted> {
    const converted = await tryRoutes(runner, planRoutes(planner, request, finish), request, finish)
    // Another host may have better fonts, and conforms the file itself if it can; else its own warnings say so.
    if (converted.engines.some((id) => engines.plugins.get(id)?.finishesOutput)) return converted
    const warning = { code: 'pdf.drawn-anew', message: `${because} An engine has redrawn it instead.` }
    return { ...converted, warnings: [warning, ...converted.warnings] }
  }
}

/** Makes a PDF conform in place, without an engine. Returns the reason where that is not possible. */
async function conformOnly(
  { source, signal, from, to }: ConvertRequest,
  conform: NonNullable<FinishPlan['conform']>,
): Promise<Converted | { readonly because: string }> {
  try {
    const conformed = await conform(source, signal)
    return 'value' in conformed ? { ...conformed, format: to, engines: [], letters: [] } : conformed
  } catch (error) {
    throw signal.aborted ? endOf({ signal, from, to }) : error
  }
}

/** Applies the post-processing alone, because the file has the requested format already. */
async function finishOnly(request: ConvertRequest, finish: FinishPlan): Promise<Converted> {
  try {
    const finished = await finish.finish(request.source, undefined, request.signal)
    return { ...finished, format: request.to, engines: [], letters: [] }
  } catch (error) {
    throw request.signal.aborted ? endOf(request) : error
  }
}

/**
 * Tries the routes in their order. An engine that fails by its own fault is avoided from then on; a bad document or the
 * deadline ends the conversion. When all other routes fail, the first engine that declined the document is forced to draw
 * what it can.
 */
async function tryRoutes(
  runner: Runner,
  routes: readonly ConversionRoute[],
  request: ConvertRequest,
  finish: FinishPlan | undefined,
): Promise<Converted> {
  const failed = new Set<string>() // engine ids
  let reason: unknown
  let declined: { readonly route: ConversionRoute; readonly error: AppError } | undefined
  for (const [index, route] of routes.entries()) {
    if (route.some((step) => failed.has(step.engine))) continue
    const another = routes.slice(index + 1).some((later) => finishesElsewhere(runner, later))
    const outcome = await runRoute(runner, route, request, finish, { another })
    if (outcome.ok) return withFallbackWarning(runner, outcome.converted, failed)
    const { error, step } = outcome
    if (hasDeclined(error)) {
      declined ??= { route, error }
      reason ??= error
      continue
    }
    if (declined !== undefined && isOriginNeeded(error)) continue
    if (request.signal.aborted || !mayFallBack(error)) throw error
    failed.add(step.engine)
    reason = error
    runner.host.log.warn('convert.fallback', { engine: step.engine, from: step.from, to: step.to })
  }
  if (declined === undefined || request.signal.aborted) throw reason
  return force(runner, declined, request, finish)
}

/** Whether the last engine of a route applies all options itself, as another host does with its own fonts. */
function finishesElsewhere({ engines }: Runner, route: ConversionRoute): boolean {
  return engines.plugins.get(route.at(-1)?.engine ?? '')?.finishesOutput === true
}

/** No other engine can run this route, so the one that declined runs it after all and reports what it could not draw. */
async function force(
  runner: Runner,
  { route, error }: { readonly route: ConversionRoute; readonly error: AppError },
  request: ConvertRequest,
  finish: FinishPlan | undefined,
): Promise<Converted> {
  const outcome = await runRoute(runner, route, { ...request, auto: false }, finish)
  if (!outcome.ok) throw outcome.error
  const message = `${error.message} No other engine could make it, so this one did.`
  const { converted } = outcome
  return { ...converted, warnings: [{ code: 'convert.beyond', message }, ...converted.warnings] }
}

/** Another engine lays a document out in another way, so the caller gets a warning. */
function withFallbackWarning(
  { engines }: Runner,
  converted: Converted,
  failed: ReadonlySet<string>,
): Converted {
  if (failed.size === 0) return converted
  const titles = [...failed].map((id) => engines.plugins.get(id)?.title ?? id).join(', ')
  const message = `${titles} could not do this conversion, so another engine did it.`
  return { ...converted, warnings: [{ code: 'convert.fallback', message }, ...converted.warnings] }
}

/** Whether an engine assessed the document and found that it cannot draw it faithfully. */
function hasDeclined(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'convert.beyond'
}

/** Whether the engine of a route is on a host that is not configured. */
function isOriginNeeded(error: unknown): boolean {
  return error instanceof AppError && error.code === 'convert.origin-needed'
}

/** Only an engine's own failure moves on to another engine; a bad document or a deadline ends the job. */
function mayFallBack(error: unknown): boolean {
  return !(error instanceof AppError) || error.blame === 'engine'
}
