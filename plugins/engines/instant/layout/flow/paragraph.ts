import type { Border } from '../../../../../shared/document/properties.ts'
import { lineWidth } from '../../style/border-width.ts'
import { nestedBoxes, nests } from '../border-boxes.ts'
import type { LayoutContext } from '../context.ts'
import { backdropItems } from '../drawing/ground.ts'
import { filledBox, type Placed, type Pt } from '../frame.ts'
import { fillLine, type Line, type LineRequest, type Room } from '../inline/line.ts'
import { colourOf } from '../inline/look.ts'
import { ownLine } from '../ownership.ts'
import { borderLine } from '../table/border-line.ts'
import { atHeight, nextBelow } from './contour.ts'
import { withKnownLines } from './known-lines.ts'
import type { Exclusion, PreparedParagraph } from './types.ts'

/** The lines of a paragraph at the full width of its flow, computed once. */
export function linesOf(context: LayoutContext, paragraph: PreparedParagraph, width: Pt): readonly Line[] {
  paragraph.lines ??= withKnownLines(context, paragraph, width, () =>
    breakLines(context, paragraph, width, 0, undefined),
  )
  return paragraph.lines
}

/** The free parts of a line at some height. */
export interface Place {
  /** Where the line can start: the requested y, or further down when nothing is free there. In the region. */
  readonly y: Pt
  /** The free intervals from left to right; a single one as wide as the region when nothing is in the way. */
  readonly rooms: readonly Room[]
  /** The y to try next when the text fits none of the intervals; absent when the full width is free. */
  readonly below?: Pt
}
/** Finds a position for a line of a given height at or below `y`; undefined when nothing is in the way. */
export type Obstacles = (y: Pt, height: Pt) => Place | undefined

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
): Line[] {
  const { style, grid, ground } = paragraph
  const content = paragraph.content()
  const lines: Line[] = []
  let at = from
  let y = around?.y ?? 0
  let hyphens = 0
  do {
    context.budget.check()
    const request = { content, style, from: at, width, grid, ground, hyphens }
    let line = fillLine(context, request)
    if (around !== undefined) {
      const placed = fillAround(context, request, line, y, around.obstacles)
      line = placed.line
      around.tops.push(placed.y)
      y = placed.y + line.height
    }
    lines.push(line)
    if (context.ownership !== undefined)
      ownLine(context.ownership, line.items, paragraph.source.inlines, style)
    hyphens = line.hyphenated === true ? hyphens + 1 : 0
    // A line that consumes nothing would repeat forever, so it ends the paragraph.
    if (line.to <= at) break
    at = line.to
  } while (at < content.pieces.length)
  // A manual line break at the end of the paragraph opens one more, empty line.
  const { broke } = lines.at(-1)!
  if ((broke === 'line' || broke === 'column') && at >= content.pieces.length) {
    lines.push(fillLine(context, { content, style, from: content.pieces.length, width, grid, ground }))
    if (around !== undefined) around.tops.push(y)
  }
  return lines
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
  plain: Line,
  from: Pt,
  obstacles: Obstacles,
): { readonly line: Line; readonly y: Pt } {
  let y = from
  let height = inkOf(plain)
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const place = obstacles(y, height)
    if (place === undefined) return { line: plain, y }
    y = place.y
    const line = place.below === undefined ? plain : fillIntervals(context, request, place.rooms)
    if (line === undefined) {
      y = place.below!
      height = inkOf(plain)
    } else if (inkOf(line) <= height + 0.01) return { line, y }
    else height = inkOf(line)
  }
  return { line: plain, y }
}

/**
 * The height that has to be free for a line. Observed in LibreOffice: the space that multiple line spacing
 * adds below the text may be covered.
 */
const inkOf = (line: Line): Pt => Math.max(1, line.height - line.slack)

/** One line across several free intervals; undefined when not even one word fits. */
function fillIntervals(
  context: LayoutContext,
  request: LineRequest,
  intervals: readonly Room[],
): Line | undefined {
  let line: Line | undefined
  for (const interval of indented(request, intervals)) {
    const at: number = line?.to ?? request.from
    const part = fillLine(context, { ...request, from: at, room: interval, yields: true })
    if (part.to <= at && request.content.pieces.length > at) continue
    line = line === undefined ? { ...part, from: request.from } : joined(line, part)
    if (part.broke !== undefined || part.to >= request.content.pieces.length) break
  }
  return line
}

