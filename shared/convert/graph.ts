import type { Conversion, EnginePlugin, FormatFamily, FormatId } from '../plugin/contract.ts'

/** One arrow: an engine that turns one format into another. */
export interface Arrow extends Conversion {
  readonly engine: string // plugin id
  readonly title: string
  readonly letter?: string // absent: a helper that may stand before or after any engine
  readonly standsFor?: readonly string[]
  readonly defaultFor: readonly FormatFamily[]
}

/** All arrows of the loaded engines, by where they start. */
export interface Graph {
  readonly arrows: readonly Arrow[]
  from(id: FormatId): readonly Arrow[]
}

/** Whether a step is the engine that a caller pinned, or one that works in its place. */
export function servesLetter(arrow: Arrow, letter: string): boolean {
  return arrow.letter === letter || arrow.standsFor?.includes(letter) === true
}

export function buildGraph(engines: readonly EnginePlugin[]): Graph {
  const arrows: Arrow[] = engines.flatMap((engine) =>
    engine.conversions.map((conversion) => ({
      ...conversion,
      engine: engine.id,
      title: engine.title,
      letter: conversion.letter ?? engine.letter,
      ...(engine.standsFor !== undefined && { standsFor: engine.standsFor }),
      defaultFor: engine.defaultFor ?? [],
    })),
  )
  const starts = new Map<FormatId, Arrow[]>()
  for (const arrow of arrows) {
    const list = starts.get(arrow.from)
    if (list === undefined) starts.set(arrow.from, [arrow])
    else list.push(arrow)
  }
  return { arrows, from: (id) => starts.get(id) ?? [] }
}
