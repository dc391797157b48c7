import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { LineSpacing } from '../../../../../shared/document/properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { LayoutContext } from '../context.ts'
import type { Pt } from '../frame.ts'
import { snap } from './text-style.ts'
import type { InlineContent, TextSegment, TextStyle } from './types.ts'

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

/** What the segments of a line add up to, one after another. All heights are in points. */
interface LineExtents {
  /** The extent that text and objects give the line. */
  readonly extent: Extent
  /** The extent of text and blanks, which multiple line spacing multiplies below the line. */
  readonly text: Extent
  /** The extent of the spaces and tabs that give the line height although others do not. */
  readonly blanks: Extent
  /** The height of the tallest text or space, which multiple line spacing multiplies above the line. */
  maxTextHeight: Pt
  hasContent: boolean
  hasObject: boolean
  /** Whether the last blank gives height even to a line without other content. */
  isBlankTall: boolean
  /** The text style of the tallest space or tab. */
  blank: TextStyle | undefined
  /** The height of the tallest object that is aligned to the line instead of the baseline, and how it is aligned. */
  tallest: Pt
  aligned: Drawing['lineAlign']
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
  const line: LineExtents = {
    extent: { ascent: 0, descent: 0 },
    text: { ascent: 0, descent: 0 },
    blanks: { ascent: 0, descent: 0 },
    maxTextHeight: 0,
    hasContent: false,
    hasObject: false,
    isBlankTall: false,
    blank: undefined,
    tallest: 0,
    aligned: undefined,
  }
  const opens = from === 0
  const ignoresBlanks = word.blanksHaveNoHeight(context.document.settings)
  const { segments, base } = content
  const last = to < segments.length ? -1 : segments.findLastIndex(({ kind }) => kind !== 'mark')
  const isLabelled = opens && segments[0]?.label !== undefined
  for (let i = from; i < to; i++) {
    const segment = segments[i]
    if (segment === undefined) break
    if (segment.kind === 'mark') continue
    if (ignoresBlanks && (segment.kind === 'space' || segment.kind === 'tab')) {
      const isTall =
        i === last && segment.label === undefined && libreOffice.lastBlankHasHeight(isLabelled, segment)
      addBlank(line, segment, isTall, opens)
    } else if (segment.kind === 'break' && hasHeightOfLine(line)) addBreak(line)
    else if (segment.kind === 'object') addObject(line, segment, base)
    else addText(line, segment.textStyle)
  }
  completeExtents(line, content)
  const { extent, text, maxTextHeight } = line
  const textHeight = heightOf(text)
  return spaced(
    context,
    { ...extent, textHeight, maxTextHeight: maxTextHeight || textHeight, opens },
    spacing,
    grid,
  )
}

function addText(line: LineExtents, textStyle: TextStyle): void {
  line.hasContent = true
  grow(line.extent, textStyle)
  grow(line.text, textStyle)
  line.maxTextHeight = Math.max(line.maxTextHeight, heightOf(textStyle))
}

/** Adds a space or tab where these give a line no height of their own. `isTall`: it does so all the same. */
function addBlank(
  line: LineExtents,
  { kind, textStyle }: TextSegment,
  isTall: boolean,
  opens: boolean,
): void {
  if (line.blank === undefined || textStyle.ascent > line.blank.ascent) line.blank = textStyle
  if (libreOffice.blanksCountForLineSpacing) {
    grow(line.text, textStyle)
    if (kind === 'space') line.maxTextHeight = Math.max(line.maxTextHeight, heightOf(textStyle))
  }
  line.isBlankTall ||= isTall
  if (isTall || (!opens && libreOffice.blanksCountInLaterLines)) grow(line.blanks, textStyle)
}

/** Whether a manual break that follows in the line is as tall as what is before it. */
const hasHeightOfLine = (line: LineExtents): boolean =>
  libreOffice.breaksHaveHeightOfLine && (line.hasContent || line.blank !== undefined)

function addBreak(line: LineExtents): void {
  if (!line.hasContent && line.blank !== undefined) grow(line.extent, line.blank)
  line.hasContent = true
}

/** Adds a drawing. `base` is the text style of the paragraph. */
function addObject(line: LineExtents, { drawing, textStyle }: TextSegment, base: TextStyle): void {
  const height = (drawing?.height ?? 0) + (drawing?.extent?.top ?? 0) + (drawing?.extent?.bottom ?? 0)
  line.hasContent = true
  line.hasObject = true
  if (drawing?.lineAlign !== undefined) {
    if (height > line.tallest) line.aligned = drawing.lineAlign
    line.tallest = Math.max(line.tallest, height)
    if (drawing.lineShare !== undefined || drawing.isRule === true) grow(line.extent, base)
    return
  }
  const drop = drawing?.drop ?? 0
  grow(line.extent, { ascent: height - drop + textStyle.run.raise, descent: drop })
}

/** Adds what depends on the whole line: blanks, the height of an empty line, and objects that are aligned to the line. */
function completeExtents(line: LineExtents, { hasText, base, paragraphMark }: InlineContent): void {
  const { extent, text, tallest, aligned } = line
  if (line.hasContent || line.isBlankTall) grow(extent, line.blanks)
  else {
    grow(extent, hasText ? base : paragraphMark)
    Object.assign(text, extent)
  }
  const more = tallest - heightOf(extent)
  if (more > 0) {
    extent.ascent += aligned === 'bottom' ? more : aligned === 'center' ? more / 2 : 0
    extent.descent += aligned === 'bottom' ? 0 : aligned === 'center' ? more / 2 : more
  }
  const short = heightOf(base) - heightOf(extent)
  if (line.hasObject && short > 0 && libreOffice.objectsKeepLineHeight) extent.descent += short
  if (heightOf(text) === 0) grow(text, base)
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

/** The height of a line without content in the font of the paragraph itself, in points. */
export function emptyLineHeight(context: LayoutContext, { base }: InlineContent, spacing: LineSpacing): Pt {
  const { ascent, descent } = base
  return spaced(context, { ascent, descent, textHeight: ascent + descent }, spacing, undefined).height
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
function spaced(
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
