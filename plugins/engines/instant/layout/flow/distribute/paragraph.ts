/**
 * Places the part of a paragraph that fits a region, with its borders, background and drawings. The steps:
 * find the space above it, set its lines around obstacles, count those that fit, draw them.
 */

import { pushAll, spliceAll } from '../../../../../../shared/push-all.ts'
import { libreOffice } from '../../../compat/libreoffice.ts'
import { word } from '../../../compat/word.ts'
import { type Placed, type Pt, straightLine } from '../../frame.ts'
import { fontSlack } from '../../inline/line-height.ts'
import type { LineBox } from '../../inline/types.ts'
import { linesOf } from '../break-lines.ts'
import { obstaclesOf } from '../obstacles.ts'
import { type BoxEdges, edgesOf, paintBox } from '../paragraph-box.ts'
import { breakIn, type FillArea, type FillStop, type Region } from '../region.ts'
import type { FlowPosition, PreparedBlock, PreparedParagraph } from '../types.ts'
import { countFitting } from './fitting.ts'
import { type LaidLines, layLines, paragraphItem } from './lines.ts'
import { gapAbove, withLeading } from './spacing.ts'

/** Places the lines of a paragraph that fit. */
export function distributeParagraph(
  region: Region,
  area: FillArea,
  block: PreparedParagraph,
  position: FlowPosition,
): FillStop | undefined {
  const { cursor, request, flow } = region
  const { style } = block
  const isAtTop = !cursor.placed && request.top !== 'after'
  const breakBefore = breakIn(region, style.breakBefore)
  if (breakBefore !== undefined && position.line === 0 && position.broken !== true && !isAtTop)
    return { kind: 'break', at: breakBefore, next: { ...position, broken: true } }
  const previous = flow.blocks[position.block - 1]
  const boxed = alone(block, isAtTop && position.line === 0)
  const edges = edgesOf(boxed)
  const head = position.line > 0 ? edges.cutTop : edges.top
  const repeats = libreOffice.sectionsRepeatTopBorder && block.opensSection === true && position.line === 0
  const space = spaceAbove(region, area, block, position, previous, repeats ? edges.top : 0)
  const laid = layLines(region, area, block, position, {
    y: cursor.y + space.gap + head,
    unshared: Math.max(0, space.gap - space.shared) + edges.top,
    above: space.pushes ? space.gap + head : 0,
    leading: space.leading,
  })
  cursor.top = laid.y - head
  const isLast = position.block === flow.blocks.length - 1
  let fitting = countFitting(region, block, laid, {
    edge: edges.bottom,
    cutEdge: edges.cutBottom,
    after: isLast ? 0 : style.spaceAfter,
    keepsTogether: style.keepLines || (libreOffice.keptParagraphsStayWhole && !isLast && style.keepNext),
  })
  if (fitting === 0) {
    if (cursor.placed || !request.mustPlace) return { kind: 'full', next: position }
    fitting = 1
  }
  const breaks = breakAmong(laid.lines, fitting)
  const count = breaks === undefined ? fitting : breaks.index + 1
  const isDone = count === laid.lines.length
  drawLines(region, area, block, laid, { count, edges, head, previous, joined: space.joined, boxed })
  cursor.placed = true
  cursor.after = isDone ? style.spaceAfter : 0
  const { block: index } = position
  if (!isDone) {
    const next = { block: index, line: laid.start + count }
    return breaks === undefined
      ? { kind: 'full', next }
      : { kind: 'break', at: breaks.at, next: { ...next, broken: true } }
  }
  const next: FlowPosition = { block: index + 1, line: 0, broken: true }
  if (breaks !== undefined) return { kind: 'break', at: breaks.at, next }
  const breakAfter = breakIn(region, style.breakAfter)
  if (breakAfter === undefined || next.block >= flow.blocks.length) return undefined
  return { kind: 'break', at: breakAfter, next }
}

/**
 * Returns the paragraph without the border box that it shares with the previous paragraph, if that one is on the previous
 * page.
 */
const alone = (block: PreparedParagraph, opens: boolean): PreparedParagraph =>
  opens && block.joinsAbove && libreOffice.cutBordersClose ? { ...block, joinsAbove: false } : block

