import type { Face } from '../fonts/face.ts'
import { symbolsToUnicode } from '../fonts/symbols.ts'
import type { GlyphRun, Pt } from '../layout/frame.ts'
import type { ComplexShaper } from './complex-shaper.ts'
import type { Neighbours } from './joining.ts'
import { type PlainRun, type PlainStyle, plainRun, plainWidth } from './plain-text.ts'
import { needsComplexShaping, scriptOfWord } from './scripts.ts'
import { type ShapedWord, type WordShaper, wordShaper } from './word-shaper.ts'

/** How to set a text. Everything except face and size is optional. */
export interface ShapingStyle {
  readonly face: Face
  readonly size: Pt
  readonly letterSpacing?: Pt // added after every glyph that is not a mark
  readonly kerning?: boolean // absent: on
  readonly ligatures?: boolean // absent: on, unless letters are spaced
  /** OpenType features in addition to the default ones: 'smcp', or '-liga' to disable one. */
  readonly features?: readonly string[] | undefined
  readonly rtl?: boolean
  readonly scaleX?: number // 1 is natural
  readonly language?: string // 'tr-TR'
  /**
   * The OpenType script of the surrounding text, for numbers and punctuation set alone; absent for that of
   * the first letter.
   */
  readonly script?: string
  /** How many steps a point has to which the advance of each glyph is rounded; absent: advances are exact. */
  readonly steps?: number | undefined
  /** The letters beside the text that join its own. */
  readonly neighbours?: Neighbours | undefined
  /** Shapes any text with this shaper; absent to use HarfBuzz when the text needs it and it is loaded. */
  readonly complex?: ComplexShaper | undefined
}

/**
 * Shapes text of one face and direction, as `itemise.ts` divides it. Words are cached for each font, so that
 * repeated text costs a look-up. Control characters and default ignorables are dropped. The text of the run
 * is what is shown: characters of a missing symbol font are replaced by Unicode characters.
 *
 * Returns a run in visual order with advances in points. Characters without a glyph show the box of the font
 * (glyph 0).
 */
export function shape(source: string, style: ShapingStyle): GlyphRun {
  const text = displayedText(source, style.face)
  const complex = complexFor(text, style)
  if (complex !== undefined) return shapeComplex(text, style, complex)
  const unshaped = shapePlain(text, style)
  if (unshaped !== undefined) return unshaped
  const scale = scaleOf(style)
  const run: Building = { glyphs: [], advances: [], clusters: [], offsets: undefined, width: 0 }
  const shaper = shaperOf(style)
  const spacing = style.letterSpacing ?? 0
  const script = style.script ?? scriptOfWord(text)
  const { steps } = style
  let previous: ShapedWord | undefined
  eachWord(text, (word, at) => {
    const shaped = shapedWord(shaper, word, style, script)
    if (shaped.glyphs.length === 0) return
    if (previous !== undefined) {
      const kern = kernAfter(shaper, previous, shaped, scale, steps)
      run.advances[run.advances.length - 1] = (run.advances[run.advances.length - 1] ?? 0) + kern
      run.width += kern
    }
    append(run, shaped, { at, scale, spacing, emScale: style.size / style.face.unitsPerEm, steps })
    previous = shaped
  })
  if (style.rtl === true) reverse(run)
  const scaleX = (style.scaleX ?? 1) * style.face.synthetic.scaleX
  return {
    face: style.face,
    size: style.size,
    text,
    glyphs: run.glyphs,
    advances: run.advances,
    clusters: run.clusters,
    offsets: run.offsets,
    width: run.width,
    rtl: style.rtl === true,
    scaleX,
  }
}

