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

/** The smallest thing a line is made of: a word or part of one, a run of spaces, a tab, a box. */
export interface Piece {
  readonly kind: 'text' | 'space' | 'tab' | 'break' | 'object' | 'mark' | 'soft-hyphen'
  readonly look: Look
  readonly face: Face
  readonly text: string
  readonly width: Pt
  /** A line may end behind this piece. */
  breakAfter: boolean
  /** A soft hyphen that no author set: put where a word was divided. */
  readonly automatic?: boolean
  readonly level: number // of the bidirectional algorithm
  readonly link?: Link
  readonly drawing?: Drawing
  readonly note?: string // key of the note whose mark this is
  readonly mark?: string // bookmark name
  readonly at?: 'line' | 'page' | 'column'
  readonly to?: PositionedTab
  readonly label?: 'text' | 'tab'
}

export interface Content {
  readonly pieces: Piece[]
  /** The look of the paragraph mark: height of an empty line. */
  readonly mark: Look
  /** The look of the paragraph's style: height of a line that holds only spaces. */
  readonly base: Look
  readonly bidi: boolean
  /** Where a list label stands against its position. */
  readonly labelAlign: 'left' | 'center' | 'right'
  readonly hasNotes: boolean
  readonly hasText: boolean
}

export interface ContentRequest {
  readonly format?: CellTextFormat
  readonly note?: string
  /** Of the region. */
  readonly width?: Pt
}

/** A stretch of one look, before it is cut into pieces. */
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

/** Longest text of one paragraph that is laid out, in characters; more is cut off with a warning. */
const longestParagraph = 2_000_000

/** Turns the inlines of a paragraph into measured pieces. */
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
      // Observed in LibreOffice: among other text what is hidden still makes its line as tall as it is.
      if (inline.kind !== 'text' || inline.text !== '') add('', run, { hidden: true })
      continue
    }
    if (run.combined)
      context.warn({
        code: 'layout.two-lines',
        message: 'Two lines in the height of one are set on one line.',
      })
    if (text.length > longestParagraph) {
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
        // What is anchored stands beside the text: it takes no place in it.
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

/** A drawing as wide as a share of its line, in a line of this width. */
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

/** What an empty line looks like. Observed in LibreOffice: in a paragraph of nothing the style of the mark is left out. */
function markOf({ inlines, mark }: Paragraph): RunProperties {
  if (inlines.length > 0 || mark.style === undefined) return mark
  let bare = bareMarks.get(mark)
  if (bare === undefined) bareMarks.set(mark, (bare = { ...mark, style: undefined }))
  return bare
}

/** Marks without their style; equal marks are one object. */
const bareMarks = new WeakMap<RunProperties, RunProperties>()

type NoteMark = Extract<Inline, { kind: 'note-mark' }>

function noteMark(context: LayoutContext, { prefix = '', suffix = '' }: NoteMark, note = ''): string {
  const mark = context.values.noteMarks.get(note) ?? context.labels.marks.get(note)
  return mark === undefined ? '' : prefix + mark + suffix
}

/** The mark of a note that begins a paragraph takes at least the hanging indent (observed in LibreOffice). */
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

/** The letters as the run wants them: capitals, small letters, a capital at each beginning. */
function cased(text: string, run: ComputedRun): string {
  if (run.caps) return upper(text, run)
  if (run.letterCase === 'lower') return text.toLowerCase()
  if (run.letterCase === 'title')
    return text.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase())
  return text
}

function upper(text: string, run: ComputedRun): string {
  return run.language?.toLowerCase().startsWith('tr') === true
    ? text.toLocaleUpperCase('tr')
    : text.toUpperCase()
}

/** Observed in LibreOffice, DOCX and ODT: in paragraphs from right to left labels that stand left stand right, and back. */
function sideOf(align: Content['labelAlign'], rightToLeft: boolean): Content['labelAlign'] {
  if (!rightToLeft || align === 'center') return align
  return align === 'left' ? 'right' : 'left'
}

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
  // Nothing to show and nothing to skip: a level that only indents.
  if (pieces.length === 1 && level.suffix === 'tab' && label.text === '' && level.format === 'none') {
    return style.indentFirst < 0 ? { pieces, align: level.align, bidi } : undefined
  }
  return { pieces, align: level.align, bidi }
}

