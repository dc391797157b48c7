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

/** Lines of a paragraph at the flow's width, computed once. */
export function linesOf(context: LayoutContext, paragraph: PreparedParagraph, width: Pt): readonly Line[] {
  paragraph.lines ??= withKnownLines(context, paragraph, width, () =>
    breakLines(context, paragraph, width, 0, undefined),
  )
  return paragraph.lines
}

/** What is free for a line at some height. */
export interface Place {
  readonly y: Pt
  /** Stretches beside what is in the way, from left to right; one as wide as the region when nothing is. */
  readonly rooms: readonly Room[]
  /** Where to try next when the text fits none of them; absent: the whole width is free. */
  readonly below?: Pt
}
/** Where a line at `y` of a given height may stand; undefined when nothing is in the way. */
export type Obstacles = (y: Pt, height: Pt) => Place | undefined

interface Around {
  readonly y: Pt
  readonly obstacles: Obstacles
  readonly tops: Pt[]
}

/** Breaks the rest of a paragraph into lines, from a piece on. Around obstacles each line's place comes with it. */
export function breakLines(
  context: LayoutContext,
  paragraph: PreparedParagraph,
  width: Pt,
  from: number,
  around: Around | undefined,
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
    // A line that takes nothing ends the paragraph rather than the patience.
    if (line.to <= at) break
    at = line.to
  } while (at < content.pieces.length)
  // A break made by hand at the very end opens one more, empty line.
  const { broke } = lines.at(-1)!
  if ((broke === 'line' || broke === 'column') && at >= content.pieces.length) {
    lines.push(fillLine(context, { content, style, from: content.pieces.length, width, grid, ground }))
    if (around !== undefined) around.tops.push(y)
  }
  return lines
}

/** Most heights tried for one line before it is set across whatever is in the way. */
const mostTries = 40

/** A line beside obstacles: text goes on from one free stretch to the next, below when no word fits any of them. */
function fillAround(
  context: LayoutContext,
  request: LineRequest,
  plain: Line,
  from: Pt,
  obstacles: Obstacles,
): { readonly line: Line; readonly y: Pt } {
  let y = from
  let height = inkOf(plain)
  for (let round = 0; round < mostTries; round++) {
    const place = obstacles(y, height)
    if (place === undefined) return { line: plain, y }
    y = place.y
    const line = place.below === undefined ? plain : fillRooms(context, request, place.rooms)
    if (line === undefined) {
      y = place.below!
      height = inkOf(plain)
    } else if (inkOf(line) <= height + 0.01) return { line, y }
    else height = inkOf(line)
  }
  return { line: plain, y }
}

/** How tall a line stands in the way. Observed in LibreOffice: what a multiple adds below it may be covered. */
const inkOf = (line: Line): Pt => Math.max(1, line.height - line.slack)

/** One line over several free stretches; undefined when not even a word fits. */
function fillRooms(context: LayoutContext, request: LineRequest, rooms: readonly Room[]): Line | undefined {
  let line: Line | undefined
  for (const room of indented(request, rooms)) {
    const at: number = line?.to ?? request.from
    const part = fillLine(context, { ...request, from: at, room, yields: true })
    if (part.to <= at && request.content.pieces.length > at) continue
    line = line === undefined ? { ...part, from: request.from } : joined(line, part)
    if (part.broke !== undefined || part.to >= request.content.pieces.length) break
  }
  return line
}

/**
 * The stretches in the order of reading. Observed in LibreOffice: where something covers the start of the text, indents
 * count from its far edge.
 */
function indented({ style, width }: LineRequest, rooms: readonly Room[]): readonly Room[] {
  const { rightToLeft, indentStart } = style
  const order = rightToLeft ? [...rooms].reverse() : rooms
  const startOf = (room: Room): Pt => (rightToLeft ? width - room.right : room.left)
  const endOf = (room: Room): Pt => (rightToLeft ? width - room.left : room.right)
  const usable = order.filter((room) => endOf(room) > indentStart + 0.01)
  const first = usable[0]
  if (first === undefined || startOf(first) <= Math.max(0.01, indentStart)) return usable
  return [{ ...first, indents: true }, ...usable.slice(1)]
}

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

