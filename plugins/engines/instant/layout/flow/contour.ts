/** Text that follows the outline of what it stands beside: how wide that is at the height of a line. */
import type { Sides } from '../../../../../shared/document/table.ts'
import type { PathCommand, Pt } from '../frame.ts'
import type { Contour, Exclusion } from './types.ts'

interface Band {
  readonly top: Pt
  readonly bottom: Pt
}

/** An outline in shares of a box as it lies on the page. */
export function contourOf(
  outline: readonly number[],
  box: { readonly x: Pt; readonly y: Pt; readonly width: Pt; readonly height: Pt },
  distance: Required<Sides>,
): Contour {
  const points = outline.map((share, index) =>
    index % 2 === 0 ? box.x + share * box.width : box.y + share * box.height,
  )
  return { points, left: distance.left, right: distance.right }
}

/** Whether an outline is the whole box, or nearly. */
export function coversBox(outline: readonly number[]): boolean {
  const near = (share: number): boolean => share < 0.02 || share > 0.98
  const corners = new Set<string>()
  for (let i = 0; i + 1 < outline.length; i += 2) {
    const [x, y] = [outline[i]!, outline[i + 1]!]
    if (!near(x) && !near(y)) return false
    if (near(x) && near(y)) corners.add(`${x > 0.5} ${y > 0.5}`)
  }
  return corners.size === 4
}

export function outlinePath(outline: readonly number[], width: Pt, height: Pt): PathCommand[] {
  const commands: PathCommand[] = []
  for (let i = 0; i + 1 < outline.length; i += 2)
    commands.push([i === 0 ? 'M' : 'L', outline[i]! * width, outline[i + 1]! * height])
  return [...commands, ['Z']]
}

/** What a box takes of a line's height: all of its width, or that of its outline there; undefined when nothing. */
export function atHeight(box: Exclusion, band: Band): Exclusion | undefined {
  if (box.top >= band.bottom || box.bottom <= band.top) return undefined
  const { contour } = box
  if (contour === undefined) return box
  const reach = reachOf(contour.points, band)
  if (reach === undefined) return undefined
  return { ...box, left: reach.left - contour.left, right: reach.right + contour.right }
}

/** The height from which another try makes sense: below a box, a little further down an outline. */
export function nextBelow(box: Exclusion, band: Band): Pt {
  if (box.contour === undefined) return box.bottom
  return Math.min(box.bottom, band.top + Math.max(2, (band.bottom - band.top) / 3))
}

/** Leftmost and rightmost point of an outline between two heights. */
function reachOf(points: readonly Pt[], { top, bottom }: Band): { left: Pt; right: Pt } | undefined {
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const take = (x: Pt): void => {
    left = Math.min(left, x)
    right = Math.max(right, x)
  }
  for (let i = 0; i + 1 < points.length; i += 2) {
    const [x1, y1] = [points[i]!, points[i + 1]!]
    const next = (i + 2) % points.length
    const [x2, y2] = [points[next]!, points[next + 1]!]
    if (Math.max(y1, y2) < top || Math.min(y1, y2) > bottom) continue
    for (const y of [top, bottom])
      if (y1 !== y2 && y >= Math.min(y1, y2) && y <= Math.max(y1, y2))
        take(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1))
    if (y1 >= top && y1 <= bottom) take(x1)
    if (y2 >= top && y2 <= bottom) take(x2)
  }
  return left <= right ? { left, right } : undefined
}
