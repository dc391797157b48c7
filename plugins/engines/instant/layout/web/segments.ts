/**
 * Divides the inline content of a paragraph into segments: words, spaces and boxes with their widths. White space is
 * collapsed and text is transformed; text of different faces or directions is split. Source: CSS Text 3, 4 and 5.
 */
import type { Face } from '../../fonts/face.ts'
import { embeddingLevels } from '../../text/bidi.ts'
import { measure } from '../../text/shape.ts'
import type { Pt } from '../frame.ts'
import type { InlineItem, InlineState, LayoutBox, LinesBox, Marker } from './box.ts'
import type { WebContext } from './context.ts'
import { markerWidth } from './markers.ts'
import { fontOf, type TextFont } from './text-font.ts'
import { webBreaks } from './web-breaks.ts'

export interface Segment {
  readonly kind:
    | 'text'
    | 'space'
    | 'tab'
    | 'open'
    | 'close'
    | 'atomic'
    | 'break'
    | 'mark'
    | 'marker'
    | 'out-of-flow'
  readonly text: string
  /** In pt; 0 for boxes, whose width depends on the line. */
  readonly width: Pt
  readonly font: TextFont
  readonly face: Face
  readonly state: InlineState
  /** A line may break after this segment. */
  readonly breakAfter: boolean
  readonly level: number
  /** The space disappears at the start and end of a line. */
  readonly collapses: boolean
  readonly box?: LayoutBox
  readonly id?: string
  readonly marker?: Marker
}

export interface Paragraph {
  readonly box: LinesBox
  readonly segments: readonly Segment[]
  readonly strut: TextFont
  readonly rightToLeft: boolean
  readonly isBidi: boolean
}

/** The range of the paragraph's text that one inline item covers. */
interface Span {
  readonly start: number
  readonly end: number
  readonly item: InlineItem
}

/** Returns the segments of a paragraph, from the cache if possible. */
export function paragraphOf(context: WebContext, box: LinesBox): Paragraph {
  const known = context.paragraphs.get(box)
  if (known !== undefined) return known
  const { text, spans } = collectText(box.items)
  const rightToLeft = box.style.word('direction') === 'rtl'
  const levels = embeddingLevels(text, rightToLeft ? 'rtl' : 'ltr')
  const breaks = webBreaks(text)
  const segments: Segment[] = []
  for (const span of spans) {
    context.budget.check(1 + (span.end - span.start) / 16)
    const { item } = span
    if (item.kind === 'text') cutSpan(context, { text, breaks, levels }, span, item.state, segments)
    else if (item.kind === 'break-opportunity') allowBreakAfter(segments)
    else segments.push(objectSegment(context, span, breaks, levels?.[span.start] ?? (rightToLeft ? 1 : 0)))
  }
  const paragraph = {
    box,
    segments,
    strut: fontOf(box.style, context.fonts, context.language),
    rightToLeft,
    isBidi: levels !== undefined,
  }
  context.paragraphs.set(box, paragraph)
  return paragraph
}

/** Lets a line be broken after the last segment that has content. */
function allowBreakAfter(segments: Segment[]): void {
  const last = segments.findLastIndex(({ kind }) => kind !== 'open' && kind !== 'close')
  const segment = segments[last]
  if (segment !== undefined) segments[last] = { ...segment, breakAfter: true }
}

const wraps = (state: InlineState): boolean => !/^(?:nowrap|pre)$/.test(state.style.word('white-space') ?? '')

function collectText(items: readonly InlineItem[]): {
  readonly text: string
  readonly spans: readonly Span[]
} {
  const spans: Span[] = []
  let text = ''
  let isAfterSpace = true // leading spaces of a paragraph collapse
  for (const item of items) {
    const start = text.length
    if (item.kind === 'text') {
      const { style } = item.state
      const space = style.word('white-space') ?? 'normal'
      let added = item.text
      if (/^(?:pre|pre-wrap|break-spaces)$/.test(space)) {
        // The parser has made line feeds of line ends; a carriage return from a reference counts as a space (CSS Text 3, 3).
        added = added.replace(/[\r\f]/g, ' ')
        if (added !== '') isAfterSpace = false
      } else {
        added =
          space === 'pre-line'
            ? added.replace(/[ \t]*\n[ \t]*/g, '\n').replace(/[ \t\r\f]+/g, ' ')
            : added.replace(/[ \t\r\n\f]+/g, ' ')
        if (isAfterSpace && added.startsWith(' ')) added = added.slice(1)
        if (added !== '') isAfterSpace = added.endsWith(' ') || added.endsWith('\n')
      }
      text += transformed(added, style.word('text-transform'))
    } else if (item.kind === 'atomic') {
      text += '\ufffc'
      isAfterSpace = false
    } else if (item.kind === 'break') {
      text += '\n'
      isAfterSpace = true
    }
    spans.push({ start, end: text.length, item })
  }
  return { text, spans }
}