/**
 * The free intervals in reading order. Observed in LibreOffice: when an obstacle covers the start of the
 * line, indents count from the far edge of the obstacle.
 */
function indented({ style, width }: LineRequest, intervals: readonly Room[]): readonly Room[] {
  const { rightToLeft, indentStart } = style
  const order = rightToLeft ? [...intervals].reverse() : intervals
  const startOf = (interval: Room): Pt => (rightToLeft ? width - interval.right : interval.left)
  const endOf = (interval: Room): Pt => (rightToLeft ? width - interval.left : interval.right)
  const usable = order.filter((interval) => endOf(interval) > indentStart + 0.01)
  const first = usable[0]
  if (first === undefined || startOf(first) <= Math.max(0.01, indentStart)) return usable
  return [{ ...first, indents: true }, ...usable.slice(1)]
}

/** Two parts of one line, left and right of an obstacle, as one line. */
function joined(a: Line, b: Line): Line {
  const ascent = Math.max(a.ascent, b.ascent)
  return {
    items: [...a.items, ...b.items],
    height: ascent + Math.max(a.height - a.ascent, b.height - b.ascent),
    ascent,
    slack: Math.min(a.slack, b.slack),
    from: a.from,
    to: b.to,
    broke: b.broke,
    notes: [...a.notes, ...b.notes],
    hyphenated: b.hyphenated,
    changed: a.changed || b.changed,
  }
}

/** The minimum width of an interval in points. Observed in LibreOffice: text goes wherever a word fits. */
const minIntervalWidth = 1

/**
 * A function that finds the free intervals of a line. The origin of the region converts the page coordinates
 * of `exclusions` into positions of the region.
 */
export function obstaclesOf(
  exclusions: readonly Exclusion[],
  originX: Pt,
  originY: Pt,
  width: Pt,
): Obstacles {
  return (y, height) => {
    let top = y
    for (let attempt = 0; attempt < 64; attempt++) {
      const slice = { top: originY + top + 0.02, bottom: originY + top + height - 0.02 }
      const hits = exclusions.flatMap((whole) => {
        const box = atHeight(whole, slice)
        return box !== undefined && box.left < originX + width && box.right > originX ? [box] : []
      })
      if (hits.length === 0) return top === y ? undefined : { rooms: [{ left: 0, right: width }], y: top }
      const intervals = intervalsBeside(hits, originX, width)
      const below = Math.min(...hits.map((box) => nextBelow(box, slice))) - originY + 0.01
      if (intervals.length > 0) return { rooms: intervals, y: top, below }
      top = below
    }
    return { rooms: [{ left: 0, right: width }], y: top }
  }
}

/**
 * Observed in LibreOffice: optimal wrapping uses the wider side only, and neither when both are narrower than
 * two centimetres (in points).
 */
const minSideWidth = 56.7

function widerSide(before: Pt, behind: Pt): 'left' | 'right' | 'none' {
  if (Math.max(before, behind) < minSideWidth) return 'none'
  return before >= behind ? 'left' : 'right'
}

/** The intervals that obstacles leave of the width of the region, in region coordinates. */
function intervalsBeside(hits: readonly Exclusion[], originX: Pt, width: Pt): Room[] {
  if (hits.some((box) => box.side === 'none')) return []
  let intervals: Room[] = [{ left: 0, right: width }]
  for (const box of hits) {
    const left = box.left - originX
    const right = box.right - originX
    const side =
      box.side === 'largest'
        ? left >= width - right
          ? 'left'
          : 'right'
        : box.side === 'roomy'
          ? widerSide(left, width - right)
          : box.side
    if (side === 'none') {
      intervals = []
      break
    }
    intervals = intervals.flatMap((interval) => {
      const parts: Room[] = []
      if (side !== 'right' && Math.min(left, interval.right) - interval.left >= minIntervalWidth)
        parts.push({ left: interval.left, right: Math.min(left, interval.right) })
      if (side !== 'left' && interval.right - Math.max(right, interval.left) >= minIntervalWidth)
        parts.push({ left: Math.max(right, interval.left), right: interval.right })
      return parts
    })
  }
  return intervals
}

/** The heights that borders and a shadow add to a paragraph. */
export interface BoxEdges {
  /** Above the first line. */
  readonly top: Pt
  /** Below the last line. */
  readonly bottom: Pt
  /** Above a part that continues from the previous page, and below a part that continues on the next one. */
  readonly cutTop: Pt
  readonly cutBottom: Pt
}

