import type {
  Field,
  Inline,
  Link,
  Paragraph,
  PositionedTab,
} from '../../../../../shared/document/document.ts'
import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { RunProperties } from '../../../../../shared/document/properties.ts'
import type { Face } from '../../fonts/face.ts'
import type { CellTextFormat, ComputedParagraph, ComputedRun } from '../../style/computed.ts'
import { momentText } from '../../style/moment.ts'
import { formatNumber } from '../../style/number-format.ts'
import { embeddingLevels } from '../../text/bidi.ts'
import { breakOpportunities } from '../../text/breaks.ts'
import { measure } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import { sizedRuby } from '../drawing/ruby.ts'
import { drawnHeight } from '../flow/floats.ts'
import type { Pt } from '../frame.ts'
import { sizedMath } from '../math/draw-math.ts'
import { type Look, type LookKind, lookOf } from './look.ts'
import { spaceScripts } from './script-space.ts'

/**
 * A text segment: the smallest part of a line, such as a word or part of one, a run of spaces, a tab or a
 * box.
 */
export interface Piece {
  readonly kind: 'text' | 'space' | 'tab' | 'break' | 'object' | 'mark' | 'soft-hyphen'
  readonly look: Look
  readonly face: Face
  readonly text: string
  readonly width: Pt
  /** A line may end after this segment. */
  breakAfter: boolean
  /** A soft hyphen that hyphenation added, not the author. */
  readonly automatic?: boolean
  /** The embedding level of the Unicode bidirectional algorithm. */
  readonly level: number
  readonly link?: Link
  readonly drawing?: Drawing
  /** The key of the note whose reference this is. */
  readonly note?: string
  /** The name of a bookmark. */
  readonly mark?: string
  /** What a break ends. */
  readonly at?: 'line' | 'page' | 'column'
  /** The target of a tab with an explicit position. */
  readonly to?: PositionedTab
  /** The part of a list label that the segment belongs to. */
  readonly label?: 'text' | 'tab'
}

/**
 * The text of a paragraph, measured and ready for line breaking. Hyphenation and overlong words divide
 * `pieces`.
 */
export interface Content {
  readonly pieces: Piece[]
  /** The text style of the paragraph mark: gives the height of an empty line. */
  readonly mark: Look
  /** The text style of the paragraph: gives the height of a line that contains only spaces. */
  readonly base: Look
  readonly bidi: boolean
  /** How a list label is aligned at its position. */
  readonly labelAlign: 'left' | 'center' | 'right'
  readonly hasNotes: boolean
  readonly hasText: boolean
}

/** The surroundings of the paragraph. `note` is the key of the note that the text belongs to. */
export interface ContentRequest {
  readonly format?: CellTextFormat
  readonly note?: string
  /** The width of the region in points. */
  readonly width?: Pt
}

/** A range of the text with one text style, from `start` up to `end`, before it is divided into segments. */
interface Span {
  readonly start: number
  readonly end: number
  readonly run: ComputedRun
  readonly inline?: Inline
  readonly link?: Link
  readonly note?: string
  readonly hidden?: boolean
}

const plainRun: RunProperties = {}

/**
 * The maximum length of a paragraph in characters; a longer one is cut off with a warning. A book has about
 * half as many.
 */
const maxParagraphLength = 2_000_000

/**
 * Collects the inlines of a paragraph as measured segments. Fields are replaced by the values of the current
 * page.
 */
