import type { FormatFamily, FormatId } from '../plugin/contract.ts'
import { type Arrow, type Graph, servesLetter } from './graph.ts'

export interface RouteQuery {
  readonly from: FormatId
  readonly to: FormatId
  readonly family?: FormatFamily // of the source
  readonly letter?: string // the engine the caller pinned
  readonly refresh?: boolean // from === to is a conversion of its own
}

export type Route = readonly Arrow[]

const maxSteps = 3
const maxRoutes = 16
/**
 * A step costs this much more than its engine says: unpacking and packing again, and the loss that every passage
 * through another format brings. Low enough that a cheap helper before an engine wins over a poor direct arrow.
 */
const stepPenalty = 40
/** Above what steps of good engines differ by, below a poor passage: a page is no PDF on its way to an office document. */
const otherEngine = 1000
/** What was turned into a page first is poorer still once that is taken apart. */
const laterPassage = 1500
const fidelityPenalty = { exact: 0, high: 30, basic: 2000 } as const

/**
 * The routes from one format to another, cheapest first, at most three steps each.
 *
 * A pinned letter: every lettered step is that engine's and at least one is, or one of a helper that stands for it. No
 * letter: routes through the engine that is the default for the source's family come first, any other engine after them,
 * and routes that lose much at the end.
 */
export function findRoutes(graph: Graph, query: RouteQuery): readonly Route[] {
  const found: { route: Route; cost: number }[] = []
  walk([], new Set([query.from]), 0)
  found.sort((a, b) => a.cost - b.cost)
  return found.slice(0, maxRoutes).map((one) => one.route)

  function walk(route: readonly Arrow[], seen: ReadonlySet<FormatId>, cost: number): void {
    const at = route.at(-1)?.to ?? query.from
    for (const arrow of graph.from(at)) {
      if (query.letter !== undefined && arrow.letter !== undefined && arrow.letter !== query.letter) continue
      const next = [...route, arrow]
      const poorer = route.length > 0 && arrow.fidelity === 'basic' ? laterPassage : 0
      const total = cost + arrow.cost + stepPenalty + fidelityPenalty[arrow.fidelity] + poorer
      if (arrow.to === query.to) {
        const { letter } = query
        // A format that stays is opened and written again, never turned into another one and back.
        const straight = query.from !== query.to || next.length === 1
        if (straight && (letter === undefined || next.some((step) => servesLetter(step, letter))))
          found.push({ route: next, cost: total + preference(next, query) })
      } else if (arrow.last !== true && next.length < maxSteps && !seen.has(arrow.to)) {
        walk(next, new Set([...seen, arrow.to]), total)
      }
    }
  }
}

/** Routes that leave the default engine come after all that use it, unless those lead through a poor passage. */
function preference(route: Route, query: RouteQuery): number {
  if (query.letter !== undefined || query.family === undefined) return 0
  const lettered = route.filter((step) => step.letter !== undefined)
  if (lettered.length === 0) return 0
  const family = query.family
  return lettered.some((step) => step.defaultFor.includes(family)) ? 0 : otherEngine
}