/** The width in points that `shape` would give, without building the run. */
export function measure(source: string, style: ShapingStyle): Pt {
  const text = displayedText(source, style.face)
  const complex = complexFor(text, style)
  if (complex !== undefined) return shapeComplex(text, style, complex).width
  const unshapedWidth = measurePlain(text, style)
  if (unshapedWidth !== undefined) return unshapedWidth
  const shaper = shaperOf(style)
  const scale = scaleOf(style)
  const script = style.script ?? scriptOfWord(text)
  const { steps } = style
  // Layout measures mostly a word or a space.
  if (text !== '' && (text === ' ' || !text.includes(' '))) {
    const only = shapedWord(shaper, text, style, script)
    const spaced = style.letterSpacing === undefined ? 0 : spacedGlyphs(only) * style.letterSpacing
    return only.glyphs.length === 0 ? 0 : widthOf(only, scale, steps) + spaced
  }
  let width = 0
  let glyphs = 0
  let previous: ShapedWord | undefined
  eachWord(text, (word) => {
    const shaped = shapedWord(shaper, word, style, script)
    if (shaped.glyphs.length === 0) return
    if (previous !== undefined) width += kernAfter(shaper, previous, shaped, scale, steps)
    width += widthOf(shaped, scale, steps)
    glyphs += style.letterSpacing === undefined ? 0 : spacedGlyphs(shaped)
    previous = shaped
  })
  return width + glyphs * (style.letterSpacing ?? 0)
}

/**
 * How much kerning widens or narrows a space between two characters, each a single one, or '' for none. A line is filled by words and
 * spaces that are measured one by one, so that this would be missing in the sum; `shape` includes it.
 */
export function spaceKerning(before: string, after: string, style: ShapingStyle): Pt {
  if (style.kerning === false || style.rtl === true) return 0
  if (complexFor(before + after, style) !== undefined || plainStyleOf(style) !== undefined) return 0
  const shaper = shaperOf(style)
  const scale = scaleOf(style)
  const script = style.script ?? scriptOfWord(before + after)
  const { space } = shaper
  if (space.glyphs.length === 0) return 0
  const [first, last] = [before, after].map((character) =>
    character === '' ? undefined : shapedWord(shaper, displayedText(character, style.face), style, script),
  )
  const head =
    first === undefined || first.glyphs.length === 0 ? 0 : kernAfter(shaper, first, space, scale, style.steps)
  const tail =
    last === undefined || last.glyphs.length === 0 ? 0 : kernAfter(shaper, space, last, scale, style.steps)
  return head + tail
}

/**
 * What `shape` gives for a text of plain characters of the face, which does not have to be divided by `itemise` either; undefined
 * for all others.
 */
export function shapePlain(text: string, style: ShapingStyle): PlainRun | undefined {
  const plainStyle = plainStyleOf(style)
  return plainStyle && plainRun(text, plainStyle)
}

/** The width that `shapePlain` would give. */
export function measurePlain(text: string, style: ShapingStyle): Pt | undefined {
  const plainStyle = plainStyleOf(style)
  return plainStyle && plainWidth(text, plainStyle.plain, plainStyle.scale)
}

/** By style, since a style is created once for a run and used for all of its text. `null`: every text has to be shaped. */
const plainStyles = new WeakMap<ShapingStyle, PlainStyle | null>()

/** How a style sets plain characters; undefined if it does not set glyphs from left to right, each by its own advance. */
function plainStyleOf(style: ShapingStyle): PlainStyle | undefined {
  let cached = plainStyles.get(style)
  if (cached === undefined) plainStyles.set(style, (cached = newPlainStyle(style)))
  return cached ?? undefined
}

function newPlainStyle(style: ShapingStyle): PlainStyle | null {
  const { rtl, letterSpacing = 0, steps, face, size, script = 'latn', complex } = style
  const isEven = rtl !== true && letterSpacing === 0 && steps === undefined && face.symbols === undefined
  // Figures and signs in text of another script are shaped as that script has them.
  const isLatin = script === 'latn' || script === 'DFLT'
  const characters = isEven && isLatin && complex === undefined ? shaperOf(style).plain : undefined
  if (characters === undefined) return null
  const scaleX = (style.scaleX ?? 1) * face.synthetic.scaleX
  return { face, size, scaleX, scale: scaleOf(style), plain: characters }
}

/** A word or a single space, shaped. `script` is that of the text around it. */
const shapedWord = (shaper: WordShaper, word: string, { rtl }: ShapingStyle, script: string): ShapedWord =>
  word === ' ' ? shaper.space : shaper.shape(rtl === true ? mirrored(word) : word, script)