export function collectContent(
  context: LayoutContext,
  paragraph: Paragraph,
  style: ComputedParagraph,
  request: ContentRequest,
): Content {
  const runs = context.styler.runs(style.style, request.format)
  const spans: Span[] = []
  let text = ''
  let hasNotes = false
  let leading: { readonly inline: NoteMark; readonly length: number; readonly run: ComputedRun } | undefined
  const add = (piece: string, run: ComputedRun, extra?: Partial<Span>): void => {
    spans.push({ start: text.length, end: text.length + piece.length, run, ...extra })
    text += piece
  }
  for (const inline of paragraph.inlines) {
    if (inline.kind === 'bookmark') {
      add('', runs.run(paragraph.mark), { inline })
      continue
    }
    const run = runs.run(inline.run)
    if (run.hidden) {
      // Observed in LibreOffice: hidden text among other text still contributes to the height of its line.
      if (inline.kind !== 'text' || inline.text !== '') add('', run, { hidden: true })
      continue
    }
    if (run.combined)
      context.warn({
        code: 'layout.two-lines',
        message: 'Two lines in the height of one are set on one line.',
      })
    if (text.length > maxParagraphLength) {
      context.warn({ code: 'layout.text-cut', message: 'A very long paragraph was cut off.' })
      break
    }
    switch (inline.kind) {
      case 'text':
        add(cased(inline.text, run), run, { link: inline.link })
        break
      case 'field':
        add(fieldText(context, inline, run), run, { link: inline.link })
        break
      case 'note': {
        const mark = context.values.noteMarks.get(inline.note) ?? context.labels.notes.get(inline) ?? ''
        hasNotes = true
        add(mark, run, { note: inline.note })
        break
      }
      case 'note-mark':
        if (text === '') leading = { inline, length: noteMark(context, inline, request.note).length, run }
        add(noteMark(context, inline, request.note), run)
        break
      case 'tab':
        add('\t', run, { inline, link: inline.link })
        break
      case 'break':
        add(inline.at === 'line' ? '\n' : '\f', run, { inline })
        break
      case 'drawing':
        // An anchored drawing is beside the text and takes no width in it.
        add(inline.drawing.anchor === undefined ? '\uFFFC' : '', run, {
          inline: acrossLine(inline, style, request.width),
          link: inline.link,
        })
        break
      case 'soft-hyphen':
        add('\u00AD', run, { inline })
        break
    }
  }
  const levels = embeddingLevels(text, style.rightToLeft ? 'rtl' : 'ltr')
  const pieces = cut(context, text, spans, levels)
  if (leading !== undefined && style.indentFirst < 0) {
    fillHanging(context, pieces, leading, -style.indentFirst)
    const tab = leading.inline.replacesTab === true ? pieces.findIndex((piece) => piece.kind === 'tab') : -1
    if (tab >= 0) pieces.splice(tab, 1)
  }
  const label = labelPieces(context, paragraph, style, runs)
  return {
    pieces: label === undefined ? pieces : [...label.pieces, ...pieces],
    mark: lookOf(context, runs.run(markOf(paragraph)), 'plain'),
    base: lookOf(context, runs.run(plainRun), 'plain'),
    bidi: levels !== undefined || label?.bidi === true,
    labelAlign: sideOf(label?.align ?? 'left', style.rightToLeft),
    hasNotes,
    hasText: text !== '',
  }
}

/**
 * A drawing whose width is a fraction of the line (`lineShare`), sized for a line of this width in points.
 */
function acrossLine(
  inline: Extract<Inline, { kind: 'drawing' }>,
  { indentStart, indentEnd }: ComputedParagraph,
  line: Pt | undefined,
): Inline {
  const { drawing } = inline
  if (drawing.lineShare === undefined || line === undefined) return inline
  const width = Math.max(1, (line - indentStart - indentEnd) * drawing.lineShare)
  const height =
    drawing.lineScales === true && drawing.width > 0
      ? (drawing.height * width) / drawing.width
      : drawing.height
  return { ...inline, drawing: { ...drawing, width, height } }
}

/**
 * The formatting of an empty line. Observed in LibreOffice: in an empty paragraph the character style of the
 * paragraph mark is ignored.
 */
function markOf({ inlines, mark }: Paragraph): RunProperties {
  if (inlines.length > 0 || mark.style === undefined) return mark
  let bare = unstyledMarks.get(mark)
  if (bare === undefined) unstyledMarks.set(mark, (bare = { ...mark, style: undefined }))
  return bare
}

/**
 * Paragraph marks without their style. Equal marks must be one object, since text styles are cached by
 * identity.
 */
const unstyledMarks = new WeakMap<RunProperties, RunProperties>()

type NoteMark = Extract<Inline, { kind: 'note-mark' }>

/** The number of the note that the text belongs to, as shown at the beginning of the note. */
function noteMark(context: LayoutContext, { prefix = '', suffix = '' }: NoteMark, note = ''): string {
  const mark = context.values.noteMarks.get(note) ?? context.labels.marks.get(note)
  return mark === undefined ? '' : prefix + mark + suffix
}

/**
 * Pads the number at the beginning of a note to the width of the hanging indent (observed in LibreOffice).
 */
function fillHanging(
  context: LayoutContext,
  pieces: Piece[],
  mark: { readonly length: number; readonly run: ComputedRun },
  indent: Pt,
): void {
  let [width, count, length] = [0, 0, 0]
  for (; count < pieces.length && length < mark.length; count++) {
    const piece = pieces[count]!
    width += piece.width
    length += piece.text.length
  }
  if (indent <= width) return
  pieces.splice(count, 0, {
    ...blank(lookOf(context, mark.run, 'plain')),
    kind: 'object',
    width: indent - width,
  })
}

