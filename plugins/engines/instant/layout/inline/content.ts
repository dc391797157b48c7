import type { Inline, Paragraph } from '../../../../../shared/document/content.ts'
import type { RunProperties } from '../../../../../shared/document/properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { CellTextFormat, ComputedParagraph, ComputedRun } from '../../style/computed.ts'
import type { RunStyler } from '../../style/styler.ts'
import { embeddingLevels } from '../../text/bidi.ts'
import type { LayoutContext } from '../context.ts'
import type { Pt } from '../frame.ts'
import { cutText } from './cut-text.ts'
import { fieldText } from './fields.ts'
import { cased } from './letter-case.ts'
import { alignmentOf, labelSegments } from './list-label.ts'
import { decimalSpace } from './tabs.ts'
import { textStyleOf } from './text-style.ts'
import { blank, type InlineContent, type RunSpan, type TextSegment } from './types.ts'

/** What the collection of inlines depends on. `note` is the key of the note that the text belongs to. */
export interface ContentRequest {
  readonly format?: CellTextFormat
  readonly note?: string
  /** The width of the region in points. */
  readonly width?: Pt
}

const unformattedRun: RunProperties = {}

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
): InlineContent {
  const runs = context.styler.runs(style.style, request.format)
  const { text, spans, hasNotes, leading } = collectText({ context, style, request }, paragraph, runs)
  const levels = embeddingLevels(text, style.rightToLeft ? 'rtl' : 'ltr')
  const segments = cutText(context, text, spans, levels, style.eastAsian)
  if (libreOffice.noteNumbersFillIndent && leading !== undefined && style.indentFirst < 0) {
    fillHanging(context, segments, leading, -style.indentFirst)
    const tab =
      leading.inline.replacesTab === true ? segments.findIndex((segment) => segment.kind === 'tab') : -1
    if (tab >= 0) segments.splice(tab, 1)
  }
  const label = labelSegments(context, paragraph, style, runs)
  const isInCell = request.format !== undefined && label === undefined
  const space = isInCell ? decimalSpace(context, style, segments, request.width) : undefined
  if (space !== undefined) segments.unshift(space)
  return {
    segments: label === undefined ? segments : [...label.segments, ...segments],
    paragraphMark: textStyleOf(context, runs.run(paragraphMarkOf(paragraph)), 'plain'),
    base: textStyleOf(
      context,
      runs.run(word.marksGiveHeight(context.document.settings) ? paragraph.mark : unformattedRun),
      'plain',
    ),
    bidi: levels !== undefined || label?.bidi === true,
    labelAlign: alignmentOf(label?.align ?? 'left', style.rightToLeft),
    hasNotes,
    hasText: text !== '',
  }
}

/** The text of a paragraph with its spans, before it is cut into segments. */
interface CollectedText {
  text: string
  readonly spans: RunSpan[]
  hasNotes: boolean
  /** The number of a note at the start of its text. */
  leading: { readonly inline: NoteMark; readonly length: number; readonly run: ComputedRun } | undefined
  /** Whether the mark of a comment was the last inline, so that text after it continues the text before it. */
  isParted: boolean
}

/** What the inlines of a paragraph are turned into text by. */
interface TextSource {
  readonly context: LayoutContext
  readonly style: ComputedParagraph
  readonly request: ContentRequest
}

function collectText(source: TextSource, paragraph: Paragraph, runs: RunStyler): CollectedText {
  const { context } = source
  const collected: CollectedText = {
    text: '',
    spans: [],
    hasNotes: false,
    leading: undefined,
    isParted: false,
  }
  for (const inline of paragraph.inlines) {
    if (inline.kind === 'bookmark') {
      if (inline.comment === undefined) addSpan(collected, '', runs.run(paragraph.mark), { inline })
      else collected.isParted = true
      continue
    }
    const isPlain = !word.controlsKeepTheirLook && inline.kind === 'text' && inline.isInPlainControl === true
    const run = runs.run(isPlain ? unformattedRun : inline.run)
    if (inline.kind !== 'text') collected.isParted = false
    if (run.hidden) {
      if (libreOffice.hiddenTextHasHeight && (inline.kind !== 'text' || inline.text !== ''))
        addSpan(collected, '', run, { hidden: true })
      continue
    }
    if (run.combined)
      context.warn({
        code: 'layout.two-lines',
        message: 'Text that should be set as two lines in one is set as a single line.',
      })
    if (collected.text.length > maxParagraphLength) {
      context.warn({ code: 'layout.text-cut', message: 'A paragraph is too long and was cut off.' })
      break
    }
    addInline(collected, source, inline, run)
  }
  return collected
}

