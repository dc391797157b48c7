/** One command of a path made of lines and cubic curves: absolute coordinates, in the units of the caller. */
export type PathStep =
  | readonly ['M', x: number, y: number]
  | readonly ['L', x: number, y: number]
  | readonly ['C', x1: number, y1: number, x2: number, y2: number, x: number, y: number]
  | readonly ['Z']

interface EllipsePoint {
  readonly x: number
  readonly y: number
}
export interface ArcShape {
  readonly rx: number
  readonly ry: number
  readonly turn: number // rotation of the ellipse's x axis, degrees
  readonly large: boolean
  readonly sweep: boolean
}

/**
 * Converts an elliptical arc between two points into cubic curves. Equal points give nothing, a radius of 0 a
 * straight line. Source: SVG 2, appendix B.2 (conversion to centre form).
 */
export function arc(from: EllipsePoint, to: EllipsePoint, shape: ArcShape): PathStep[] {
  let rx = Math.abs(shape.rx)
  let ry = Math.abs(shape.ry)
  if (rx === 0 || ry === 0) return [['L', to.x, to.y]]
  if (from.x === to.x && from.y === to.y) return []
  const angle = (shape.turn * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [hx, hy] = [(from.x - to.x) / 2, (from.y - to.y) / 2]
  const [x, y] = [cos * hx + sin * hy, cos * hy - sin * hx]
  // Radii that are too small to reach both points are scaled up (SVG 2, 9.5.1).
  const over = (x * x) / (rx * rx) + (y * y) / (ry * ry)
  if (over > 1) {
    rx *= Math.sqrt(over)
    ry *= Math.sqrt(over)
  }
  const square = rx * rx * y * y + ry * ry * x * x
  const root = Math.sqrt(Math.max(0, (rx * rx * ry * ry - square) / square))
  const side = shape.large === shape.sweep ? -root : root
  const [cx, cy] = [(side * rx * y) / ry, (-side * ry * x) / rx]
  const start = Math.atan2((y - cy) / ry, (x - cx) / rx)
  let span = Math.atan2((-y - cy) / ry, (-x - cx) / rx) - start
  if (shape.sweep && span < 0) span += 2 * Math.PI
  if (!shape.sweep && span > 0) span -= 2 * Math.PI
  const centre = {
    x: cos * cx - sin * cy + (from.x + to.x) / 2,
    y: sin * cx + cos * cy + (from.y + to.y) / 2,
  }
  return ellipse({ centre, rx, ry, turn: angle, start, span }).slice(1)
}

export interface EllipseShape {
  readonly centre: EllipsePoint
  readonly rx: number
  readonly ry: number
  readonly turn: number // rotation of the x axis, radians
  readonly start: number // radians
  readonly span: number // radians
}

/**
 * Converts a section of an ellipse into a path: a move to its start, then one cubic curve for each quarter or
 * part of one. A negative `span` runs in the opposite direction.
 */
export function ellipse({ centre, rx, ry, turn, start, span }: EllipseShape): PathStep[] {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const pointAt = (x: number, y: number): [number, number] => [
    centre.x + cos * rx * x - sin * ry * y,
    centre.y + sin * rx * x + cos * ry * y,
  ]
  const segments = Math.max(1, Math.ceil(Math.abs(span) / (Math.PI / 2) - 1e-9))
  const step = span / segments
  const handle = (4 / 3) * Math.tan(step / 4)
  const commands: PathStep[] = [['M', ...pointAt(Math.cos(start), Math.sin(start))]]
  for (let n = 0; n < segments; n += 1) {
    const [a, b] = [start + n * step, start + (n + 1) * step]
    commands.push([
      'C',
      ...pointAt(Math.cos(a) - handle * Math.sin(a), Math.sin(a) + handle * Math.cos(a)),
      ...pointAt(Math.cos(b) + handle * Math.sin(b), Math.sin(b) - handle * Math.cos(b)),
      ...pointAt(Math.cos(b), Math.sin(b)),
    ])
  }
  return commands
}
