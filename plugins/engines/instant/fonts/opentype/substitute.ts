import { pushAll, spliceAll } from '../../../../../shared/push-all.ts'
import type { FontFile } from '../sfnt/font-file.ts'
import { type ContextRule, type ContextTable, readContext } from './context.ts'
import {
  type GlyphClasses,
  type LookupHead,
  newBudget,
  readCoverage,
  readLookup,
  type StepBudget,
  spend,
} from './tables.ts'

/** The glyphs of a text: parallel arrays, changed in place. */
export interface GlyphBuffer {
  glyphs: number[]
  clusters: number[]
}

/** Applies the lookups of GSUB, in order, to a buffer. */
export interface Substitution {
  apply(buffer: GlyphBuffer, lookups: readonly number[]): void
  /**
   * Those of `others` that a glyph may be changed by when they follow it: by a ligature or in a context. Undefined where the lookups
   * may change it whatever follows. A text in which no glyph may be changed stays as it is.
   */
  changersOf(
    glyph: number,
    lookups: readonly number[],
    others: readonly number[],
  ): readonly number[] | undefined
}

type Subtable =
  | { readonly kind: 'single'; readonly map: ReadonlyMap<number, number> }
  | { readonly kind: 'multiple'; readonly map: ReadonlyMap<number, readonly number[]> }
  | { readonly kind: 'ligature'; readonly sets: ReadonlyMap<number, readonly Ligature[]> }
  | { readonly kind: 'context'; readonly table: ContextTable }
interface Ligature {
  readonly rest: readonly number[]
  readonly glyph: number
}
interface Lookup extends LookupHead {
  readonly tables: readonly Subtable[]
}

const extensionType = 7
const maxNesting = 6
/** The lookups that contexts may apply in one pass over a text: for each glyph, and at least. Those of HarfBuzz. */
const [nestedPerGlyph, minNested] = [64, 16_384]
/** The maximum growth of one glyph; fonts that expand text further are hostile. */
const maxGrowth = 8

/**
 * Supports lookup types 1 (single), 2 (multiple), 4 (ligature), 5 and 6 (context), through 7 (extension).
 * Alternates (3) need a choice by the user, and reverse chaining (8) serves Nastaliq only. Lookups are
 * decoded on first use; a damaged one has no effect. Source: OpenType 1.9 GSUB.
 */
export function createSubstitution(font: FontFile, classes: GlyphClasses): Substitution {
  const table = font.table('GSUB')
  const lookups = new Map<number, Lookup | undefined>()
  const budget = newBudget()
  const lookupOf = (index: number): Lookup | undefined => {
    if (table === undefined) return undefined
    if (!lookups.has(index)) lookups.set(index, decodeLookup(table, index, font.glyphCount, budget))
    return lookups.get(index)
  }
  return {
    changersOf(glyph, indexes, others) {
      const changers: number[] = []
      for (const index of indexes) {
        const next = changersIn(lookupOf(index), glyph, others)
        if (next === undefined) return undefined
        pushAll(changers, next)
      }
      return changers
    },
    apply(buffer, indexes) {
      const limit = buffer.glyphs.length * maxGrowth + 64
      const nested = { left: Math.max(minNested, buffer.glyphs.length * nestedPerGlyph) }
      for (const index of indexes) {
        const lookup = lookupOf(index)
        if (lookup === undefined) continue
        let at = 0
        while (at < buffer.glyphs.length && buffer.glyphs.length <= limit) {
          at += Math.max(1, applyAt({ buffer, classes, lookupOf, depth: 0, limit, nested }, lookup, at))
        }
      }
    },
  }
}

/** Lookups with these flags look past letters, so that a glyph may be changed by one that is further away. */
const skipsLetters = 0x6

/** `changersOf` for one lookup. */
function changersIn(
  lookup: Lookup | undefined,
  glyph: number,
  others: readonly number[],
): readonly number[] | undefined {
  const changers: number[] = []
  for (const table of lookup?.tables ?? [])
    for (const matches of nextIn(table, glyph)) {
      if (matches === undefined || ((lookup?.flag ?? 0) & skipsLetters) !== 0) return undefined
      for (const other of others) if (matches(other)) changers.push(other)
    }
  return changers
}

type Matches = ContextRule['input'][number]

