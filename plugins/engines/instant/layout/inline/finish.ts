import { pushAll } from '../../../../../shared/push-all.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import type { ComputedParagraph } from '../../style/computed.ts'
import { visualOrder } from '../../text/bidi.ts'
import { shape } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { Colour, GlyphRun, GlyphsItem, Placed, Pt } from '../frame.ts'
import type { Ownership } from '../ownership.ts'
import { decorate, decorateGap } from './decoration.ts'
import { effectsOf, emphasise } from './effects.ts'
import { closeControl, type OpenControl } from './form-control.ts'
import { justifyGroups, type ShapingGroup, shapeGroups, sum } from './groups.ts'
import { hangingWidth } from './hanging.ts'
import { placeLeader } from './leader.ts'
import type { LineMetrics } from './line-height.ts'
import { spreadLetters } from './spread.ts'
import { colourOf } from './text-style.ts'
import type { InlineContent, Interval, TabPart, TextSegment, TextStyle } from './types.ts'

/** A line whose text segments are chosen. Everything is in points. */
export interface FinishRequest {
  readonly content: InlineContent
  readonly style: ComputedParagraph
  readonly width: Pt
  readonly interval: Interval | undefined
  readonly background: string | undefined
  readonly parts: readonly TabPart[]
  /** The last line of the paragraph, or one that ends with a manual break; it is not justified. */
  readonly last: boolean
  /** Trailing spaces count as text, since a manual break or the end of the paragraph follows them. */
  readonly keepsBlanks: boolean
  readonly metrics: LineMetrics
}

/**
 * Shapes, aligns and justifies the text of a line. Positions are from the left edge of the region and the
 * baseline.
 */
export function finishLine(context: LayoutContext, request: FinishRequest): Placed[] {
  const { parts, style, width, interval } = request
  const items: Placed[] = []
  const last = parts.length - 1
  const lastSegment = parts[last]!
  const groups = parts.map((part, index) => shapeGroups(part, index === last, request.keepsBlanks))
  const end = lineEnd(style, width, interval)
  // Trailing spaces that do not fit hang over the end of the line in spite of `keepsBlanks`.
  let blanksKept = request.keepsBlanks
  if (blanksKept && lastSegment.start + sum(groups[last]!) > end + 0.03) {
    blanksKept = false
    groups[last] = shapeGroups(lastSegment, true, false)
  }
  const used = lastSegment.start + sum(groups[last]!)
  const hangs = used > end + 0.03 && style.eastAsian.hangingPunctuation
  const free = end - used + (hangs ? hangingWidthAtEnd(lastSegment) : 0)
  const justifies = style.align === 'justify' && (!request.last || style.alignLast === 'justify')
  let shift = 0
  if (style.align === 'end') shift = free
  else if (style.align === 'center') shift = free / 2
  else if (justifies || style.align === 'distribute') {
    const spread = request.last && parts.length === 1 && style.justifySingleWord
    if (!spread || !spreadLetters(groups[last]!, free)) justifyGroups(groups[last]!, free)
  } else if (style.align === 'justify' && style.alignLast === 'center') shift = free / 2
  // Text never starts before its line: what is too wide begins at the start edge.
  if (shift < 0) shift = Math.min(0, style.align === 'start' ? 0 : shift)
  if (parts.length > 1) shift = libreOffice.tabsMoveWithLine ? Math.max(0, shift) : 0
  parts.forEach((part, index) => {
    const start = part.start + shift
    if (part.tab !== undefined) placeTab(context, part.tab, shift, start, request, items)
    drawGroups(context, groups[index]!, start, request, items)
  })
  if (context.ownership !== undefined && !blanksKept) {
    const space = endingSpace(lastSegment, style.rightToLeft)
    const at = lastSegment.start + shift + sum(groups[last]!)
    if (space !== undefined)
      items.push({ ...space, x: style.rightToLeft ? width - at - space.item.run.width : at })
  }
  return items
}

