import type { Paragraph } from '../../../../../shared/document/content.ts'
import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { Level } from '../../../../../shared/document/numbering.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { ComputedParagraph, ComputedRun } from '../../style/computed.ts'
import { embeddingLevels } from '../../text/bidi.ts'
import { measure } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import { cutText } from './cut-text.ts'
import { upper } from './letter-case.ts'
import { textStyleOf } from './text-style.ts'
import { blank, type InlineContent, type TextSegment, type TextStyle } from './types.ts'

/**
 * The segments of a list label and of the tab or space after it; undefined when the paragraph has no label.
 */
export function labelSegments(
  context: LayoutContext,
  paragraph: Paragraph,
  style: ComputedParagraph,
  runs: ReturnType<LayoutContext['styler']['runs']>,
): { segments: TextSegment[]; align: InlineContent['labelAlign']; bidi: boolean } | undefined {
  const label = context.labels.paragraphs.get(paragraph)
  if (label === undefined) return undefined
  const { level } = label
  const run = runs.label(paragraph.mark, level.run)
  const segments: TextSegment[] = []
  let bidi = false
  const textStyle = textStyleOf(context, run, 'plain')
  if (level.picture !== undefined && level.pictureSize !== undefined) {
    const drawing: Drawing = {
      ...level.pictureSize,
      ...level.picturePlace,
      rotation: 0,
      content: { kind: 'picture', media: level.picture },
    }
    const width = drawing.width + (drawing.extent?.left ?? 0) + (drawing.extent?.right ?? 0)
    segments.push({ ...blank(textStyle), kind: 'object', width, drawing, label: 'text' })
  } else if (label.text !== '' && !run.hidden) {
    const text = run.caps ? upper(label.text, run) : label.text
    const levels = embeddingLevels(text, style.rightToLeft ? 'rtl' : 'ltr')
    bidi = levels !== undefined
    for (const segment of cutText(
      context,
      text,
      [{ start: 0, end: text.length, run }],
      levels,
      style.eastAsian,
    )) {
      const labelStyle = besideLine(context, segment.textStyle, level, () => runs.run(paragraph.mark))
      segments.push({ ...segment, textStyle: labelStyle, breakAfter: false, label: 'text' })
    }
  }
  if (level.suffix !== 'space' && level.labelGap !== undefined && label.text !== '')
    segments.push({ ...blank(textStyle), kind: 'object', width: level.labelGap })
  // In the older positioning mode, text directly follows a label that is wider than its area.
  const hanging = word.indentsHoldBorders(context.document.settings)
    ? style.indentFirst
    : (level.paragraph?.indent?.first ?? 0)
  const areaWidth = level.addsIndent === true ? -hanging : Number.POSITIVE_INFINITY
  const width = segments.reduce((sum, segment) => sum + segment.width, 0)
  let isFull = areaWidth > 0 && width >= areaWidth
  const align = level.addsIndent === true ? 'left' : level.align
  if (level.addsIndent === true && level.align !== 'left' && segments.length > 0 && !isFull) {
    // In that mode, the label is aligned within its area: centred in all of it, or before the gap at its end.
    const free = areaWidth - width
    const isRight = level.align === 'right'
    const before = isRight ? free : Math.min(free, (free + (level.labelGap ?? 0)) / 2)
    segments.unshift({ ...blank(textStyle), kind: 'object', width: before })
    isFull = isRight
  }
  if (level.suffix === 'tab' && !isFull)
    segments.push({ ...blank(textStyle), kind: 'tab', text: '\t', label: 'tab' })
  else if (level.suffix === 'space') {
    segments.push({ ...blank(textStyle), kind: 'space', text: ' ', width: measure(' ', textStyle.shaping) })
  } else if (level.suffix === 'newline')
    segments.push({ ...blank(textStyle), kind: 'break', at: 'line', label: 'text' })
  // A label without text only indents, whatever its format: no tab follows it where the first line does not hang.
  if (segments.length === 1 && level.suffix === 'tab' && label.text === '') {
    return style.indentFirst < 0 ? { segments, align, bidi } : undefined
  }
  return { segments, align, bidi }
}

/**
 * The text style of a label that is painted beside its line: it takes no height, and may be centred in the height of the
 * text, whose run `textRun` returns.
 */
function besideLine(
  context: LayoutContext,
  textStyle: TextStyle,
  { isCentred }: Level,
  textRun: () => ComputedRun,
): TextStyle {
  if (!word.labelsKeepLineHeight(context.document.settings)) return textStyle
  if (isCentred !== true) return { ...textStyle, ascent: 0, descent: 0 }
  const text = textStyleOf(context, textRun(), 'plain')
  // The label has the height of its font, even if the height of its line is smaller.
  const { face, size } = textStyle
  const rise = (text.ascent - text.descent - (face.ascent - face.descent) * size) / 2
  return { ...textStyle, ascent: 0, descent: 0, rise: textStyle.rise + rise }
}

/** The alignment of a label by reading direction. */
export function alignmentOf(
  align: InlineContent['labelAlign'],
  rightToLeft: boolean,
): InlineContent['labelAlign'] {
  if (!libreOffice.labelsSwapSides || !rightToLeft || align === 'center') return align
  return align === 'left' ? 'right' : 'left'
}
