/** Converts paths to polygons in canvas coordinates, with curves flattened to lines. */
import type { Matrix } from '../../../../../shared/document/geometry.ts'
import type { PathCommand } from '../../layout/frame.ts'

/** The corners of one contour, x and y alternating. Filling closes every contour; a stroke ends where it is open. */
export interface Contour {
  readonly points: readonly number[]
  readonly closed: boolean
}

/** The maximum distance of a line from the curve that it replaces, in pixels. */
const tolerance = 0.1
const maxLines = 64

/** The factor by which a matrix scales lengths, averaged over all directions. */
export function scaleOf([a, b, c, d]: Matrix): number {
  return Math.sqrt(Math.abs(a * d - b * c))
}

/**
 * Flattens a path.
 *
 * matrix  maps the coordinates of the path to those of the result
 * unit    the length of a pixel in coordinates of the result: 1 on a canvas
 */
export function polygonsOf(
  commands: readonly PathCommand[],
  [a, b, c, d, e, f]: Matrix,
  unit = 1,
): readonly Contour[] {
  const contours: Contour[] = []
  let points: number[] = []
  let [startX, startY, x, y] = [0, 0, 0, 0]
  const finish = (closed: boolean): void => {
    if (points.length > 0) contours.push({ points, closed })
    points = []
  }
  const begin = (): void => {
    if (points.length === 0) points.push(startX, startY)
  }
  for (const command of commands) {
    switch (command[0]) {
      case 'M':
        finish(false)
        startX = x = a * command[1] + c * command[2] + e
        startY = y = b * command[1] + d * command[2] + f
        points = [x, y]
        break
      case 'L':
        begin()
        x = a * command[1] + c * command[2] + e
        y = b * command[1] + d * command[2] + f
        points.push(x, y)
        break
      case 'C': {
        begin()
        const [, x1, y1, x2, y2, x3, y3] = command
        const [fromX, fromY] = [x, y]
        x = a * x3 + c * y3 + e
        y = b * x3 + d * y3 + f
        addCurve(
          points,
          [
            fromX,
            fromY,
            a * x1 + c * y1 + e,
            b * x1 + d * y1 + f,
            a * x2 + c * y2 + e,
            b * x2 + d * y2 + f,
            x,
            y,
          ],
          tolerance * unit,
        )
        break
      }
      case 'R': {
        finish(false)
        const [, left, top, width, height] = command
        for (const [px, py] of [
          [left, top],
          [left + width, top],
          [left + width, top + height],
          [left, top + height],
        ] as const)
          points.push(a * px + c * py + e, b * px + d * py + f)
        ;[startX, startY] = [points[0] ?? 0, points[1] ?? 0]
        x = startX
        y = startY
        finish(true)
        break
      }
      case 'Z':
        finish(true)
        x = startX
        y = startY
        break
      default:
        command satisfies never
    }
  }
  finish(false)
  return contours
}

type Cubic = readonly [number, number, number, number, number, number, number, number]

/**
 * Adds the points of a cubic curve after its first one. The number of lines follows from the second differences of the
 * control points (Wang's formula).
 */
function addCurve(points: number[], [x0, y0, x1, y1, x2, y2, x3, y3]: Cubic, allowed: number): void {
  const first = Math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2)
  const second = Math.hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3)
  const required = Math.ceil(Math.sqrt((0.75 * Math.max(first, second)) / allowed))
  const count = required >= 1 ? Math.min(maxLines, required) : 1
  for (let step = 1; step < count; step++) {
    const t = step / count
    const s = 1 - t
    const [k0, k1, k2, k3] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t]
    points.push(k0 * x0 + k1 * x1 + k2 * x2 + k3 * x3, k0 * y0 + k1 * y1 + k2 * y2 + k3 * y3)
  }
  points.push(x3, y3)
}
