import type { GlyphRun } from '../../layout/frame.ts'
import { hasGlyphs, PlainRun, type PlainStyle } from '../../text/plain-text.ts'
import { boldStroke, lean, outlineStroke } from '../synthetic-styles.ts'
import type { ContentWriter } from './content-writer.ts'
import type { EmbeddedFont } from './embed-font.ts'
import { canonical, clusterText } from './glyph-usage.ts'
import type { Graphics } from './graphics-state.ts'
import { factor, utf16Hex } from './syntax.ts'

/**
 * Draws a run whose baseline starts at (x, y), with y upward. Advances that differ from the widths of the font
 * become adjustments within one TJ operator, so that words stay together for copying and searching.
 */
export function writeGlyphs(graphics: Graphics, run: GlyphRun, x: number, y: number, outline: boolean): void {
  const { face, size } = run
  if (!hasGlyphs(run) || !(size > 0)) return
  const font = graphics.resources.font(face.file)
  const scaleX = run.scaleX ?? 1
  const bold = face.synthetic.bold
  if (bold || outline) graphics.lineWidth(size * (bold && !outline ? boldStroke : outlineStroke))
  graphics.font(font.resource, size)
  graphics.textScale(scaleX)
  graphics.textMode(outline ? 1 : bold ? 2 : 0)
  const isSlanted = face.synthetic.slant
  const out = isSlanted ? graphics.out : graphics.text(x, y)
  if (isSlanted) {
    // In a text object of its own, since the matrix would slant the distances to texts after it.
    out.ascii(`BT 1 0 ${factor(lean)} 1 `)
    out.num(x)
    out.num(y)
    out.ascii('Tm ')
  }
  const perPoint = 1000 / (size * scaleX)
  if (!(run instanceof PlainRun && showPlainText(out, run, font, perPoint)))
    showText(out, run, font, perPoint)
  if (isSlanted) out.ascii('ET\n')
}

/**
 * The tolerance of glyph positions, in thousandths of the em. Layout rounds advances to finer steps, and an adjustment after
 * every few letters would only make the file larger.
 */
const tolerance = 2.5

/** Shows the glyphs of a run. `perPoint` is the number of thousandths of the em in a point along the line. */
function showText(out: ContentWriter, run: GlyphRun, font: EmbeddedFont, perPoint: number): void {
  font.use?.(run)
  const { glyphs, advances, offsets, clusters, text } = run
  const shown = new ShownText(out)
  let target = 0 // where the glyph belongs, in thousandths of the em
  let position = 0 // where the widths of the font have moved to
  let covered = -1 // the last glyph that the current ActualText covers
  for (let index = 0; index < glyphs.length; index++) {
    const glyph = glyphs[index] ?? 0
    if (index > covered && !isOneToOne(font.text[glyph], text, clusters, index)) {
      const actual = actualText(run, font, index)
      if (actual !== undefined) {
        shown.end()
        covered = actual.last
        out.ascii(`/Span<</ActualText<feff${utf16Hex(actual.text)}>>>BDC `)
      }
    }
    const dx = offsets === undefined ? 0 : (offsets[2 * index] ?? 0)
    const dy = offsets === undefined ? 0 : (offsets[2 * index + 1] ?? 0)
    if (dy !== 0) {
      shown.end()
      out.num(-dy)
      out.ascii('Ts ')
    }
    const back = position - target - dx * perPoint
    if (back >= tolerance || back <= -tolerance) position -= shown.moveBack(back)
    shown.code(font.codes[glyph] ?? 0)
    position += font.widths[glyph] ?? 0
    target += (advances[index] ?? 0) * perPoint
    if (dy !== 0) {
      shown.end()
      out.ascii('0 Ts ')
    }
    if (index === covered) {
      shown.end()
      out.ascii('EMC ')
    }
  }
  shown.end()
}

/** The operands of TJ, an array of strings and adjustments that begins with the first of either. */
class ShownText {
  readonly #out: ContentWriter
  #open: 'none' | 'array' | 'string' = 'none'

  constructor(out: ContentWriter) {
    this.#out = out
  }

