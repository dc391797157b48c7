import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { LayoutContext } from '../context.ts'
import type { Pt } from '../frame.ts'
import { fillLine } from '../inline/line.ts'
import type { ClearedSide, Interval, LineBox, LineRequest } from '../inline/types.ts'
import { assignLine } from '../ownership.ts'
import { cachedLines } from './cached-lines.ts'
import type { Obstacles } from './obstacles.ts'
import type { PreparedParagraph } from './types.ts'

/** The lines of a paragraph at the full width of its flow, computed once. */
export function linesOf(context: LayoutContext, paragraph: PreparedParagraph, width: Pt): readonly LineBox[] {
  paragraph.lines ??= cachedLines(context, paragraph, width, () =>
    breakLines(context, paragraph, width, 0, undefined),
  )
  return paragraph.lines
}

/** Obstacles while a paragraph is broken into lines. `tops` receives the y of each line. */
interface AroundObstacles {
  readonly y: Pt
  readonly obstacles: Obstacles
  readonly tops: Pt[]
}

/**
 * Breaks a paragraph into lines, beginning with the text segment `from`. With `around`, lines avoid obstacles
 * and their positions are appended to `around.tops`.
 */
export function breakLines(
  context: LayoutContext,
  paragraph: PreparedParagraph,
  width: Pt,
  from: number,
  around: AroundObstacles | undefined,
): LineBox[] {
  const { style, grid, background } = paragraph
  const content = paragraph.content()
  const lines: LineBox[] = []
  let at = from
  /** The bottom of the text of the line before. */
  let y = around?.y ?? 0
  let hyphens = 0
  do {
    context.budget.check()
    const request = { content, style, from: at, width, grid, background, hyphens }
    let line = fillLine(context, request)
    if (around !== undefined) {
      const beside = fillAround(context, request, line, y + spaceBetween(lines, line), around.obstacles)
      line = beside.line
      around.tops.push(beside.y)
      y = beside.y + line.height - line.slack
      if (line.clear !== undefined) y = belowFloats(around.obstacles, y, line.clear, width)
    }
    addLine(lines, line)
    if (context.ownership !== undefined)
      assignLine(context.ownership, line.items, paragraph.source.inlines, style)
    hyphens = line.hyphenated === true ? hyphens + 1 : 0
    // A line that consumes nothing would repeat forever, so it ends the paragraph.
    if (line.to <= at) break
    at = line.to
  } while (at < content.segments.length)
  // A manual line break at the end of the paragraph opens one more, empty line.
  const { broke } = lines.at(-1)!
  if ((broke === 'line' || broke === 'column') && at >= content.segments.length) {
    const line = fillLine(context, {
      content,
      style,
      from: content.segments.length,
      width,
      grid,
      background,
    })
    if (around !== undefined) around.tops.push(y + spaceBetween(lines, line))
    addLine(lines, line)
  }
  return lines
}

/** What multiple line spacing adds between a line and the one before it in its paragraph, in points. */
const spaceBetween = (lines: readonly LineBox[], line: LineBox): Pt =>
  lines.length === 0 ? 0 : libreOffice.lineSpaceBetween(lines.at(-1)!.slack, line.spaceAbove)

/** Appends a line. The next line determines what line spacing adds below the line before it. */
function addLine(lines: LineBox[], line: LineBox): void {
  const before = lines.at(-1)
  const slack = spaceBetween(lines, line)
  if (before !== undefined && slack !== before.slack)
    lines[lines.length - 1] = { ...before, height: before.height - before.slack + slack, slack }
  lines.push(line)
}

/**
 * The number of heights tried for one line before it is set across the obstacles. Each try moves the line
 * down or makes it taller, so 40 is reached only by dense or contradictory obstacles.
 */
const maxTries = 40

/**
 * Sets a line beside obstacles: text continues from one free interval to the next, and moves down when no
 * word fits any of them.
 */