/** Narrowest stretch that is looked at. Observed in LibreOffice: text goes wherever a word fits. */
const narrowest = 1

/** Free room at a height of the region, given what stands on the page. */
export function obstaclesOf(
  exclusions: readonly Exclusion[],
  originX: Pt,
  originY: Pt,
  width: Pt,
): Obstacles {
  return (y, height) => {
    let top = y
    for (let round = 0; round < 64; round++) {
      const band = { top: originY + top + 0.02, bottom: originY + top + height - 0.02 }
      const hits = exclusions.flatMap((whole) => {
        const box = atHeight(whole, band)
        return box !== undefined && box.left < originX + width && box.right > originX ? [box] : []
      })
      if (hits.length === 0) return top === y ? undefined : { rooms: [{ left: 0, right: width }], y: top }
      const rooms = roomsBeside(hits, originX, width)
      const below = Math.min(...hits.map((box) => nextBelow(box, band))) - originY + 0.01
      if (rooms.length > 0) return { rooms, y: top, below }
      top = below
    }
    return { rooms: [{ left: 0, right: width }], y: top }
  }
}

/** Observed in LibreOffice: optimal wrap fills the wider side, and none that is narrower than two centimetres. */
const roomy = 56.7

function roomySide(before: Pt, behind: Pt): 'left' | 'right' | 'none' {
  if (Math.max(before, behind) < roomy) return 'none'
  return before >= behind ? 'left' : 'right'
}

function roomsBeside(hits: readonly Exclusion[], originX: Pt, width: Pt): Room[] {
  if (hits.some((box) => box.side === 'none')) return []
  let rooms: Room[] = [{ left: 0, right: width }]
  for (const box of hits) {
    const left = box.left - originX
    const right = box.right - originX
    const side =
      box.side === 'largest'
        ? left >= width - right
          ? 'left'
          : 'right'
        : box.side === 'roomy'
          ? roomySide(left, width - right)
          : box.side
    if (side === 'none') {
      rooms = []
      break
    }
    rooms = rooms.flatMap((room) => {
      const parts: Room[] = []
      if (side !== 'right' && Math.min(left, room.right) - room.left >= narrowest)
        parts.push({ left: room.left, right: Math.min(left, room.right) })
      if (side !== 'left' && room.right - Math.max(right, room.left) >= narrowest)
        parts.push({ left: Math.max(right, room.left), right: room.right })
      return parts
    })
  }
  return rooms
}

export interface BoxEdges {
  readonly top: Pt // height above the first line
  readonly bottom: Pt
  /** Where the paragraph goes on behind a page break, and where it is cut by one. */
  readonly cutTop: Pt
  readonly cutBottom: Pt
}

/** What borders add above and below the text: width and distance. */
export function edgesOf(paragraph: PreparedParagraph): BoxEdges {
  const { borders, shadow } = paragraph.style
  if (borders === undefined && shadow === undefined) return noEdges
  const [over, under] = shadow === undefined ? [0, 0] : [Math.max(0, -shadow.y), Math.max(0, shadow.y)]
  const room = (border: Border | undefined): Pt =>
    border === undefined ? 0 : lineWidth(border) + border.space
  const top = over + room(borders?.top)
  const bottom = under + room(borders?.bottom)
  return {
    top: paragraph.joinsAbove ? (borders?.between?.space ?? 0) : top,
    bottom: paragraph.joinsBelow ? room(borders?.between) : bottom,
    cutTop: top,
    cutBottom: bottom,
  }
}

const noEdges: BoxEdges = { top: 0, bottom: 0, cutTop: 0, cutBottom: 0 }

/** Shading and borders around the lines of a paragraph on this page. y of the box, in the region. */
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

/** Left and right edge of the box around a paragraph. */
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
