import type { Conversion, EnginePlugin } from '../plugin/contract.ts'
import type { FormatFamily, FormatId } from '../plugin/values.ts'
import { appliedOptions } from './applied-options.ts'

/** One edge of the graph: an engine that converts one format into another. */
export interface EngineConversion extends Conversion {
  readonly engine: string // plugin id
  readonly title: string
  readonly letter?: string // absent: a helper that may precede or follow any engine
  readonly standsFor?: readonly string[]
  readonly defaultFor: readonly FormatFamily[]
  /** Names of `formatOptions` that it applies, without those of the post-processing. */
  readonly options: readonly string[]
}

/** All conversions of the loaded engines, and those that start from one format. */
export interface Graph {
  readonly conversions: readonly EngineConversion[]
  from(id: FormatId): readonly EngineConversion[]
}

/** Whether a conversion is made by the engine with this letter, or by one that substitutes for it. */
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
      options: appliedOptions(engine, conversion),
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

/** Whether a conversion may be the next step of a route that begins with a format and has so many steps already. */
export function mayFollow({ alone, first, origins }: Conversion, source: FormatId, steps: number): boolean {
  if ((alone === true || first === true) && steps > 0) return false
  return origins === undefined || origins.includes(source)
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
 * Added to the cost of each step, in ms, for unpacking and packing the file again and for what every intermediate format
 * loses. It is low enough that a cheap helper before an engine wins over a direct conversion of basic fidelity.
 */
const stepPenalty = 40
/**
 * Added to a route without the default engine of the source, in ms. It exceeds the differences between good engines and
 * is less than the penalty for basic fidelity, so that an office document is not made by way of a PDF.
 */
const otherEnginePenalty = 1000
/**
 * Added to a step of basic fidelity that is not the first of its route, in ms: reconstructing a document from pages is
 * worse still when the pages were made by an earlier step.
 */
const laterBasicPenalty = 1500
const fidelityPenalty = { exact: 0, high: 30, basic: 2000 } as const

/**
 * The routes from one format to another, cheapest first, at most three steps each.
 *
 * With a pinned letter, at least one step is made by the engine with that letter or by its substitute, and no step by an
 * engine with another letter. If there is no such route and no single engine connects the pair, other engines may make
 * the other steps. Without a letter, routes through the default engine for the family of the source come first, then
 * those through other engines, and routes of basic fidelity last.
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

/** All routes, cheapest first. With a letter only those without a step of an engine with another letter. */
function search(graph: Graph, query: RouteQuery): readonly ConversionRoute[] {
  const complete: { route: ConversionRoute; cost: number }[] = []
  walk([], new Set([query.from]), 0)
  complete.sort((a, b) => a.cost - b.cost)
  return complete.map((candidate) => candidate.route)

  function walk(route: readonly EngineConversion[], visited: ReadonlySet<FormatId>, cost: number): void {
    const reached = route.at(-1)?.to ?? query.from
    for (const conversion of graph.from(reached)) {
      if (!mayFollow(conversion, query.from, route.length)) continue
      if (query.letter !== undefined && conversion.letter !== undefined && conversion.letter !== query.letter)
        continue
      const extended = [...route, conversion]
      const total = cost + weightOf(conversion, route.length > 0)
      if (conversion.to === query.to) {
        const { letter } = query
        // A refresh, from a format to itself, is one step of one engine and never a detour through another format.
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

/** The weight that a step adds to a route, in ms. `isLater`: another step precedes it. */
export function weightOf({ cost, fidelity }: Conversion, isLater: boolean): number {
  const laterPenalty = isLater && fidelity === 'basic' ? laterBasicPenalty : 0
  return cost + stepPenalty + fidelityPenalty[fidelity] + laterPenalty
}

/** The penalty of a route that does not use the default engine for the family of the source, in ms. */
function preference(route: ConversionRoute, query: RouteQuery): number {
  if (query.letter !== undefined || query.family === undefined) return 0
  const lettered = route.filter((step) => step.letter !== undefined)
  if (lettered.length === 0) return 0
  const family = query.family
  return lettered.some((step) => step.defaultFor.includes(family)) ? 0 : otherEnginePenalty
}
