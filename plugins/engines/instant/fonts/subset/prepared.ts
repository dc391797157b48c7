import type { Codec } from '../../../../../shared/plugin/values.ts'
import { wordShaper } from '../../text/word-shaper.ts'
import { drawCharacter } from '../characters.ts'
import type { FontFile } from '../sfnt/font-file.ts'
import { subsetCff } from './cff.ts'
import { subsetTrueType } from './glyf.ts'

/** A font program ready for embedding: deflated, with the new number of every glyph in it. */
export interface FontProgram {
  readonly kind: 'glyf' | 'cff'
  readonly deflated: Uint8Array // a zlib stream
  readonly length: number // before deflating
  readonly newIds: ReadonlyMap<number, number>
}

export type Deflate = (codec: Codec, bytes: Uint8Array) => Uint8Array

/**
 * Most documents use Latin text only, so every face caches one subset with all of Latin-1 and common
 * typography, made and deflated once; a document that needs no other glyphs costs no subsetting. The embedded
 * font depends on the glyphs of the document alone, never on the cache: the same input gives the same bytes.
 */
export function fontProgram(font: FontFile, used: Uint8Array, codec: Codec, deflate: Deflate): FontProgram {
  const cache = cacheOf(font)
  const latin = (cache.latin ??= latinGlyphs(font))
  const extra = countOutside(used, latin.members)
  if (extra === 0 && font.outlines === 'glyf') {
    return (cache.latinProgram ??= build(font, latin.glyphs, codec, deflate))
  }
  const glyphs: number[] = [0]
  for (let glyph = 1; glyph < used.length; glyph++) if (used[glyph] === 1) glyphs.push(glyph)
  return exactProgram(font, glyphs, codec, deflate)
}

/**
 * The glyphs that a program begins with when text is written before all glyphs of a document are known: those of the cached
 * subset, so that most documents add none.
 */
export function firstGlyphs(font: FontFile): readonly number[] {
  return font.outlines === 'glyf' ? (cacheOf(font).latin ??= latinGlyphs(font)).glyphs : [0]
}

/** The program of `firstGlyphs` and those that a document added after them: each glyph has its index as its new number. */
export function fontProgramInOrder(
  font: FontFile,
  glyphs: readonly number[],
  codec: Codec,
  deflate: Deflate,
): FontProgram {
  const cache = cacheOf(font)
  return font.outlines === 'glyf' && glyphs.length === cache.latin?.glyphs.length
    ? (cache.latinProgram ??= build(font, glyphs, codec, deflate))
    : exactProgram(font, glyphs, codec, deflate)
}

function exactProgram(
  font: FontFile,
  glyphs: readonly number[],
  codec: Codec,
  deflate: Deflate,
): FontProgram {
  const cache = cacheOf(font)
  const key = glyphs.join()
  let program = cache.exact.get(key)
  if (program === undefined) {
    program = build(font, glyphs, codec, deflate)
    if (cache.exact.size >= maxExact) cache.exact.delete(cache.exact.keys().next().value!)
    cache.exact.set(key, program)
  }
  return program
}

/** Templates that are rendered repeatedly use few sets of glyphs. */
const maxExact = 4

interface PreparedFace {
  latin?: { readonly glyphs: readonly number[]; readonly members: Uint8Array }
  latinProgram?: FontProgram
  readonly exact: Map<string, FontProgram>
}
const caches = new WeakMap<FontFile, PreparedFace>()

function cacheOf(font: FontFile): PreparedFace {
  let cache = caches.get(font)
  if (cache === undefined) caches.set(font, (cache = { exact: new Map() }))
  return cache
}

function build(font: FontFile, glyphs: readonly number[], codec: Codec, deflate: Deflate): FontProgram {
  const kind = font.outlines === 'cff' ? 'cff' : 'glyf'
  const subset = kind === 'cff' ? subsetCff(font, glyphs) : subsetTrueType(font, glyphs)
  const newIds = new Map(subset.glyphs.map((glyph, id) => [glyph, id]))
  return { kind, deflated: deflate(codec, subset.bytes), length: subset.bytes.length, newIds }
}

const ligatures = [
  'fi',
  'fl',
  'ff',
  'ffi',
  'ffl',
  'ft',
  'fft',
  'fj',
  'fb',
  'fh',
  'fk',
  'tt',
  'ti',
  'tti',
  'tf',
  'Th',
  'st',
  'ct',
]
const typography =
  '\u20ac\u2013\u2014\u2018\u2019\u201a\u201c\u201d\u201e\u2022\u2026\u2030\u2039\u203a\u2122\u0152\u0153\u0160\u0161\u017d\u017e\u0178'

function latinGlyphs(font: FontFile): NonNullable<PreparedFace['latin']> {
  const members = new Uint8Array(font.glyphCount)
  members[0] = 1
  const add = (code: number) => {
    const drawn = drawCharacter(font, code)
    if (drawn !== undefined) members[drawn.glyph] = 1
  }
  for (let code = 0x20; code <= 0xff; code++) if (code < 0x7f || code >= 0xa0) add(code)
  for (const character of typography) add(character.codePointAt(0) ?? 0)
  const shaper = wordShaper(font, { kerning: false, ligatures: true, language: undefined })
  for (const text of ligatures) {
    const { glyphs } = shaper.shape(text, 'latn')
    if (glyphs.length < text.length) for (const glyph of glyphs) members[glyph] = 1
  }
  const glyphs: number[] = []
  for (let glyph = 0; glyph < members.length; glyph++) if (members[glyph] === 1) glyphs.push(glyph)
  return { glyphs, members }
}

function countOutside(used: Uint8Array, members: Uint8Array): number {
  let count = 0
  for (let glyph = 0; glyph < used.length; glyph++) if ((used[glyph] ?? 0) > (members[glyph] ?? 0)) count++
  return count
}
