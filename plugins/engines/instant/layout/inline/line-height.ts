import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { LineSpacing } from '../../../../../shared/document/properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { LayoutContext } from '../context.ts'
import type { Pt } from '../frame.ts'
import { snap } from './text-style.ts'
import type { InlineContent, TextStyle } from './types.ts'

/** The height of a line and where its baseline is, in points. */
export interface LineMetrics {
  readonly height: Pt
  readonly ascent: Pt
  /** The height of the text itself, without line spacing: the extent of highlights and run borders. */
  readonly textAscent: Pt
  readonly textDescent: Pt
  /** What multiple line spacing adds below the line, as part of its height. */
  readonly slack?: Pt
  /** What it adds above the line where another line of the paragraph precedes it; absent for as much as `slack`. */
  readonly spaceAbove?: Pt
}

/** The height and baseline of the segments from `from` up to `to`, by the line spacing of the paragraph. */
export function measureLine(
  context: LayoutContext,
  content: InlineContent,
  from: number,
  to: number,
  spacing: LineSpacing,
  grid: Pt | undefined,
): LineMetrics {
  let ascent = 0
  let descent = 0
  let hasContent = false
  let hasObject = false
  let textHeight = 0
  /** The height of the tallest object that is aligned to the line instead of the baseline. */
  let tallest = 0
  let aligned: Drawing['lineAlign']
  /** The text style of the tallest space or tab. */
  let blank: TextStyle | undefined
  const blanksHaveNoHeight =
    word.blanksHaveNoHeight(context.document.settings) && (from === 0 || !libreOffice.blanksCountInLaterLines)
  const { segments } = content
  for (let i = from; i < to; i++) {
    const segment = segments[i]
    if (segment === undefined) break
    if (segment.kind === 'mark') continue
    if (blanksHaveNoHeight && (segment.kind === 'space' || segment.kind === 'tab')) {
      if (blank === undefined || segment.textStyle.ascent > blank.ascent) blank = segment.textStyle
      continue
    }
    if (
      libreOffice.breaksHaveHeightOfLine &&
      segment.kind === 'break' &&
      (hasContent || blank !== undefined)
    ) {
      if (!hasContent) ({ ascent, descent } = blank!)
      hasContent = true
      continue
    }
    if (segment.kind === 'object') {
      const { drawing } = segment
      const height = (drawing?.height ?? 0) + (drawing?.extent?.top ?? 0) + (drawing?.extent?.bottom ?? 0)
      hasContent = true
      hasObject = true
      if (drawing?.lineAlign !== undefined) {
        if (height > tallest) ({ lineAlign: aligned } = drawing)
        tallest = Math.max(tallest, height)
        if (drawing.lineShare !== undefined || drawing.isRule === true) {
          ascent = Math.max(ascent, content.base.ascent)
          descent = Math.max(descent, content.base.descent)
        }
        continue
      }
      const drop = drawing?.drop ?? 0
      ascent = Math.max(ascent, height - drop + segment.textStyle.run.raise)
      descent = Math.max(descent, drop)
      continue
    }
    ascent = Math.max(ascent, segment.textStyle.ascent)
    descent = Math.max(descent, segment.textStyle.descent)
    textHeight = Math.max(textHeight, segment.textStyle.ascent + segment.textStyle.descent)
    hasContent = true
  }
  if (!hasContent) {
    ;({ ascent, descent } = content.hasText ? content.base : content.paragraphMark)
    textHeight = ascent + descent
  }
  const more = tallest - ascent - descent
  if (more > 0) {
    ascent += aligned === 'bottom' ? more : aligned === 'center' ? more / 2 : 0
    descent += aligned === 'bottom' ? 0 : aligned === 'center' ? more / 2 : more
  }
  const short = content.base.ascent + content.base.descent - ascent - descent
  if (hasObject && short > 0 && libreOffice.objectsKeepLineHeight) descent += short
  if (textHeight === 0) textHeight = content.base.ascent + content.base.descent
  return spaced(context, { ascent, descent, textHeight, opens: from === 0 }, spacing, grid)
}

/** The height that multiple line spacing adds below the last line of a cell, in points. */
export function fontSlack({ base }: InlineContent, { rule, value }: LineSpacing): Pt {
  const natural = Math.floor(libreOffice.cellLineHeight * base.size * 20) / 20
  const percent = rule === 'multiple' ? libreOffice.linePercent(value) : 100
  return percent <= 100 ? 0 : libreOffice.multipliedHeight(natural, percent) - natural
}

/** A line before line spacing is applied. `textHeight` is that of its tallest text, without objects. */
export interface Natural {
  readonly ascent: Pt
  readonly descent: Pt
  readonly textHeight: Pt
  /** It is the first line of its paragraph. */
  readonly opens?: boolean
}

/** Applies a line spacing rule (exact, at least, leading, multiple) or the line pitch of a document grid. */
export function spaced(
  context: LayoutContext,
  { ascent, descent, textHeight, opens }: Natural,
  spacing: LineSpacing,
  grid: Pt | undefined,
): LineMetrics {
  const natural = ascent + descent
  const text = { textAscent: ascent, textDescent: descent }
  if (grid !== undefined && spacing.rule !== 'exact') {
    const minHeight = spacing.rule === 'at-least' ? Math.max(natural, spacing.value) : natural
    const height = Math.max(1, Math.ceil(minHeight / grid - 0.01)) * grid
    const inGrid = { ascent: ascent + Math.floor((height - natural) * 10 + 0.001) / 20, ...text }
    const percent = spacing.rule === 'multiple' ? libreOffice.linePercent(spacing.value) : 100
    if (percent <= 100) return { height, ...inGrid }
    const spaceOf = (line: Pt): Pt => libreOffice.multipliedHeight(line, percent) - line
    const slack = spaceOf(Math.min(natural, textHeight))
    return { height: height + slack, slack, spaceAbove: spaceOf(height), ...inGrid }
  }
  switch (spacing.rule) {
    // Text that is taller than its line is not clipped; it overlaps its neighbours, as in every word
    // processor.
    case 'exact':
      return { height: spacing.value, ascent: snap(spacing.value * libreOffice.ascentShare), ...text }
    case 'at-least': {
      const height = Math.max(natural, spacing.value)
      return { height, ascent: ascent + height - natural, ...text }
    }
    case 'leading':
      return { height: natural + spacing.value, ascent: ascent + spacing.value, ...text }
    case 'multiple': {
      const percent = libreOffice.linePercent(spacing.value)
      if (word.lineSpaceAbove(context.document.settings)) {
        const height = (natural * percent) / 100
        return { height, ascent: ascent + height - natural, ...text }
      }
      const scaled = libreOffice.multiplesScaleText && percent > 100 ? Math.min(natural, textHeight) : natural
      const height = natural - scaled + libreOffice.multipliedHeight(scaled, percent)
      if (percent < 100 && opens === true) {
        return word.firstLinesShrink(context.document.settings)
          ? { height, ascent: snap(height * libreOffice.ascentShare), ...text }
          : { height: natural, ascent, ...text }
      }
      if (percent <= 100) return { height, ascent: ascent - (natural - height), ...text }
      return { height, ascent, slack: height - natural, ...text }
    }
    default:
      return spacing.rule satisfies never
  }
}
