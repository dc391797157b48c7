import type { Conversion, EnginePlugin } from '../plugin/contract.ts'
import type { FormatFamily, FormatId } from '../plugin/values.ts'

/** One arrow: an engine that turns one format into another. */
export interface EngineConversion extends Conversion {
  readonly engine: string // plugin id
  readonly title: string
  readonly letter?: string // absent: a helper that may stand before or after any engine
  readonly standsFor?: readonly string[]
  readonly defaultFor: readonly FormatFamily[]
}

/** All arrows of the loaded engines, by where they start. */
export interface Graph {
  readonly conversions: readonly EngineConversion[]
  from(id: FormatId): readonly EngineConversion[]
}

/** Whether a step is the engine that a caller pinned, or one that works in its place. */
export function servesLetter(conversion: EngineConversion, letter: string): boolean {
  return conversion.letter === letter || conversion.standsFor?.includes(letter) === true
}

export function buildGraph(engines: readonly EnginePlugin[]): Graph {
  const conversions: EngineConversion[] = engines.flatMap((engine) =>
    engine.conversions.map((conversion) => ({
      ...conversion,
      engine: engine.id,
      title: engine.title,
      letter: conversion.letter ?? engine.letter,
      ...(engine.standsFor !== undefined && { standsFor: engine.standsFor }),
      defaultFor: engine.defaultFor ?? [],
    })),
  )
  const bySource = new Map<FormatId, EngineConversion[]>()
  for (const conversion of conversions) {
    const siblings = bySource.get(conversion.from)
    if (siblings === undefined) bySource.set(conversion.from, [conversion])
    else siblings.push(conversion)
  }
  return { conversions, from: (id) => bySource.get(id) ?? [] }
}

export interface RouteQuery {
  readonly from: FormatId
  readonly to: FormatId
  readonly family?: FormatFamily // of the source
  readonly letter?: string // the engine the caller pinned
  readonly refresh?: boolean // from === to is a conversion of its own
}

export type ConversionRoute = readonly EngineConversion[]

const maxSteps = 3
const maxRoutes = 16
/**
 * A step costs this much more than its engine says: unpacking and packing again, and the loss that every passage
 * through another format brings. Low enough that a cheap helper before an engine wins over a poor direct arrow.
 */
const stepPenalty = 40
/** Above what steps of good engines differ by, below a poor passage: a page is no PDF on its way to an office document. */
const otherEnginePenalty = 1000
/** What was turned into a page first is poorer still once that is taken apart. */
const laterBasicPenalty = 1500
const fidelityPenalty = { exact: 0, high: 30, basic: 2000 } as const

/**
 * The routes from one format to another, cheapest first, at most three steps each.
 *
 * A pinned letter: every lettered step is that engine's and at least one is, or one of a helper that stands for it. Where
 * no engine makes the pair alone, the pinned one makes the step it can and other engines the rest. No letter: routes
 * through the engine that is the default for the source's family come first, any other engine after them, and routes
 * that lose much at the end.
 */
export function findRoutes(graph: Graph, query: RouteQuery): readonly ConversionRoute[] {
  const { letter, ...unpinned } = query
  const permitted = search(graph, query)
  if (letter === undefined || permitted.length > 0) return permitted.slice(0, maxRoutes)
  const routes = search(graph, unpinned)
  if (routes.some(isOfOneEngine)) return []
  return routes.filter((route) => route.some((step) => servesLetter(step, letter))).slice(0, maxRoutes)
}

/** Whether at most one of the engines on a route has a letter. */
function isOfOneEngine(route: ConversionRoute): boolean {
  return new Set(route.flatMap(({ letter }) => letter ?? [])).size <= 1
}

/** All routes, cheapest first; with a letter those on which no other engine with a letter works. */
function search(graph: Graph, query: RouteQuery): readonly ConversionRoute[] {
  const complete: { route: ConversionRoute; cost: number }[] = []
  walk([], new Set([query.from]), 0)
  complete.sort((a, b) => a.cost - b.cost)
  return complete.map((candidate) => candidate.route)

  function walk(route: readonly EngineConversion[], visited: ReadonlySet<FormatId>, cost: number): void {
    const reached = route.at(-1)?.to ?? query.from
    for (const conversion of graph.from(reached)) {
      if (conversion.alone === true && route.length > 0) continue
      if (query.letter !== undefined && conversion.letter !== undefined && conversion.letter !== query.letter)
        continue
      const extended = [...route, conversion]
      const laterPenalty = route.length > 0 && conversion.fidelity === 'basic' ? laterBasicPenalty : 0
      const total = cost + conversion.cost + stepPenalty + fidelityPenalty[conversion.fidelity] + laterPenalty
      if (conversion.to === query.to) {
        const { letter } = query
        // A format that stays is opened and written again, never turned into another one and back.
        const isDirect = query.from !== query.to || extended.length === 1
        if (isDirect && (letter === undefined || extended.some((step) => servesLetter(step, letter))))
          complete.push({ route: extended, cost: total + preference(extended, query) })
      } else if (
        conversion.last !== true &&
        conversion.alone !== true &&
        extended.length < maxSteps &&
        !visited.has(conversion.to)
      ) {
        walk(extended, new Set([...visited, conversion.to]), total)
      }
    }
  }
}

/** Routes that leave the default engine come after all that use it, unless those lead through a poor passage. */
function preference(route: ConversionRoute, query: RouteQuery): number {
  if (query.letter !== undefined || query.family === undefined) return 0
  const lettered = route.filter((step) => step.letter !== undefined)
  if (lettered.length === 0) return 0
  const family = query.family
  return lettered.some((step) => step.defaultFor.includes(family)) ? 0 : otherEnginePenalty
}