/** The width of the mark after the end of a full line; see `hangingWidth`. */
function hangingWidthAtEnd({ segments }: TabPart): Pt {
  const at = segments.findLastIndex(({ kind, text }) => kind === 'text' && text !== '')
  return at < 0 ? 0 : hangingWidth(segments, at)
}

/**
 * The space that hangs over the end of a line, for tagged PDF: a screen reader does not see where lines end,
 * and this space separates the words.
 */
function endingSpace(
  { segments }: TabPart,
  rtl: boolean,
): (Placed & { readonly item: GlyphsItem }) | undefined {
  const segment = segments.at(-1)
  if (segment === undefined || segment.kind !== 'space') return undefined
  const run = shape(' ', rtl ? { ...segment.textStyle.shaping, rtl } : segment.textStyle.shaping)
  return { x: 0, y: -segment.textStyle.rise, item: { kind: 'glyphs', run, colour: segment.textStyle.colour } }
}

/** The end of the line, counted from the start edge. */
function lineEnd(style: ComputedParagraph, width: Pt, interval: Interval | undefined): Pt {
  const indentEdge = width - style.indentEnd
  if (interval === undefined) return indentEdge
  return Math.min(indentEdge, style.rightToLeft ? width - interval.left : interval.right)
}

/** Positions the groups of one tab segment in visual order and draws them. */
function drawGroups(
  context: LayoutContext,
  groups: readonly ShapingGroup[],
  start: Pt,
  request: FinishRequest,
  items: Placed[],
): void {
  const total = sum(groups)
  const { style, width, content } = request
  let x = style.rightToLeft ? width - start - total : start
  const order =
    content.bidi && groups.length > 1 ? visualOrder(groups.map((group) => group.level)) : undefined
  let open: OpenControl | undefined
  for (let i = 0; i < groups.length; i++) {
    const group = groups[order === undefined ? i : (order[i] ?? 0)]!
    if (open !== undefined && group.control !== open.control && group.box?.kind !== 'mark') {
      closeControl(context, open, x, request.metrics, items)
      open = undefined
    }
    if (open === undefined && group.control !== undefined) {
      const colour = colourIn(group.textStyle, request)
      open = { control: group.control, x, from: items.length, group, colour }
    }
    const before = items.length
    if (group.box !== undefined) placeBox(context, group.box, x, request, items)
    else if (group.run !== undefined && !group.textStyle.run.unprinted)
      drawRun(group, group.run, x, request, items)
    if (style.textAlign !== undefined && group.box === undefined) {
      const y = offBaseline(group.textStyle, style.textAlign, request.metrics)
      for (let i = before; y !== 0 && i < items.length; i++) items[i] = { ...items[i]!, y: items[i]!.y + y }
    }
    if (group.link !== undefined && group.width > 0)
      items.push(linkArea(group.link, x, group.width, request.metrics))
    if (context.ownership !== undefined) recordOwners(context.ownership, group, items.slice(before))
    x += group.width
  }
  if (open !== undefined) closeControl(context, open, x, request.metrics, items)
}

/** Draws text with its decorations, effects and emphasis marks, from its start edge at `x`. */
function drawRun(
  { textStyle, before, after }: ShapingGroup,
  run: GlyphRun,
  x: Pt,
  request: FinishRequest,
  items: Placed[],
): void {
  const colour = colourIn(textStyle, request)
  const left = x + (before ?? 0)
  const decorated = { x: left, width: run.width, colour, metrics: request.metrics, run, before, after }
  decorate(textStyle, decorated, items, () => {
    const origin = { x: left, y: -textStyle.rise }
    pushAll(items, effectsOf(textStyle, origin, run, colour))
    if (textStyle.run.emphasis !== undefined)
      pushAll(items, emphasise(textStyle, textStyle.run.emphasis, origin, run, colour))
  })
}

