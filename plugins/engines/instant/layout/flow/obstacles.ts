import { minOf } from '../../../../../shared/extremes.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import type { Pt } from '../frame.ts'
import type { Interval } from '../inline/types.ts'
import { atHeight, nextBelow } from './contour.ts'
import type { Exclusion } from './exclusion.ts'

/** The free parts of a line at some height. */
export interface FreeInterval {
  /** Where the line can start: the requested y, or further down when nothing is free there. In the region. */
  readonly y: Pt
  /** The free intervals from left to right; a single one as wide as the region when nothing is in the way. */
  readonly intervals: readonly Interval[]
  /** The y to try next when the text fits none of the intervals; absent when the full width is free. */
  readonly below?: Pt
}
/** Finds a position for a line of a given height at or below `y`; undefined when nothing is in the way. */
export type Obstacles = (y: Pt, height: Pt) => FreeInterval | undefined

/**
 * A function that finds the free intervals of a line. The origin of the region converts the page coordinates
 * of `exclusions` into positions of the region.
 */
export function obstaclesOf(
  exclusions: readonly Exclusion[],
  originX: Pt,
  originY: Pt,
  width: Pt,
): Obstacles {
  return (y, height) => {
    let top = y
    for (let attempt = 0; attempt < 64; attempt++) {
      const slice = { top: originY + top + 0.02, bottom: originY + top + height - 0.02 }
      const hits = exclusions.flatMap((exclusion) => {
        const box = atHeight(exclusion, slice)
        return box !== undefined && box.left < originX + width && box.right > originX ? [box] : []
      })
      if (hits.length === 0) return top === y ? undefined : { intervals: [{ left: 0, right: width }], y: top }
      const intervals = freeIntervals(hits, originX, width)
      const below = minOf(hits.map((box) => nextBelow(box, slice))) - originY + 0.01
      if (intervals.length > 0) return { intervals: intervals, y: top, below }
      top = below
    }
    return { intervals: [{ left: 0, right: width }], y: top }
  }
}

/** The wider side of an obstacle; 'none' when both are too narrow. */
function widerSide(before: Pt, after: Pt): 'left' | 'right' | 'none' {
  if (Math.max(before, after) < libreOffice.minSideWidth) return 'none'
  return before >= after ? 'left' : 'right'
}

/** The intervals that obstacles leave of the width of the region, in region coordinates. */
function freeIntervals(hits: readonly Exclusion[], originX: Pt, width: Pt): Interval[] {
  if (hits.some((box) => box.side === 'none')) return []
  const { minIntervalWidth } = libreOffice
  let intervals: Interval[] = [{ left: 0, right: width }]
  for (const box of hits) {
    const left = box.left - originX
    const right = box.right - originX
    const side =
      box.side === 'largest'
        ? left >= width - right
          ? 'left'
          : 'right'
        : box.side === 'wide-enough'
          ? widerSide(left, width - right)
          : box.side
    if (side === 'none') {
      intervals = []
      break
    }
    intervals = intervals.flatMap((interval) => {
      const parts: Interval[] = []
      if (side !== 'right' && Math.min(left, interval.right) - interval.left >= minIntervalWidth)
        parts.push({ left: interval.left, right: Math.min(left, interval.right) })
      if (side !== 'left' && interval.right - Math.max(right, interval.left) >= minIntervalWidth)
        parts.push({ left: Math.max(right, interval.left), right: interval.right })
      return parts
    })
  }
  return intervals
}
