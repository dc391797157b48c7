/** Draws backgrounds and borders. Source: CSS Backgrounds 3. */
import { filledBox, type Placed, type Pt, straightLine } from '../frame.ts'
import { cornersOf, equalCorners, grownCorners, roundedOutline } from './corners.ts'
import type { BorderSide, BoxPaint, LineStyle } from './fragment.ts'
import { fillOf } from './gradient.ts'
import { drawShadows } from './shadow.ts'
import { pixel } from './text-font.ts'

/** Draws the shadows, the background and the borders of a box. */
export function drawBox(paint: BoxPaint, x: Pt, y: Pt, width: Pt, height: Pt): Placed[] {
  const { background, gradient, borders = {}, radii, centred = false, shadows = [] } = paint
  const corners = radii === undefined ? equalCorners(0) : cornersOf(radii, width, height)
  const items: Placed[] = drawShadows(shadows, { x, y, width, height }, (grown) =>
    roundedOutline(-grown, -grown, width + 2 * grown, height + 2 * grown, grownCorners(corners, grown)),
  )
  const outline = { commands: roundedOutline(0, 0, width, height, corners) }
  if (width > 0 && height > 0) {
    if (gradient !== undefined)
      items.push({
        x,
        y,
        item: { kind: 'shape', path: { ...outline, fill: fillOf(gradient, width, height) } },
      })
    else if (background !== undefined && radii !== undefined)
      items.push({
        x,
        y,
        item: { kind: 'shape', path: { ...outline, fill: { kind: 'solid', colour: background } } },
      })
    else if (background !== undefined) items.push(filledBox(x, y, width, height, background))
  }
  const { top, right, bottom, left } = borders
  const isEqual = [right, bottom, left].every(
    (side) => side?.width === top?.width && side?.colour === top?.colour && side?.style === top?.style,
  )
  if (radii !== undefined && top !== undefined && isEqual && top.colour >= 0) {
    const half = top.width / 2
    const middle = grownCorners(corners, -half)
    const commands = roundedOutline(half, half, width - top.width, height - top.width, middle)
    items.push({ x, y, item: { kind: 'shape', path: { commands, stroke: strokeOf(top, width * 2) } } })
    return items
  }
  const shift = (side: BorderSide | undefined): Pt => (centred ? 0 : (side?.width ?? 0) / 2)
  // Collapsed borders extend by half their width, so that the corners are closed.
  const reach = (side: BorderSide | undefined): Pt => (centred ? (side?.width ?? 0) / 2 : 0)
  const [x0, x1] = [x - reach(left), x + width + reach(right)]
  const [y0, y1] = [y - reach(top), y + height + reach(bottom)]
  if (top) items.push(...side(top, x0, y + shift(top), x1 - x0, 0))
  if (bottom) items.push(...side(bottom, x0, y + height - shift(bottom), x1 - x0, 0))
  if (left) items.push(...side(left, x + shift(left), y0, 0, y1 - y0))
  if (right) items.push(...side(right, x + width - shift(right), y0, 0, y1 - y0))
  return items
}

/** The stroke of a border of this length. */
function strokeOf({ colour, width, style }: BorderSide, length: Pt) {
  const dash = dashOf(style, width, length)
  return { colour, width, ...(dash !== undefined && { dash }) }
}

/**
 * The dashes and gaps of a border: thick lines have shorter ones in proportion, and the gaps are stretched or narrowed so
 * that the line ends with a dash (observed in Chromium).
 */
function dashOf(style: LineStyle, width: Pt, length: Pt): readonly [Pt, Pt] | undefined {
  if (style !== 'dashed' && style !== 'dotted') return undefined
  const isThick = width >= 3 * pixel
  const [dash, gap] =
    style === 'dotted' ? [width, width] : isThick ? [width * 2, width] : [width * 3, width * 2]
  const fewest = Math.floor((length + gap) / (dash + gap))
  if (fewest < 2) return [dash, gap]
  const gapWith = (dashes: number): Pt => (length - dashes * dash) / (dashes - 1)
  const [wide, narrow] = [gapWith(fewest), gapWith(fewest + 1)]
  return [dash, narrow <= 0 || Math.abs(wide - gap) < Math.abs(narrow - gap) ? wide : narrow]
}

function side(border: BorderSide, x: Pt, y: Pt, dx: Pt, dy: Pt): Placed[] {
  const { colour, width, style } = border
  if (colour < 0 || width <= 0 || (dx <= 0 && dy <= 0)) return []
  if (style === 'double' && width >= 2.25) {
    const third = width / 3
    const line = { colour, width: third }
    return dx > 0
      ? [straightLine(x, y - third, dx, dy, line), straightLine(x, y + third, dx, dy, line)]
      : [straightLine(x - third, y, dx, dy, line), straightLine(x + third, y, dx, dy, line)]
  }
  if (style === 'solid' || style === 'double')
    return dx > 0
      ? [filledBox(x, y - width / 2, dx, width, colour)]
      : [filledBox(x - width / 2, y, width, dy, colour)]
  return [straightLine(x, y, dx, dy, strokeOf(border, Math.max(dx, dy)))]
}
