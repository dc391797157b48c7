import type { Border } from '../../../../../shared/document/properties.ts'
import type { LayoutContext } from '../context.ts'
import { filledBox, type Placed, type Pt } from '../frame.ts'
import { fillLine, type Line, type Room } from '../inline/line.ts'
import { colourOf } from '../inline/look.ts'
import { borderLine } from '../table/border-line.ts'
import type { Exclusion, PreparedParagraph } from './types.ts'

/** Lines of a paragraph at the flow's width, computed once. */
export function linesOf(context: LayoutContext, paragraph: PreparedParagraph, width: Pt): readonly Line[] {
  if (paragraph.lines === undefined) paragraph.lines = breakLines(context, paragraph, width, 0, undefined)
  return paragraph.lines
}

/** Where a line at `y` of a given height may stand; undefined when nothing is in the way. */
export type Obstacles = (y: Pt, height: Pt) => { readonly room: Room; readonly y: Pt } | undefined

/** Breaks the rest of a paragraph into lines, from a piece on. Around obstacles each line's place comes with it. */
export function breakLines(
  context: LayoutContext,
  paragraph: PreparedParagraph,
  width: Pt,
  from: number,
  around: { readonly y: Pt; readonly obstacles: Obstacles; readonly tops: Pt[] } | undefined,
): Line[] {
  const { style, grid, ground } = paragraph
  const content = paragraph.content()
  const lines: Line[] = []
  let at = from
  let y = around?.y ?? 0
  do {
    context.budget.check()
    let line = fillLine(context, { content, style, from: at, width, grid, ground })
    if (around !== undefined) {
      let place = around.obstacles(y, line.height)
      for (let round = 0; place !== undefined && round < 3; round++) {
        y = place.y
        line = fillLine(context, { content, style, from: at, width, grid, ground, room: place.room })
        const again = around.obstacles(y, line.height)
        if (
          again === undefined ||
          (again.y === place.y &&
            again.room.left === place.room.left &&
            again.room.right === place.room.right)
        )
          break
        place = again
      }
      around.tops.push(y)
      y += line.height
    }
    lines.push(line)
    // A line that takes nothing ends the paragraph rather than the patience.
    if (line.to <= at) break
    at = line.to
  } while (at < content.pieces.length)
  // A break made by hand at the very end opens one more, empty line.
  if (lines.at(-1)?.broke === 'line' && at >= content.pieces.length) {
    lines.push(fillLine(context, { content, style, from: content.pieces.length, width, grid, ground }))
    if (around !== undefined) around.tops.push(y)
  }
  return lines
}

/** Narrowest stretch beside an obstacle that text is put into: observed in LibreOffice, about a centimetre. */
const narrowest = 28

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
      const hits = exclusions.filter(
        (box) =>
          box.top < originY + top + height - 0.05 &&
          box.bottom > originY + top + 0.05 &&
          box.left < originX + width &&
          box.right > originX,
      )
      if (hits.length === 0) return top === y ? undefined : { room: { left: 0, right: width }, y: top }
      const room = widest(hits, originX, width)
      if (room !== undefined) return { room, y: top }
      top = Math.min(...hits.map((box) => box.bottom)) - originY + 0.01
    }
    return { room: { left: 0, right: width }, y: top }
  }
}

function widest(hits: readonly Exclusion[], originX: Pt, width: Pt): Room | undefined {
  if (hits.some((box) => box.side === 'none')) return undefined
  let rooms: Room[] = [{ left: 0, right: width }]
  for (const box of hits) {
    const left = box.left - originX
    const right = box.right - originX
    const side = box.side === 'largest' ? (left >= width - right ? 'left' : 'right') : box.side
    rooms = rooms.flatMap((room) => {
      if (right <= room.left || left >= room.right) return [room]
      const parts: Room[] = []
      if (side !== 'right' && left - room.left >= narrowest) parts.push({ left: room.left, right: left })
      if (side !== 'left' && room.right - right >= narrowest) parts.push({ left: right, right: room.right })
      return parts
    })
  }
  return rooms.reduce<Room | undefined>(
    (best, room) => (best === undefined || room.right - room.left > best.right - best.left ? room : best),
    undefined,
  )
}

export interface BoxEdges {
  readonly top: Pt // height above the first line
  readonly bottom: Pt
  readonly between: Pt
}

/** What borders add above and below the text: width and distance. */
export function edgesOf(paragraph: PreparedParagraph): BoxEdges {
  const { borders } = paragraph.style
  if (borders === undefined) return { top: 0, bottom: 0, between: 0 }
  const room = (border: Border | undefined): Pt =>
    border === undefined || border.style === 'none' ? 0 : lineWidth(border) + border.space
  return {
    top: paragraph.joinsAbove ? 0 : room(borders.top),
    bottom: paragraph.joinsBelow
      ? borders.between === undefined
        ? 0
        : room(borders.between)
      : room(borders.bottom),
    between: 0,
  }
}

/** Everything a border line takes, gaps of double lines included. */
export function lineWidth(border: Border): Pt {
  if (border.style === 'none') return 0
  if (border.style === 'double') return border.width * 3
  if (border.style === 'triple') return border.width * 5
  return border.width
}

/** Shading and borders around the lines of a paragraph on this page. y of the box, in the region. */
export function paintBox(
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
  const side = (border: Border | undefined): Pt =>
    border === undefined || border.style === 'none' ? 0 : border.space + lineWidth(border)
  const hanging = Math.min(0, style.indentFirst)
  const start = style.indentStart + hanging
  const left = (style.rightToLeft ? style.indentEnd : start) - side(borders?.left)
  const right = box.width - (style.rightToLeft ? start : style.indentEnd) + side(borders?.right)
  if (right <= left) return
  if (style.shading !== undefined) {
    items.push(filledBox(left, box.top, right - left, box.bottom - box.top, colourOf(style.shading)))
  }
  if (borders === undefined) return
  const visible = (border: Border | undefined): border is Border =>
    border !== undefined && border.style !== 'none'
  if (visible(borders.top) && box.first && !paragraph.joinsAbove) {
    items.push(...borderLine(borders.top, left, box.top + lineWidth(borders.top) / 2, right - left, 0))
  }
  const below = paragraph.joinsBelow ? borders.between : borders.bottom
  if (visible(below) && box.last) {
    items.push(...borderLine(below, left, box.bottom - lineWidth(below) / 2, right - left, 0))
  }
  if (visible(borders.left)) {
    items.push(
      ...borderLine(borders.left, left + lineWidth(borders.left) / 2, box.top, 0, box.bottom - box.top),
    )
  }
  if (visible(borders.right)) {
    items.push(
      ...borderLine(borders.right, right - lineWidth(borders.right) / 2, box.top, 0, box.bottom - box.top),
    )
  }
}
