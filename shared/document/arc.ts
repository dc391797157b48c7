/**
 * An arc of an ellipse that starts where a path is, as cubic curves: x1 y1 x2 y2 x y each, one for every quarter.
 * Angles in degrees, clockwise from the right where y grows downward; the sweep may be negative.
 */
export function arcFrom(
  [x0, y0]: readonly [number, number],
  { rx, ry, start, sweep }: { rx: number; ry: number; start: number; sweep: number },
): number[][] {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const limited = Math.max(-360, Math.min(360, sweep))
  const parts = Math.max(1, Math.ceil(Math.abs(limited) / 90 - 1e-9))
  const step = radians(limited) / parts
  const handle = (4 / 3) * Math.tan(step / 4)
  const [cx, cy] = [x0 - rx * Math.cos(radians(start)), y0 - ry * Math.sin(radians(start))]
  return Array.from({ length: parts }, (_, n) => {
    const [a, b] = [radians(start) + n * step, radians(start) + (n + 1) * step]
    return [
      cx + rx * (Math.cos(a) - handle * Math.sin(a)),
      cy + ry * (Math.sin(a) + handle * Math.cos(a)),
      cx + rx * (Math.cos(b) + handle * Math.sin(b)),
      cy + ry * (Math.sin(b) - handle * Math.cos(b)),
      cx + rx * Math.cos(b),
      cy + ry * Math.sin(b),
    ]
  })
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
