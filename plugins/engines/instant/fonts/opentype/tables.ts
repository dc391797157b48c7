import { AppError } from '../../../../../shared/errors/app-error.ts'
import { guarded, tagAt } from '../sfnt/container.ts'

/**
 * The structures that GSUB and GPOS share: scripts, features, lookups, coverage and classes. Source: OpenType 1.9,
 * chapter 2.
 */

/**
 * Bounds the work that a font can cause while its tables are read; a font that exceeds it loses the feature.
 */
export interface StepBudget {
  left: number
}
export function spend(budget: StepBudget, amount: number): void {
  budget.left -= amount
  if (budget.left < 0) throw new AppError('font.damaged', { what: 'its layout tables are too large' })
}
/** Noto Sans CJK, the largest known font, needs 300,000. */
export const newBudget = (): StepBudget => ({ left: 3_000_000 })

/** glyph -> coverage index */
export type GlyphCoverage = ReadonlyMap<number, number>

export function readCoverage(table: DataView, offset: number, budget: StepBudget): GlyphCoverage {
  const coverage = new Map<number, number>()
  const format = table.getUint16(offset)
  const count = table.getUint16(offset + 2)
  spend(budget, count)
  if (format === 1) {
    for (let index = 0; index < count; index++) coverage.set(table.getUint16(offset + 4 + 2 * index), index)
  } else if (format === 2) {
    for (let range = 0; range < count; range++) {
      const at = offset + 4 + 6 * range
      const start = table.getUint16(at)
      const end = table.getUint16(at + 2)
      const first = table.getUint16(at + 4)
      if (end < start) continue
      spend(budget, end - start + 1)
      for (let glyph = start; glyph <= end; glyph++) coverage.set(glyph, first + glyph - start)
    }
  }
  return coverage
}

/** glyph -> class; glyphs that are not in the map have class 0. */
export type Classes = ReadonlyMap<number, number>

export function readClasses(table: DataView, offset: number, budget: StepBudget): Classes {
  const classes = new Map<number, number>()
  const format = table.getUint16(offset)
  if (format === 1) {
    const start = table.getUint16(offset + 2)
    const count = table.getUint16(offset + 4)
    spend(budget, count)
    for (let index = 0; index < count; index++) {
      classes.set(start + index, table.getUint16(offset + 6 + 2 * index))
    }
  } else if (format === 2) {
    const count = table.getUint16(offset + 2)
    for (let range = 0; range < count; range++) {
      const at = offset + 4 + 6 * range
      const start = table.getUint16(at)
      const end = table.getUint16(at + 2)
      if (end < start) continue
      spend(budget, end - start + 1)
      for (let glyph = start; glyph <= end; glyph++) classes.set(glyph, table.getUint16(at + 4))
    }
  }
  return classes
}

/** One lookup with its extension subtables resolved: absolute offsets in the table. */
export interface LookupHead {
  readonly type: number
  readonly flag: number
  readonly markSet: number // -1 when the lookup filters no set
  readonly subtables: readonly number[]
}

export function readLookup(table: DataView, index: number, extension: number): LookupHead | undefined {
  const list = table.getUint16(8)
  if (index >= table.getUint16(list)) return undefined
  const at = list + table.getUint16(list + 2 + 2 * index)
  const flag = table.getUint16(at + 2)
  const count = table.getUint16(at + 4)
  let type = table.getUint16(at)
  const subtables: number[] = []
  for (let sub = 0; sub < count; sub++) {
    let offset = at + table.getUint16(at + 6 + 2 * sub)
    if (table.getUint16(at) === extension) {
      type = table.getUint16(offset + 2)
      offset += table.getUint32(offset + 4)
    }
    subtables.push(offset)
  }
  return { type, flag, markSet: flag & 0x10 ? table.getUint16(at + 6 + 2 * count) : -1, subtables }
}

/**
 * The lookups of the requested features for a script and language, in the order of application.
 *
 * Falls back to the default script and language as shaping engines do: script, DFLT, latn; language, default.
 */
