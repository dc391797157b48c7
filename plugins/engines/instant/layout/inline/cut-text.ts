import type { Drawing } from '../../../../../shared/document/drawing.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { Face } from '../../fonts/face.ts'
import type { EastAsianLayout } from '../../style/computed.ts'
import { breakOpportunities } from '../../text/breaks.ts'
import { setEastAsianBreaks } from '../../text/east-asian-line-ends.ts'
import { type Neighbours, neighboursOf } from '../../text/joining.ts'
import { measure, spaceKerning } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import { sizedRuby } from '../drawing/ruby.ts'
import { drawnHeight } from '../flow/floats.ts'
import type { Pt } from '../frame.ts'
import { sizedMath } from '../math/draw-math.ts'
import { complexByDirection, isEastAsian, kindAt, sameKind } from './character-kind.ts'
import { spaceCharacters, spaceLetters } from './script-space.ts'
import { shapingOf, textStyleOf } from './text-style.ts'
import { blank, type RunSpan, type TextSegment, type TextStyle } from './types.ts'

/** Divides the text at changes of text style and face, at spaces and at break opportunities. */
export function cutText(
  context: LayoutContext,
  text: string,
  spans: readonly RunSpan[],
  bidi: ArrayLike<number> | undefined,
  { lineRules, spaceBesideLetters, spaceBesideDigits }: EastAsianLayout,
): TextSegment[] {
  const segments: TextSegment[] = []
  let asian = false
  const breaks = breakFlags(context, text.length + 1)
  const source: ParagraphText = { text, breaks, bidi, complex: complexByDirection(text, bidi) }
  // A line ends at a slash only when there is no other opportunity. `LineFiller` finds those slashes itself.
  for (const { at } of breakOpportunities(text)) if (text.charCodeAt(at - 1) !== 47) breaks[at] = 1
  if (eastAsianText.test(text)) {
    const languages = spans.map(({ start, end, run }) => ({ start, end, language: run.eastAsiaLanguage }))
    setEastAsianBreaks(text, breaks, languages, { isEastAsian, isStrict: lineRules })
  }
  if (libreOffice.spacesAtStyleChangesBreak) breakBetweenStyles(source, spans)
  for (const span of spans) {
    const { inline } = span
    if (inline !== undefined) segments.push(singleSegment(context, span, bidi))
    else if (span.hidden === true)
      segments.push({ ...blank(textStyleOf(context, span.run, 'plain')), kind: 'text' })
    else if (span.end > span.start) asian = cutSpan(context, source, span, segments) || asian
    const last = segments.at(-1)
    if (last !== undefined && (span.end > span.start || span.hidden === true) && breaks[span.end] === 1)
      last.breakAfter = true
  }
  kernSpaces(segments)
  if (!asian) return segments
  const spaces = word.scriptsMeetAnywhere(context.document.settings) ? spaceCharacters : spaceLetters
  if (!spaceBesideLetters && !spaceBesideDigits) return segments
  return spaces(segments, isEastAsian, (other) =>
    /\p{N}/u.test(other) ? spaceBesideDigits : spaceBesideLetters,
  )
}

/** A superset of the characters of `isEastAsian`: a quick test whether a paragraph needs the rules for them. */
const eastAsianText = /[\u2e80-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]/

/** Allows a line to end after spaces that end text of one style before text of another style. */
function breakBetweenStyles({ text, breaks }: ParagraphText, spans: readonly RunSpan[]): void {
  for (let i = 1; i < spans.length; i++) {
    const [before, span] = [spans[i - 1]!, spans[i]!]
    const { start, end, run } = span
    if (breaks[start] === 1 || text.charCodeAt(start - 1) !== 32 || end === start) continue
    if (before.inline !== undefined || span.inline !== undefined || before.run === run) continue
    if (JSON.stringify(before.run) !== JSON.stringify(run)) breaks[start] = 1
  }
}

/**
 * A cleared buffer shared by all paragraphs of a layout; each paragraph is done with it before the next one
 * starts.
 */
function breakFlags(context: LayoutContext, length: number): Uint8Array {
  const { scratch } = context
  if (scratch.flags.length < length) scratch.flags = new Uint8Array(length * 2)
  else scratch.flags.fill(0, 0, length)
  return scratch.flags
}