/** What the glyph after a glyph must be, for each change that a subtable makes to it; undefined: anything or nothing. */
function nextIn(table: Subtable, glyph: number): readonly (Matches | undefined)[] {
  if (table.kind === 'ligature')
    return (table.sets.get(glyph) ?? []).map(({ rest: [second] }) =>
      second === undefined ? undefined : (other) => other === second,
    )
  if (table.kind !== 'context') return table.map.has(glyph) ? [undefined] : []
  if (!table.table.coverage.has(glyph)) return []
  return table.table.rulesOf(glyph).map(({ input, lookahead }) => input[1] ?? lookahead[0])
}

interface SubstitutionPass {
  readonly buffer: GlyphBuffer
  readonly classes: GlyphClasses
  readonly lookupOf: (index: number) => Lookup | undefined
  readonly depth: number
  readonly limit: number
  /** The lookups that contexts may still apply, since each may apply many others. */
  readonly nested: { left: number }
}

/** Returns the number of glyphs to skip after `at`; 0 when the lookup did not apply. */
function applyAt(pass: SubstitutionPass, lookup: Lookup, at: number): number {
  const { buffer } = pass
  const glyph = buffer.glyphs[at] ?? 0
  if (pass.classes.ignored(glyph, lookup)) return 0
  for (const table of lookup.tables) {
    if (table.kind === 'single') {
      const other = table.map.get(glyph)
      if (other === undefined) continue
      buffer.glyphs[at] = other
      return 1
    }
    if (table.kind === 'multiple') {
      const replacements = table.map.get(glyph)
      if (replacements === undefined) continue
      const cluster = buffer.clusters[at] ?? 0
      spliceAll(buffer.glyphs, at, 1, replacements)
      const clusters = replacements.map(() => cluster)
      spliceAll(buffer.clusters, at, 1, clusters)
      return replacements.length
    }
    const step =
      table.kind === 'ligature'
        ? ligate(pass, lookup, table.sets.get(glyph), at)
        : inContext(pass, lookup, table.table, at)
    if (step > 0) return step
  }
  return 0
}

function ligate(
  pass: SubstitutionPass,
  lookup: Lookup,
  ligatures: readonly Ligature[] | undefined,
  at: number,
): number {
  for (const { rest, glyph } of ligatures ?? []) {
    const positions = [at]
    let position = at
    for (const component of rest) {
      position = nextGlyph(pass, lookup, position, 1)
      if (position < 0 || pass.buffer.glyphs[position] !== component) break
      positions.push(position)
    }
    if (positions.length !== rest.length + 1) continue
    pass.buffer.glyphs[at] = glyph
    for (const consumed of positions.slice(1).reverse()) {
      pass.buffer.glyphs.splice(consumed, 1)
      pass.buffer.clusters.splice(consumed, 1)
    }
    return 1
  }
  return 0
}

function inContext(pass: SubstitutionPass, lookup: Lookup, table: ContextTable, at: number): number {
  const glyph = pass.buffer.glyphs[at] ?? 0
  if (pass.depth >= maxNesting || !table.coverage.has(glyph)) return 0
  for (const rule of table.rulesOf(glyph)) {
    const positions = matchRule(pass, lookup, rule, at)
    if (positions === undefined) continue
    const end = positions.at(-1)!
    const before = pass.buffer.glyphs.length
    for (const action of rule.actions) {
      const inner = pass.lookupOf(action.lookup)
      const position = positions[action.at]
      if (inner === undefined || position === undefined || pass.buffer.glyphs.length > pass.limit) continue
      if (--pass.nested.left < 0) break
      const length = pass.buffer.glyphs.length
      const moved = position < length ? applyAt({ ...pass, depth: pass.depth + 1 }, inner, position) : 0
      const change = pass.buffer.glyphs.length - length
      if (moved === 0 || change === 0) continue
      for (let index = action.at + 1; index < positions.length; index++)
        positions[index] = (positions[index] ?? 0) + change
    }
    return Math.max(1, end + 1 - at + pass.buffer.glyphs.length - before)
  }
  return 0
}

