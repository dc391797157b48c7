import { pushAll } from '../../../../../../shared/push-all.ts'
import { filledBox, type Placed, type Pt, straightLine } from '../../frame.ts'
import type { ConditionalFormatting } from './conditions.ts'
import { drawIcon } from './icons.ts'

interface Box {
  readonly x: Pt
  readonly y: Pt
  readonly width: Pt
  readonly height: Pt
}

/** The space between an icon and the edges of its cell in pt, and its size in em. Observed in LibreOffice. */
const margin: Pt = 0.5
const iconSize = 1.36

const colourOf = (color: string): number => Number.parseInt(color, 16) || 0

/**
 * Draws the data bar and the icon of a cell. Icons are slightly taller than the text and placed at the bottom left (observed
 * in LibreOffice).
 */
export function drawBarAndIcon(
  { bar, icon, format }: ConditionalFormatting,
  { x, y, width, height }: Box,
): Placed[] {
  const items: Placed[] = []
  if (bar !== undefined) {
    const zero = x + width * bar.zero
    const end = zero + (bar.length < 0 ? zero - x : x + width - zero) * bar.length
    const [from, size] = [Math.min(zero, end), Math.abs(end - zero)]
    if (size > 0) items.push(barBox(from, y, size, height, bar.color, bar.gradient, bar.length < 0))
    if (bar.axis !== undefined)
      items.push(straightLine(zero, y, 0, height, { colour: colourOf(bar.axis), width: 0.5, dash: [3, 3] }))
  }
  if (icon !== undefined) {
    const size = Math.max(0, Math.min(iconSize * format.font.size, height - 2 * margin, width - 2 * margin))
    pushAll(items, drawIcon(icon, x + margin, y + height - margin - size, size))
  }
  return items
}

/** Draws a bar in one colour, or with a gradient to white at its end. */
function barBox(
  x: Pt,
  y: Pt,
  width: Pt,
  height: Pt,
  color: string,
  isGradient: boolean,
  isNegative: boolean,
): Placed {
  const colour = colourOf(color)
  if (!isGradient) return filledBox(x, y, width, height, colour)
  const [start, end] = isNegative ? [width, 0] : [0, width]
  const stops = [
    { at: 0, colour },
    { at: 1, colour: 0xffffff },
  ]
  return {
    x,
    y,
    item: {
      kind: 'shape',
      path: {
        commands: [['R', 0, 0, width, height]],
        fill: { kind: 'linear', x1: start, y1: 0, x2: end, y2: 0, stops },
      },
    },
  }
}
