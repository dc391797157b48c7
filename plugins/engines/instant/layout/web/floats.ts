/**
 * The floats of one block formatting context: where they are, and what space they leave. Positions are those of margin boxes,
 * from the top left of the content of the box that starts the context. Source: CSS 2.2, 9.5.1 and 9.5.2.
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

/** Rounding of widths may not push down what was measured to fit. */
const tolerance = 0.01

/** Grows while the content of one context is laid out from top to bottom. */
export class FloatArea {
  readonly #rects: FloatRect[] = []
  /** The lower edge of the lowest float. */
  bottom: Pt = 0

  get isEmpty(): boolean {
    return this.#rects.length === 0
  }

  /** What is free of the space from `left` to `right`, in a strip that begins at `y`. */
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

  /** The next lower edge of a float below `y`; undefined where there is none. */
  nextEdge(y: Pt): Pt | undefined {
    let next: Pt | undefined
    for (const { bottom } of this.#rects)
      if (bottom > y + tolerance && (next === undefined || bottom < next)) next = bottom
    return next
  }

  /** The position below all floats of a side, or `y` where that is lower. */
  below(side: FloatSide | 'both', y: Pt): Pt {
    let to = y
    for (const rect of this.#rects) if (side === 'both' || rect.side === side) to = Math.max(to, rect.bottom)
    return to
  }

  /** Finds the highest place at or below `y` for a margin box of this size, and takes it. */
  place(
    side: FloatSide,
    size: { readonly width: Pt; readonly height: Pt },
    y: Pt,
    space: Interval,
  ): { x: Pt; y: Pt } {
    // No float is above an earlier one.
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
