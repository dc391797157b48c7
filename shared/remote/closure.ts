import { type Arrow, servesLetter } from '../convert/graph.ts'
import type { Conversion, FormatId } from '../plugin/contract.ts'

const mostSteps = 3
const worse = { exact: 0, high: 1, basic: 2 } as const
/** Between two ways of one cost the faithful one; a poor passage is worth a detour of this many ms. */
const fidelityCost = { exact: 0, high: 30, basic: 2000 } as const

interface Way {
  readonly cost: number
  readonly weight: number // cost with fidelity counted in
  readonly fidelity: Conversion['fidelity']
  readonly lettered: boolean
}

/**
 * Every pair that can be reached in at most three steps, as one conversion each: what a cluster offers to someone who
 * sends it whole jobs. One row a pair and letter; pairs that helpers reach alone have no letter.
 */
export function closureOf(arrows: readonly Arrow[]): readonly Conversion[] {
  const letters = [...new Set(arrows.flatMap(({ letter }) => letter ?? []))].sort()
  const froms = [...new Set(arrows.map(({ from }) => from))].sort()
  const rows: Conversion[] = []
  for (const letter of [undefined, ...letters]) {
    const usable = arrows.filter((arrow) => arrow.letter === undefined || arrow.letter === letter)
    for (const from of froms) {
      for (const [to, way] of waysFrom(from, usable, letter)) {
        // Under a letter at least one step is that engine's, or of a helper in its place; what needs none stands without.
        if (way.lettered !== (letter !== undefined)) continue
        rows.push({ from, to, fidelity: way.fidelity, cost: way.cost, ...(letter && { letter }) })
      }
    }
  }
  return rows
}

/** The best way to each format; one that uses the engine and one that does not are kept apart on the way. */
function waysFrom(
  from: FormatId,
  arrows: readonly Arrow[],
  letter: string | undefined,
): readonly (readonly [FormatId, Way])[] {
  const best = new Map<string, readonly [FormatId, Way]>()
  let ends: readonly (readonly [FormatId, Way])[] = [
    [from, { cost: 0, weight: 0, fidelity: 'exact', lettered: false }],
  ]
  for (let step = 0; step < mostSteps; step++) {
    const next: (readonly [FormatId, Way])[] = []
    for (const [at, way] of ends) {
      for (const arrow of arrows) {
        if (arrow.from !== at) continue
        // Back to where it began is a conversion of its own (a refresh) only as the first step.
        if (arrow.to === from && step > 0) continue
        const longer = extend(way, arrow, letter)
        const key = `${arrow.to} ${longer.lettered}`
        const known = best.get(key)
        if (known !== undefined && known[1].weight <= longer.weight) continue
        const found = [arrow.to, longer] as const
        best.set(key, found)
        if (arrow.to !== from) next.push(found)
      }
    }
    ends = next
  }
  return [...best.values()].sort(([a], [b]) => (a < b ? -1 : 1))
}

function extend(way: Way, arrow: Arrow, letter: string | undefined): Way {
  return {
    cost: way.cost + arrow.cost,
    weight: way.weight + arrow.cost + fidelityCost[arrow.fidelity],
    fidelity: worse[arrow.fidelity] > worse[way.fidelity] ? arrow.fidelity : way.fidelity,
    lettered: way.lettered || (letter !== undefined && servesLetter(arrow, letter)),
  }
}