/** Pairs of brackets that occur in documents: each character is followed by its mirror image, or preceded by it. */
const brackets = '()[]{}<>«»‹›≤≥⟨⟩⁅⁆「」『』（）'
const mirrorImages = new Map([...brackets].map((character, index, all) => [character, all[index ^ 1]!]))

/** Mirrors the brackets of a text, as right-to-left text shows them: rule L4 of UAX #9. */
const mirrored = (text: string): string =>
  text.replace(/[()[\]{}<>«»‹›≤≥⟨⟩⁅⁆「」『』（）]/g, (bracket) => mirrorImages.get(bracket) ?? bracket)

/** Font units in points, in whole steps where there are some. */
const inPoints = (units: number, scale: number, steps: number | undefined): Pt =>
  steps === undefined ? units * scale : Math.round(units * scale * steps) / steps

/** The kerning between two words, which is added to the advance of the last glyph of the first. */
function kernAfter(
  shaper: WordShaper,
  { glyphs, advances }: ShapedWord,
  next: ShapedWord,
  scale: number,
  steps: number | undefined,
): Pt {
  const kern = shaper.kern(glyphs.at(-1)!, next.glyphs[0] ?? 0)
  if (kern === 0) return 0
  const last = advances.at(-1) ?? 0
  return inPoints(last + kern, scale, steps) - inPoints(last, scale, steps)
}

/** The widths of words in steps, for the scale that each was measured at last. */
const stepped = new WeakMap<
  ShapedWord,
  { readonly scale: number; readonly steps: number; readonly width: Pt }
>()

/** The width of a word in points. */
function widthOf(word: ShapedWord, scale: number, steps: number | undefined): Pt {
  if (steps === undefined) return word.width * scale
  const cached = stepped.get(word)
  if (cached?.scale === scale && cached.steps === steps) return cached.width
  let sum = 0
  for (const units of word.advances) sum += Math.round(units * scale * steps)
  const width = sum / steps
  stepped.set(word, { scale, steps, width })
  return width
}

/**
 * The shaper for scripts that need HarfBuzz. Text is tested only after a document has loaded it, so other
 * documents pay nothing.
 */
function complexFor(text: string, style: ShapingStyle): ComplexShaper | undefined {
  if (style.complex !== undefined) return style.complex
  const loaded = style.face.shaping?.loaded
  return loaded !== undefined && needsComplexShaping(text) ? loaded : undefined
}

/** The text with characters of a missing symbol font replaced by Unicode characters. */
function displayedText(text: string, { symbols }: Face): string {
  return symbols === undefined ? text : symbolsToUnicode(symbols, text)
}

/** Shapes with HarfBuzz and converts font units to points. */
function shapeComplex(text: string, style: ShapingStyle, shaper: ComplexShaper): GlyphRun {
  const scale = scaleOf(style)
  const emScale = style.size / style.face.unitsPerEm
  const spacing = style.letterSpacing ?? 0
  const shaped = shaper.shape(text, {
    font: style.face.file,
    rtl: style.rtl === true,
    kerning: style.kerning !== false,
    ligatures: style.ligatures ?? spacing === 0,
    language: style.language,
    neighbours: style.neighbours,
  })
  let width = 0
  const advances = shaped.advances.map((units, index) => {
    const spaced = spacing !== 0 && shaped.clusters[index] !== shaped.clusters[index + 1]
    const advance = inPoints(units, scale, style.steps) + (spaced ? spacing : 0)
    width += advance
    return advance
  })
  const moved = shaped.offsets.some((offset) => offset !== 0)
  return {
    face: style.face,
    size: style.size,
    text,
    glyphs: shaped.glyphs,
    advances,
    clusters: shaped.clusters,
    offsets: moved
      ? shaped.offsets.map((units, at) => (at % 2 === 0 ? units * scale : -units * emScale))
      : undefined,
    width,
    rtl: style.rtl === true,
    scaleX: (style.scaleX ?? 1) * style.face.synthetic.scaleX,
  }
}

/** Points per font unit in the horizontal direction. */
function scaleOf(style: ShapingStyle): number {
  return (style.size / style.face.unitsPerEm) * (style.scaleX ?? 1) * style.face.synthetic.scaleX
}

