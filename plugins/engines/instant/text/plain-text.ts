import type { Face } from '../fonts/face.ts'
import type { GlyphRun, Pt } from '../layout/frame.ts'

/**
 * The characters of a font that need no shaping with a set of features: each of them is one glyph with the advance of the font,
 * whatever stands beside it. Most text of most documents consists of them, and it is set at a fraction of the cost of words
 * that are shaped, compared and remembered.
 */
export interface PlainCharacters {
  /** The glyph of each of the first 256 characters; 0 for those that have to be shaped. */
  readonly glyphs: Uint16Array
  /** Their advances in font units. */
  readonly advances: Uint16Array
  /** The characters that a character has to be shaped with when they follow it, as 'f' and 'i'; undefined for most. */
  readonly changers: readonly (ReadonlySet<number> | undefined)[]
}

/** What the tables of a font say about one glyph, and about its neighbours. */
export interface PlainFacts {
  /** The glyph of a character; 0 where it has none of its own, or where the glyph is moved. */
  glyphOf(code: number): number
  advanceOf(glyph: number): number
  /** Those of `others` that a glyph may be changed by when they follow it; undefined where anything may change it. */
  changersOf(glyph: number, others: readonly number[]): readonly number[] | undefined
}

const size = 256
/** A no-break space and a soft hyphen are drawn as other characters. */
const isReplaced = (code: number): boolean => code === 0xa0 || code === 0xad
const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0)

export function plainCharacters({ glyphOf, advanceOf, changersOf }: PlainFacts): PlainCharacters {
  const candidates = Array.from({ length: size }, (_, code) =>
    isReplaced(code) || isControl(code) ? 0 : glyphOf(code),
  )
  const others = candidates.filter((glyph) => glyph !== 0)
  const glyphs = new Uint16Array(size)
  const advances = new Uint16Array(size)
  const changers = new Array<ReadonlySet<number> | undefined>(size).fill(undefined)
  for (const [code, glyph] of candidates.entries()) {
    const next = glyph === 0 ? undefined : changersOf(glyph, others)
    if (next === undefined) continue
    glyphs[code] = glyph
    advances[code] = advanceOf(glyph)
    if (next.length === 0) continue
    const changing = new Set(next)
    changers[code] = new Set([...candidates.keys()].filter((other) => changing.has(candidates[other] ?? 0)))
  }
  return { glyphs, advances, changers }
}

const space = 0x20

/**
 * The width of a text in points, `scale` points to a font unit; undefined where it has to be shaped. It is added up word by word,
 * as the widths of shaped words are, so that both ways give the same number.
 */
export function plainWidth(text: string, plain: PlainCharacters, scale: number): Pt | undefined {
  const { glyphs, advances, changers } = plain
  let width = 0
  let word = 0
  let before = space
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= size || glyphs[code] === 0 || changers[before]?.has(code) === true) return undefined
    before = code
    const units = advances[code] ?? 0
    if (code !== space) {
      word += units
      continue
    }
    width += word * scale
    width += units * scale
    word = 0
  }
  return width + word * scale
}

/** A face, a size and a scale in which plain characters are set: the same object for all runs of a style. */
export interface PlainStyle {
  readonly face: Face
  readonly size: Pt
  readonly scaleX: number
  /** Points to a font unit. */
  readonly scale: number
  readonly plain: PlainCharacters
}

/** Shapes a text of plain characters; undefined where it has to be shaped in the usual way. */
export function plainRun(text: string, style: PlainStyle): PlainRun | undefined {
  const { scale } = style
  const { glyphs, advances, changers } = style.plain
  let width = 0
  let before = space
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= size || glyphs[code] === 0 || changers[before]?.has(code) === true) return undefined
    before = code
    width += (advances[code] ?? 0) * scale
  }
  return new PlainRun(text, style, width)
}

/**
 * A run of plain characters. Painters can read its glyphs from its text by `style`. The lists of a glyph run are made when
 * something else reads them: a page of cells has thousands of runs, and most are only painted.
 */
export class PlainRun implements GlyphRun {
  readonly text: string
  readonly style: PlainStyle
  readonly width: Pt
  #lists: Pick<GlyphRun, 'glyphs' | 'advances' | 'clusters'> | undefined

  constructor(text: string, style: PlainStyle, width: Pt) {
    this.text = text
    this.style = style
    this.width = width
  }

  get face(): Face {
    return this.style.face
  }

  get size(): Pt {
    return this.style.size
  }

  get scaleX(): number {
    return this.style.scaleX
  }

  get rtl(): boolean {
    return false
  }

  get glyphs(): ArrayLike<number> {
    return (this.#lists ??= listsOf(this)).glyphs
  }

  get advances(): ArrayLike<number> {
    return (this.#lists ??= listsOf(this)).advances
  }

  get clusters(): ArrayLike<number> {
    return (this.#lists ??= listsOf(this)).clusters
  }
}

function listsOf({
  text,
  style: { plain, scale },
}: PlainRun): Pick<GlyphRun, 'glyphs' | 'advances' | 'clusters'> {
  const glyphs: number[] = []
  const advances: number[] = []
  const clusters: number[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    glyphs.push(plain.glyphs[code] ?? 0)
    advances.push((plain.advances[code] ?? 0) * scale)
    clusters.push(at)
  }
  return { glyphs, advances, clusters }
}

/** Whether a run draws anything. Asks plain runs for their text, so that their lists are not made for it. */
export const hasGlyphs = (run: GlyphRun): boolean =>
  run instanceof PlainRun ? run.text !== '' : run.glyphs.length > 0