/**
 * Applies the letter case of the run: capitals, small letters, or a capital at the beginning of each word.
 */
function cased(text: string, run: ComputedRun): string {
  if (run.caps) return upper(text, run)
  if (run.letterCase === 'lower') return text.toLowerCase()
  if (run.letterCase === 'title')
    return text.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase())
  return text
}

/** Text in capitals. In Turkish the capital of i keeps its dot. */
function upper(text: string, run: ComputedRun): string {
  return run.language?.toLowerCase().startsWith('tr') === true
    ? text.toLocaleUpperCase('tr')
    : text.toUpperCase()
}

/**
 * The alignment of a label by reading direction. Observed in LibreOffice for DOCX and ODT: in right-to-left
 * paragraphs left and right swap.
 */
function sideOf(align: Content['labelAlign'], rightToLeft: boolean): Content['labelAlign'] {
  if (!rightToLeft || align === 'center') return align
  return align === 'left' ? 'right' : 'left'
}

/**
 * The segments of a list label and of the tab or space after it; undefined when the paragraph has no label.
 */
function labelPieces(
  context: LayoutContext,
  paragraph: Paragraph,
  style: ComputedParagraph,
  runs: ReturnType<LayoutContext['styler']['runs']>,
): { pieces: Piece[]; align: Content['labelAlign']; bidi: boolean } | undefined {
  const label = context.labels.paragraphs.get(paragraph)
  if (label === undefined) return undefined
  const { level } = label
  const run = runs.label(paragraph.mark, level.run)
  const pieces: Piece[] = []
  let bidi = false
  const look = lookOf(context, run, 'plain')
  if (level.picture !== undefined && level.pictureSize !== undefined) {
    const drawing: Drawing = {
      ...level.pictureSize,
      ...level.picturePlace,
      rotation: 0,
      content: { kind: 'picture', media: level.picture },
    }
    const width = drawing.width + (drawing.extent?.left ?? 0) + (drawing.extent?.right ?? 0)
    pieces.push({ ...blank(look), kind: 'object', width, drawing, label: 'text' })
  } else if (label.text !== '' && !run.hidden) {
    const text = run.caps ? upper(label.text, run) : label.text
    const levels = embeddingLevels(text, style.rightToLeft ? 'rtl' : 'ltr')
    bidi = levels !== undefined
    for (const piece of cut(context, text, [{ start: 0, end: text.length, run }], levels)) {
      pieces.push({ ...piece, breakAfter: false, label: 'text' })
    }
  }
  if (level.suffix === 'tab') pieces.push({ ...blank(look), kind: 'tab', text: '\t', label: 'tab' })
  else if (level.suffix === 'space') {
    pieces.push({ ...blank(look), kind: 'space', text: ' ', width: measure(' ', look.style) })
  } else if (level.labelGap !== undefined && label.text !== '') {
    pieces.push({ ...blank(look), kind: 'object', width: level.labelGap })
  }
  // A level without number and text only indents.
  if (pieces.length === 1 && level.suffix === 'tab' && label.text === '' && level.format === 'none') {
    return style.indentFirst < 0 ? { pieces, align: level.align, bidi } : undefined
  }
  return { pieces, align: level.align, bidi }
}

/** A segment without text and width. */
const blank = (look: Look): Omit<Piece, 'kind'> => ({
  look,
  face: look.face,
  text: '',
  width: 0,
  breakAfter: false,
  level: 0,
})

/** The current value of a field. Records in `values.used` when the value can change between layout passes. */
function fieldText(
  context: LayoutContext,
  inline: Extract<Inline, { kind: 'field' }>,
  run: ComputedRun,
): string {
  const { values } = context
  const { field } = inline
  switch (field.name) {
    case 'page':
      values.used.page = true
      return formatNumber(values.page + (field.offset ?? 0), field.format ?? values.pageFormat)
    case 'pages':
      values.used.pages = true
      return formatNumber(values.pages || Number.parseInt(field.text, 10) || 1, field.format ?? 'decimal')
    case 'section-pages':
      values.used.pages = true
      return formatNumber(
        values.sectionPages || Number.parseInt(field.text, 10) || 1,
        field.format ?? 'decimal',
      )
    case 'chapter':
      values.used.page = true
      return chapterText(context, field)
    case 'moment':
      return momentText(field, values.now, field.language ?? run.language)
    case 'number':
      return formatNumber(field.value ?? 1, field.format ?? 'decimal')
    case 'label-of':
      return context.labels.ofBookmarks.get(field.of ?? '')?.label?.replace(/\.$/, '') ?? field.text
    case 'note-of': {
      const { note, noteKey = '' } = context.labels.ofBookmarks.get(field.of ?? '') ?? {}
      return values.noteMarks.get(noteKey) ?? note ?? field.text
    }
    case 'section':
      return formatNumber(values.section, field.format ?? 'decimal')
    case 'page-of': {
      values.used.bookmarks = true
      return values.bookmarks.get(field.of ?? '') ?? field.text
    }
    default:
      return field.name satisfies never
  }
}