/** The word shaper of each style, since a style is created once for a run and used for every word. */
const shapers = new WeakMap<ShapingStyle, WordShaper>()

function shaperOf(style: ShapingStyle): WordShaper {
  const cached = shapers.get(style)
  if (cached !== undefined) return cached
  const shaper = wordShaper(style.face.file, {
    kerning: style.kerning !== false,
    ligatures: style.ligatures ?? (style.letterSpacing ?? 0) === 0,
    language: style.language,
    more: style.features,
  })
  shapers.set(style, shaper)
  return shaper
}

/** Visits the words and the single spaces of a text in order. */
function eachWord(text: string, visit: (word: string, at: number) => void): void {
  let start = 0
  while (start < text.length) {
    if (text.charCodeAt(start) === 0x20) {
      visit(' ', start)
      start++
      continue
    }
    let end = text.indexOf(' ', start)
    if (end < 0) end = text.length
    visit(start === 0 && end === text.length ? text : text.slice(start, end), start)
    start = end
  }
}

/** A run while its words are appended. */
interface Building {
  readonly glyphs: number[]
  readonly advances: number[]
  readonly clusters: number[]
  offsets: number[] | undefined
  width: number
}
/** The position of a word in the text, and the factors for its lengths. */
interface GlyphPlacement {
  readonly at: number
  readonly scale: number
  readonly spacing: number
  readonly emScale: number
  readonly steps: number | undefined
}

/** Appends a word and converts font units to points. */
function append(
  run: Building,
  word: ShapedWord,
  { at, scale, spacing, emScale, steps }: GlyphPlacement,
): void {
  const first = run.glyphs.length
  if (word.offsets !== undefined) run.offsets ??= new Array<number>(2 * first).fill(0)
  for (let index = 0; index < word.glyphs.length; index++) {
    const units = word.advances[index] ?? 0
    const advance = inPoints(units, scale, steps) + (spacing !== 0 && isSpaced(word, index) ? spacing : 0)
    run.glyphs.push(word.glyphs[index] ?? 0)
    run.clusters.push((word.clusters[index] ?? 0) + at)
    run.advances.push(advance)
    run.width += advance
    if (run.offsets !== undefined) {
      run.offsets.push(
        (word.offsets?.[2 * index] ?? 0) * scale,
        -(word.offsets?.[2 * index + 1] ?? 0) * emScale,
      )
    }
  }
}

/**
 * Whether letter spacing follows a glyph. Marks share the cluster of their base, and spacing follows the last
 * of them.
 */
function isSpaced(word: ShapedWord, index: number): boolean {
  return word.clusters[index] !== word.clusters[index + 1]
}
function spacedGlyphs(word: ShapedWord): number {
  let count = 0
  for (let index = 0; index < word.glyphs.length; index++) if (isSpaced(word, index)) count++
  return count
}

/**
 * Reverses a right-to-left run. Marks follow their base in memory, so their offsets have to count from the
 * other side of the advances.
 */
function reverse(run: Building): void {
  if (run.offsets !== undefined) {
    const penPositions = [0]
    for (const advance of run.advances) penPositions.push(penPositions.at(-1)! + advance)
    const offsets = run.offsets
    const flipped: number[] = []
    for (let index = run.glyphs.length - 1; index >= 0; index--) {
      // The distance of the glyph from its base is kept, although the direction of the advances is reversed.
      const base = baseOf(run, index)
      const fromBase = (penPositions[index] ?? 0) + (offsets[2 * index] ?? 0) - (penPositions[base] ?? 0)
      const baseStart = run.width - (penPositions[base + 1] ?? 0)
      const ownStart = run.width - (penPositions[index + 1] ?? 0)
      flipped.push(baseStart + fromBase - ownStart, offsets[2 * index + 1] ?? 0)
    }
    run.offsets = flipped
  }
  run.glyphs.reverse()
  run.advances.reverse()
  run.clusters.reverse()
}

/** The index of the base glyph that a mark is attached to. */
function baseOf(run: Building, index: number): number {
  let base = index
  while (base > 0 && run.advances[base] === 0 && run.clusters[base - 1] === run.clusters[base]) base--
  return base
}