function fillAround(
  context: LayoutContext,
  request: LineRequest,
  unobstructed: LineBox,
  from: Pt,
  obstacles: Obstacles,
): { readonly line: LineBox; readonly y: Pt } {
  let y = from
  let height = inkOf(unobstructed)
  const isPushed = word.floatsPushBlocks(context.document.settings)
  let isTooWide = false
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const free = obstacles(y, height)
    if (free === undefined) {
      if (isTooWide) context.record.decisions.linesBelowObstacles++
      return { line: unobstructed, y }
    }
    y = free.y
    const line = free.below === undefined ? unobstructed : fillIntervals(context, request, free.intervals)
    if (line === undefined) {
      isTooWide = true
      y = free.below!
      height = inkOf(unobstructed)
    } else if (inkOf(line) <= height + 0.01) {
      if (y > from + 0.05 && (isTooWide || isPushed)) context.record.decisions.linesBelowObstacles++
      return { line, y }
    } else height = inkOf(line)
  }
  return { line: unobstructed, y }
}

/** The y at or below `from` where no float narrows the line at a side: w:clear (ECMA-376-1 17.3.3.1), and the same in ODF. */
function belowFloats(obstacles: Obstacles, from: Pt, side: ClearedSide, width: Pt): Pt {
  let y = from
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const free = obstacles(y, 1)
    if (free?.below === undefined) break
    const { intervals } = free
    const isNarrowed =
      side === 'all' ||
      free.y > y ||
      (side === 'left' ? intervals[0]!.left > 0.01 : intervals.at(-1)!.right < width - 0.01)
    if (!isNarrowed) break
    y = free.below
  }
  return y
}

/** The height that has to be free for a line. */
const inkOf = (line: LineBox): Pt =>
  Math.max(1, line.height - (libreOffice.obstaclesCoverLineSpace ? line.slack : 0))

/** One line across several free intervals; undefined when not even one word fits. */
function fillIntervals(
  context: LayoutContext,
  request: LineRequest,
  intervals: readonly Interval[],
): LineBox | undefined {
  let line: LineBox | undefined
  for (const interval of indented(request, intervals)) {
    const at: number = line?.to ?? request.from
    const part = fillLine(context, { ...request, from: at, interval: interval, yields: true })
    if (part.to <= at && request.content.segments.length > at) continue
    line = line === undefined ? { ...part, from: request.from } : joined(line, part)
    if (part.broke !== undefined || part.to >= request.content.segments.length) break
  }
  return line
}

/** The free intervals in reading order. The first one says whether indents count from its start. */
function indented({ style, width }: LineRequest, intervals: readonly Interval[]): readonly Interval[] {
  const { rightToLeft, indentStart } = style
  const order = rightToLeft ? [...intervals].reverse() : intervals
  const startOf = (interval: Interval): Pt => (rightToLeft ? width - interval.right : interval.left)
  const endOf = (interval: Interval): Pt => (rightToLeft ? width - interval.left : interval.right)
  const usable = order.filter((interval) => endOf(interval) > indentStart + 0.01)
  const first = usable[0]
  // Beside the paragraph's own drop cap, text begins at the edge of the drop cap.
  if (!libreOffice.indentsCountFromObstacle || style.dropCap !== undefined) return usable
  if (first === undefined || startOf(first) <= Math.max(0.01, indentStart)) return usable
  return [{ ...first, indents: true }, ...usable.slice(1)]
}

/** Two parts of one line, left and right of an obstacle, as one line. */
function joined(a: LineBox, b: LineBox): LineBox {
  const ascent = Math.max(a.ascent, b.ascent)
  return {
    items: [...a.items, ...b.items],
    height: ascent + Math.max(a.height - a.ascent, b.height - b.ascent),
    ascent,
    slack: Math.min(a.slack, b.slack),
    spaceAbove: Math.min(a.spaceAbove, b.spaceAbove),
    from: a.from,
    to: b.to,
    broke: b.broke,
    ...(b.clear !== undefined && { clear: b.clear }),
    notes: [...a.notes, ...b.notes],
    hyphenated: b.hyphenated,
    changed: a.changed || b.changed,
  }
}
