import { identity, type Matrix, type Point } from '../../../shared/document/geometry.ts'
import { type Element, elements, first } from '../../../shared/xml/read-tree.ts'
import { numberOf } from './tree.ts'

export interface Bounds {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export function matrixOf(value: string | undefined): Matrix {
  const numbers = (value ?? '').trim().split(/\s+/).map(Number)
  return numbers.length === 6 && numbers.every(Number.isFinite) ? (numbers as unknown as Matrix) : identity
}

export function apply([a, b, c, d, e, f]: Matrix, [x, y]: Point): Point {
  return [a * x + c * y + e, b * x + d * y + f]
}

export const moved = (x: number, y: number): Matrix => [1, 0, 0, 1, x, y]

export interface PathPoint {
  readonly at: Point
  readonly before: Point
  readonly after: Point
}
export interface IdmlPath {
  readonly open: boolean
  readonly points: readonly PathPoint[]
}

/**
 * The outline of an item in its own coordinates. Older files have a box instead: top, left, bottom, right.
 */
export function pathsOf(item: Element): readonly IdmlPath[] {
  const paths = [...elements(first(item, 'Properties', 'PathGeometry'), 'GeometryPathType')].map((path) => ({
    open: path.attributes.get('PathOpen') === 'true',
    points: [...elements(first(path, 'PathPointArray'), 'PathPointType')].map(({ attributes }) => {
      const at = pointOf(attributes.get('Anchor')) ?? [0, 0]
      return {
        at,
        before: pointOf(attributes.get('LeftDirection')) ?? at,
        after: pointOf(attributes.get('RightDirection')) ?? at,
      }
    }),
  }))
  const withPoints = paths.filter(({ points }) => points.length > 0)
  const bounds = item.attributes.get('GeometricBounds')
  return withPoints.length > 0 || bounds === undefined ? withPoints : [boxPath(boundsOf(bounds))]
}

function pointOf(value: string | undefined): Point | undefined {
  const [x, y] = (value ?? '').trim().split(/\s+/).map(Number)
  return Number.isFinite(x) && Number.isFinite(y) ? [x as number, y as number] : undefined
}

/** 'top left bottom right', the form that pages and old items use. */
export function boundsOf(value: string | undefined): Bounds {
  const [top, left, bottom, right] = (value ?? '').trim().split(/\s+/)
  return {
    left: numberOf(left, 0),
    top: numberOf(top, 0),
    right: numberOf(right, 0),
    bottom: numberOf(bottom, 0),
  }
}

function boxPath({ left, top, right, bottom }: Bounds): IdmlPath {
  const corners: readonly Point[] = [
    [left, top],
    [left, bottom],
    [right, bottom],
    [right, top],
  ]
  return { open: false, points: corners.map((at) => ({ at, before: at, after: at })) }
}

/** The bounds of the corner and control points of all paths, which contain the curves. */
export function boxOf(paths: readonly IdmlPath[], matrix: Matrix = identity): Bounds {
  const points = paths.flatMap((path) => path.points.map(({ at }) => apply(matrix, at)))
  return boundsAround(points)
}

function boundsAround(points: readonly Point[]): Bounds {
  let box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const [x, y] of points)
    box = {
      left: Math.min(box.left, x),
      top: Math.min(box.top, y),
      right: Math.max(box.right, x),
      bottom: Math.max(box.bottom, y),
    }
  return points.length === 0 ? { left: 0, top: 0, right: 0, bottom: 0 } : box
}

export function aroundAll(boxes: readonly Bounds[]): Bounds {
  return boundsAround(
    boxes.flatMap(({ left, top, right, bottom }): Point[] => [
      [left, top],
      [right, bottom],
    ]),
  )
}

/** A box after a transformation, as its new bounds. */
export function boxThrough(matrix: Matrix, { left, top, right, bottom }: Bounds): Bounds {
  const corners: readonly Point[] = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ]
  return boundsAround(corners.map((corner) => apply(matrix, corner)))
}

/** The value of the attribute `d` in SVG. */
export function svgPath(paths: readonly IdmlPath[]): string {
  const p = ([x, y]: Point) => `${short(x)} ${short(y)}`
  return paths
    .map(({ open, points }) => {
      const [start] = points
      if (start === undefined) return ''
      const ends = open ? points.slice(1) : [...points.slice(1), start]
      let from = start
      const lines = ends.map((to) => {
        const straight = same(from.after, from.at) && same(to.before, to.at)
        const line = straight ? `L${p(to.at)}` : `C${p(from.after)} ${p(to.before)} ${p(to.at)}`
        from = to
        return line
      })
      return `M${p(start.at)}${lines.join('')}${open ? '' : 'Z'}`
    })
    .join('')
}

const same = (point: Point, other: Point) =>
  Math.abs(point[0] - other[0]) < 1e-6 && Math.abs(point[1] - other[1]) < 1e-6

/** A coordinate far outside of any page. Nothing is visible there, so longer numbers only cost bytes. */
const maxCoordinate = 1e7

/** Writes a number without digits that make no visible difference. */
export function short(value: number): string {
  const limited = Math.max(-maxCoordinate, Math.min(maxCoordinate, Number.isNaN(value) ? 0 : value))
  return String(Math.round(limited * 1000) / 1000)
}
