import type { Inline, Paragraph } from '../../../../../shared/document/content.ts'
import type { RunProperties } from '../../../../../shared/document/properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { CellTextFormat, ComputedParagraph, ComputedRun } from '../../style/computed.ts'
import { embeddingLevels } from '../../text/bidi.ts'
import type { LayoutContext } from '../context.ts'
import type { Pt } from '../frame.ts'
import { cutText } from './cut-text.ts'
import { fieldText } from './fields.ts'
import { cased } from './letter-case.ts'
import { alignmentOf, labelSegments } from './list-label.ts'
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
  const spans: RunSpan[] = []
  let text = ''
  let hasNotes = false
  /** The number of a note at the start of its text. */
  let leading: { readonly inline: NoteMark; readonly length: number; readonly run: ComputedRun } | undefined
  const add = (segment: string, run: ComputedRun, extra?: Partial<RunSpan>): void => {
    spans.push({ start: text.length, end: text.length + segment.length, run, ...extra })
    text += segment
  }
  /** Adds text. Text before and after the mark of a comment becomes one span, so that it is shaped together. */
  const addText = (segment: string, run: ComputedRun, link: RunSpan['link']): void => {
    const last = spans.at(-1)
    const continues = isParted && last?.run === run && last.link === link
    isParted = false
    if (continues && last.inline === undefined && last.note === undefined && last.hidden === undefined) {
      spans.splice(-1, 1, { ...last, end: last.end + segment.length })
      text += segment
    } else add(segment, run, { link })
  }
  let isParted = false
  for (const inline of paragraph.inlines) {
    if (inline.kind === 'bookmark' && inline.comment !== undefined) {
      isParted = true
      continue
    }
    if (inline.kind === 'bookmark') {
      add('', runs.run(paragraph.mark), { inline })
      continue
    }
    const run = runs.run(inline.run)
    if (inline.kind !== 'text') isParted = false
    if (run.hidden) {
      if (libreOffice.hiddenTextHasHeight && (inline.kind !== 'text' || inline.text !== ''))
        add('', run, { hidden: true })
      continue
    }
    if (run.combined)
      context.warn({
        code: 'layout.two-lines',
        message: 'Text that should be set as two lines in one is set as a single line.',
      })
    if (text.length > maxParagraphLength) {
      context.warn({ code: 'layout.text-cut', message: 'A paragraph is too long and was cut off.' })
      break
    }
    switch (inline.kind) {
      case 'text':
        addText(cased(inline.text, run), run, inline.link)
        break
      case 'field':
        add(fieldText(context, inline, run), run, { link: inline.link })
        break
      case 'note': {
        const number = context.values.noteNumbers.get(inline.note) ?? context.labels.notes.get(inline) ?? ''
        hasNotes = true
        add(number, run, { note: inline.note })
        break
      }
      case 'note-mark':
        if (text === '') leading = { inline, length: noteNumber(context, inline, request.note).length, run }
        add(noteNumber(context, inline, request.note), word.noteNumbersLookAsRuns ? run : raised(run))
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
  const segments = cutText(context, text, spans, levels)
  if (libreOffice.noteNumbersFillIndent && leading !== undefined && style.indentFirst < 0) {
    fillHanging(context, segments, leading, -style.indentFirst)
    const tab =
      leading.inline.replacesTab === true ? segments.findIndex((segment) => segment.kind === 'tab') : -1
    if (tab >= 0) segments.splice(tab, 1)
  }
  const label = labelSegments(context, paragraph, style, runs)
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
