/** Draws backgrounds and borders. Source: CSS Backgrounds 3. */
import { filledBox, type PathCommand, type Placed, type Pt, straightLine } from '../frame.ts'
import type { BorderSide, BoxPaint } from './fragment.ts'
import { fillOf } from './gradient.ts'
import { drawShadows } from './shadow.ts'

/** The control-point distance that approximates a quarter circle by a cubic Bézier curve. */
const bezierCircle = 0.5523

/** The outline of a rectangle with rounded corners. */
export function roundedBox(x: Pt, y: Pt, width: Pt, height: Pt, radius: Pt): PathCommand[] {
  const r = Math.max(0, Math.min(radius, width / 2, height / 2))
  const k = r * (1 - bezierCircle)
  const [right, bottom] = [x + width, y + height]
  return [
    ['M', x + r, y],
    ['L', right - r, y],
    ['C', right - k, y, right, y + k, right, y + r],
    ['L', right, bottom - r],
    ['C', right, bottom - k, right - k, bottom, right - r, bottom],
    ['L', x + r, bottom],
    ['C', x + k, bottom, x, bottom - k, x, bottom - r],
    ['L', x, y + r],
    ['C', x, y + k, x + k, y, x + r, y],
    ['Z'],
  ]
}

/** Draws the shadows, the background and the borders of a box. */
export function drawBox(paint: BoxPaint, x: Pt, y: Pt, width: Pt, height: Pt): Placed[] {
  const { background, gradient, borders = {}, radius = 0, centred = false, shadows = [] } = paint
  const items: Placed[] = drawShadows(shadows, { x, y, width, height }, (grown) =>
    roundedBox(-grown, -grown, width + 2 * grown, height + 2 * grown, radius > 0 ? radius + grown : 0),
  )
  if (gradient !== undefined && width > 0 && height > 0) {
    const fill = fillOf(gradient, width, height)
    items.push({
      x,
      y,
      item: { kind: 'shape', path: { commands: roundedBox(0, 0, width, height, radius), fill } },
    })
  } else if (background !== undefined && width > 0 && height > 0) {
    if (radius > 0)
      items.push({
        x,
        y,
        item: {
          kind: 'shape',
          path: {
            commands: roundedBox(0, 0, width, height, radius),
            fill: { kind: 'solid', colour: background },
          },
        },
      })
    else items.push(filledBox(x, y, width, height, background))
  }
  const { top, right, bottom, left } = borders
  const isEqual = [right, bottom, left].every(
    (side) => side?.width === top?.width && side?.colour === top?.colour && side?.style === top?.style,
  )
  if (radius > 0 && top !== undefined && isEqual && top.colour >= 0) {
    const half = top.width / 2
    const commands = roundedBox(half, half, width - top.width, height - top.width, radius - half)
    items.push({ x, y, item: { kind: 'shape', path: { commands, stroke: strokeOf(top) } } })
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

function strokeOf({ colour, width, style }: BorderSide) {
  const dash = style === 'dashed' ? [width * 2, width] : style === 'dotted' ? [width, width] : undefined
  return { colour, width, ...(dash !== undefined && { dash }) }
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
  return [straightLine(x, y, dx, dy, strokeOf(border))]
}