function transformed(text: string, how: string | undefined): string {
  if (how === 'uppercase') return text.toUpperCase()
  if (how === 'lowercase') return text.toLowerCase()
  return how === 'capitalize'
    ? text.replace(/(^|[\s(["'-])(\p{Ll})/gu, (_, before, letter) => before + letter.toUpperCase())
    : text
}

interface ParagraphText {
  readonly text: string
  readonly breaks: Uint8Array
  readonly levels: ArrayLike<number> | undefined
}

function objectSegment(context: WebContext, { item, end }: Span, breaks: Uint8Array, level: number): Segment {
  const font = fontOf(item.state.style, context.fonts, context.language)
  const base = {
    text: '',
    width: 0,
    font,
    face: font.face,
    state: item.state,
    breakAfter: false,
    level,
    collapses: false,
  }
  switch (item.kind) {
    case 'atomic':
      return { ...base, kind: 'atomic', box: item.box, breakAfter: breaks[end] === 1 }
    case 'out-of-flow':
      return { ...base, kind: 'out-of-flow', box: item.box }
    case 'mark':
      return { ...base, kind: 'mark', id: item.id }
    case 'marker':
      return { ...base, kind: 'marker', marker: item.marker, width: markerWidth(item.marker, font) }
    case 'break':
      return { ...base, kind: 'break' }
    default:
      return { ...base, kind: item.kind === 'open' ? 'open' : 'close' }
  }
}

/** Appends the words and spaces of a text item. */
function cutSpan(
  context: WebContext,
  source: ParagraphText,
  span: Span,
  state: InlineState,
  segments: Segment[],
): void {
  const { text } = source
  const font = fontOf(state.style, context.fonts, context.language)
  const space = state.style.word('white-space') ?? 'normal'
  const keepsSpaces = /^(?:pre|pre-wrap|break-spaces)$/.test(space)
  const isWrapped = wraps(state)
  let at = span.start
  while (at < span.end) {
    const line = text.indexOf('\n', at)
    const end = line < 0 || line >= span.end ? span.end : line
    if (end > at)
      for (const run of context.fonts.runs(text.slice(at, end), font.face, context.language))
        cutRun(
          source,
          { start: at + run.start, end: at + run.end, face: run.face, font, state, keepsSpaces, isWrapped },
          segments,
        )
    if (end < span.end)
      segments.push({
        kind: 'break',
        text: '',
        width: 0,
        font,
        face: font.face,
        state,
        breakAfter: false,
        level: 0,
        collapses: false,
      })
    at = end + 1
  }
}

interface FaceText {
  readonly start: number
  readonly end: number
  readonly face: Face
  readonly font: TextFont
  readonly state: InlineState
  readonly keepsSpaces: boolean
  readonly isWrapped: boolean
}

function cutRun({ text, breaks, levels }: ParagraphText, run: FaceText, segments: Segment[]): void {
  const { face, font, state, keepsSpaces, isWrapped } = run
  const wordSpacing = state.style.length('word-spacing') ?? 0
  for (let from = run.start; from < run.end; ) {
    const code = text.charCodeAt(from)
    const isSpace = code === 32
    const level = levels?.[from] ?? 0
    let to = from + 1
    if (code !== 9)
      while (
        to < run.end &&
        text.charCodeAt(to) !== 9 &&
        (text.charCodeAt(to) === 32) === isSpace &&
        (isSpace || breaks[to] === 0) &&
        (levels?.[to] ?? 0) === level
      )
        to++
    const part = text.slice(from, to)
    const shaping = { ...font.shaping, face, ...(level % 2 === 1 && { rtl: true }) }
    segments.push({
      kind: code === 9 ? 'tab' : isSpace ? 'space' : 'text',
      text: part,
      width: code === 9 ? 0 : measure(part, shaping) + (isSpace ? wordSpacing * part.length : 0),
      font,
      face,
      state,
      breakAfter: isWrapped && (breaks[to] === 1 || code === 9 || (isSpace && keepsSpaces)),
      level,
      collapses: isSpace && !keepsSpaces,
    })
    from = to
  }
}