const blank = (look: Look): Omit<Piece, 'kind'> => ({
  look,
  face: look.face,
  text: '',
  width: 0,
  breakAfter: false,
  level: 0,
})

/** What a live field shows now. */
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

/** What of its heading a chapter field shows; elsewhere than in headers and footers what was saved. */
function chapterText({ values }: LayoutContext, { level = 1, parts, text }: Field): string {
  if (values.chapter === undefined) return text
  const heading = values.chapter(level)
  if (heading === undefined) return ''
  const { title, label = '' } = heading
  // Observed in LibreOffice: the space stands there without a number, too.
  if (parts === 'both') return `${label} ${title.slice(label.length).trim()}`
  return parts === 'number' ? label : title.slice(label.length).trim()
}

/** Cuts the text at changes of look and face, at spaces and where a line may end. */
function cut(
  context: LayoutContext,
  text: string,
  spans: readonly Span[],
  bidi: ArrayLike<number> | undefined,
): Piece[] {
  const pieces: Piece[] = []
  let asian = false
  const breaks = breakFlags(context, text.length + 1)
  // A slash is a place to end a line only where nothing else is: the line looks for it itself.
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

/** One buffer for all paragraphs of a layout: it is read before the next one is cut. */
function breakFlags(context: LayoutContext, length: number): Uint8Array {
  const { scratch } = context
  if (scratch.flags.length < length) scratch.flags = new Uint8Array(length * 2)
  else scratch.flags.fill(0, 0, length)
  return scratch.flags
}

/** Tabs, breaks, drawings and marks: one piece each. */
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

/** A box in the line is as tall as the text in it makes it. */
function grown(context: LayoutContext, drawing: Drawing): Drawing {
  const { content, width, height, drop, dropGrows = 0 } = drawing
  if (content.kind !== 'shape' || content.text?.grows !== true) return drawing
  let known = growth.get(context)
  if (known === undefined) growth.set(context, (known = new Map()))
  const before = known.get(content)
  // Once for each box: boxes in boxes would be drawn twice as often with each step inwards.
  const tall =
    before?.width === width
      ? before.tall
      : drawnHeight(context.flows.draw(drawing, width, height), height, drawing)
  known.set(content, { width, tall })
  const more = tall - height
  if (more <= 0) return drawing
  return { ...drawing, height: tall, ...(drop !== undefined && { drop: drop + more * dropGrows }) }
}

/** How tall boxes became, in one pass of the layout. */
const growth = new WeakMap<LayoutContext, Map<object, { readonly width: Pt; readonly tall: Pt }>>()

function cutSpan(
  context: LayoutContext,
  text: string,
  span: Span,
  breaks: Uint8Array,
  bidi: ArrayLike<number> | undefined,
  pieces: Piece[],
): boolean {
  let at = span.start
  let asian = false // some of it is
  while (at < span.end) {
    const kind = kindAt(text, at, span.run)
    asian ||= kind === 'east-asian'
    let end = at + 1
    while (end < span.end && sameKind(text, end, span.run, kind)) end++
    const look = lookOf(context, span.run, kind)
    const shown = kind === 'small' ? text.slice(at, end).toUpperCase() : text.slice(at, end)
    // Letters that grow when capitalised (the German sharp s) lose their places: such a text is one piece.
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

interface Words {
  readonly shown: string
  readonly from: number // where `shown` starts in the paragraph
  readonly look: Look
  readonly face: Face
  readonly span: Span
  readonly breaks: Uint8Array
  readonly bidi: ArrayLike<number> | undefined
}

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

/** Which of the run's faces and sizes a character takes. */
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

function sameKind(text: string, at: number, run: ComputedRun, kind: LookKind): boolean {
  const code = text.charCodeAt(at)
  // Spaces and combining characters stay with what is before them; the low half of a pair with the high one.
  if (code === 32 && kind !== 'small' && kind !== 'east-asian') return true
  if ((code >= 0x300 && code <= 0x36f) || (code >= 0xdc00 && code <= 0xdfff)) return true
  return kindAt(text, at, run) === kind
}
