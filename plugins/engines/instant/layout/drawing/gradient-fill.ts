import type { Gradient } from '../../../../../shared/document/paint.ts'
import type { GradientFill, Pt } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'

/** Converts a gradient to the fill of a box; undefined if it has fewer than two colours. */
export function gradientFill(gradient: Gradient, width: Pt, height: Pt): GradientFill | undefined {
  if (gradient.stops.length < 2) return undefined
  const stops = gradient.stops.map(({ at, color }) => ({ at, colour: colourOf(color) }))
  if (gradient.kind === 'radial') {
    const [x1, y1] = [gradient.centre.x * width, gradient.centre.y * height]
    const reach = Math.hypot(Math.max(x1, width - x1), Math.max(y1, height - y1))
    return { kind: 'radial', x1, y1, x2: x1 + reach, y2: y1, stops, opacity: gradient.opacity }
  }
  // The gradient line is so long that the corners of the box get the first and the last colour.
  const angle = (gradient.angle * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const half = (Math.abs(width * cos) + Math.abs(height * sin)) / 2
  const [x, y] = [width / 2, height / 2]
  return {
    kind: 'linear',
    x1: x - cos * half,
    y1: y - sin * half,
    x2: x + cos * half,
    y2: y + sin * half,
    stops,
    opacity: gradient.opacity,
  }
}