/** Adds an inline that is shown, as its text. */
function addInline(
  collected: CollectedText,
  { context, style, request }: TextSource,
  inline: Exclude<Inline, { kind: 'bookmark' }>,
  run: ComputedRun,
): void {
  switch (inline.kind) {
    case 'text':
      addText(collected, cased(inline.text, run), run, inline)
      break
    case 'field':
      addSpan(collected, fieldText(context, inline, run), run, { link: inline.link })
      break
    case 'note': {
      const number = context.values.noteNumbers.get(inline.note) ?? context.labels.notes.get(inline) ?? ''
      collected.hasNotes = true
      addSpan(collected, number, run, { note: inline.note })
      break
    }
    case 'note-mark': {
      const number = noteNumber(context, inline, request.note)
      if (collected.text === '') collected.leading = { inline, length: number.length, run }
      addSpan(collected, number, word.noteNumbersLookAsRuns ? run : raised(run))
      break
    }
    case 'tab':
      addSpan(collected, '\t', run, { inline, link: inline.link })
      break
    case 'break':
      addSpan(collected, inline.at === 'line' ? '\n' : '\f', run, { inline })
      break
    case 'drawing':
      // An anchored drawing is beside the text and takes no width in it.
      addSpan(collected, inline.drawing.anchor === undefined ? '\uFFFC' : '', run, {
        inline: acrossLine(inline, style, request.width),
        link: inline.link,
      })
      break
    case 'soft-hyphen':
      addSpan(collected, '\u00AD', run, { inline })
      break
  }
}

function addSpan(
  collected: CollectedText,
  segment: string,
  run: ComputedRun,
  extra?: Partial<RunSpan>,
): void {
  const start = collected.text.length
  collected.spans.push({ start, end: start + segment.length, run, ...extra })
  collected.text += segment
}

/** Adds text. Text before and after the mark of a comment becomes one span, so that it is shaped together. */
function addText(
  collected: CollectedText,
  segment: string,
  run: ComputedRun,
  { link, control }: Extract<Inline, { kind: 'text' }>,
): void {
  const last = collected.spans.at(-1)
  const continues = collected.isParted && last?.run === run && last.link === link && last.control === control
  collected.isParted = false
  if (continues && last.inline === undefined && last.note === undefined && last.hidden === undefined) {
    collected.spans.splice(-1, 1, { ...last, end: last.end + segment.length })
    collected.text += segment
  } else addSpan(collected, segment, run, { link, control })
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

/** The formatting of an empty line. */
function paragraphMarkOf({ inlines, mark }: Paragraph): RunProperties {
  if (inlines.length > 0 || mark.style === undefined || !libreOffice.emptyLinesIgnoreMarkStyle) return mark
  let unstyled = unstyledMarks.get(mark)
  if (unstyled === undefined) unstyledMarks.set(mark, (unstyled = { ...mark, style: undefined }))
  return unstyled
}

/**
 * Paragraph marks without their style. Equal marks must be one object, since text styles are cached by
 * identity.
 */
const unstyledMarks = new WeakMap<RunProperties, RunProperties>()

/** The run as a superscript. */
const raised = (run: ComputedRun): ComputedRun => ({ ...run, script: 'super' })

type NoteMark = Extract<Inline, { kind: 'note-mark' }>

/** The number of the note that contains the text, as shown at the beginning of the note. */
function noteNumber(context: LayoutContext, { prefix = '', suffix = '' }: NoteMark, note = ''): string {
  const number = context.values.noteNumbers.get(note) ?? context.labels.noteNumbers.get(note)
  return number === undefined ? '' : prefix + number + suffix
}

/** Pads the number at the beginning of a note to the width of the hanging indent. */
function fillHanging(
  context: LayoutContext,
  segments: TextSegment[],
  number: { readonly length: number; readonly run: ComputedRun },
  indent: Pt,
): void {
  let [width, count, length] = [0, 0, 0]
  for (; count < segments.length && length < number.length; count++) {
    const segment = segments[count]
    if (segment === undefined) break
    width += segment.width
    length += segment.text.length
  }
  if (indent <= width) return
  segments.splice(count, 0, {
    ...blank(textStyleOf(context, number.run, 'plain')),
    kind: 'object',
    width: indent - width,
  })
}
