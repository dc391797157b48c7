import { type GlyphCoverage, readClasses, readCoverage, type StepBudget, spend } from './tables.ts'

/** A rule that applies other lookups when a sequence of glyphs is between two others. */
export interface ContextRule {
  readonly backtrack: readonly Matcher[] // nearest first
  readonly input: readonly Matcher[] // including the first glyph
  readonly lookahead: readonly Matcher[]
  readonly actions: readonly { readonly at: number; readonly lookup: number }[]
}
export type Matcher = (glyph: number) => boolean

/** Rules in the order in which they are tried, for the glyphs of the coverage. */
export interface ContextTable {
  readonly coverage: GlyphCoverage
  rulesOf(glyph: number): readonly ContextRule[]
}

/** Formats 1, 2 and 3, plain or chained. Source: OpenType 1.9, chapter 2, sequence context formats. */
export function readContext(
  table: DataView,
  at: number,
  chained: boolean,
  budget: StepBudget,
): ContextTable | undefined {
  const format = table.getUint16(at)
  if (format === 3) return readByCoverage(table, at, chained, budget)
  if (format !== 1 && format !== 2) return undefined
  const coverage = readCoverage(table, at + table.getUint16(at + 2), budget)
  const input = classMatcher(table, at, format === 2 ? at + 4 + (chained ? 2 : 0) : 0, budget)
  const back = chained ? classMatcher(table, at, format === 2 ? at + 4 : 0, budget) : input
  const ahead = chained ? classMatcher(table, at, format === 2 ? at + 8 : 0, budget) : input
  const sets = at + 4 + (format === 2 ? (chained ? 6 : 2) : 0)
  const bySet: ContextRule[][] = []
  const count = table.getUint16(sets)
  spend(budget, count)
  for (let index = 0; index < count; index++) {
    const offset = table.getUint16(sets + 2 + 2 * index)
    bySet.push(
      offset === 0
        ? []
        : readRules(table, at + offset, { chained, input: input.of, back: back.of, ahead: ahead.of, budget }),
    )
  }
  return {
    coverage,
    rulesOf: (glyph) =>
      (format === 1 ? bySet[coverage.get(glyph) ?? -1] : bySet[input.classes?.get(glyph) ?? 0]) ?? [],
  }
}

interface RuleReading {
  readonly chained: boolean
  readonly input: (value: number) => Matcher
  readonly back: (value: number) => Matcher
  readonly ahead: (value: number) => Matcher
  readonly budget: StepBudget
}

function readRules(table: DataView, at: number, reading: RuleReading): ContextRule[] {
  const rules: ContextRule[] = []
  const count = table.getUint16(at)
  for (let index = 0; index < count; index++) {
    let cursor = at + table.getUint16(at + 2 + 2 * index)
    const row = (length: number, make: (value: number) => Matcher): Matcher[] => {
      spend(reading.budget, length + 1)
      const matchers: Matcher[] = []
      for (let item = 0; item < length; item++, cursor += 2) matchers.push(make(table.getUint16(cursor)))
      return matchers
    }
    const next = () => table.getUint16((cursor += 2) - 2)
    const backtrack = reading.chained ? row(next(), reading.back) : []
    const inputLength = next()
    const actionCount = reading.chained ? 0 : next()
    const input = [always, ...row(Math.max(0, inputLength - 1), reading.input)]
    const lookahead = reading.chained ? row(next(), reading.ahead) : []
    const actions = readActions(table, cursor, reading.chained ? next() : actionCount, reading.chained)
    rules.push({ backtrack, input, lookahead, actions })
  }
  return rules
}

/** `skipCount`: the count precedes the records and was read by the caller. */
function readActions(table: DataView, at: number, count: number, skipCount: boolean): ContextRule['actions'] {
  const start = skipCount ? at + 2 : at
  return Array.from({ length: count }, (_, index) => ({
    at: table.getUint16(start + 4 * index),
    lookup: table.getUint16(start + 4 * index + 2),
  }))
}

function readByCoverage(table: DataView, at: number, chained: boolean, budget: StepBudget): ContextTable {
  let cursor = at + 2
  const next = () => table.getUint16((cursor += 2) - 2)
  const row = (length: number): GlyphCoverage[] =>
    Array.from({ length }, () => readCoverage(table, at + next(), budget))
  const backtrack = chained ? row(next()) : []
  const inputLength = next()
  const plainActions = chained ? 0 : next()
  const input = row(inputLength)
  const lookahead = chained ? row(next()) : []
  const actions = readActions(table, cursor, chained ? next() : plainActions, chained)
  const matching = (coverages: GlyphCoverage[]) =>
    coverages.map((coverage) => (glyph: number) => coverage.has(glyph))
  const rule: ContextRule = {
    backtrack: matching(backtrack),
    input: matching(input),
    lookahead: matching(lookahead),
    actions,
  }
  return { coverage: input[0] ?? new Map(), rulesOf: () => [rule] }
}

const always: Matcher = () => true

function classMatcher(table: DataView, base: number, field: number, budget: StepBudget) {
  if (field === 0)
    return {
      of:
        (glyph: number): Matcher =>
        (other) =>
          other === glyph,
    }
  const classes = readClasses(table, base + table.getUint16(field), budget)
  return {
    classes,
    of:
      (glyphClass: number): Matcher =>
      (glyph) =>
        (classes.get(glyph) ?? 0) === glyphClass,
  }
}