/**
 * The part of the chapter heading that a field shows. Outside headers and footers it keeps the text saved in
 * the document.
 */
function chapterText({ values }: LayoutContext, { level = 1, parts, text }: Field): string {
  if (values.chapter === undefined) return text
  const heading = values.chapter(level)
  if (heading === undefined) return ''
  const { title, label = '' } = heading
  // Observed in LibreOffice: the space is present even without a number.
  if (parts === 'both') return `${label} ${title.slice(label.length).trim()}`
  return parts === 'number' ? label : title.slice(label.length).trim()
}

/** Divides the text at changes of text style and face, at spaces and at break opportunities. */
function cut(
  context: LayoutContext,
  text: string,
  spans: readonly Span[],
  bidi: ArrayLike<number> | undefined,
): Piece[] {
  const pieces: Piece[] = []
  let asian = false
  const breaks = breakFlags(context, text.length + 1)
  // A line ends at a slash only when there is no other opportunity. `LineFiller` finds those slashes itself.
  for (const { at } of breakOpportunities(text)) if (text.charCodeAt(at - 1) !== 47) breaks[at] = 1
  for (const span of spans) {
    const { inline } = span
    if (inline !== undefined) pieces.push(single(context, span, bidi))
    else if (span.hidden === true) pieces.push({ ...blank(lookOf(context, span.run, 'plain')), kind: 'text' })
    else if (span.end > span.start) asian = cutSpan(context, text, span, breaks, bidi, pieces) || asian
    const last = pieces.at(-1)
    if (last !== undefined && (span.end > span.start || span.hidden === true) && breaks[span.end] === 1)
      last.breakAfter = true
  }
  return asian ? spaceScripts(pieces, isEastAsian) : pieces
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
function single(context: LayoutContext, span: Span, bidi: ArrayLike<number> | undefined): Piece {
  const look = lookOf(context, span.run, 'plain')
  const base = { ...blank(look), level: bidi?.[span.start] ?? 0, link: span.link }
  const inline = span.inline!
  switch (inline.kind) {
    case 'tab':
      return { ...base, kind: 'tab', text: '\t', to: inline.to, breakAfter: true }
    case 'break':
      return { ...base, kind: 'break', at: inline.at }
    case 'soft-hyphen':
      return { ...base, kind: 'soft-hyphen', text: '\u00AD', width: measure('-', look.style) }
    case 'bookmark':
      return { ...base, kind: 'mark', mark: inline.name }
    case 'drawing': {
      if (inline.drawing.anchor !== undefined) return { ...base, kind: 'mark', drawing: inline.drawing }
      const drawing = grown(context, sizedRuby(context, sizedMath(context, inline.drawing, look), look))
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
  let known = growth.get(context)
  if (known === undefined) growth.set(context, (known = new Map()))
  const before = known.get(content)
  // Cached for each box, since otherwise the work for nested boxes would double with each level.
  const tall =
    before?.width === width
      ? before.tall
      : drawnHeight(context.flows.draw(drawing, width, height), height, drawing)
  known.set(content, { width, tall })
  const more = tall - height
  if (more <= 0) return drawing
  return { ...drawing, height: tall, ...(drop !== undefined && { drop: drop + more * dropGrows }) }
}

/** The heights of boxes after layout, for one layout pass. */
const growth = new WeakMap<LayoutContext, Map<object, { readonly width: Pt; readonly tall: Pt }>>()

/**
 * Divides a span of text by script and face and appends its segments. Returns whether it contains East Asian
 * text.
 */
function cutSpan(
  context: LayoutContext,
  text: string,
  span: Span,
  breaks: Uint8Array,
  bidi: ArrayLike<number> | undefined,
  pieces: Piece[],
): boolean {
  let at = span.start
  /** Whether the span contains East Asian text. */
  let asian = false
  while (at < span.end) {
    const kind = kindAt(text, at, span.run)
    asian ||= kind === 'east-asian'
    let end = at + 1
    while (end < span.end && sameKind(text, end, span.run, kind)) end++
    const look = lookOf(context, span.run, kind)
    const shown = kind === 'small' ? text.slice(at, end).toUpperCase() : text.slice(at, end)
    // A letter that becomes two when capitalised (the German sharp s) breaks the correspondence of positions,
    // so such text stays one segment.
    if (shown.length !== end - at) pieces.push(textPiece(look, look.face, shown, span, bidi?.[at] ?? 0))
    else {
      const faces = context.fonts.runs(shown, look.face)
      for (const run of faces) {
        cutWords(
          {
            shown: shown.slice(run.start, run.end),
            from: at + run.start,
            look,
            face: run.face,
            span,
            breaks,
            bidi,
          },
          pieces,
        )
      }
    }
    at = end
  }
  return asian
}

/** A part of a span in one face. */
interface Words {
  readonly shown: string
  /** Where `shown` starts in the text of the paragraph. */
  readonly from: number
  readonly look: Look
  readonly face: Face
  readonly span: Span
  readonly breaks: Uint8Array
  readonly bidi: ArrayLike<number> | undefined
}

/** Appends the words and spaces of a part as segments. */
function cutWords({ shown, from, look, face, span, breaks, bidi }: Words, pieces: Piece[]): void {
  let start = 0
  while (start < shown.length) {
    const space = shown.charCodeAt(start) === 32
    let end = start + 1
    const level = bidi?.[from + start] ?? 0
    while (
      end < shown.length &&
      (shown.charCodeAt(end) === 32) === space &&
      (space || breaks[from + end] === 0) &&
      (bidi === undefined || bidi[from + end] === level)
    ) {
      end++
    }
    const piece = textPiece(look, face, shown.slice(start, end), span, level, space)
    if (breaks[from + end] === 1) piece.breakAfter = true
    pieces.push(piece)
    start = end
  }
}

/** One measured segment of text or spaces. */
function textPiece(look: Look, face: Face, text: string, span: Span, level: number, space = false): Piece {
  const style = face === look.face ? look.style : { ...look.style, face }
  const width = measure(text, (level & 1) === 1 ? { ...style, rtl: true } : style)
  return {
    kind: space ? 'space' : 'text',
    look,
    face,
    text,
    width,
    breakAfter: false,
    level,
    link: span.link,
    note: span.note,
  }
}

/** Whether a character belongs to the blocks of Han, Kana, Hangul and full-width forms. */
function isEastAsian(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (
    code >= 0x2e80 &&
    (code <= 0xd7ff ||
      (code >= 0xf900 && code <= 0xfaff) ||
      (code >= 0xfe30 && code <= 0xfe4f) ||
      (code >= 0xff00 && code <= 0xffef))
  )
}

/** Which of the fonts and sizes of a run applies to a character. */
function kindAt(text: string, at: number, run: ComputedRun): LookKind {
  const code = text.charCodeAt(at)
  if (code < 0x80) {
    if (run.rightToLeft) return 'complex'
    return run.smallCaps && code >= 97 && code <= 122 ? 'small' : 'plain'
  }
  if (isEastAsian(text, at)) return 'east-asian'
  if (
    (code >= 0x0590 && code <= 0x109f) ||
    (code >= 0xfb1d && code <= 0xfdff) ||
    (code >= 0xfe70 && code <= 0xfefc)
  ) {
    return 'complex'
  }
  if (run.eastAsiaHint && ((code >= 0x2010 && code <= 0x2027) || (code >= 0x2460 && code <= 0x27bf)))
    return 'east-asian'
  if (run.smallCaps && code < 0x2000) {
    const letter = text[at]!
    if (letter !== letter.toUpperCase()) return 'small'
  }
  return run.otherFamily === run.family ? 'plain' : 'other'
}

/** Whether a character continues a part of the given kind. */
function sameKind(text: string, at: number, run: ComputedRun, kind: LookKind): boolean {
  const code = text.charCodeAt(at)
  // Spaces and combining marks stay with the character before them, and low surrogates with the high one.
  if (code === 32 && kind !== 'small' && kind !== 'east-asian') return true
  if ((code >= 0x300 && code <= 0x36f) || (code >= 0xdc00 && code <= 0xdfff)) return true
  return kindAt(text, at, run) === kind
}
