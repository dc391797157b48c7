/** Draws backgrounds and borders. Source: CSS Backgrounds 3. */
import { pushAll } from '../../../../../shared/push-all.ts'
import { filledBox, type PathCommand, type Placed, type Pt, straightLine } from '../frame.ts'
import { cornersOf, equalCorners, grownCorners, roundedOutline } from './corners.ts'
import type { BorderSide, BoxPaint, LineStyle } from './fragment.ts'
import { fillOf, type Gradient } from './gradient.ts'
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
    if (gradient !== undefined) items.push(gradientItem(gradient, { x, y, width, height }, outline.commands))
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
  if (top) pushAll(items, side(top, x0, y + shift(top), x1 - x0, 0))
  if (bottom) pushAll(items, side(bottom, x0, y + height - shift(bottom), x1 - x0, 0))
  if (left) pushAll(items, side(left, x + shift(left), y0, 0, y1 - y0))
  if (right) pushAll(items, side(right, x + width - shift(right), y0, 0, y1 - y0))
  return items
}

/** Draws a gradient within an outline. A stretched one is drawn as a group, so that a circle becomes an ellipse. */
function gradientItem(
  gradient: Gradient,
  { x, y, width, height }: { readonly x: Pt; readonly y: Pt; readonly width: Pt; readonly height: Pt },
  commands: readonly PathCommand[],
): Placed {
  const { fill, scaleY } = fillOf(gradient, width, height)
  if (Math.abs(scaleY - 1) < 1e-6) return { x, y, item: { kind: 'shape', path: { commands, fill } } }
  const size = { width, height: height / scaleY }
  const rectangle: PathCommand = ['R', 0, 0, size.width, size.height]
  const shape: Placed = { x: 0, y: 0, item: { kind: 'shape', path: { commands: [rectangle], fill } } }
  const stretched: Placed = {
    x: 0,
    y: 0,
    item: {
      kind: 'group',
      frame: { ...size, items: [shape] },
      clip: false,
      transform: [1, 0, 0, scaleY, 0, 0],
    },
  }
  const frame = { width, height, items: [stretched] }
  return { x, y, item: { kind: 'group', frame, clip: true, clipPath: commands } }
}

const isDots = ({ style, width }: BorderSide): boolean => style === 'dotted' && width >= 3 * pixel

/** The stroke of a border of this length. Thick dots are round: dashes of nearly no length with round ends. */
function strokeOf(border: BorderSide, length: Pt) {
  const { colour, width, style } = border
  const dash = dashOf(style, width, length)
  if (dash !== undefined && isDots(border))
    return { colour, width, dash: [dotLength, dash[0] + dash[1] - dotLength], cap: 'round' as const }
  return { colour, width, ...(dash !== undefined && { dash }) }
}

const dotLength: Pt = 0.01

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
  const stroke = strokeOf(border, Math.max(dx, dy))
  if (!isDots(border)) return [straightLine(x, y, dx, dy, stroke)]
  // The first and the last dot touch the ends of the border.
  const [inX, inY] = dx > 0 ? [width / 2, 0] : [0, width / 2]
  return [straightLine(x + inX, y + inY, Math.max(0, dx - 2 * inX), Math.max(0, dy - 2 * inY), stroke)]
}
