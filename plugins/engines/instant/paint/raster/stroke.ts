/** Converts strokes to polygons that are filled by the nonzero rule. */
import type { PathStroke } from '../../layout/frame.ts'
import type { Contour } from './polygons.ts'

/** A miter that is longer than this many line widths becomes a bevel, as in PDF (ISO 32000-2, 8.4.3.5). */
const miterLimit = 10
/** The maximum number of dashes of a line; beyond it the line is drawn solid. */
const maxDashes = 10_000
/** The maximum number of line segments of an arc. */
const maxArcSteps = 32

type StrokeShape = Pick<PathStroke, 'width' | 'cap' | 'join' | 'dash' | 'dashPhase'>

/**
 * Returns the outline of a stroke. Its polygons overlap and have the same orientation, so the nonzero rule fills their union.
 *
 * contours: in the coordinates of the stroke's width.
 * unit: the length of a pixel in these coordinates; it determines how smooth round joins and caps are.
 */
export function strokePolygons(
  contours: readonly Contour[],
  stroke: StrokeShape,
  unit: number,
): readonly Contour[] {
  const out: Contour[] = []
  for (const contour of contours) {
    for (const dash of dashed(contour, stroke)) strokeContour(out, dash, stroke, unit)
  }
  return out
}

interface Segment {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
  /** The unit vector along the segment. */
  readonly dx: number
  readonly dy: number
}

function segmentsOf({ points, closed }: Contour): readonly Segment[] {
  const segments: Segment[] = []
  const add = (x0: number, y0: number, x1: number, y1: number): void => {
    const length = Math.hypot(x1 - x0, y1 - y0)
    if (length > 1e-9) segments.push({ x0, y0, x1, y1, dx: (x1 - x0) / length, dy: (y1 - y0) / length })
  }
  for (let at = 2; at + 1 < points.length; at += 2)
    add(points[at - 2] ?? 0, points[at - 1] ?? 0, points[at] ?? 0, points[at + 1] ?? 0)
  if (closed) add(points.at(-2) ?? 0, points.at(-1) ?? 0, points[0] ?? 0, points[1] ?? 0)
  return segments
}

function strokeContour(out: Contour[], contour: Contour, stroke: StrokeShape, unit: number): void {
  const half = stroke.width / 2
  const segments = segmentsOf(contour)
  const [first] = segments
  const last = segments.at(-1)
  if (first === undefined || last === undefined) {
    // A point is drawn as its caps.
    const [x = 0, y = 0] = contour.points
    if (stroke.cap === 'round') addArc(out, { x, y, half, from: 0, sweep: 2 * Math.PI }, unit)
    return
  }
  for (const { x0, y0, x1, y1, dx, dy } of segments) {
    const [nx, ny] = [-dy * half, dx * half]
    addPolygon(out, [x0 - nx, y0 - ny, x1 - nx, y1 - ny, x1 + nx, y1 + ny, x0 + nx, y0 + ny])
  }
  for (let index = 1; index < segments.length; index++)
    addJoin(out, segments[index - 1] as Segment, segments[index] as Segment, { stroke, unit })
  if (contour.closed) {
    addJoin(out, last, first, { stroke, unit })
    return
  }
  addCap(out, { x: first.x0, y: first.y0, dx: -first.dx, dy: -first.dy }, { stroke, unit })
  addCap(out, { x: last.x1, y: last.y1, dx: last.dx, dy: last.dy }, { stroke, unit })
}

interface StrokeEnd {
  readonly x: number
  readonly y: number
  /** The unit vector that points out of the line. */
  readonly dx: number
  readonly dy: number
}
interface StrokeStyle {
  readonly stroke: StrokeShape
  readonly unit: number
}

function addCap(out: Contour[], { x, y, dx, dy }: StrokeEnd, { stroke, unit }: StrokeStyle): void {
  const half = stroke.width / 2
  if (stroke.cap === 'round')
    addArc(out, { x, y, half, from: Math.atan2(dy, dx) - Math.PI / 2, sweep: Math.PI }, unit)
  if (stroke.cap !== 'square') return
  const [nx, ny] = [-dy * half, dx * half]
  const [ex, ey] = [x + dx * half, y + dy * half]
  addPolygon(out, [x - nx, y - ny, ex - nx, ey - ny, ex + nx, ey + ny, x + nx, y + ny])
}