/** The one segment for a tab, a break, a drawing or a bookmark. */
function singleSegment(
  context: LayoutContext,
  span: RunSpan,
  bidi: ArrayLike<number> | undefined,
): TextSegment {
  const textStyle = textStyleOf(context, span.run, 'plain')
  const base = { ...blank(textStyle), level: bidi?.[span.start] ?? 0, link: span.link }
  const inline = span.inline!
  switch (inline.kind) {
    case 'tab':
      return { ...base, kind: 'tab', text: '\t', to: inline.to, breakAfter: true }
    case 'break':
      return {
        ...base,
        kind: 'break',
        at: inline.at,
        ...(inline.clear !== undefined && { clear: inline.clear }),
      }
    case 'soft-hyphen':
      return { ...base, kind: 'soft-hyphen', text: '\u00AD', width: measure('-', textStyle.shaping) }
    case 'bookmark':
      return { ...base, kind: 'mark', bookmark: inline.name }
    case 'drawing': {
      if (inline.drawing.anchor !== undefined) return { ...base, kind: 'mark', drawing: inline.drawing }
      const drawing = grown(
        context,
        sizedRuby(context, sizedMath(context, inline.drawing, textStyle), textStyle),
      )
      const width = drawing.width + (drawing.extent?.left ?? 0) + (drawing.extent?.right ?? 0)
      return { ...base, kind: 'object', width, drawing }
    }
    default:
      return { ...base, kind: 'mark' }
  }
}

/** An inline box with the height that its text gives it. */
function grown(context: LayoutContext, drawing: Drawing): Drawing {
  const { content, width, height, drop, dropGrows = 0 } = drawing
  if (content.kind !== 'shape' || content.text?.grows !== true) return drawing
  let cached = growth.get(context)
  if (cached === undefined) growth.set(context, (cached = new Map()))
  const before = cached.get(content)
  // Cached for each box, since otherwise the work for nested boxes would double with each level.
  const tall =
    before?.width === width
      ? before.tall
      : drawnHeight(context.flows.draw(drawing, width, height), height, drawing)
  cached.set(content, { width, tall })
  const more = tall - height
  if (more <= 0) return drawing
  return { ...drawing, height: tall, ...(drop !== undefined && { drop: drop + more * dropGrows }) }
}

/** The heights of boxes after layout, for one layout pass. */
const growth = new WeakMap<LayoutContext, Map<object, { readonly width: Pt; readonly tall: Pt }>>()

/** The text of a paragraph with the properties of each of its characters. */
interface ParagraphText {
  readonly text: string
  readonly breaks: Uint8Array
  /** The embedding levels of the Unicode bidirectional algorithm. */
  readonly bidi: ArrayLike<number> | undefined
  /** Which characters belong to complex scripts because of the direction of the text around them. */
  readonly complex: Uint8Array | undefined
}

/**
 * Divides a span of text by script and face and appends its segments. Returns whether it contains East Asian
 * text.
 */
function cutSpan(
  context: LayoutContext,
  source: ParagraphText,
  span: RunSpan,
  segments: TextSegment[],
): boolean {
  const { text, bidi, complex } = source
  let at = span.start
  /** Whether the span contains East Asian text. */
  let asian = false
  while (at < span.end) {
    const kind = kindAt(text, at, span.run, complex)
    asian ||= kind === 'east-asian'
    let end = at + 1
    while (end < span.end && sameKind(text, end, span.run, kind, complex)) end++
    const textStyle = textStyleOf(context, span.run, kind)
    const cased = kind === 'small' ? text.slice(at, end).toUpperCase() : text.slice(at, end)
    // A letter that becomes two when capitalised (the German sharp s) breaks the correspondence of positions,
    // so such text stays one segment.
    if (cased.length !== end - at)
      segments.push(
        textSegment({ textStyle, face: textStyle.face, text: cased, span, level: bidi?.[at] ?? 0 }),
      )
    else {
      const faces = context.fonts.runs(cased, textStyle.face, textStyle.shaping.language)
      for (const run of faces) {
        cutWords(
          {
            text: cased.slice(run.start, run.end),
            from: at + run.start,
            textStyle,
            face: run.face,
            span,
            source,
          },
          segments,
        )
      }
    }
    at = end
  }
  if (span.run.isFormBox && libreOffice.formBoxesAreSquare)
    segments.push(restOfBox(context, span, segments.at(-1)))
  return asian
}

