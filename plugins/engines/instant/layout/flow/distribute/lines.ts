import { pushAll } from '../../../../../../shared/push-all.ts'
import type { Placed, Pt } from '../../frame.ts'
import type { LineBox } from '../../inline/types.ts'
import { assignLine } from '../../ownership.ts'
import { breakLines, linesOf } from '../break-lines.ts'
import { placeAnchors } from '../floats.ts'
import { obstaclesOf } from '../obstacles.ts'
import type { FillArea, Region } from '../region.ts'
import type { FlowPosition, PreparedParagraph } from '../types.ts'

/** Where the lines of a paragraph go before obstacles move them, in points. */
export interface LinesRequest {
  /** The top of the first line in the region. */
  readonly y: Pt
  /** The part of the space above that is not shared with the previous paragraph. */
  readonly unshared: Pt
  /** All of that space: it moves along when an obstacle pushes the first line down. */
  readonly above: Pt
  /** The height that line spacing adds above; it moves along too, unless a narrow interval beside the obstacle was free. */
  readonly leading: Pt
}

/** The remaining lines of a paragraph and their positions. */
export interface LaidLines {
  readonly lines: readonly LineBox[]
  /** The top of each line in the region. */
  readonly tops: readonly Pt[]
  /** The index of the first of these lines in the paragraph. */
  readonly start: number
  /** The y at which the lines begin. */
  readonly y: Pt
}

/**
 * Lays out the remaining lines of a paragraph, beside obstacles where there are any. The drawings anchored in
 * the paragraph and its drop cap are placed first, since they are obstacles for its own lines.
 */
export function layLines(
  region: Region,
  area: FillArea,
  block: PreparedParagraph,
  position: FlowPosition,
  { y, unshared, above, leading }: LinesRequest,
): LaidLines {
  const { context, exclusions } = region
  const { width, request } = area
  const { origin } = request
  if (position.line === 0 && block.anchors.length > 0) {
    const { behind, front, floats } = region
    placeAnchors(context, block, { y, width, gap: unshared, request, behind, front, floats })
  }
  if (position.line === 0 && block.dropped !== undefined) placeDropCap(region, area, block, block.dropped, y)
  const { all, lines } = remainingLines(region, area, block, position)
  const start = position.line
  const tops: Pt[] = []
  if (!meetsObstacle(region, area, lines, y)) {
    let at = y
    for (const line of lines) {
      tops.push(at)
      at += line.height
    }
    return { lines, tops, start, y }
  }
  const from = lines[0]?.from ?? 0
  const obstacles = obstaclesOf(exclusions, origin.x, origin.y, width)
  let avoiding = breakLines(context, block, width, from, { y, obstacles, tops })
  let begin = y
  const first = tops[0] ?? y
  if (start === 0 && first > y + 0.05 && above + leading > 0) {
    const lineHeight = Math.max(1, (lines[0]?.height ?? 0) - (lines[0]?.slack ?? 0))
    const isNarrow = (obstacles(y, lineHeight)?.y ?? y) <= y + 0.05
    begin = first + above + (isNarrow ? 0 : leading)
    tops.length = 0
    avoiding = breakLines(context, block, width, from, { y: begin, obstacles, tops })
  }
  // Lines on later pages continue from the segment at which these lines end.
  block.around = [...all.slice(0, start), ...avoiding]
  return { lines: avoiding, tops, start, y: begin }
}

/** Whether lines of the full width that begin at `y` would run into an obstacle. */
function meetsObstacle(
  { exclusions }: Region,
  { request, width }: FillArea,
  lines: readonly LineBox[],
  y: Pt,
): boolean {
  if (exclusions.length === 0 || request.overlaps === true) return false
  const { origin } = request
  const bottom = lines.reduce((total, line) => total + line.height, y)
  return exclusions.some(
    (box) =>
      box.bottom > origin.y + y &&
      box.top < origin.y + bottom &&
      box.right > origin.x &&
      box.left < origin.x + width,
  )
}

/** Draws the drop cap of a paragraph and keeps its box free of text. */
function placeDropCap(
  { context, front, exclusions }: Region,
  { request, width }: FillArea,
  block: PreparedParagraph,
  dropped: NonNullable<PreparedParagraph['dropped']>,
  y: Pt,
): void {
  const { style } = block
  const letters = dropped(width)
  if (letters === undefined) return
  const start = style.indentStart + style.indentFirst
  const x = style.rightToLeft ? width - start - letters.width : start
  const items = letters.items.map((item) => ({ ...item, x: x + item.x, y: y + item.y }))
  front.push(paragraphItem(block))
  pushAll(front, items)
  const { ownership } = context
  if (ownership !== undefined) assignLine(ownership, items, block.source.inlines, style)
  const left = request.origin.x + x
  const top = request.origin.y + y
  exclusions.push({
    left,
    top,
    right: left + letters.width,
    bottom: top + letters.height,
    side: 'both',
  })
}

/**
 * The lines still to be placed. Lines that follow some set beside an obstacle are broken again, since on this
 * page the obstacle may be absent. `all` also contains the lines already placed.
 */
function remainingLines(
  { context }: Region,
  { width }: FillArea,
  block: PreparedParagraph,
  position: FlowPosition,
): { readonly all: readonly LineBox[]; readonly lines: readonly LineBox[] } {
  if (position.line === 0) {
    block.around = undefined
    const all = linesOf(context, block, width)
    return { all, lines: all }
  }
  const { around } = block
  if (around === undefined) {
    const all = linesOf(context, block, width)
    return { all, lines: all.slice(position.line) }
  }
  const from = around[position.line]?.from ?? around.at(-1)?.to ?? 0
  const lines = breakLines(context, block, width, from, undefined)
  block.around = [...around.slice(0, position.line), ...lines]
  return { all: block.around, lines }
}

/** Marks the beginning of a paragraph among the drawn items, for the audit of the text and for tagged PDF. */
export const paragraphItem = ({ source }: PreparedParagraph): Placed => ({
  x: 0,
  y: 0,
  item: { kind: 'paragraph', inlines: source.inlines },
})
