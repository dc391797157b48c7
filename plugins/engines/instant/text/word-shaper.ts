import { normalForm } from '../../../../shared/normal-form.ts'
import { drawCharacter, isCombining, isIgnorable } from '../fonts/characters.ts'
import { type PairKerning, readKernTable, readPairKerning } from '../fonts/opentype/kerning.ts'
import { type MarkAnchors, readMarkAnchors } from '../fonts/opentype/mark-anchors.ts'
import { createSubstitution, type Substitution } from '../fonts/opentype/substitute.ts'
import { type GlyphClasses, lookupsOf, readGlyphClasses } from '../fonts/opentype/tables.ts'
import type { FontFile } from '../fonts/sfnt/font-file.ts'
import { type PlainCharacters, plainCharacters } from './plain-text.ts'
import { languageSystemOf, scriptOfWord } from './scripts.ts'
import { createWordCache, type WordCache } from './word-cache.ts'

/**
 * A word in font units, without letter spacing. Immutable, since every text that contains the word shares it.
 */
export interface ShapedWord {
  readonly glyphs: readonly number[]
  readonly clusters: readonly number[] // index in the word
  readonly advances: readonly number[] // including kerning
  readonly offsets: readonly number[] | undefined // x, y pairs with y upward
  readonly width: number
  /** The number of characters without a glyph. */
  readonly missing: number
}

/** The features that a style requests. */
export interface WordFeatures {
  readonly kerning: boolean
  readonly ligatures: boolean
  readonly language: string | undefined
  /** The features that the document names: 'smcp' to enable one, '-liga' to disable it. */
  readonly more?: readonly string[] | undefined
}

/** Shapes words of one font with one set of features and caches the results. */
export interface WordShaper {
  /** `script` is that of the surrounding text; it applies to words without letters. */
  shape(word: string, script: string): ShapedWord
  /** The kerning between two glyphs in font units; 0 when kerning is off. */
  kern(left: number, right: number): number
  /** The shaped space. */
  readonly space: ShapedWord
  /** The characters that need no shaping; absent with kerning, which depends on neighbours. */
  readonly plain: PlainCharacters | undefined
}

/** Features that are always on, and those that letter spacing turns off. */
const always = ['ccmp', 'locl', 'rlig', 'rclt', 'calt']
const optional = ['liga', 'clig']

const shapers = new WeakMap<FontFile, Map<string, WordShaper>>()

/** The shaper for a font and a set of features. It is created on first use and kept as long as the font. */
export function wordShaper(font: FontFile, features: WordFeatures): WordShaper {
  let byFeatures = shapers.get(font)
  if (byFeatures === undefined) shapers.set(font, (byFeatures = new Map()))
  const system = languageSystemOf(features.language)
  const more = features.more?.join(' ') ?? ''
  const key = `${features.kerning ? 'k' : ''}${features.ligatures ? 'l' : ''}${system ?? ''} ${more}`
  let shaper = byFeatures.get(key)
  if (shaper === undefined) byFeatures.set(key, (shaper = createWordShaper(font, features, system)))
  return shaper
}

/** The lookups of a font for one script. */
interface ScriptPlan {
  readonly substitutions: readonly number[]
  readonly kern: PairKerning
  readonly marks: MarkAnchors
}

/** The tables of a font that do not depend on features. */
interface LayoutTables {
  readonly classes: GlyphClasses
  readonly substitution: Substitution
}
const layoutTables = new WeakMap<FontFile, LayoutTables>()

function tablesOf(font: FontFile): LayoutTables {
  let tables = layoutTables.get(font)
  if (tables === undefined) {
    const classes = readGlyphClasses(font.table('GDEF'))
    layoutTables.set(font, (tables = { classes, substitution: createSubstitution(font, classes) }))
  }
  return tables
}

/**
 * Creates a shaper. Words with letters are cached once; words without letters once for each script around
 * them.
 */
