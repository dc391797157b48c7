/** Text that follows the outline of a floating picture: how wide the outline is at the height of a line. */
import type { Sides } from '../../../../../shared/document/box.ts'
import type { PathCommand, Pt } from '../frame.ts'
import type { Contour, Exclusion } from './exclusion.ts'

/** The horizontal slice of the page that one line occupies, in page coordinates. */
interface ContourSlice {
  readonly top: Pt
  readonly bottom: Pt
}

/**
 * Scales an outline to the page and turns it with its drawing. `outline` alternates x and y as fractions (0..1) of the box of
 * the drawing before it is turned by `degrees`.
 */
export function contourOf(
  outline: readonly number[],
  box: { readonly x: Pt; readonly y: Pt; readonly width: Pt; readonly height: Pt },
  distance: Required<Sides>,
  degrees = 0,
): Contour {
  const angle = (degrees * Math.PI) / 180
  const [cos, sin] = degrees % 360 === 0 ? [1, 0] : [Math.cos(angle), Math.sin(angle)]
  const points: Pt[] = []
  for (let i = 0; i + 1 < outline.length; i += 2) {
    const x = ((outline[i] ?? 0) - 0.5) * box.width
    const y = ((outline[i + 1] ?? 0) - 0.5) * box.height
    points.push(box.x + box.width / 2 + x * cos - y * sin, box.y + box.height / 2 + x * sin + y * cos)
  }
  return { points, left: distance.left, right: distance.right }
}

/** Whether an outline follows the edges of its box to within 2 % of its size and reaches all four corners. */
export function coversBox(outline: readonly number[]): boolean {
  const isAtEdge = (fraction: number): boolean => fraction < 0.02 || fraction > 0.98
  const corners = new Set<string>()
  for (let i = 0; i + 1 < outline.length; i += 2) {
    const [x, y] = [outline[i] ?? 0, outline[i + 1] ?? 0]
    if (!isAtEdge(x) && !isAtEdge(y)) return false
    if (isAtEdge(x) && isAtEdge(y)) corners.add(`${x > 0.5} ${y > 0.5}`)
  }
  return corners.size === 4
}

/** The outline as a closed path in points, from the top left of its box. */
export function outlinePath(outline: readonly number[], width: Pt, height: Pt): PathCommand[] {
  const commands: PathCommand[] = []
  for (let i = 0; i + 1 < outline.length; i += 2)
    commands.push([i === 0 ? 'M' : 'L', (outline[i] ?? 0) * width, (outline[i + 1] ?? 0) * height])
  return [...commands, ['Z']]
}

/**
 * The part of a box that is in the way of a line: its width, or the width of its outline in this slice;
 * undefined when the two do not meet.
 */
export function atHeight(box: Exclusion, slice: ContourSlice): Exclusion | undefined {
  if (box.top >= slice.bottom || box.bottom <= slice.top) return undefined
  const { contour } = box
  if (contour === undefined) return box
  const reach = reachOf(contour.points, slice)
  if (reach === undefined) return undefined
  return { ...box, left: reach.left - contour.left, right: reach.right + contour.right }
}

/**
 * The y, in page coordinates, at which to try the line again: below a box, or a little further down along an
 * outline.
 */
export function nextBelow(box: Exclusion, slice: ContourSlice): Pt {
  if (box.contour === undefined) return box.bottom
  return Math.min(box.bottom, slice.top + Math.max(2, (slice.bottom - slice.top) / 3))
}

/**
 * The leftmost and the rightmost point of an outline within a slice; undefined when it does not reach into
 * the slice.
 */
function reachOf(points: readonly Pt[], { top, bottom }: ContourSlice): { left: Pt; right: Pt } | undefined {
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const include = (x: Pt): void => {
    left = Math.min(left, x)
    right = Math.max(right, x)
  }
  for (let i = 0; i + 1 < points.length; i += 2) {
    const [x1, y1] = [points[i] ?? 0, points[i + 1] ?? 0]
    const next = (i + 2) % points.length
    const [x2, y2] = [points[next] ?? 0, points[next + 1] ?? 0]
    if (Math.max(y1, y2) < top || Math.min(y1, y2) > bottom) continue
    for (const y of [top, bottom])
      if (y1 !== y2 && y >= Math.min(y1, y2) && y <= Math.max(y1, y2))
        include(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1))
    if (y1 >= top && y1 <= bottom) include(x1)
    if (y2 >= top && y2 <= bottom) include(x2)
  }
  return left <= right ? { left, right } : undefined
}
