import type { CellFont } from '../../../../../shared/document/sheet.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import type { Face } from '../../fonts/face.ts'
import type { DocumentFonts } from '../../fonts/font-book.ts'
import { visualOrder } from '../../text/bidi.ts'
import { itemise } from '../../text/itemise.ts'
import { measure, measurePlain, type ShapingStyle, shape, shapePlain } from '../../text/shape.ts'
import type { LayoutBudget } from '../context.ts'
import type { GlyphRun, Pt } from '../frame.ts'
import { cellBreaks } from './cell-breaks.ts'

/** Text in one font. */
export interface FontText {
  readonly text: string
  readonly font: CellFont
}
/** A shaped run with its offset from the start of the line. */
export interface LineRun {
  readonly x: Pt
  readonly run: GlyphRun
  readonly font: CellFont
}
export interface TextLine {
  readonly runs: readonly LineRun[]
  /** The width of the line without trailing spaces. */
  readonly width: Pt
  readonly ascent: Pt
  readonly descent: Pt
  /** The text was broken here, and its paragraph goes on in the next line. */
  readonly continues?: true
}

/** Measures and shapes the text of cells and headers. */
export interface TextMeasure {
  width(text: string, font: CellFont): Pt
  /** Breaks text into lines of at most `width` points. If `width` is undefined, lines end only at line breaks. */
  lines(texts: readonly FontText[], width: Pt | undefined): readonly TextLine[]
  /** Ascent and descent of a font, pt. */
  extent(font: CellFont): { readonly ascent: Pt; readonly descent: Pt }
}

/**
 * The scale of superscript and subscript, and the fraction of the size by which they are shifted. Observed in LibreOffice.
 */
const scriptSize = 0.58
const scriptRise = { super: 0.33, sub: -0.08 }

export const scriptShift = ({ script, size }: CellFont): Pt =>
  script === undefined ? 0 : scriptRise[script] * size

/** A pixel of a screen with 96 dpi, in pt. */
export const screenPixel: Pt = 0.75

/**
 * How text is measured. 'exact': as the face has it. 'paper': the advance of each glyph is a whole number of tenths of a point,
 * which is how LibreOffice breaks the lines of cells. 'screen': sizes, advances, ascents and descents are whole pixels, which is
 * how it measures the heights of rows.
 */
export type TextDevice = 'exact' | 'paper' | 'screen'
const stepsOf: Readonly<Record<TextDevice, number | undefined>> = {
  exact: undefined,
  paper: 10,
  screen: 1 / screenPixel,
}

const wholePixels = (value: Pt): Pt => Math.round(value / screenPixel) * screenPixel

/** What is looked up once for each font: how text that runs to the right is set in its own face, and its extent in pt. */
interface ForwardFont {
  readonly style: ShapingStyle
  readonly ascent: Pt
  readonly descent: Pt
}

/** The faces and styles of fonts. */
interface FontStyles {
  /** The style of a font in a face, which may be another one than its own. */
  styleOf(face: Face, font: CellFont, rtl: boolean): ShapingStyle
  faceOf(font: CellFont): Face
  forwardOf(font: CellFont): ForwardFont
}

function createFontStyles(fonts: DocumentFonts, device: TextDevice): FontStyles {
  const steps = stepsOf[device]
  const onScreen = device === 'screen'
  const faces = new Map<string, Face>()
  const styles = new Map<Face, Map<number, ShapingStyle[]>>()
  const faceOf = ({ family, bold, italic }: CellFont): Face => {
    const key = `${bold === true ? 'b' : ''}${italic === true ? 'i' : ''} ${family}`
    let face = faces.get(key)
    if (face === undefined) faces.set(key, (face = fonts.face(family, bold === true, italic === true)))
    return face
  }
  const sizeOf = ({ size, script }: CellFont): Pt => {
    const scaled = script === undefined ? size : size * scriptSize
    return onScreen ? Math.max(screenPixel, wholePixels(scaled)) : scaled
  }
  // Words are cached by the identity of the style, so equal styles share one object.
  const styleOf = (face: Face, font: CellFont, rtl: boolean): ShapingStyle => {
    const size = sizeOf(font)
    let bySize = styles.get(face)
    if (bySize === undefined) styles.set(face, (bySize = new Map()))
    let pair = bySize.get(size)
    if (pair === undefined)
      bySize.set(
        size,
        (pair = [false, true].map((right) => ({
          face,
          size,
          rtl: right,
          kerning: false,
          ...(steps !== undefined && { steps }),
        }))),
      )
    return pair[rtl ? 1 : 0] as ShapingStyle
  }
  // By object, since most cells share the few fonts of the formats.
  const forward = new WeakMap<CellFont, ForwardFont>()
  const forwardOf = (font: CellFont): ForwardFont => {
    let cached = forward.get(font)
    if (cached === undefined) {
      const style = styleOf(faceOf(font), font, false)
      forward.set(font, (cached = { style, ...extentOf(style.face, font.size, onScreen) }))
    }
    return cached
  }
  return { styleOf, faceOf, forwardOf }
}