function createWordShaper(font: FontFile, features: WordFeatures, system: string | undefined): WordShaper {
  const tables = tablesOf(font)
  const plans = new Map<string, ScriptPlan>()
  const lettered = createWordCache<ShapedWord>()
  const byScript = new Map<string, WordCache<ShapedWord>>()
  const unlettered = (script: string): WordCache<ShapedWord> => {
    let words = byScript.get(script)
    if (words === undefined) byScript.set(script, (words = createWordCache()))
    return words
  }
  const planOf = (script: string): ScriptPlan => {
    let plan = plans.get(script)
    if (plan === undefined) plans.set(script, (plan = planScript(font, features, script, system)))
    return plan
  }
  const base = planOf('latn')
  const shape = (word: string, script: string): ShapedWord => {
    const cached = lettered.get(word)
    if (cached !== undefined) return cached
    const wordScript = scriptOfWord(word)
    const used = wordScript === 'DFLT' ? script : wordScript
    const words = wordScript === 'DFLT' ? unlettered(script) : lettered
    let shaped = words.get(word)
    if (shaped === undefined) {
      shaped = shapeWord(font, tables, planOf(used), word)
      words.set(word, shaped)
    }
    return shaped
  }
  const plainTable = features.kerning ? undefined : plainOf(font, tables, [base, planOf('DFLT')])
  return { shape, kern: base.kern, space: shape(' ', 'latn'), plain: plainTable }
}

/** The characters that none of the plans changes. `plans`: of words with Latin letters and of words without letters. */
function plainOf(
  font: FontFile,
  { classes, substitution }: LayoutTables,
  plans: readonly ScriptPlan[],
): PlainCharacters {
  return plainCharacters({
    glyphOf(code) {
      const glyph = font.characters.glyphOf(code)
      const isMark = classes.classOf(glyph) === 3 || plans.some(({ marks }) => marks.positions(glyph))
      return isMark ? 0 : glyph
    },
    advanceOf: (glyph) => font.advances[glyph] ?? 0,
    changersOf(glyph, others) {
      const lists = plans.map(({ substitutions }) => substitution.changersOf(glyph, substitutions, others))
      return lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? [])
    },
  })
}

/** Selects the lookups of a font for a script, a language and a set of features. */
function planScript(
  font: FontFile,
  features: WordFeatures,
  script: string,
  language: string | undefined,
): ScriptPlan {
  const gsub = font.table('GSUB')
  const gpos = font.table('GPOS')
  const enabled = new Set(features.ligatures ? [...always, ...optional] : always)
  for (const feature of features.more ?? []) {
    if (feature.startsWith('-')) enabled.delete(feature.slice(1))
    else enabled.add(feature)
  }
  const kerning = features.kerning && features.more?.includes('-kern') !== true
  const find = (table: DataView | undefined, tags: ReadonlySet<string>): number[] => {
    if (table === undefined) return []
    try {
      return lookupsOf(table, { script, language, features: tags })
    } catch {
      return [] // A damaged feature list loses the features, not the text.
    }
  }
  return {
    substitutions: find(gsub, enabled),
    kern: kerning ? memoised(kerningOf(font, find(gpos, new Set(['kern'])))) : () => 0,
    marks: readMarkAnchors(font, find(gpos, new Set(['mark', 'mkmk']))),
  }
}

/** Kerning from GPOS, else from the older kern table. */
function kerningOf(font: FontFile, lookups: readonly number[]): PairKerning {
  if (lookups.length > 0) return readPairKerning(font, lookups)
  try {
    return readKernTable(font)
  } catch {
    return () => 0
  }
}

/** Caches kerning by pair of glyphs; 50,000 pairs are kept. */
function memoised(kern: PairKerning): PairKerning {
  const cached = new Map<number, number>()
  return (left, right) => {
    const key = left * 65536 + right
    let value = cached.get(key)
    if (value === undefined) {
      if (cached.size > 50_000) cached.clear()
      cached.set(key, (value = kern(left, right)))
    }
    return value
  }
}

/** Shapes one word: maps characters to glyphs, substitutes, kerns, and positions marks. */
function shapeWord(font: FontFile, tables: LayoutTables, plan: ScriptPlan, word: string): ShapedWord {
  const buffer = { glyphs: [] as number[], clusters: [] as number[] }
  const fixed = new Map<number, number>() // advances by cluster that replace those of the glyphs
  const composed = composeCharacters(font, word)
  let missing = 0
  for (const { code, cluster } of composed) {
    if (isIgnorable(code)) continue
    const drawn = drawCharacter(font, code)
    if (drawn === undefined) missing++
    if (drawn?.advance !== undefined) fixed.set(cluster, drawn.advance)
    buffer.glyphs.push(drawn?.glyph ?? 0)
    buffer.clusters.push(cluster)
  }
  if (plan.substitutions.length > 0 && buffer.glyphs.length > 0) {
    tables.substitution.apply(buffer, plan.substitutions)
  }
  const { glyphs, clusters } = buffer
  const advances = glyphs.map((glyph, index) => fixed.get(clusters[index] ?? 0) ?? font.advances[glyph] ?? 0)
  kernPairs(tables.classes, plan.kern, glyphs, advances)
  const offsets = attachMarks(tables.classes, plan.marks, glyphs, advances)
  let width = 0
  for (const advance of advances) width += advance
  return { glyphs, clusters, advances, offsets, width, missing }
}

