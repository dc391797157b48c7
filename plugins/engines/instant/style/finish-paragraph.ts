import type { DocumentSettings } from '../../../../shared/document/document.ts'
import type { Border, ParagraphProperties } from '../../../../shared/document/properties.ts'
import { libreOffice } from '../compat/libreoffice.ts'
import { word } from '../compat/word.ts'
import { lineWidth } from './border-width.ts'
import type { ComputedParagraph, EastAsianLayout } from './computed.ts'

/** The inputs of the cascade for a paragraph besides its merged properties. */
export interface ParagraphOrigin extends Pick<ComputedParagraph, 'style' | 'named' | 'list'> {
  /** It has a label that sets its indents (style:list-level-label-alignment). */
  readonly isAligned: boolean
  /** The font size of the paragraph style, in points; an automatic indent is twice as wide. */
  readonly size: number
}

/** Turns merged properties into a computed style: fills in defaults and resolves directions. */
export function finishParagraph(
  p: ParagraphProperties,
  { style, named, list, isAligned, size }: ParagraphOrigin,
  settings: DocumentSettings,
): ComputedParagraph {
  const rightToLeft = p.rightToLeft ?? false
  const borders = visibleBorders(p, settings)
  const shadow = p.shadow === 'none' ? undefined : p.shadow
  const narrows = word.bordersNarrowText(settings)
  const declaredFirst = p.autoIndent === true ? 2 * size : (p.indent?.first ?? 0)
  const narrowed = indentsOf(p, declaredFirst, narrows ? borders : undefined, narrows ? (shadow?.x ?? 0) : 0)
  const isHeld = narrows && !rightToLeft && !isAligned && word.indentsHoldBorders(settings)
  const indents = isHeld ? withBordersInside(narrowed, p.indent?.start ?? 0, declaredFirst) : narrowed
  const spacing = spacingOf(p, settings)
  const minLines = minLinesOf(p)
  return {
    style,
    named,
    align: alignOf(p.align ?? 'start', rightToLeft),
    indentStart: indents.start,
    indentEnd: indents.end,
    indentFirst: indents.first,
    spaceBefore: spacing.before,
    spaceAfter: spacing.after,
    spaceBeforeAuto: spacing.isBeforeAuto,
    spaceAfterAuto: spacing.isAfterAuto,
    line: p.line ?? { rule: 'multiple', value: 1 },
    contextualSpacing: p.contextualSpacing ?? false,
    keepNext: p.keepNext ?? false,
    keepLines: p.keepLines ?? false,
    breakBefore: p.pageBreakBefore === true ? 'page' : breakOf(p.breakBefore),
    breakAfter: breakOf(p.breakAfter),
    widows: minLines.widows,
    orphans: minLines.orphans,
    tabs: (p.tabs ?? []).filter((stop) => stop.align !== 'clear').sort((a, b) => a.at - b.at),
    borders,
    shading: p.shading === 'none' || p.shading === 'auto' ? undefined : p.shading,
    ...(p.backdrop !== undefined && p.backdrop !== 'none' && { backdrop: p.backdrop }),
    list,
    outlineLevel: p.outlineLevel !== undefined && p.outlineLevel <= 8 ? p.outlineLevel : undefined,
    rightToLeft,
    frame: p.frame === 'none' ? undefined : p.frame,
    hyphenation: hyphenationOf(p, settings),
    snapToGrid: p.snapToGrid ?? true,
    eastAsian: eastAsianLayoutOf(p),
    suppressLineNumbers: p.uncounted ?? false,
    defaultTab: p.defaultTab,
    alignLast: p.alignLast ?? 'start',
    justifySingleWord: p.justifySingleWord ?? false,
    textAlign: p.textAlign === 'auto' || p.textAlign === 'baseline' ? undefined : p.textAlign,
    separateBox: p.separateBorders ?? false,
    dropCap: p.dropCap !== undefined && p.dropCap.lines > 1 ? p.dropCap : undefined,
    shadow,
  }
}

/** What nearly all paragraphs share. */
const usualEastAsianLayout: EastAsianLayout = {
  hangingPunctuation: true,
  lineRules: true,
  spaceBesideLetters: true,
  spaceBesideDigits: true,
}

/** The switches of East Asian text, which are all on by default. */
function eastAsianLayoutOf(p: ParagraphProperties): EastAsianLayout {
  const { hangingPunctuation = true, eastAsianLineRules: lineRules = true } = p
  const { spaceBesideLetters = true, spaceBesideDigits = true } = p
  const layout = { hangingPunctuation, lineRules, spaceBesideLetters, spaceBesideDigits }
  const isUsual = Object.values(layout).every((isOn) => isOn)
  return isUsual || !word.eastAsianSwitchesCount ? usualEastAsianLayout : layout
}