export function lookupsOf(table: DataView, request: LookupRequest): number[] {
  return guarded('its layout tables are truncated', () => {
    const system = languageSystem(table, request.script, request.language)
    if (system === undefined) return []
    const features = table.getUint16(6)
    const featureCount = table.getUint16(features)
    const indexes = [table.getUint16(system + 2)]
    const count = table.getUint16(system + 4)
    for (let index = 0; index < count; index++) indexes.push(table.getUint16(system + 6 + 2 * index))
    const lookups = new Set<number>()
    for (const [order, index] of indexes.entries()) {
      if (index >= featureCount) continue
      const at = features + 2 + 6 * index
      // The required feature comes first and applies whatever its tag.
      if (order > 0 && !request.features.has(tagAt(table, at))) continue
      const feature = features + table.getUint16(at + 4)
      const lookupCount = table.getUint16(feature + 2)
      for (let lookup = 0; lookup < lookupCount; lookup++) {
        lookups.add(table.getUint16(feature + 4 + 2 * lookup))
      }
    }
    return [...lookups].sort((a, b) => a - b)
  })
}
export interface LookupRequest {
  readonly script: string // 'latn'
  readonly language?: string // 'TRK '
  readonly features: ReadonlySet<string>
}

function languageSystem(table: DataView, script: string, language: string | undefined): number | undefined {
  const scripts = table.getUint16(4)
  const offsets = offsetsByTag(table, scripts, scripts)
  const at = offsets.get(script) ?? offsets.get('DFLT') ?? offsets.get('dflt') ?? offsets.get('latn')
  if (at === undefined) return undefined
  const ofLanguage = language === undefined ? undefined : offsetsByTag(table, at + 2, at).get(language)
  if (ofLanguage !== undefined) return ofLanguage
  const fallback = table.getUint16(at)
  return fallback === 0 ? undefined : at + fallback
}

/** Reads `count, (tag, offset)*` at `at`; offsets count from `base`. */
function offsetsByTag(table: DataView, at: number, base: number): Map<string, number> {
  const count = Math.min(table.getUint16(at), 512)
  const offsets = new Map<string, number>()
  for (let index = 0; index < count; index++) {
    const record = at + 2 + 6 * index
    offsets.set(tagAt(table, record), base + table.getUint16(record + 4))
  }
  return offsets
}

/** Determines which glyphs a lookup ignores, by its flag and the classes of GDEF. */
export interface GlyphClasses {
  /** 1 base, 2 ligature, 3 mark, 4 component; 0 unknown. */
  classOf(glyph: number): number
  ignored(glyph: number, lookup: LookupHead): boolean
}

export function readGlyphClasses(gdef: DataView | undefined): GlyphClasses {
  const none: GlyphClasses = { classOf: () => 0, ignored: () => false }
  if (gdef === undefined || gdef.byteLength < 12) return none
  try {
    return glyphClasses(gdef)
  } catch {
    return none
  }
}

function glyphClasses(gdef: DataView): GlyphClasses {
  const budget = newBudget()
  const classes = readOptional(gdef, gdef.getUint16(4), budget)
  const attach = readOptional(gdef, gdef.getUint16(10), budget)
  const sets: GlyphCoverage[] = []
  if (gdef.getUint32(0) >= 0x00010002 && gdef.byteLength >= 14 && gdef.getUint16(12) !== 0) {
    const at = gdef.getUint16(12)
    const count = gdef.getUint16(at + 2)
    for (let index = 0; index < count; index++) {
      sets.push(readCoverage(gdef, at + gdef.getUint32(at + 4 + 4 * index), budget))
    }
  }
  const classOf = (glyph: number) => classes.get(glyph) ?? 0
  return {
    classOf,
    ignored(glyph, { flag, markSet }) {
      if ((flag & 0xff1e) === 0) return false
      const kind = classOf(glyph)
      if (kind === 1) return (flag & 2) !== 0
      if (kind === 2) return (flag & 4) !== 0
      if (kind !== 3) return false
      if ((flag & 8) !== 0) return true
      if (markSet >= 0) return !(sets[markSet]?.has(glyph) ?? false)
      return (flag & 0xff00) !== 0 && attach.get(glyph) !== flag >> 8
    },
  }
}

function readOptional(table: DataView, offset: number, budget: StepBudget): Classes {
  return offset === 0 ? new Map() : readClasses(table, offset, budget)
}
