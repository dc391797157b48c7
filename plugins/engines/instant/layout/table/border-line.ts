import type { Border } from '../../../../../shared/document/properties.ts'
import { type Placed, type Pt, type Stroke, straightLine } from '../frame.ts'
import { dashOf } from '../inline/dash.ts'
import { colourOf } from '../inline/look.ts'

/** A border as strokes, centred on the line from (x, y) by (dx, dy), which is level or upright. */
export function borderLine(border: Border, x: Pt, y: Pt, dx: Pt, dy: Pt): Placed[] {
  if (border.style === 'none' || border.width <= 0) return []
  const stroke: Stroke = {
    colour: colourOf(border.color),
    width: border.width,
    dash: dashOf(border.style, border.width),
  }
  const across = dx === 0 ? [1, 0] : [0, 1]
  const shifted = (by: Pt, width: Pt): Placed =>
    straightLine(x + across[0]! * by, y + across[1]! * by, dx, dy, { ...stroke, width })
  switch (border.style) {
    case 'double':
      return [shifted(-border.width, border.width), shifted(border.width, border.width)]
    case 'triple':
      return [
        shifted(-border.width * 2, border.width),
        shifted(0, border.width),
        shifted(border.width * 2, border.width),
      ]
    case 'thin-thick':
      return [shifted(-border.width / 2, border.width / 4), shifted(border.width / 4, border.width / 2)]
    case 'thick-thin':
      return [shifted(-border.width / 4, border.width / 2), shifted(border.width / 2, border.width / 4)]
    default:
      return [straightLine(x, y, dx, dy, stroke)]
  }
}
