import { ellipse } from './ellipse.ts'

/**
 * An arc of an ellipse that starts where a path is, as cubic curves: x1 y1 x2 y2 x y each, one for every quarter.
 * Angles in degrees, clockwise from the right where y grows downward; the sweep may be negative.
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

/** A quadratic curve as a cubic one: x1 y1 x2 y2 x y. */
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
