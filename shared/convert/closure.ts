import type { Conversion } from '../plugin/contract.ts'
import type { FormatId } from '../plugin/values.ts'
import { type EngineConversion, servesLetter } from './graph.ts'

/** The maximum length of a route, as in `graph.ts`. */
const maxSteps = 3
/** The fidelity of a route is that of its worst step: the one of the highest rank. */
const fidelityRank = { exact: 0, high: 1, basic: 2 } as const
/**
 * Added to the cost of a step, in ms, when routes are compared. Of two routes of equal cost the more faithful
 * one wins, and a step of basic fidelity is avoided at the price of a detour of up to two seconds.
 */
const fidelityCost = { exact: 0, high: 30, basic: 2000 } as const

interface WeightedRoute {
  readonly cost: number
  readonly weight: number // cost with fidelity counted in
  readonly fidelity: Conversion['fidelity']
  readonly lettered: boolean // whether a step uses the engine of the letter or its substitute
}

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
    const permitted = conversions.filter(
      (conversion) => conversion.letter === undefined || conversion.letter === letter,
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
  const madeAlone = new Set(rows.map(({ from, to }) => `${from} ${to}`))
  for (const letter of letters) {
    for (const from of sources) {
      for (const [to, route] of routesFrom(from, conversions, letter)) {
        if (route.lettered && !madeAlone.has(`${from} ${to}`)) rows.push(rowOf(from, to, route, letter))
      }
    }
  }
  return rows
}

function rowOf(from: FormatId, to: FormatId, { fidelity, cost }: WeightedRoute, letter?: string): Conversion {
  return { from, to, fidelity, cost, ...(letter && { letter }) }
}

/**
 * Finds the best route to each format. Routes that use the engine of the letter and routes that do not are
 * kept separately, because a cheaper route without the engine must not displace one with it.
 */
function routesFrom(
  from: FormatId,
  conversions: readonly EngineConversion[],
  letter: string | undefined,
): readonly (readonly [FormatId, WeightedRoute])[] {
  const best = new Map<string, readonly [FormatId, WeightedRoute]>()
  // The routes that the latest step found or improved. The next step extends only these.
  let ends: readonly (readonly [FormatId, WeightedRoute])[] = [
    [from, { cost: 0, weight: 0, fidelity: 'exact', lettered: false }],
  ]
  for (let step = 0; step < maxSteps; step++) {
    const improved: (readonly [FormatId, WeightedRoute])[] = []
    for (const [reached, route] of ends) {
      for (const conversion of conversions) {
        if (conversion.from !== reached) continue
        // A conversion of a format into itself (a refresh) is allowed only as the first step.
        if (conversion.to === from && step > 0) continue
        if (conversion.alone === true && step > 0) continue
        const longer = extend(route, conversion, letter)
        const key = `${conversion.to} ${longer.lettered}`
        const earlier = best.get(key)
        if (earlier !== undefined && earlier[1].weight <= longer.weight) continue
        const entry = [conversion.to, longer] as const
        best.set(key, entry)
        if (conversion.to !== from && conversion.alone !== true) improved.push(entry)
      }
    }
    ends = improved
  }
  return [...best.values()].sort(([a], [b]) => (a < b ? -1 : 1))
}

function extend(
  route: WeightedRoute,
  conversion: EngineConversion,
  letter: string | undefined,
): WeightedRoute {
  return {
    cost: route.cost + conversion.cost,
    weight: route.weight + conversion.cost + fidelityCost[conversion.fidelity],
    fidelity:
      fidelityRank[conversion.fidelity] > fidelityRank[route.fidelity] ? conversion.fidelity : route.fidelity,
    lettered: route.lettered || (letter !== undefined && servesLetter(conversion, letter)),
  }
}