/** The first page or column break among the first `count` lines. */
function breakAmong(
  lines: readonly LineBox[],
  count: number,
): { readonly index: number; readonly at: 'page' | 'column' } | undefined {
  for (let index = 0; index < count; index++) {
    const at = lines[index]?.broke
    if (at === 'page' || at === 'column') return { index, at }
  }
  return undefined
}

/** The space above a paragraph, in points. */
interface SpaceAbove {
  /** The distance from the cursor to the box of the paragraph. */
  readonly gap: Pt
  /** The part of the gap that belongs to the previous paragraph. */
  readonly shared: Pt
  /** The part of the gap that the box of the paragraph covers, because it joins that of the previous one. */
  readonly joined: Pt
  /** The height that line spacing adds when an obstacle pushes the paragraph down. */
  readonly leading: Pt
  /** Whether an obstacle pushes the space above the paragraph down as well, as some documents declare. */
  readonly pushes: boolean
}

/**
 * Finds the space above a paragraph. It depends on the previous block, on the top of the region, and on an
 * obstacle that covers the full width; the cursor is moved below such an obstacle. `extra` is added to it.
 */
function spaceAbove(
  region: Region,
  area: FillArea,
  block: PreparedParagraph,
  position: FlowPosition,
  previous: PreparedBlock | undefined,
  extra: Pt,
): SpaceAbove {
  const { cursor, request, context } = region
  const { style } = block
  const isStarted = position.line > 0
  const wasPlaced = cursor.placed
  const above = previous?.kind === 'paragraph' ? previous.style : undefined
  const isSameStyle = above !== undefined && above.named === style.named
  // Automatic spacing is dropped between the items of one list.
  const isSameList = above !== undefined && style.list !== undefined && above.list?.list === style.list.list
  const dropsAfter = (isSameStyle && above.contextualSpacing) || (isSameList && above.spaceAfterAuto)
  if (dropsAfter && wasPlaced) cursor.after = 0
  const opensCell = !wasPlaced && request.partsAnywhere === true
  const dropsBefore =
    !opensCell && ((isSameStyle && style.contextualSpacing) || (isSameList && style.spaceBeforeAuto))
  const before = dropsBefore ? 0 : style.spaceBefore
  const keepsSpaceAbove = !isStarted || (libreOffice.splitCellsKeepSpaceAbove && opensCell)
  // Automatic space is dropped at the beginning of a cell. A later paragraph that continues in the cell keeps it.
  const isAutomatic = style.spaceBeforeAuto && (!isStarted || position.block === 0)
  let gap = extra
  if (keepsSpaceAbove) gap += withLeading(region, gapAbove(region, before, isAutomatic), previous, block)
  const pushes = word.floatsPushBlocks(context.document.settings)
  const cleared = isStarted ? undefined : clearObstacle(region, area, cursor.y + gap)
  const movesLineSpace = libreOffice.lineSpaceMovesBelowObstacle && pushes && !isStarted
  const leading = movesLineSpace ? leadingWhenMoved(region, area, block) : 0
  if (cleared !== undefined) gap = Math.max(0, (pushes ? gap + leading : before) - cleared)
  return {
    gap,
    shared:
      libreOffice.sharedSpaceStaysAbove && wasPlaced && (pushes || cleared === undefined) ? cursor.after : 0,
    joined: block.joinsAbove && !isStarted && wasPlaced ? gap : 0,
    leading,
    pushes,
  }
}

/**
 * The extra space above the first line of a paragraph that is moved below an obstacle: what multiple line
 * spacing adds to the lines of this paragraph and of the previous one.
 */
function leadingWhenMoved({ context, cursor }: Region, { width }: FillArea, block: PreparedParagraph): Pt {
  return (linesOf(context, block, width)[0]?.slack ?? 0) + (cursor.placed ? cursor.slack : 0)
}

/**
 * Moves the cursor below an obstacle that covers the full width at `y`, since a paragraph starts below it.
 * Returns undefined when there is no such obstacle, else the distance that the obstacle itself keeps at its
 * bottom, which counts as part of the space above the paragraph.
 */