/** The space that makes the box of a form as wide as its text is high. */
function restOfBox(context: LayoutContext, span: RunSpan, sign: TextSegment | undefined): TextSegment {
  const textStyle = textStyleOf(context, span.run, 'plain')
  const height = textStyle.ascent + textStyle.descent
  return { ...blank(textStyle), kind: 'object', width: Math.max(0, height - (sign?.width ?? 0)) }
}

/** A part of a span in one face. */
interface FaceText {
  readonly text: string
  /** Where `text` starts in the text of the paragraph. */
  readonly from: number
  readonly textStyle: TextStyle
  readonly face: Face
  readonly span: RunSpan
  readonly source: ParagraphText
}

/** Appends the words and spaces of a part as segments. */
function cutWords({ text, from, textStyle, face, span, source }: FaceText, segments: TextSegment[]): void {
  const { breaks, bidi } = source
  let start = 0
  while (start < text.length) {
    const space = text.charCodeAt(start) === 32
    let end = start + 1
    const level = bidi?.[from + start] ?? 0
    while (
      end < text.length &&
      (text.charCodeAt(end) === 32) === space &&
      (space || breaks[from + end] === 0) &&
      (bidi === undefined || bidi[from + end] === level)
    ) {
      end++
    }
    const segment = textSegment({
      textStyle,
      face,
      text: text.slice(start, end),
      span,
      level,
      space,
      neighbours: bidi === undefined ? undefined : neighboursOf(source.text, from + start, from + end),
    })
    if (breaks[from + end] === 1) segment.breakAfter = true
    segments.push(segment)
    start = end
  }
}

/**
 * Adds the kerning between words and spaces that are drawn as one run to the widths of the spaces, since words and spaces are
 * measured one by one. A space at the end of a line hangs over it, so that its width does not matter there.
 */
function kernSpaces(segments: TextSegment[]): void {
  for (let i = 0; i < segments.length; i++) {
    const space = segments[i]!
    if (space.kind !== 'space' || (space.level & 1) === 1) continue
    const [before, after] = [segments[i - 1], segments[i + 1]].map((word) =>
      word !== undefined && drawnTogether(word, space) ? word.text : '',
    )
    const last = characterAt(before ?? '', (before ?? '').length - 1)
    const style = shapingOf(space.textStyle, space.face, space.level)
    const kerning = spaceKerning(last, characterAt(after ?? '', 0), style)
    if (kerning === 0) continue
    segments[i] = { ...space, width: space.width + kerning }
    const kerningAtEnd = libreOffice.spacesKernWordsAtLineEnds ? spaceKerning(last, '', style) : 0
    if (kerningAtEnd !== 0) segments[i - 1] = { ...segments[i - 1]!, kerningAtEnd }
  }
}

/** Whether a word beside a space is drawn in one run with it, as `shapeGroups` decides. */
const drawnTogether = (word: TextSegment, { textStyle, face, level, link, control }: TextSegment): boolean =>
  word.kind === 'text' &&
  word.textStyle === textStyle &&
  word.face === face &&
  word.level === level &&
  word.link === link &&
  word.control === control

/** The character at an index; '' outside of the text and for half of a surrogate pair. */
function characterAt(text: string, at: number): string {
  const code = text.charCodeAt(at)
  return Number.isNaN(code) || (code >= 0xd800 && code < 0xe000) ? '' : (text[at] ?? '')
}

/** The content of a segment of text or spaces. */
interface SegmentText {
  readonly textStyle: TextStyle
  readonly face: Face
  readonly text: string
  readonly span: RunSpan
  readonly level: number
  readonly space?: boolean
  readonly neighbours?: Neighbours | undefined
}

/** One measured segment of text or spaces. */
function textSegment({
  textStyle,
  face,
  text,
  span,
  level,
  space = false,
  neighbours,
}: SegmentText): TextSegment {
  const width = measure(text, shapingOf(textStyle, face, level, neighbours))
  return {
    kind: space ? 'space' : 'text',
    textStyle,
    face,
    text,
    width,
    breakAfter: false,
    level,
    link: span.link,
    control: span.control,
    note: span.note,
  }
}
