import type { Conversion } from '../plugin/contract.ts'
import type { FormatId } from '../plugin/values.ts'
import { type EngineConversion, mayFollow, servesLetter, weightOf } from './graph.ts'

/** The maximum length of a route, as in `graph.ts`. */
const maxSteps = 3
/** The fidelity of a route is that of its worst step: the one of the highest rank. */
const fidelityRank = { exact: 0, high: 1, basic: 2 } as const

interface WeightedRoute {
  readonly cost: number
  readonly weight: number // cost with fidelity and the number of steps counted in, as the router does
  readonly fidelity: Conversion['fidelity']
  readonly lettered: boolean // whether a step uses the engine of the letter or its substitute
  readonly length: number // steps
  /** Names of options that the last step applies, and `PageRange` where an earlier one selects the pages for it. */
  readonly options: readonly string[]
  /** Names of options for which another route is preferred, sorted. */
  readonly lacks: readonly string[]
}

/** The best route to a format, with the options that a request for it can have. */
type ShortestRoute = Omit<WeightedRoute, 'lacks' | 'length'>

/**
 * Returns every pair of formats that a route of at most three steps connects, as one conversion each. A
 * cluster offers these to hosts that send it complete jobs. There is one row for each pair and letter. A pair
 * that is reached by helper engines alone, which have no letter, has a row without a letter. A pair that no
 * engine makes alone has a row for each engine of a route, as `findRoutes` accepts their letters for it.
 */
export function closureOf(conversions: readonly EngineConversion[]): readonly Conversion[] {
  const letters = [...new Set(conversions.flatMap(({ letter }) => letter ?? []))].sort()
  const sources = [...new Set(conversions.map(({ from }) => from))].sort()
  const rows: Conversion[] = []
  for (const letter of [undefined, ...letters]) {
    const permitted = bySource(
      conversions.filter((conversion) => conversion.letter === undefined || conversion.letter === letter),
    )
    for (const from of sources) {
      for (const [to, route] of routesFrom(from, permitted, letter)) {
        // A row with a letter needs a step of that engine or of its substitute. A route of helpers alone
        // belongs to the row without a letter.
        if (route.lettered !== (letter !== undefined)) continue
        rows.push(rowOf(from, to, route, letter))
      }
    }
  }
  const singleSteps = new Set(rows.map(({ from, to }) => `${from} ${to}`))
  const all = bySource(conversions)
  for (const letter of letters) {
    for (const from of sources) {
      for (const [to, route] of routesFrom(from, all, letter)) {
        if (route.lettered && !singleSteps.has(`${from} ${to}`)) rows.push(rowOf(from, to, route, letter))
      }
    }
  }
  return rows
}

type ConversionsBySource = ReadonlyMap<FormatId, readonly EngineConversion[]>

function bySource(conversions: readonly EngineConversion[]): ConversionsBySource {
  return Map.groupBy(conversions, ({ from }) => from)
}

function rowOf(from: FormatId, to: FormatId, route: ShortestRoute, letter?: string): Conversion {
  const { fidelity, cost, options } = route
  return { from, to, fidelity, cost, ...(letter && { letter }), ...(options.length > 0 && { options }) }
}

/**
 * Finds the best route to each format. Routes that use the engine of the letter and routes that do not are
 * kept separately, because a cheaper route without the engine must not displace one with it. So are routes that lack
 * different options, because a request that sets one of them takes another route.
 */
function routesFrom(
  from: FormatId,
  conversions: ConversionsBySource,
  letter: string | undefined,
): readonly (readonly [FormatId, ShortestRoute])[] {
  const best = new Map<string, readonly [FormatId, WeightedRoute]>()
  // The routes that the latest step found or improved. The next step extends only these.
  let ends: readonly (readonly [FormatId, WeightedRoute])[] = [
    [from, { cost: 0, weight: 0, fidelity: 'exact', lettered: false, length: 0, options: [], lacks: [] }],
  ]
  for (let step = 0; step < maxSteps; step++) {
    const improved: (readonly [FormatId, WeightedRoute])[] = []
    for (const [reached, route] of ends) {
      for (const conversion of conversions.get(reached) ?? []) {
        // A conversion of a format into itself (a refresh) is allowed only as the first step.
        if (conversion.to === from && step > 0) continue
        if (!mayFollow(conversion, from, step)) continue
        const longer = extend(route, conversion, letter)
        const key = `${conversion.to} ${longer.lettered} ${longer.lacks.join(' ')}`
        const earlier = best.get(key)
        if (earlier !== undefined && earlier[1].weight <= longer.weight) continue
        const entry = [conversion.to, longer] as const
        best.set(key, entry)
        if (conversion.to !== from && conversion.alone !== true && conversion.last !== true)
          improved.push(entry)
      }
    }
    ends = improved
  }
  const grouped = Map.groupBy(best.values(), ([to, { lettered }]) => `${to} ${lettered}`)
  return [...grouped.values()]
    .map((alternatives) => withAllOptions(alternatives))
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * The best of several routes to one format, with the options of all that a request can choose by them: an option goes to
 * the best route that does not lack it.
 */
function withAllOptions(
  alternatives: readonly (readonly [FormatId, WeightedRoute])[],
): readonly [FormatId, ShortestRoute] {
  const [first, ...others] = alternatives.toSorted(([, a], [, b]) => a.weight - b.weight)
  const [to, best] = first!
  const routes = [best, ...others.map(([, route]) => route)]
  const named = new Set(routes.flatMap(({ options }) => options))
  const isApplied = (name: string) =>
    (routes.find(({ lacks }) => !lacks.includes(name)) ?? best).options.includes(name)
  return [to, { ...best, options: [...named].filter(isApplied).sort() }]
}

function extend(
  route: WeightedRoute,
  conversion: EngineConversion,
  letter: string | undefined,
): WeightedRoute {
  return {
    cost: route.cost + conversion.cost,
    weight: route.weight + weightOf(conversion, route.length > 0),
    length: route.length + 1,
    options: selectsPages(route, conversion)
      ? [...conversion.options, 'PageRange'].sort()
      : conversion.options,
    lacks: joined(route.lacks, conversion.lacks ?? []),
    fidelity:
      fidelityRank[conversion.fidelity] > fidelityRank[route.fidelity] ? conversion.fidelity : route.fidelity,
    lettered: route.lettered || (letter !== undefined && servesLetter(conversion, letter)),
  }
}

/** Whether an earlier step draws only the requested pages. Those of a PDF are selected by post-processing. */
const selectsPages = ({ options }: WeightedRoute, { to, options: listed }: EngineConversion): boolean =>
  to !== 'pdf' && options.includes('PageRange') && !listed.includes('PageRange')

/** The names of both lists, sorted and without duplicates. `sorted` is so already. */
function joined(sorted: readonly string[], more: readonly string[]): readonly string[] {
  return more.length === 0 ? sorted : [...new Set([...sorted, ...more])].sort()
}