function extentOf({ ascent, descent }: Face, fontSize: Pt, onScreen: boolean): { ascent: Pt; descent: Pt } {
  if (!onScreen) return { ascent: ascent * fontSize, descent: descent * fontSize }
  const size = wholePixels(fontSize)
  return { ascent: wholePixels(ascent * size), descent: wholePixels(descent * size) }
}

/** Creates a text measure. `budget` is checked for each letter, so that long texts respect the deadline. */
export function createTextMeasure(
  fonts: DocumentFonts,
  budget: LayoutBudget,
  device: TextDevice = 'exact',
): TextMeasure {
  const { styleOf, faceOf, forwardOf } = createFontStyles(fonts, device)
  const itemsOf = (text: string, font: CellFont) =>
    itemise(text, { face: faceOf(font), direction: 'auto' }, fonts.runs)
  const width = (text: string, font: CellFont): Pt => {
    budget.check(text.length)
    const unshapedWidth = measurePlain(text, forwardOf(font).style)
    if (unshapedWidth !== undefined) return unshapedWidth
    let sum = 0
    for (const { start, end, face, level } of itemsOf(text, font))
      sum += measure(
        start === 0 && end === text.length ? text : text.slice(start, end),
        styleOf(face, font, level % 2 === 1),
      )
    return sum
  }
  /** The runs of a text from left to right. */
  const runsOf = (text: string, font: CellFont): readonly GlyphRun[] => {
    if (text === '') return []
    const unshaped = shapePlain(text, forwardOf(font).style)
    if (unshaped !== undefined) return [unshaped]
    const items = itemsOf(text, font)
    return visualOrder(items.map(({ level }) => level)).flatMap((index) => {
      const item = items[index]
      if (item === undefined) return []
      const style = styleOf(item.face, font, item.level % 2 === 1)
      const run = shape(
        text.slice(item.start, item.end),
        item.complex ? { ...style, complex: fonts.complex } : style,
      )
      return run.glyphs.length === 0 ? [] : [run]
    })
  }
  /** The only line of a plain text, which has no line breaks: most cells. Undefined for other texts. */
  const plainLine = ({ text, font }: FontText): TextLine | undefined => {
    budget.check(text.length + 1)
    if (text === '') return undefined
    const { style, ascent, descent } = forwardOf(font)
    const run = shapePlain(text, style)
    return run && { runs: [{ x: 0, run, font }], width: run.width, ascent, descent }
  }
  const lineOf = (texts: readonly FontText[], isDivided: boolean): TextLine => {
    const runs: LineRun[] = []
    let x = 0
    let trailing = 0
    let [ascent, descent] = [0, 0]
    for (const { text, font } of texts) {
      budget.check(text.length + 1)
      const fontExtent = forwardOf(font)
      ascent = Math.max(ascent, fontExtent.ascent)
      descent = Math.max(descent, fontExtent.descent)
      for (const run of runsOf(text, font)) {
        runs.push({ x, run, font })
        x += run.width
      }
      if (!isDivided) continue
      const trimmed = text.trimEnd()
      trailing =
        trimmed === ''
          ? trailing + width(text, font)
          : trimmed === text
            ? 0
            : width(text.slice(trimmed.length), font)
    }
    return { runs, width: isDivided ? Math.max(0, x - trailing) : x, ascent, descent }
  }
  return {
    width,
    extent: forwardOf,
    lines(texts, available) {
      const [only] = texts
      if (only !== undefined && texts.length === 1 && available === undefined) {
        const line = plainLine(only)
        if (line !== undefined) return [line]
      }
      const lines: TextLine[] = []
      for (const paragraph of paragraphsOf(texts)) {
        if (available === undefined) {
          lines.push(lineOf(paragraph, false))
          continue
        }
        const broken = wrapped(paragraph, available, width)
        for (const [at, line] of broken.entries()) {
          const made = lineOf(line, true)
          lines.push(at < broken.length - 1 ? { ...made, continues: true } : made)
        }
      }
      return lines
    },
  }
}

/** Splits text at line breaks. An empty paragraph keeps its font. */
function paragraphsOf(texts: readonly FontText[]): FontText[][] {
  const paragraphs: FontText[][] = [[]]
  for (const { text, font } of texts) {
    if (!/[\n\r]/.test(text)) {
      paragraphs.at(-1)?.push({ text, font })
      continue
    }
    text.split(/\r\n|[\n\r]/).forEach((part, at) => {
      if (at > 0) paragraphs.push([])
      paragraphs.at(-1)?.push({ text: part, font })
    })
  }
  return paragraphs
}

