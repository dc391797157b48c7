import type { Border } from '../../../../../shared/document/properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { lineWidth, stripsOf } from '../../style/border-width.ts'
import { type Colour, type PathStroke, type Placed, type Pt, straightLine } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'

/**
 * The fraction of its brightness that each line of a border in relief keeps, from the outside to the inside.
 */
const reliefs: Readonly<Partial<Record<Border['style'], readonly number[]>>> = {
  inset: [1, 0.5],
  outset: [0.5, 1],
  embossed: [1, 0.67, 0.33],
  engraved: [0.33, 0.67, 1],
}

/** One line of a border. `at` is the distance from its middle to the outer edge of the border. */
export interface BorderStrip {
  readonly at: Pt
  readonly stroke: PathStroke
}

/** The lines of a border from the outside to the inside. */
export function borderStrips(border: Border): BorderStrip[] {
  if (border.style === 'none' || border.width <= 0) return []
  const strips = stripsOf(border)
  const relief = strips.length > 1 ? reliefs[border.style] : undefined
  const dash = libreOffice.borderDashes[border.style]
  const borderLines: BorderStrip[] = []
  let edge = 0
  strips.forEach((width, index) => {
    if (index % 2 === 0) {
      const colour = shaded(colourOf(border.color), relief?.[index / 2] ?? 1)
      borderLines.push({
        at: edge + width / 2,
        stroke: { colour, width, ...(dash !== undefined && { dash }) },
      })
    }
    edge += width
  })
  return borderLines
}

/** A colour darkened to a fraction of each channel. */
function shaded(colour: Colour, fraction: number): Colour {
  if (fraction === 1) return colour
  const channel = (shift: number): number => Math.round(((colour >> shift) & 255) * fraction) << shift
  return channel(16) + channel(8) + channel(0)
}

/**
 * A border as strokes, centred on the horizontal or vertical line from (x, y) by (dx, dy). Its outside is
 * above or to the left; with 'behind' it is below or to the right, as for the bottom and right borders.
 */
export function borderLine(
  border: Border,
  x: Pt,
  y: Pt,
  dx: Pt,
  dy: Pt,
  outside: 'before' | 'behind' = 'before',
): Placed[] {
  const half = lineWidth(border) / 2
  const sign = outside === 'before' ? 1 : -1
  return borderStrips(border).map(({ at, stroke }) => {
    const by = sign * (at - half)
    return straightLine(x + (dx === 0 ? by : 0), y + (dx === 0 ? 0 : by), dx, dy, stroke)
  })
}
