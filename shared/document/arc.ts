import { ellipse } from './ellipse.ts'

/**
 * Converts an elliptical arc that begins at the given point into cubic curves, each as x1 y1 x2 y2 x y, with
 * at most a quarter of the ellipse per curve. `start` and `sweep` are degrees, clockwise from the positive x
 * axis where y grows downward; a negative sweep runs counter-clockwise and is limited to one full turn.
 */
export function arcFrom(
  [x0, y0]: readonly [number, number],
  { rx, ry, start, sweep }: { rx: number; ry: number; start: number; sweep: number },
): number[][] {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const from = radians(start)
  const centre = { x: x0 - rx * Math.cos(from), y: y0 - ry * Math.sin(from) }
  const span = radians(Math.max(-360, Math.min(360, sweep)))
  return ellipse({ centre, rx, ry, turn: 0, start: from, span })
    .slice(1)
    .map(([, ...points]) => points)
}

/**
 * Raises a quadratic curve (start, control point, end) to the equivalent cubic curve, returned as x1 y1 x2 y2
 * x y.
 */
export function cubicOf(
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
): number[] {
  return [
    x0 + ((x1 - x0) * 2) / 3,
    y0 + ((y1 - y0) * 2) / 3,
    x2 + ((x1 - x2) * 2) / 3,
    y2 + ((y1 - y2) * 2) / 3,
    x2,
    y2,
  ]
}