/** Fills lines greedily. A word that is wider than a line is broken between letters. */
function wrapped(
  texts: readonly FontText[],
  available: Pt,
  width: (text: string, font: CellFont) => Pt,
): FontText[][] {
  const joinedText = texts.map(({ text }) => text).join('')
  const first = texts[0]
  if (first !== undefined && texts.length === 1 && width(joinedText.trimEnd(), first.font) <= available)
    return [[...texts]]
  const ends = cellBreaks(joinedText)
  const breaks = new Set(ends)
  const filler = new LineFiller(available, width)
  let next = 0
  let offset = 0
  for (const { text, font } of texts) {
    const stops: number[] = []
    for (; (ends[next] ?? Infinity) < offset + text.length; next++) {
      const at = (ends[next] ?? 0) - offset
      if (at > 0) stops.push(at)
    }
    let from = 0
    for (const to of [...stops, text.length]) {
      if (breaks.has(offset + from)) filler.endWord()
      filler.add(text.slice(from, to), font)
      from = to
    }
    offset += text.length
  }
  return filler.finish(texts)
}

/** Fills lines with segments of text, of which those without a break opportunity between them are one word. */
class LineFiller {
  readonly #available: Pt
  readonly #width: (text: string, font: CellFont) => Pt
  readonly #lines: FontText[][] = []
  #line: FontText[] = []
  #used: Pt = 0
  /** The text segments since the last break opportunity, which are not in the line yet. */
  #word: FontText[] = []
  #wordWidth: Pt = 0

  constructor(available: Pt, width: (text: string, font: CellFont) => Pt) {
    this.#available = available
    this.#width = width
  }

  /** Adds a segment to the word. A word that does not fit the line begins another, and is divided where it is wider than one. */
  add(segment: string, font: CellFont): void {
    const trimmedWidth = this.#width(segment.trimEnd(), font)
    if (this.#used > 0 && !this.#fits(trimmedWidth)) this.#endLine()
    if (this.#used === 0 && !this.#fits(trimmedWidth)) this.#addDivided(segment, font)
    else this.#append(segment, font)
  }

  /** Moves the word into the line. */
  endWord(): void {
    pushAll(this.#line, this.#word)
    this.#used += this.#wordWidth
    this.#word = []
    this.#wordWidth = 0
  }

  /** Returns the lines. Where there is no text at all, the only line keeps the fonts of the given texts. */
  finish(texts: readonly FontText[]): FontText[][] {
    this.endWord()
    const isEmpty = this.#line.length === 0 && this.#lines.length === 0
    this.#lines.push(joined(isEmpty ? [...texts] : this.#line))
    return this.#lines
  }

  #fits(trimmedWidth: Pt): boolean {
    return this.#used + this.#wordWidth + trimmedWidth <= this.#available
  }

  #addDivided(segment: string, font: CellFont): void {
    const left = this.#available - this.#wordWidth
    for (const part of divided(segment, font, left, this.#available, this.#width)) {
      if (this.#word.length > 0 && this.#wordWidth + this.#width(part.trimEnd(), font) > this.#available) {
        this.endWord()
        this.#endLine()
      }
      this.#append(part, font)
    }
  }

  #append(text: string, font: CellFont): void {
    this.#word.push({ text, font })
    this.#wordWidth += this.#width(text, font)
  }

  #endLine(): void {
    this.#lines.push(joined(this.#line))
    this.#line = []
    this.#used = 0
  }
}

/** Splits a text segment into parts that fit; the first part has to fit the remaining width. */
function divided(
  segment: string,
  font: CellFont,
  left: Pt,
  available: Pt,
  width: (text: string, font: CellFont) => Pt,
): string[] {
  const parts: string[] = []
  let part = ''
  let used = 0
  let limit = left
  for (const character of segment) {
    const advance = width(character, font)
    if (part !== '' && used + advance > limit && character !== ' ') {
      parts.push(part)
      part = ''
      used = 0
      limit = available
    }
    part += character
    used += advance
  }
  if (part !== '') parts.push(part)
  return parts
}

/** Joins adjacent texts of the same font, so that they are shaped together. */
function joined(texts: readonly FontText[]): FontText[] {
  const result: FontText[] = []
  for (const each of texts) {
    const last = result.at(-1)
    if (last?.font === each.font) result.splice(-1, 1, { text: last.text + each.text, font: each.font })
    else result.push(each)
  }
  return result
}