/** Resolves the physical sides of an alignment by reading direction. */
function alignOf(
  align: NonNullable<ParagraphProperties['align']>,
  rightToLeft: boolean,
): ComputedParagraph['align'] {
  if (align === 'left') return rightToLeft ? 'end' : 'start'
  if (align === 'right') return rightToLeft ? 'start' : 'end'
  return align
}

/** The borders of a paragraph; undefined when none of them is drawn or keeps a distance. */
function visibleBorders(
  { borders }: ParagraphProperties,
  settings: DocumentSettings,
): ComputedParagraph['borders'] {
  if (borders === undefined) return undefined
  const isPadded = word.paddingNeedsNoBorder(settings)
  const isVisible = Object.values(borders).some(
    (border) => border.style !== 'none' || (isPadded && border.space > 0),
  )
  return isVisible ? borders : undefined
}

/** In points; `first` counts from `start`. */
interface Indents {
  readonly start: number
  readonly end: number
  readonly first: number
}

/**
 * The indents at the start and end of the text, in points. `inside` are the borders that lie inside them, and
 * `shadow` is how far the shadow of the paragraph is moved to the right.
 */
function indentsOf(
  { indent, rightToLeft = false }: ParagraphProperties,
  first: number,
  inside: ComputedParagraph['borders'],
  shadow: number,
): Indents {
  const left = borderExtent(inside?.left)
  const right = borderExtent(inside?.right)
  const shadowLeft = Math.max(0, -shadow)
  const shadowRight = Math.max(0, shadow)
  const start = indent?.start ?? 0
  const end = indent?.end ?? 0
  return rightToLeft
    ? { start: start + right + shadowRight, end: end + left + shadowLeft, first }
    : { start: start + left + shadowLeft, end: end + right + shadowRight, first }
}

/** The indents of a paragraph whose borders move only those lines to the right that would begin in them. */
function withBordersInside({ start: narrowed, end }: Indents, start: number, first: number): Indents {
  const inside = narrowed + Math.min(0, first)
  const others = Math.max(start, inside)
  return { start: others, end, first: Math.max(start + first, inside) - others }
}

/**
 * The width that a border occupies beside text: its lines and its distance. The distance counts without a
 * line, too.
 */
const borderExtent = (border: Border | undefined): number =>
  border === undefined ? 0 : lineWidth(border) + border.space

/** The space before and after a paragraph, in points. */
interface Spacing {
  readonly before: number
  readonly after: number
  readonly isBeforeAuto: boolean
  readonly isAfterAuto: boolean
}

function spacingOf(p: ParagraphProperties, settings: DocumentSettings): Spacing {
  const isBeforeAuto = p.spaceBeforeAuto ?? false
  const isAfterAuto = p.spaceAfterAuto ?? false
  const automatic = word.plainAutomaticSpace(settings) ?? libreOffice.automaticSpace
  return {
    before: isBeforeAuto ? automatic : (p.spaceBefore ?? 0),
    after: isAfterAuto ? automatic : (p.spaceAfter ?? 0),
    isBeforeAuto,
    isAfterAuto,
  }
}

/**
 * The minimum number of lines at the top of a page (`widows`) and at the bottom (`orphans`). The lines beside a
 * drop cap stay together.
 */
function minLinesOf(p: ParagraphProperties): { readonly widows: number; readonly orphans: number } {
  const controlled = (p.widowControl ?? true) ? 2 : 1
  return {
    widows: Math.max(1, p.widows ?? controlled),
    orphans: Math.max(1, p.orphans ?? controlled, p.dropCap?.lines ?? 1),
  }
}

function hyphenationOf(
  p: ParagraphProperties,
  { hyphenate, hyphenLadder = 0, hyphenateCapitals = true }: DocumentSettings,
): ComputedParagraph['hyphenation'] {
  if (!hyphenate || p.hyphenate === false) return undefined
  return {
    remain: p.hyphenRemain ?? 2,
    push: p.hyphenPush ?? 2,
    ladder: p.hyphenLadder ?? hyphenLadder,
    capitals: hyphenateCapitals,
  }
}

/** A break without the explicit value 'none'. */
const breakOf = (at: ParagraphProperties['breakBefore']): 'page' | 'column' | undefined =>
  at === 'none' ? undefined : at