/** A code point and the index of its cluster in the word. */
interface BufferCharacter {
  readonly code: number
  readonly cluster: number
}

/** The characters of a word. A letter and its combining marks become one character if the font has it. */
function composeCharacters(font: FontFile, word: string): BufferCharacter[] {
  const characters: BufferCharacter[] = []
  for (let at = 0; at < word.length; ) {
    const code = word.codePointAt(at) ?? 0
    let end = at + (code > 0xffff ? 2 : 1)
    while (end < word.length && isCombining(word.charCodeAt(end))) end++
    if (end > at + 1 && isCombining(word.charCodeAt(end - 1))) {
      const cluster = at
      const sequence = word.slice(at, end)
      const best =
        [normalForm(sequence, 'NFC'), normalForm(sequence, 'NFD'), sequence].find((form) =>
          draws(font, form),
        ) ?? sequence
      for (const part of best) characters.push({ code: part.codePointAt(0) ?? 0, cluster })
    } else if (drawCharacter(font, code) === undefined && code >= 0xc0) {
      const parts = normalForm(String.fromCodePoint(code), 'NFD')
      const form = draws(font, parts) ? parts : String.fromCodePoint(code)
      for (const part of form) characters.push({ code: part.codePointAt(0) ?? 0, cluster: at })
    } else {
      characters.push({ code, cluster: at })
    }
    at = end
  }
  return characters
}

/** Whether the font has a glyph for every character. */
function draws(font: FontFile, text: string): boolean {
  for (const part of text) if (font.characters.glyphOf(part.codePointAt(0) ?? 0) === 0) return false
  return true
}

/** Kerns neighbouring bases; combining marks between them are ignored. */
function kernPairs(
  classes: GlyphClasses,
  kern: PairKerning,
  glyphs: readonly number[],
  advances: number[],
): void {
  let left = -1
  for (let index = 0; index < glyphs.length; index++) {
    if (classes.classOf(glyphs[index] ?? 0) === 3) continue
    if (left >= 0) advances[left] = (advances[left] ?? 0) + kern(glyphs[left] ?? 0, glyphs[index] ?? 0)
    left = index
  }
}

/**
 * Attaches combining marks to the glyph before them and sets their advance to zero. Returns undefined when
 * there are none.
 */
function attachMarks(
  classes: GlyphClasses,
  anchors: MarkAnchors,
  glyphs: readonly number[],
  advances: number[],
): number[] | undefined {
  let offsets: number[] | undefined
  let base = -1
  for (let index = 0; index < glyphs.length; index++) {
    // Some fonts classify marks as bases, so glyphs with mark anchors count as marks, too.
    const isMark = classes.classOf(glyphs[index] ?? 0) === 3
    if (base < 0 || !(isMark || anchors.positions(glyphs[index] ?? 0))) {
      base = index
      continue
    }
    offsets ??= new Array<number>(2 * glyphs.length).fill(0)
    if (isMark) advances[index] = 0
    const onPreviousMark =
      index - 1 > base ? anchors.attach(glyphs[index - 1] ?? 0, glyphs[index] ?? 0, true) : undefined
    const target = onPreviousMark === undefined ? base : index - 1
    const attachment = onPreviousMark ?? anchors.attach(glyphs[base] ?? 0, glyphs[index] ?? 0, false)
    if (attachment === undefined) continue
    let back = 0
    for (let before = target; before < index; before++) back += advances[before] ?? 0
    offsets[2 * index] = attachment.dx - back + (offsets[2 * target] ?? 0)
    offsets[2 * index + 1] = attachment.dy + (offsets[2 * target + 1] ?? 0)
  }
  return offsets
}