function clearObstacle({ cursor, exclusions }: Region, { request, width }: FillArea, y: Pt): Pt | undefined {
  if (exclusions.length === 0 || request.overlaps === true) return undefined
  const { origin } = request
  const free = obstaclesOf(exclusions, origin.x, origin.y, width)(y, 1)
  if (free === undefined || free.y <= y + 0.05) return undefined
  cursor.y = free.y
  const above = exclusions.find((box) => Math.abs(box.bottom - origin.y - free.y) < 0.1)
  return above?.gap ?? 0
}

/** The arguments of `drawLines` besides the lines. */
interface DrawRequest {
  /** How many of the lines are drawn. */
  readonly count: number
  readonly edges: BoxEdges
  /** The height of the borders above the first line. */
  readonly head: Pt
  readonly previous: PreparedBlock | undefined
  /** How far the box of the paragraph reaches up, to that of the previous one. */
  readonly joined: Pt
  /** The paragraph with the borders that its box is drawn with. */
  readonly boxed: PreparedParagraph
}

/** The vertical line that a tab stop of the kind "bar" draws through each line of its paragraph (ECMA-376-1 17.18.84). */
const barStroke = { colour: 0, width: 0.5 }

/** Draws lines with their notes and marks, and the box around them; moves the cursor to their bottom. */
function drawLines(
  region: Region,
  area: FillArea,
  block: PreparedParagraph,
  { lines, tops, start }: LaidLines,
  { count, edges, head, previous, joined, boxed }: DrawRequest,
): void {
  const { items, notes, cursor } = region
  const { style } = block
  const { top } = cursor
  const isDone = count === lines.length
  if (block.bookmark !== undefined && start === 0)
    items.push({ x: 0, y: top, item: { kind: 'mark', id: block.bookmark } })
  // The mark of a heading stays in front of its box, so that headers see that the heading opens the page.
  const boxAt = items.length
  let bottom = top + head
  if (lines.some((line) => line.items.length > 0)) items.push(paragraphItem(block))
  const bars = style.tabs.filter((stop) => stop.align === 'bar')
  for (let i = 0; i < count; i++) {
    const line = lines[i]
    if (line === undefined) break
    const lineTop = tops[i] ?? 0
    const baseline = lineTop + line.ascent
    for (const item of line.items) items.push({ x: item.x, y: baseline + item.y, item: item.item })
    for (const { at } of bars) items.push(straightLine(at, lineTop, 0, line.height, barStroke))
    if (block.lineNumbers !== undefined)
      items.push({ x: 0, y: baseline, item: { kind: 'mark', id: '', line: block.lineNumbers } })
    if (line.changed || changedAt(block, previous, i + start === 0, i === lines.length - 1))
      items.push({ x: 0, y: lineTop, item: { kind: 'mark', id: '', changed: line.height } })
    bottom = lineTop + line.height
    if (line.notes.length > 0) pushAll(notes, line.notes)
  }
  bottom += isDone ? edges.bottom : edges.cutBottom
  const isBoxed = (style.borders ?? style.shading ?? style.backdrop ?? style.shadow) !== undefined
  if (isBoxed) {
    const box: Placed[] = []
    const extent = { top: top - joined, bottom, width: area.width, first: start === 0, last: isDone }
    paintBox(region.context, boxed, extent, box)
    spliceAll(items, boxAt, 0, box)
  }
  cursor.y = bottom
  cursor.slack = isBoxed ? 0 : (lines[count - 1]?.slack ?? 0)
  cursor.fontSlack = cursor.slack === 0 ? 0 : fontSlack(block.content(), style.line)
}

/**
 * Whether a line shows a change of its paragraph: to its formatting, or to where one paragraph ends and the
 * next begins.
 */
function changedAt(
  { source }: PreparedParagraph,
  previous: PreparedBlock | undefined,
  first: boolean,
  last: boolean,
): boolean {
  if (source.changed !== undefined && (source.changed === 'whole' || last)) return true
  return first && previous?.kind === 'paragraph' && previous.source.changed === 'end'
}
