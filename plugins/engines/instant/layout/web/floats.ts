/**
 * The floats of one block formatting context. Positions are those of margin boxes, from the top left corner of the content of
 * the box that establishes the context. Source: CSS 2.2, 9.5.1 and 9.5.2.
 */
import type { Pt } from '../frame.ts'

export type FloatSide = 'left' | 'right'

interface FloatRect {
  readonly side: FloatSide
  readonly left: Pt
  readonly right: Pt
  readonly top: Pt
  readonly bottom: Pt
}

export interface Interval {
  readonly left: Pt
  readonly right: Pt
}

/** Widths differ by rounding. A float that is wider than the space by less than this still fits. */
const tolerance = 0.01

/** The floats that have been placed so far. Content of the context must be laid out from top to bottom. */
export class FloatArea {
  readonly #rects: FloatRect[] = []
  /** The bottom edge of the lowest float. */
  bottom: Pt = 0

  get isEmpty(): boolean {
    return this.#rects.length === 0
  }

  /** The free interval between `left` and `right` in a horizontal strip that begins at `y`. */
  interval(y: Pt, height: Pt, { left, right }: Interval): Interval {
    if (y >= this.bottom) return { left, right }
    let [from, to] = [left, right]
    for (const rect of this.#rects) {
      if (rect.bottom <= y + tolerance || rect.top >= y + Math.max(height, 2 * tolerance) - tolerance)
        continue
      if (rect.side === 'left') from = Math.max(from, rect.right)
      else to = Math.min(to, rect.left)
    }
    return { left: from, right: Math.max(from, to) }
  }

  /** The next bottom edge of a float below `y`; undefined if there is none. */
  nextEdge(y: Pt): Pt | undefined {
    let next: Pt | undefined
    for (const { bottom } of this.#rects)
      if (bottom > y + tolerance && (next === undefined || bottom < next)) next = bottom
    return next
  }

  /** The position below all floats of a side, but not above `y`. */
  below(side: FloatSide | 'both', y: Pt): Pt {
    let to = y
    for (const rect of this.#rects) if (side === 'both' || rect.side === side) to = Math.max(to, rect.bottom)
    return to
  }

  /** Reserves the highest free position at or below `y` for a margin box of this size, and returns it. */
  place(
    side: FloatSide,
    size: { readonly width: Pt; readonly height: Pt },
    y: Pt,
    space: Interval,
  ): { x: Pt; y: Pt } {
    // A float must not be placed above an earlier one (CSS 2.2, 9.5.1, rule 5).
    let top = Math.max(y, this.#rects.at(-1)?.top ?? y)
    let free = this.interval(top, size.height, space)
    while (free.right - free.left < size.width - tolerance) {
      const next = this.nextEdge(top)
      if (next === undefined) break
      top = next
      free = this.interval(top, size.height, space)
    }
    const left = side === 'left' ? free.left : free.right - size.width
    const bottom = top + size.height
    this.#rects.push({ side, left, right: left + size.width, top, bottom })
    this.bottom = Math.max(this.bottom, bottom)
    return { x: left, y: top }
  }
}
