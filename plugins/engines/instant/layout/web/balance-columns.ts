/** The measures by which columns are balanced. Source: CSS Multi-column Layout 1, 7.1. */
import type { Pt } from '../frame.ts'
import type { BreakRule, Fragment } from './fragment.ts'
import { type PagedFragment, pageAt, tolerance } from './pager.ts'

/** The height of columns if content could be broken anywhere. Forced breaks divide it into runs that share the columns. */
export function equalShare(content: Fragment, count: number): Pt {
  const breaks = forcedBreaks(content, 0).slice(0, count - 1)
  const runs = [...breaks, content.height].map((end, index) => ({
    height: end - (breaks[index - 1] ?? 0),
    columns: 1,
  }))
  const share = ({ height, columns }: { readonly height: Pt; readonly columns: number }): Pt =>
    height / columns
  for (let free = count - runs.length; free > 0; free--) {
    const tallest = runs.reduce((most, run) => (share(run) > share(most) ? run : most))
    tallest.columns++
  }
  return runs.reduce((most, run) => Math.max(most, share(run)), 0)
}

/** The height of the tallest part of content that is kept together and no higher than `limit`. */
export function tallestUnbreakable({ kind, children, height, avoidBreakInside }: Fragment, limit: Pt): Pt {
  if ((kind === 'leaf' || avoidBreakInside === true) && height <= limit) return height
  return children.reduce((most, child) => Math.max(most, tallestUnbreakable(child, limit)), 0)
}

/** The positions of the forced breaks in content that is not broken. */
function forcedBreaks({ kind, children }: Fragment, top: Pt): Pt[] {
  if (kind !== 'box') return []
  const isForced = (rule: BreakRule | undefined): boolean => rule === 'page' || rule === 'column'
  return children.flatMap((child, index) => {
    const y = top + child.y
    const before = index > 0 && (isForced(children[index - 1]?.breakAfter) || isForced(child.breakBefore))
    return before ? [y, ...forcedBreaks(child, y)] : forcedBreaks(child, y)
  })
}

/** The position in content that is not broken of the first line or picture at or below `y` in the stack of columns. */
export function flowPositionAt(paged: PagedFragment, y: Pt, top: Pt = 0): Pt | undefined {
  const flowTop = top + paged.fragment.y
  if (paged.bottom < y) return undefined
  if (paged.children.length === 0) return paged.top >= y - tolerance ? flowTop : undefined
  for (const child of paged.children) {
    const position = flowPositionAt(child, y, flowTop)
    if (position !== undefined) return position
  }
  return undefined
}

/** The least height between two limits that is enough, in 64ths of a pixel. The upper one is enough. */
export function leastHeight(from: Pt, most: Pt, isEnough: (height: Pt) => boolean): Pt {
  if (isEnough(from)) return from
  const unit: Pt = 0.75 / 64
  let [tooLow, enough] = [Math.floor(from / unit), Math.ceil(most / unit)]
  while (enough - tooLow > 1) {
    const middle = Math.floor((tooLow + enough) / 2)
    if (isEnough(middle * unit)) enough = middle
    else tooLow = middle
  }
  return Math.min(most, enough * unit)
}

/** The number of columns that have content. Content that is higher than its column takes more than one. */
export function columnsUsed({ bottom, children }: PagedFragment, pitch: Pt): number {
  const last = children.reduce((most, child) => Math.max(most, child.bottom), 0)
  return pageAt(Math.max(0, (children.length > 0 ? last : bottom) - 2 * tolerance), pitch) + 1
}
