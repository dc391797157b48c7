/**
 * The heights of parts that must stay on one page. Source: CSS Fragmentation 3, 3 and 4.
 */
import type { Pt } from '../frame.ts'
import type { Fragment } from './fragment.ts'
import { type Pager, tolerance } from './pager.ts'

type Measured = Pick<Pager, 'unbreakableStarts'>

/**
 * The index of the line before which the last lines from `from` on are broken, so that they stand on one page with the
 * bottom edge of their box. Returns `children.length` if there is no such line.
 */
export function splitBeforeEnd({ children, orphans = 2, widows = 2 }: Fragment, from: number): number {
  const count = children.length
  const split = count - widows
  if (split >= (from === 0 ? orphans : from + 1)) return split
  return count - 1 > from ? count - 1 : count
}

export const isKeptWithNext = (child: Fragment | undefined, next: Fragment): boolean =>
  child?.breakAfter === 'avoid' || next.breakBefore === 'avoid'

/** The bottom edges that end with the last child of a box. A child that ends above the content edge has none. */
export function endSpaceInside({ children, height, endEdge }: Fragment, endSpace: Pt): Pt {
  const last = children.at(-1)
  if (endEdge === undefined || last === undefined) return 0
  return last.y + last.height + endEdge >= height - tolerance ? endEdge + endSpace : 0
}

/** The limit of siblings that `break-after: avoid` keeps together. */
const maxChain = 20

/**
 * The height that must stay together from a child on: its unbreakable start, and that of the next sibling if no break is
 * allowed between them.
 */
export function keptTogether(
  pager: Measured,
  children: readonly Fragment[],
  index: number,
  endSpace: Pt,
  length = 0,
): Pt {
  const child = children[index]
  if (child === undefined) return 0
  const next = children[index + 1]
  if (next === undefined) return unbreakableStart(pager, child, endSpace)
  if (!isKeptWithNext(child, next) || length >= maxChain) return unbreakableStart(pager, child, 0)
  return next.y - child.y + keptTogether(pager, children, index + 1, endSpace, length + 1)
}

/**
 * The height of the start of the last child of a box up to the first break in it that keeps `orphans` and `widows`. A break
 * before the child is better than one that does not keep them.
 */
export function startBeforeBestBreak(pager: Measured, child: Fragment, endSpace: Pt): Pt {
  const { kind, children, height, orphans = 2, widows = 2 } = child
  if (kind === 'lines' && children.length < orphans + widows) return height + endSpace
  const only = kind === 'box' && child.avoidBreakInside !== true && children.length === 1 && children[0]
  if (!only) return unbreakableStart(pager, child, endSpace)
  return only.y + startBeforeBestBreak(pager, only, endSpaceInside(child, endSpace))
}

/** The height of the start of a fragment that must not be broken. */
export function unbreakableStart(pager: Measured, fragment: Fragment, endSpace: Pt): Pt {
  const known = pager.unbreakableStarts.get(fragment)
  if (known !== undefined) return known
  const head = measureUnbreakableStart(pager, fragment, endSpace)
  pager.unbreakableStarts.set(fragment, head)
  return head
}

/**
 * The height of the start of a fragment that must not be broken if `avoid` is not kept. A break in a box with
 * `break-inside: avoid` and a break after a sibling with `break-after: avoid` are equally bad, and of two equal breaks the
 * later one is taken (observed in Chromium).
 */
export function breakableStart({ kind, children, height, orphans = 2 }: Fragment): Pt {
  if (kind === 'leaf' || children.length === 0) return height
  if (kind === 'lines') return children.slice(0, orphans).reduce((sum, line) => sum + line.height, 0)
  if (kind === 'row')
    return children.reduce((most, child) => Math.max(most, child.y + breakableStart(child)), 0)
  const first = children[0]
  return first === undefined ? 0 : first.y + breakableStart(first)
}

function measureUnbreakableStart(pager: Measured, fragment: Fragment, endSpace: Pt): Pt {
  const { kind, children, height } = fragment
  if (kind === 'leaf' || children.length === 0) return height + endSpace
  if (fragment.avoidBreakInside === true) return height + endSpace
  if (kind === 'lines') {
    if (children.length === 1) return height + endSpace
    // Where there are too few lines for both, `orphans` outweighs `widows` (observed in Chromium).
    return children.slice(0, fragment.orphans ?? 2).reduce((sum, line) => sum + line.height, 0)
  }
  if (kind === 'row')
    return children.reduce((most, child) => Math.max(most, child.y + unbreakableStart(pager, child, 0)), 0)
  return (children[0]?.y ?? 0) + keptTogether(pager, children, 0, endSpaceInside(fragment, endSpace))
}
