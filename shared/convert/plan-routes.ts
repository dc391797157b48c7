import { entryOf } from '../entry-of.ts'
import { AppError } from '../errors/app-error.ts'
import type { EnginePlugin } from '../plugin/contract.ts'
import type { FormatFamily, FormatId } from '../plugin/values.ts'
import type { FinishPlan } from './finish-pdf.ts'
import { type ConversionRoute, findRoutes, type Graph } from './graph.ts'
import { unwritten } from './output-types.ts'
import type { ConvertRequest } from './request.ts'

export interface RoutePlanner {
  readonly graph: Graph
  readonly plugins: ReadonlyMap<string, EnginePlugin>
  familyOf(format: FormatId): FormatFamily | undefined
}

/**
 * The routes to try for a request, best first. Routes whose last engine must not be used with these options are omitted,
 * unless an engine was pinned or no other route remains; then the error of that engine says why. Routes with a conversion
 * that lacks a requested option come last. With `auto`, routes through self-assessing engines precede all others. Throws the
 * error of `refusalOf` when there is no route.
 */
export function planRoutes(
  planner: RoutePlanner,
  request: Pick<ConvertRequest, 'from' | 'to' | 'letter' | 'auto' | 'options'>,
  finish: FinishPlan | undefined,
): readonly ConversionRoute[] {
  const { from, to, letter, options = {} } = request
  const query = { from, to, family: planner.familyOf(from) }
  const candidates = findRoutes(planner.graph, { ...query, letter })
  const fitting = candidates.filter((route) => fitOf(planner, route, finish) !== 'none')
  const usable = letter !== undefined || fitting.length === 0 ? candidates : fitting
  const routes = request.auto === true ? selfAssessingFirst(planner, query, usable, finish) : usable
  if (routes.length === 0) throw refusalOf(planner, request)
  const lacking = (route: ConversionRoute) =>
    route.some(({ lacks = [] }) => lacks.some((name) => Boolean(entryOf(options, name))))
  const ordered = [...routes.filter((route) => !lacking(route)), ...routes.filter(lacking)]
  // A route without a requested option is better than one by a host that is not configured.
  const isHere = (route: ConversionRoute) => isPresent(planner, route)
  return [...ordered.filter(isHere), ...ordered.filter((route) => !isHere(route))]
}

function selfAssessingFirst(
  planner: RoutePlanner,
  query: { readonly from: FormatId; readonly to: FormatId; readonly family?: FormatFamily | undefined },
  usable: readonly ConversionRoute[],
  finish: FinishPlan | undefined,
): readonly ConversionRoute[] {
  const selfAssessing = [...planner.plugins.values()].filter((plugin) => plugin.selfAssessing === true)
  const assessed = selfAssessing.flatMap(({ id, letter }) =>
    findRoutes(planner.graph, { ...query, letter }).filter((route) =>
      route.some(({ engine }) => engine === id),
    ),
  )
  const ofFit = (fit: 'all' | 'most') => assessed.filter((route) => fitOf(planner, route, finish) === fit)
  // A document that such an engine declines must not reach the same engine on another host, which does not assess it.
  const letters = selfAssessing.map(({ letter }) => letter)
  const others = usable.filter((route) => !route.some(({ letter }) => letter && letters.includes(letter)))
  // Where there is no other engine, one that ignores some options does the work.
  const lacking = others.some((route) => isPresent(planner, route)) ? [] : ofFit('most')
  return [...ofFit('all'), ...lacking, ...others]
}

/** Whether the last engine of a route supports all options, lacks some that may be ignored, or must not be used. */
function fitOf({ plugins }: RoutePlanner, route: ConversionRoute, finish: FinishPlan | undefined) {
  const plugin = plugins.get(route.at(-1)?.engine ?? '')
  return plugin === undefined ? 'all' : (finish?.fit(plugin) ?? 'all')
}

/** Whether all engines of a route are on this host or on one that is configured. */
export function isPresent({ plugins }: Pick<RoutePlanner, 'plugins'>, route: ConversionRoute): boolean {
  return route.every(({ engine }) => !plugins.get(engine)?.absent)
}

/**
 * The error of a request for which there is no route: 'convert.unwritten' for formats that nothing writes,
 * 'convert.engine-pair' where other letters than the pinned one have a route, else 'convert.pair'. It names engines by
 * letters, which mean the same on every host.
 */
export function refusalOf(
  planner: RoutePlanner,
  { from, to, letter }: Pick<ConvertRequest, 'from' | 'to' | 'letter'>,
): AppError {
  const { graph, familyOf } = planner
  const because = unwritten.get(to)
  if (because !== undefined) return new AppError('convert.unwritten', { from, to, because })
  if (letter === undefined) return new AppError('convert.pair', { engine: 'This service', from, to })
  const letters = [...new Set(graph.conversions.flatMap((conversion) => conversion.letter ?? []))].sort()
  const others = letters.filter((other) =>
    findRoutes(graph, { from, to, letter: other, family: familyOf(from) }).some((route) =>
      isPresent(planner, route),
    ),
  )
  if (others.length === 0) return new AppError('convert.pair', { engine: `Engine ${letter}`, from, to })
  return new AppError('convert.engine-pair', { engine: letter, from, to, others: others.join(', ') })
}