/** Returns the positions of the input glyphs of a rule, or undefined when it does not match. */
function matchRule(
  pass: SubstitutionPass,
  lookup: Lookup,
  rule: ContextRule,
  at: number,
): number[] | undefined {
  const { glyphs } = pass.buffer
  const positions = [at]
  let position = at
  for (const matches of rule.input.slice(1)) {
    position = nextGlyph(pass, lookup, position, 1)
    if (position < 0 || !matches(glyphs[position] ?? 0)) return undefined
    positions.push(position)
  }
  for (const matches of rule.lookahead) {
    position = nextGlyph(pass, lookup, position, 1)
    if (position < 0 || !matches(glyphs[position] ?? 0)) return undefined
  }
  position = at
  for (const matches of rule.backtrack) {
    position = nextGlyph(pass, lookup, position, -1)
    if (position < 0 || !matches(glyphs[position] ?? 0)) return undefined
  }
  return positions
}

function nextGlyph(pass: SubstitutionPass, lookup: Lookup, from: number, step: 1 | -1): number {
  const { glyphs } = pass.buffer
  for (let at = from + step; at >= 0 && at < glyphs.length; at += step) {
    if (!pass.classes.ignored(glyphs[at] ?? 0, lookup)) return at
  }
  return -1
}

function decodeLookup(
  table: DataView,
  index: number,
  glyphCount: number,
  budget: StepBudget,
): Lookup | undefined {
  try {
    const head = readLookup(table, index, extensionType)
    if (head === undefined) return undefined
    const tables = head.subtables
      .map((at) => decodeSubtable(table, head.type, at, glyphCount, budget))
      .filter((subtable) => subtable !== undefined)
    return { ...head, tables }
  } catch {
    return undefined
  }
}

function decodeSubtable(
  table: DataView,
  type: number,
  at: number,
  glyphCount: number,
  budget: StepBudget,
): Subtable | undefined {
  if (type === 1) return { kind: 'single', map: readSingle(table, at, glyphCount, budget) }
  if (type === 2) return { kind: 'multiple', map: readMultiple(table, at, glyphCount, budget) }
  if (type === 4) return { kind: 'ligature', sets: readLigatures(table, at, glyphCount, budget) }
  if (type !== 5 && type !== 6) return undefined
  const context = readContext(table, at, type === 6, budget)
  return context === undefined ? undefined : { kind: 'context', table: context }
}

function readSingle(
  table: DataView,
  at: number,
  glyphCount: number,
  budget: StepBudget,
): Map<number, number> {
  const format = table.getUint16(at)
  const map = new Map<number, number>()
  for (const [glyph, index] of readCoverage(table, at + table.getUint16(at + 2), budget)) {
    const other =
      format === 1 ? (glyph + table.getInt16(at + 4)) & 0xffff : table.getUint16(at + 6 + 2 * index)
    if (other < glyphCount) map.set(glyph, other)
  }
  return map
}

function readMultiple(
  table: DataView,
  at: number,
  glyphCount: number,
  budget: StepBudget,
): Map<number, number[]> {
  const map = new Map<number, number[]>()
  for (const [glyph, index] of readCoverage(table, at + table.getUint16(at + 2), budget)) {
    const sequence = at + table.getUint16(at + 6 + 2 * index)
    const count = table.getUint16(sequence)
    if (count === 0 || count > maxGrowth) continue
    spend(budget, count)
    const replacements = Array.from({ length: count }, (_, item) => table.getUint16(sequence + 2 + 2 * item))
    if (replacements.every((other) => other < glyphCount)) map.set(glyph, replacements)
  }
  return map
}

function readLigatures(
  table: DataView,
  at: number,
  glyphCount: number,
  budget: StepBudget,
): Map<number, Ligature[]> {
  const sets = new Map<number, Ligature[]>()
  for (const [glyph, index] of readCoverage(table, at + table.getUint16(at + 2), budget)) {
    const set = at + table.getUint16(at + 6 + 2 * index)
    const count = table.getUint16(set)
    const ligatures: Ligature[] = []
    for (let item = 0; item < count; item++) {
      const ligature = set + table.getUint16(set + 2 + 2 * item)
      const length = Math.max(0, table.getUint16(ligature + 2) - 1)
      spend(budget, length + 1)
      const rest = Array.from({ length }, (_, part) => table.getUint16(ligature + 4 + 2 * part))
      const result = table.getUint16(ligature)
      if (result < glyphCount) ligatures.push({ rest, glyph: result })
    }
    sets.set(glyph, ligatures)
  }
  return sets
}