/** What the borders of a paragraph add above and below its text: line width and distance. */
export function edgesOf(paragraph: PreparedParagraph): BoxEdges {
  const { borders, shadow } = paragraph.style
  if (borders === undefined && shadow === undefined) return noEdges
  const [over, under] = shadow === undefined ? [0, 0] : [Math.max(0, -shadow.y), Math.max(0, shadow.y)]
  const extent = (border: Border | undefined): Pt =>
    border === undefined ? 0 : lineWidth(border) + border.space
  const top = over + extent(borders?.top)
  const bottom = under + extent(borders?.bottom)
  return {
    top: paragraph.joinsAbove ? (borders?.between?.space ?? 0) : top,
    bottom: paragraph.joinsBelow ? extent(borders?.between) : bottom,
    cutTop: top,
    cutBottom: bottom,
  }
}

const noEdges: BoxEdges = { top: 0, bottom: 0, cutTop: 0, cutBottom: 0 }

/**
 * Draws the shading and borders of the part of a paragraph on this page. `box.top` and `box.bottom` are
 * positions in the region; `first` and `last` say whether the part contains the start and the end of the
 * paragraph.
 */
export function paintBox(
  context: LayoutContext,
  paragraph: PreparedParagraph,
  box: {
    readonly top: Pt
    readonly bottom: Pt
    readonly width: Pt
    readonly first: boolean
    readonly last: boolean
  },
  items: Placed[],
): void {
  const { style } = paragraph
  const { borders } = style
  if (style.shadow !== undefined) {
    const { shadow } = style
    const { shadow: _shadow, ...plain } = style
    const top = box.top + (paragraph.joinsAbove ? 0 : Math.max(0, -shadow.y))
    const bottom = box.bottom - (paragraph.joinsBelow ? 0 : Math.max(0, shadow.y))
    const inside = { ...box, top, bottom }
    const [left, right] = boxSides(paragraph, box.width)
    const width = right - left
    if (width > 0)
      items.push(filledBox(left + shadow.x, top + shadow.y, width, bottom - top, colourOf(shadow.color)))
    if (style.shading === undefined && width > 0)
      items.push(filledBox(left, top, width, bottom - top, 0xffffff))
    paintBox(context, { ...paragraph, style: plain }, inside, items)
    return
  }
  const [left, right] = boxSides(paragraph, box.width)
  if (right <= left) return
  if (style.shading !== undefined) {
    items.push(filledBox(left, box.top, right - left, box.bottom - box.top, colourOf(style.shading)))
  }
  if (style.backdrop !== undefined) {
    const [width, height] = [right - left, box.bottom - box.top]
    items.push(...backdropItems(context, style.backdrop, { x: left, y: box.top, width, height }))
  }
  if (borders === undefined) return
  const visible = (border: Border | undefined): border is Border =>
    border !== undefined && border.style !== 'none'
  const whole = box.first && box.last && !paragraph.joinsAbove && !paragraph.joinsBelow
  if (whole && nests(borders)) {
    items.push(
      ...nestedBoxes(borders.top, { left, top: box.top, width: right - left, height: box.bottom - box.top }),
    )
    return
  }
  if (visible(borders.top) && !(box.first && paragraph.joinsAbove)) {
    items.push(...borderLine(borders.top, left, box.top + lineWidth(borders.top) / 2, right - left, 0))
  }
  const below = box.last && paragraph.joinsBelow ? borders.between : borders.bottom
  if (visible(below)) {
    items.push(...borderLine(below, left, box.bottom - lineWidth(below) / 2, right - left, 0, 'behind'))
  }
  if (visible(borders.left)) {
    items.push(
      ...borderLine(borders.left, left + lineWidth(borders.left) / 2, box.top, 0, box.bottom - box.top),
    )
  }
  if (visible(borders.right)) {
    items.push(
      ...borderLine(
        borders.right,
        right - lineWidth(borders.right) / 2,
        box.top,
        0,
        box.bottom - box.top,
        'behind',
      ),
    )
  }
}

/** The left and right edge of the box around a paragraph, in the region. */
function boxSides({ style }: PreparedParagraph, width: Pt): readonly [Pt, Pt] {
  const { borders } = style
  const side = (border: Border | undefined): Pt =>
    border === undefined ? 0 : border.space + lineWidth(border)
  const start = style.indentStart + Math.min(0, style.indentFirst)
  return [
    (style.rightToLeft ? style.indentEnd : start) - side(borders?.left),
    width - (style.rightToLeft ? start : style.indentEnd) + side(borders?.right),
  ]
}