  /** Moves the next glyph back by thousandths of the em. Returns the distance as it is written, a whole number. */
  moveBack(distance: number): number {
    const adjustment = Math.round(distance)
    if (this.#open === 'string') this.#out.ascii(')')
    else if (this.#open === 'none') this.#out.ascii('[')
    this.#out.integer(adjustment)
    this.#open = 'array'
    return adjustment
  }

  code(code: number): void {
    if (this.#open !== 'string') this.#out.ascii(this.#open === 'none' ? '[(' : '(')
    this.#open = 'string'
    this.#out.code(code)
  }

  /** Writes the operator, where there is anything to show. */
  end(): void {
    if (this.#open === 'string') this.#out.ascii(')')
    if (this.#open !== 'none') this.#out.ascii(']TJ\n')
    this.#open = 'none'
  }
}

/** What plain characters of a style write in a font, by character code, of those that were needed so far. */
interface PlainTable {
  readonly font: EmbeddedFont
  /** Their codes; 0 where the glyph stands for a character that ToUnicode does not map it to. */
  readonly codes: Uint16Array
  /** How far layout and the widths of the font move, in thousandths of the em. */
  readonly targets: Float64Array
  readonly widths: Float64Array
  /** By how much these two differ at most. */
  difference: number
}

/** The table of each style, of the font that it was written in last: a style belongs to one document. */
const plainTables = new WeakMap<PlainStyle, PlainTable>()

function plainTableOf(style: PlainStyle, font: EmbeddedFont): PlainTable {
  const cached = plainTables.get(style)
  if (cached?.font === font) return cached
  const size = style.plain.glyphs.length
  const [codes, targets, widths] = [new Uint16Array(size), new Float64Array(size), new Float64Array(size)]
  const table = { font, codes, targets, widths, difference: 0 }
  plainTables.set(style, table)
  return table
}

/** Adds the characters of a run to a table. */
function addCharacters(table: PlainTable, run: PlainRun, perPoint: number): void {
  const { font, codes, targets, widths } = table
  const { plain, scale } = run.style
  font.use?.(run)
  for (let at = 0; at < run.text.length; at++) {
    const character = run.text.charCodeAt(at)
    const glyph = plain.glyphs[character] ?? 0
    if (glyph === 0 || font.text[glyph] !== run.text[at]) continue
    codes[character] = font.codes[glyph] ?? 0
    const width = font.widths[glyph] ?? 0
    const target = (plain.advances[character] ?? 0) * scale * perPoint
    widths[character] = width
    targets[character] = target
    table.difference = Math.max(table.difference, Math.abs(width - target))
  }
}

function hasCodes(text: string, codes: Uint16Array): boolean {
  for (let at = 0; at < text.length; at++) if (codes[text.charCodeAt(at)] === 0) return false
  return true
}

/**
 * The same for plain characters, straight from the text. False, and nothing is written, where a glyph stands for a character that
 * ToUnicode does not map it to.
 */
function showPlainText(out: ContentWriter, run: PlainRun, font: EmbeddedFont, perPoint: number): boolean {
  const { text } = run
  const table = plainTableOf(run.style, font)
  const { codes, targets, widths } = table
  if (!hasCodes(text, codes)) {
    addCharacters(table, run, perPoint)
    if (!hasCodes(text, codes)) return false
  }
  if (table.difference * text.length < tolerance) {
    // No letter can be so far off that it needs an adjustment.
    out.string(text, codes)
    out.ascii('Tj\n')
    return true
  }
  // As in `showText`.
  let target = 0
  let position = 0
  out.ascii('[(')
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    const back = position - target
    if (back >= tolerance || back <= -tolerance) {
      const adjustment = Math.round(back)
      out.ascii(')')
      out.integer(adjustment)
      out.ascii('(')
      position -= adjustment
    }
    out.code(codes[character] ?? 0)
    position += widths[character] ?? 0
    target += targets[character] ?? 0
  }
  out.ascii(')]TJ\n')
  return true
}

/** The common case: one character and one glyph that ToUnicode maps to it. */
function isOneToOne(
  unicode: string | undefined,
  text: string,
  clusters: ArrayLike<number>,
  index: number,
): boolean {
  const at = clusters[index] ?? 0
  if (unicode === undefined || unicode.length !== 1 || unicode.charCodeAt(0) !== text.charCodeAt(at))
    return false
  const next = clusters[index + 1] ?? text.length
  return next === at + 1 && clusters[index - 1] !== at
}

/**
 * The ActualText of the cluster at `index`; undefined where ToUnicode already gives this text. It is also
 * needed for glyphs without text, whose width a reader would take for a space. `last` is the last glyph it
 * covers.
 */
function actualText(
  run: GlyphRun,
  font: EmbeddedFont,
  index: number,
): { text: string; last: number } | undefined {
  const hasUnicode = (at: number, expected: string): boolean => {
    const unicode = font.text[run.glyphs[at] ?? 0]
    // A combining mark without text has no width.
    if (expected === '') return run.advances[at] === 0
    return expected === unicode || canonical(expected) === unicode
  }
  const first = clusterText(run, index)
  let last = index
  let cluster = first
  let isCovered = hasUnicode(index, first)
  while (run.clusters[last + 1] === run.clusters[index]) {
    const next = clusterText(run, ++last)
    cluster = run.rtl ? next + cluster : cluster + next
    isCovered &&= hasUnicode(last, next)
  }
  return isCovered || cluster === '' ? undefined : { text: cluster, last }
}
