/**
 * Gutters: the maximal white rectangles between the boxes of a page that are tall enough to separate columns. After
 * T. M. Breuel, "Two geometric algorithms for layout analysis" (2002), by a sweep over horizontal slices.
 */

/** A box in points from the top left corner of the page. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly right: number
  readonly bottom: number
}

interface Interval {
  readonly left: number
  readonly right: number
}

interface OpenStrip extends Interval {
  readonly from: number // the slice
}

export interface GutterLimits {
  readonly minWidth: number // points
  readonly minHeight: number // points
  /** The typical height of a line, in points. */
  readonly lineHeight: number
}

const maxSlices = 4_000
/** Maximum number of slices that all boxes cover together. A page with more is treated as having no columns. */
const maxCovered = 4_000_000
const slicesALine = 3
/** The fraction of the height of a box, at its top and at its bottom, that may overlap the box above or below. */
const looseEdge = 0.2
const maxOpen = 40
const maxIntervals = 100
const maxStrips = 2_000

/** Gutters with boxes on both sides, tallest first. Coordinates must be finite. */
export function guttersBetween(boxes: readonly Box[], limits: GutterLimits): readonly Box[] {
  if (boxes.length < 2) return []
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const box of boxes) {
    left = Math.min(left, box.x)
    right = Math.max(right, box.right)
    top = Math.min(top, box.y)
    bottom = Math.max(bottom, box.bottom)
  }
  const step = Math.max(limits.lineHeight / slicesALine, (bottom - top) / maxSlices)
  const slices = slicesOf(boxes, top, step, Math.ceil((bottom - top) / step))
  if (slices === undefined) return []
  const strips: Box[] = []
  const close = (strip: OpenStrip, end: number) => {
    const box = { x: strip.left, right: strip.right, y: top + strip.from * step, bottom: top + end * step }
    if (box.bottom - box.y >= limits.minHeight && box.x > left && box.right < right) strips.push(box)
  }
  let open: readonly OpenStrip[] = []
  for (const [at, boxes] of slices.entries()) {
    if (boxes.length === 0) continue
    const white = whiteOf(boxes, { left, right }, limits.minWidth)
    open = continuedBy(open, white, at, limits.minWidth, close)
    if (strips.length > maxStrips) break
  }
  for (const strip of open) close(strip, slices.length)
  return strips.toSorted((a, b) => b.bottom - b.y - (a.bottom - a.y) || b.right - b.x - (a.right - a.x))
}

/** The boxes of each slice; undefined when there are too many. */
function slicesOf(
  boxes: readonly Box[],
  top: number,
  step: number,
  count: number,
): readonly (readonly Box[])[] | undefined {
  const slices: Box[][] = Array.from({ length: count }, () => [])
  let covered = 0
  for (const box of boxes) {
    const edge = (box.bottom - box.y) * looseEdge
    const first = Math.max(Math.floor((box.y + edge - top) / step), 0)
    const last = Math.min(Math.floor((box.bottom - edge - top) / step), count - 1)
    covered += last - first + 1
    if (covered > maxCovered) return undefined
    for (let at = first; at <= last; at++) slices[at]?.push(box)
  }
  return slices
}

/** The white intervals of a slice, also those at its ends. */
function whiteOf(boxes: readonly Box[], { left, right }: Interval, minWidth: number): readonly Interval[] {
  const white: Interval[] = []
  let reached = left
  let isFirst = true
  for (const box of boxes.toSorted((a, b) => a.x - b.x)) {
    const isWide = box.x - reached >= minWidth
    if (isWide || isFirst) white.push({ left: isFirst ? left - minWidth * 2 : reached, right: box.x })
    isFirst = false
    reached = Math.max(reached, box.right)
  }
  white.push({ left: reached, right: right + minWidth * 2 })
  if (white.length <= maxIntervals) return white
  return white
    .toSorted((a, b) => b.right - b.left - (a.right - a.left))
    .slice(0, maxIntervals)
    .toSorted((a, b) => a.left - b.left)
}

function continuedBy(
  open: readonly OpenStrip[],
  white: readonly Interval[],
  at: number,
  minWidth: number,
  close: (strip: OpenStrip, end: number) => void,
): readonly OpenStrip[] {
  const next: OpenStrip[] = []
  for (const strip of open) {
    let isUncut = false
    for (const range of white) {
      if (range.left > strip.right) break
      const [left, right] = [Math.max(range.left, strip.left), Math.min(range.right, strip.right)]
      if (right - left < minWidth) continue
      isUncut ||= left === strip.left && right === strip.right
      next.push({ left, right, from: strip.from })
    }
    if (!isUncut) close(strip, at)
  }
  // A strip may begin beside a column that begins higher than the one on its other side.
  for (const { left, right } of white) next.push({ left, right, from: at })
  return withoutInner(next)
}

/** Without the strips that are inside another one that began as early. */
function withoutInner(strips: readonly OpenStrip[]): readonly OpenStrip[] {
  const outer: OpenStrip[] = []
  for (const strip of strips.toSorted((a, b) => a.from - b.from || b.right - b.left - (a.right - a.left))) {
    if (outer.length >= maxOpen) break
    if (!outer.some(({ left, right }) => left <= strip.left && right >= strip.right)) outer.push(strip)
  }
  return outer
}
