import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { LineSpacing } from '../../../../../shared/document/properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { LayoutContext } from '../context.ts'
import type { Pt } from '../frame.ts'
import { snap } from './text-style.ts'
import type { InlineContent, TextStyle } from './types.ts'

/** The height of a line and the position of its baseline, in points. */
export interface LineMetrics {
  readonly height: Pt
  readonly ascent: Pt
  /** The height of the text itself, without line spacing: the extent of highlights and run borders. */
  readonly textAscent: Pt
  readonly textDescent: Pt
  /** What multiple line spacing adds below the line, as part of its height. */
  readonly slack?: Pt
  /**
   * What multiple line spacing adds above the line if another line of the paragraph precedes it; absent if it is equal to
   * `slack`.
   */
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
  /** The extent that text and objects give the line. */
  const extent: Extent = { ascent: 0, descent: 0 }
  /** The extent of text and blanks, which multiple line spacing multiplies below the line. */
  const text: Extent = { ascent: 0, descent: 0 }
  /** The height of the tallest text or space, which multiple line spacing multiplies above the line. */
  let maxTextHeight = 0
  /** The extent of the spaces and tabs that give the line height although others do not. */
  const blanks: Extent = { ascent: 0, descent: 0 }
  let hasContent = false
  let hasObject = false
  /** Whether the last blank gives height even to a line without other content. */
  let isBlankTall = false
  /** The height of the tallest object that is aligned to the line instead of the baseline. */
  let tallest = 0
  let aligned: Drawing['lineAlign']
  /** The text style of the tallest space or tab. */
  let blank: TextStyle | undefined
  const opens = from === 0
  const ignoresBlanks = word.blanksHaveNoHeight(context.document.settings)
  const { segments, base } = content
  const last = to < segments.length ? -1 : segments.findLastIndex(({ kind }) => kind !== 'mark')
  const isLabelled = opens && segments[0]?.label !== undefined
  for (let i = from; i < to; i++) {
    const segment = segments[i]
    if (segment === undefined) break
    if (segment.kind === 'mark') continue
    const { textStyle } = segment
    if (ignoresBlanks && (segment.kind === 'space' || segment.kind === 'tab')) {
      if (blank === undefined || textStyle.ascent > blank.ascent) blank = textStyle
      if (libreOffice.blanksCountForLineSpacing) {
        grow(text, textStyle)
        if (segment.kind === 'space') maxTextHeight = Math.max(maxTextHeight, heightOf(textStyle))
      }
      const isTall =
        i === last && segment.label === undefined && libreOffice.lastBlankHasHeight(isLabelled, segment)
      isBlankTall ||= isTall
      if (isTall || (!opens && libreOffice.blanksCountInLaterLines)) grow(blanks, textStyle)
      continue
    }
    if (
      libreOffice.breaksHaveHeightOfLine &&
      segment.kind === 'break' &&
      (hasContent || blank !== undefined)
    ) {
      if (!hasContent) grow(extent, blank!)
      hasContent = true
      continue
    }
    hasContent = true
    if (segment.kind === 'object') {
      const { drawing } = segment
      const height = (drawing?.height ?? 0) + (drawing?.extent?.top ?? 0) + (drawing?.extent?.bottom ?? 0)
      hasObject = true
      if (drawing?.lineAlign !== undefined) {
        if (height > tallest) ({ lineAlign: aligned } = drawing)
        tallest = Math.max(tallest, height)
        if (drawing.lineShare !== undefined || drawing.isRule === true) grow(extent, base)
        continue
      }
      const drop = drawing?.drop ?? 0
      grow(extent, { ascent: height - drop + textStyle.run.raise, descent: drop })
      continue
    }
    grow(extent, textStyle)
    grow(text, textStyle)
    maxTextHeight = Math.max(maxTextHeight, heightOf(textStyle))
  }
  if (hasContent || isBlankTall) grow(extent, blanks)
  else {
    const empty = content.hasText ? base : content.paragraphMark
    grow(extent, empty)
    Object.assign(text, extent)
  }
  const more = tallest - heightOf(extent)
  if (more > 0) {
    extent.ascent += aligned === 'bottom' ? more : aligned === 'center' ? more / 2 : 0
    extent.descent += aligned === 'bottom' ? 0 : aligned === 'center' ? more / 2 : more
  }
  const short = heightOf(base) - heightOf(extent)
  if (hasObject && short > 0 && libreOffice.objectsKeepLineHeight) extent.descent += short
  if (heightOf(text) === 0) grow(text, base)
  const textHeight = heightOf(text)
  return spaced(
    context,
    { ...extent, textHeight, maxTextHeight: maxTextHeight || textHeight, opens },
    spacing,
    grid,
  )
}

/** Heights above and below a baseline, in points. */
interface Extent {
  ascent: Pt
  descent: Pt
}

const heightOf = ({ ascent, descent }: Readonly<Extent>): Pt => ascent + descent

/** Makes an extent as tall as another one. */
function grow(extent: Extent, { ascent, descent }: Readonly<Extent>): void {
  extent.ascent = Math.max(extent.ascent, ascent)
  extent.descent = Math.max(extent.descent, descent)
}

/**
 * The height that multiple line spacing adds below the last line of a cell, in points, for text in the font of the paragraph.
 */
export function fontSlack({ base }: InlineContent, { rule, value }: LineSpacing): Pt {
  const natural = Math.floor(libreOffice.cellLineHeight * base.size * 20) / 20
  const percent = rule === 'multiple' ? libreOffice.linePercent(value) : 100
  return percent <= 100 ? 0 : libreOffice.multipliedHeight(natural, percent) - natural
}

/** A line before line spacing is applied. `textHeight` is that of its text, without objects. */
export interface NaturalLine {
  readonly ascent: Pt
  readonly descent: Pt
  readonly textHeight: Pt
  /** The height of its tallest text; absent for that of all its text. */
  readonly maxTextHeight?: Pt
  /** It is the first line of its paragraph. */
  readonly opens?: boolean
}

/** Applies a line spacing rule (exact, at least, leading, multiple) or the line pitch of a document grid. */
export function spaced(
  context: LayoutContext,
  { ascent, descent, textHeight, maxTextHeight = textHeight, opens }: NaturalLine,
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
    const slack = spaceOf(textHeight)
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
      const scaled = libreOffice.multiplesScaleText && percent > 100 ? textHeight : natural
      const height = natural - scaled + libreOffice.multipliedHeight(scaled, percent)
      if (percent < 100 && opens === true) {
        return word.firstLinesShrink(context.document.settings)
          ? { height, ascent: snap(height * libreOffice.ascentShare), ...text }
          : { height: natural, ascent, ...text }
      }
      if (percent <= 100) return { height, ascent: ascent - (natural - height), ...text }
      const spaceAbove = libreOffice.multipliedHeight(maxTextHeight, percent) - maxTextHeight
      return { height, ascent, slack: height - natural, spaceAbove, ...text }
    }
    default:
      return spacing.rule satisfies never
  }
}
