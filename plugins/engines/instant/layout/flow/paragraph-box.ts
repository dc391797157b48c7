import type { Border } from '../../../../../shared/document/properties.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { lineWidth } from '../../style/border-width.ts'
import { nestedBoxes, nests } from '../border-boxes.ts'
import type { LayoutContext } from '../context.ts'
import { backdropItems } from '../drawing/background.ts'
import { filledBox, type Placed, type Pt } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'
import { borderLine } from '../table/border-line.ts'
import type { PreparedParagraph } from './types.ts'

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

/** The heights that the borders of a paragraph add above and below its text: line width and distance. */
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
    cutTop: libreOffice.cutBordersClose ? top : 0,
    cutBottom: libreOffice.cutBordersClose ? bottom : 0,
  }
}

const noEdges: BoxEdges = { top: 0, bottom: 0, cutTop: 0, cutBottom: 0 }

/**
 * Draws the shading and borders of the part of a paragraph on this page. `box.top` and `box.bottom` are positions in the
 * region; `first` and `last` mean that the part contains the start or the end of the paragraph.
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
    const { shadow: _shadow, ...unshadowed } = style
    const top = box.top + (paragraph.joinsAbove ? 0 : Math.max(0, -shadow.y))
    const bottom = box.bottom - (paragraph.joinsBelow ? 0 : Math.max(0, shadow.y))
    const inside = { ...box, top, bottom }
    const [left, right] = boxEdges(paragraph, box.width)
    const width = right - left
    if (width > 0)
      items.push(filledBox(left + shadow.x, top + shadow.y, width, bottom - top, colourOf(shadow.color)))
    if (style.shading === undefined && width > 0)
      items.push(filledBox(left, top, width, bottom - top, 0xffffff))
    paintBox(context, { ...paragraph, style: unshadowed }, inside, items)
    return
  }
  const [left, right] = boxEdges(paragraph, box.width)
  if (right <= left) return
  if (style.shading !== undefined) {
    items.push(filledBox(left, box.top, right - left, box.bottom - box.top, colourOf(style.shading)))
  }
  if (style.backdrop !== undefined) {
    const [width, height] = [right - left, box.bottom - box.top]
    pushAll(items, backdropItems(context, style.backdrop, { x: left, y: box.top, width, height }))
  }
  if (borders === undefined) return
  const visible = (border: Border | undefined): border is Border =>
    border !== undefined && border.style !== 'none'
  const isUnsplit = box.first && box.last && !paragraph.joinsAbove && !paragraph.joinsBelow
  if (isUnsplit && nests(borders)) {
    pushAll(
      items,
      nestedBoxes(borders.top, { left, top: box.top, width: right - left, height: box.bottom - box.top }),
    )
    return
  }
  if (visible(borders.top) && !(box.first && paragraph.joinsAbove)) {
    pushAll(items, borderLine(borders.top, left, box.top + lineWidth(borders.top) / 2, right - left, 0))
  }
  const below = box.last && paragraph.joinsBelow ? borders.between : borders.bottom
  if (visible(below)) {
    pushAll(items, borderLine(below, left, box.bottom - lineWidth(below) / 2, right - left, 0, 'behind'))
  }
  if (visible(borders.left)) {
    pushAll(
      items,
      borderLine(borders.left, left + lineWidth(borders.left) / 2, box.top, 0, box.bottom - box.top),
    )
  }
  if (visible(borders.right)) {
    pushAll(
      items,
      borderLine(
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
function boxEdges({ style }: PreparedParagraph, width: Pt): readonly [Pt, Pt] {
  const { borders } = style
  const outset = (border: Border | undefined): Pt =>
    border === undefined ? 0 : border.space + lineWidth(border)
  const start = style.indentStart + Math.min(0, style.indentFirst)
  return [
    (style.rightToLeft ? style.indentEnd : start) - outset(borders?.left),
    width - (style.rightToLeft ? start : style.indentEnd) + outset(borders?.right),
  ]
}