/** The area of a link, as high as the text of its line. */
function linkArea(
  { href, anchor }: NonNullable<ShapingGroup['link']>,
  x: Pt,
  width: Pt,
  { textAscent, textDescent }: LineMetrics,
): Placed {
  const height = textAscent + textDescent
  return { x, y: -textAscent, item: { kind: 'link', href: href ?? `#${anchor ?? ''}`, width, height } }
}

/** The colour of text; an automatic one depends on the background. */
const colourIn = (textStyle: TextStyle, { background }: FinishRequest): Colour =>
  textStyle.run.color === 'auto' && background !== undefined
    ? colourOf('auto', textStyle.run.shading ?? textStyle.run.highlight ?? background)
    : textStyle.colour

/** The distance of vertically aligned text from the baseline, downward in points. */
function offBaseline(
  { ascent, descent }: TextStyle,
  at: 'top' | 'center' | 'bottom',
  { textAscent, textDescent }: LineMetrics,
): Pt {
  const [up, down] = [textAscent - ascent, textDescent - descent]
  return at === 'top' ? -up : at === 'bottom' ? down : (down - up) / 2
}

/** Records which items belong to a label or a link, for tagged PDF. */
function recordOwners(
  { labels, links }: Ownership,
  { label, link }: ShapingGroup,
  items: readonly Placed[],
): void {
  for (const { item } of items) {
    if (label) labels.add(item)
    if (link !== undefined) links.set(item, link)
  }
}

/** Draws an inline object, or records the position of a bookmark. */
function placeBox(
  context: LayoutContext,
  segment: TextSegment,
  x: Pt,
  request: FinishRequest,
  items: Placed[],
): void {
  if (segment.bookmark !== undefined) {
    items.push({ x, y: -request.metrics.textAscent, item: { kind: 'mark', id: segment.bookmark } })
    return
  }
  const { drawing } = segment
  if (drawing === undefined || segment.kind !== 'object') return
  const bottom = drawing.extent?.bottom ?? 0
  const top = footOf(drawing, request.metrics) - drawing.height - bottom - segment.textStyle.run.raise
  const left = x + (drawing.extent?.left ?? 0)
  for (const placed of context.flows.draw(drawing, drawing.width, drawing.height)) {
    items.push({ x: left + placed.x, y: top + placed.y, item: placed.item })
  }
}

/** The bottom of an inline object relative to the baseline, downward in points. */
function footOf(drawing: NonNullable<TextSegment['drawing']>, { textAscent, textDescent }: LineMetrics): Pt {
  const height = drawing.height + (drawing.extent?.top ?? 0) + (drawing.extent?.bottom ?? 0)
  switch (drawing.lineAlign) {
    case 'top':
      return height - textAscent
    case 'center':
      return (height + textDescent - textAscent) / 2
    case 'bottom':
      return textDescent
    default:
      return drawing.drop ?? 0
  }
}

/**
 * Draws the space up to a tab stop: decorated like the text around it and filled with a leader. `start` is
 * where the tab ends.
 */
function placeTab(
  context: LayoutContext,
  tab: NonNullable<TabPart['tab']>,
  shift: Pt,
  start: Pt,
  request: FinishRequest,
  items: Placed[],
): void {
  const { textStyle, label } = tab.segment
  const from = tab.from + shift
  const width = start - from
  const leader = (): void => {
    const first = items.length
    placeLeader(tab, { from, start }, request, items)
    for (const { item } of items.slice(first)) context.ownership?.leaders.add(item)
  }
  // The tab after a number or bullet belongs neither to the label nor to the text.
  if (label !== undefined || width <= 0 || textStyle.run.unprinted) leader()
  else {
    const x = request.style.rightToLeft ? request.width - start : from
    decorateGap(
      textStyle,
      { x, width, colour: colourIn(textStyle, request), metrics: request.metrics },
      items,
      leader,
    )
  }
}