function addJoin(out: Contour[], before: Segment, after: Segment, { stroke, unit }: StrokeStyle): void {
  const half = stroke.width / 2
  const cross = before.dx * after.dy - before.dy * after.dx
  const dot = before.dx * after.dx + before.dy * after.dy
  if (Math.abs(cross) < 1e-6 && dot > 0) return
  const { x0: x, y0: y } = after
  // The outer side of the corner.
  const outerSign = cross > 0 ? -1 : 1
  const [ax, ay] = [-before.dy * half * outerSign, before.dx * half * outerSign]
  const [bx, by] = [-after.dy * half * outerSign, after.dx * half * outerSign]
  if (stroke.join === 'round') {
    const from = Math.atan2(ay, ax)
    let sweep = Math.atan2(by, bx) - from
    if (sweep > Math.PI) sweep -= 2 * Math.PI
    if (sweep < -Math.PI) sweep += 2 * Math.PI
    addArc(out, { x, y, half, from, sweep }, unit)
    return
  }
  const corner = [x, y, x + ax, y + ay]
  // The tip is at 1 / cos² of half the angle from the corner, along the sum of both normals.
  const reach = 1 / (1 + dot)
  const isMiter = stroke.join !== 'bevel' && 2 * reach <= miterLimit * miterLimit && Number.isFinite(reach)
  if (isMiter) corner.push(x + (ax + bx) * reach, y + (ay + by) * reach)
  corner.push(x + bx, y + by)
  addPolygon(out, corner)
}

interface Arc {
  readonly x: number
  readonly y: number
  readonly half: number
  readonly from: number // radians
  readonly sweep: number
}

/** A sector of a circle. */
function addArc(out: Contour[], { x, y, half, from, sweep }: Arc, unit: number): void {
  const stepsPerCircle = Math.max(8, Math.ceil(4 * Math.sqrt(half / unit)))
  const steps = Math.max(
    1,
    Math.min(maxArcSteps, Math.ceil((stepsPerCircle * Math.abs(sweep)) / (2 * Math.PI))),
  )
  const points = [x, y]
  for (let step = 0; step <= steps; step++) {
    const angle = from + (sweep * step) / steps
    points.push(x + half * Math.cos(angle), y + half * Math.sin(angle))
  }
  addPolygon(out, points)
}

/** Adds a polygon with the common orientation. */
function addPolygon(out: Contour[], points: number[]): void {
  let area = 0
  for (let at = 0; at < points.length; at += 2) {
    const next = (at + 2) % points.length
    area += (points[at] ?? 0) * (points[next + 1] ?? 0) - (points[next] ?? 0) * (points[at + 1] ?? 0)
  }
  if (area >= 0) {
    out.push({ points, closed: true })
    return
  }
  const reversed: number[] = []
  for (let at = points.length - 2; at >= 0; at -= 2) reversed.push(points[at] ?? 0, points[at + 1] ?? 0)
  out.push({ points: reversed, closed: true })
}

/** The dashes of a contour; the contour itself if there is no usable dash pattern. */
function dashed(contour: Contour, { dash = [], dashPhase = 0 }: StrokeShape): readonly Contour[] {
  const total = dash.reduce((sum, length) => sum + length, 0)
  const isSound =
    dash.length > 0 && total > 0 && Number.isFinite(total) && dash.every((length) => length >= 0)
  if (!isSound) return [contour]
  const segments = segmentsOf(contour)
  const length = segments.reduce((sum, { x0, y0, x1, y1 }) => sum + Math.hypot(x1 - x0, y1 - y0), 0)
  if ((length / total) * dash.length > maxDashes) return [contour]
  const pattern = dash.length % 2 === 0 ? dash : [...dash, ...dash]
  const period = dash.length % 2 === 0 ? total : 2 * total
  // The position in the dash pattern at which the line begins.
  let index = 0
  let left = ((dashPhase % period) + period) % period || 0
  while (left >= (pattern[index] ?? 0)) {
    left -= pattern[index] ?? 0
    index = (index + 1) % pattern.length
  }
  let remaining = (pattern[index] ?? 0) - left
  const dashes: Contour[] = []
  let points: number[] = []
  const finish = (): void => {
    if (points.length > 0) dashes.push({ points, closed: false })
    points = []
  }
  for (const { x0, y0, x1, y1, dx, dy } of segments) {
    const segmentLength = Math.hypot(x1 - x0, y1 - y0)
    let done = 0
    if (index % 2 === 0 && points.length === 0) points.push(x0, y0)
    while (segmentLength - done > remaining) {
      done += remaining
      const [x, y] = [x0 + dx * done, y0 + dy * done]
      if (index % 2 === 0) {
        points.push(x, y)
        finish()
      } else points = [x, y]
      index = (index + 1) % pattern.length
      remaining = pattern[index] ?? 0
      if (remaining === 0 && index % 2 === 1) {
        // A gap of length 0 joins two dashes.
        index = (index + 1) % pattern.length
        remaining = pattern[index] ?? 0
        points = [x, y]
      }
    }
    remaining -= segmentLength - done
    if (index % 2 === 0) points.push(x1, y1)
  }
  finish()
  return dashes
}
