/**
 * Positioned boxes. An absolutely positioned box leaves an empty placeholder in the flow until its containing block has a
 * size. A fixed positioned box is placed on the page and drawn on every page. Source: CSS Positioned Layout 3; CSS 2.2,
 * 10.3.7 and 10.6.4.
 */
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import type { Pt } from '../frame.ts'
import type { OutOfFlowBox } from './box.ts'
import type { WebContext } from './context.ts'
import { marginOf } from './dimensions.ts'
import type { Edges, Fragment, OutOfFlowFragment } from './fragment.ts'
import { layoutUnit } from './text-font.ts'

/** Whether the box is the containing block of absolutely positioned descendants. */
export const isPositioned = (style: ComputedStyle): boolean =>
  /^(?:relative|absolute|fixed|sticky)$/.test(style.word('position') ?? '')

/** The offset of relative positioning. Percentages of the height are not resolved. */
export function relativeShift(style: ComputedStyle): { readonly shift?: { readonly x: Pt; readonly y: Pt } } {
  if (style.word('position') !== 'relative') return {}
  const of = (near: string, far: string): Pt => style.length(near) ?? -(style.length(far) ?? 0)
  const shift = { x: layoutUnit(of('left', 'right')), y: layoutUnit(of('top', 'bottom')) }
  return shift.x === 0 && shift.y === 0 ? {} : { shift }
}

/** Creates the placeholder at the static position of a box. */
export function placeholderOf(context: WebContext, placeholderFor: OutOfFlowBox, x: Pt, y: Pt): Fragment {
  context.pending.unplacedBoxes++
  return { kind: 'leaf', x, y, width: 0, height: 0, children: [], placeholderFor }
}

/** The containing block of positioned boxes, from the top left corner of a fragment. */
interface ContainingBlock {
  readonly x: Pt
  readonly y: Pt
  readonly width: Pt
  readonly height: Pt
}

/** Places the absolutely positioned boxes whose placeholders are in a fragment. Their containing block is its padding box. */
export function placeAbsoluteBoxes(context: WebContext, fragment: Fragment, border: Edges): Fragment {
  if (context.pending.unplacedBoxes === 0) return fragment
  const containing = {
    x: border.left,
    y: border.top,
    width: fragment.width - border.left - border.right,
    height: fragment.height - border.top - border.bottom,
  }
  const placed: OutOfFlowFragment[] = []
  takePlaceholders(context, fragment, (box, x, y, after) => {
    if (box.placement !== 'absolute') return false
    const position = layoutPositioned(context, box, containing, { x, y })
    placed.push({ fragment: position.fragment, after: position.isFree ? after : 0 })
    return true
  })
  return placed.length === 0
    ? fragment
    : { ...fragment, outOfFlow: [...(fragment.outOfFlow ?? []), ...placed] }
}

/**
 * Lays out the fixed positioned boxes, from the top left corner of the content area of a page. Must be called after all
 * absolutely positioned boxes have been placed.
 */
export function placeFixed(
  context: WebContext,
  root: Fragment,
  size: { width: Pt; height: Pt },
): readonly Fragment[] {
  const fixed: Fragment[] = []
  if (context.pending.unplacedBoxes === 0) return fixed
  takePlaceholders(context, root, (box, x, y) => {
    if (box.placement !== 'fixed') return false
    fixed.push(layoutPositioned(context, box, { x: 0, y: 0, ...size }, { x, y: y % size.height }).fragment)
    return true
  })
  return fixed
}

/**
 * Calls `take` for each unresolved placeholder in a fragment, with its position and the number of children before it. `take`
 * returns true if it placed the box.
 */
function takePlaceholders(
  context: WebContext,
  fragment: Fragment,
  take: (box: OutOfFlowBox, x: Pt, y: Pt, after: number) => boolean,
): void {
  const visited = new WeakSet<Fragment>()
  const visit = (current: Fragment, x: Pt, y: Pt, after: number): void => {
    if (context.pending.unplacedBoxes === 0) return
    if (current.placeholderFor !== undefined && !context.resolvedPlaceholders.has(current)) {
      if (take(current.placeholderFor, x, y, after)) {
        context.resolvedPlaceholders.add(current)
        context.pending.unplacedBoxes--
      }
      return
    }
    if (visited.has(current)) return
    visited.add(current)
    for (const child of current.children) visit(child, x + child.x, y + child.y, after)
    for (const { fragment: child } of current.outOfFlow ?? []) visit(child, x + child.x, y + child.y, after)
  }
  for (const [index, child] of fragment.children.entries()) visit(child, child.x, child.y, index)
  for (const { fragment: child, after } of [...(fragment.outOfFlow ?? [])])
    visit(child, child.x, child.y, after)
}

/** Lays out a positioned box. `isFree` means that its vertical position is the static one. */
function layoutPositioned(
  context: WebContext,
  { box }: OutOfFlowBox,
  containingBlock: ContainingBlock,
  flow: { readonly x: Pt; readonly y: Pt },
): { readonly fragment: Fragment; readonly isFree: boolean } {
  const { style } = box
  const inset = (name: string, whole: Pt) => style.length(name, whole)
  const [left, right] = [inset('left', containingBlock.width), inset('right', containingBlock.width)]
  const [top, bottom] = [inset('top', containingBlock.height), inset('bottom', containingBlock.height)]
  const isAuto = (style.word('width') ?? 'auto') === 'auto'
  const fills = isAuto && left !== undefined && right !== undefined && box.kind === 'block'
  const width = fills ? Math.max(0, containingBlock.width - left - right) : containingBlock.width
  const placed = context.layoutIndependent(context, box, width, !fills)
  const { margin } = placed
  const outer = margin.left + placed.fragment.width + margin.right
  const isCentred =
    left !== undefined &&
    right !== undefined &&
    !isAuto &&
    marginOf(style, containingBlock.width).left === undefined
  const height =
    top !== undefined &&
    bottom !== undefined &&
    (style.word('height') ?? 'auto') === 'auto' &&
    box.kind === 'block'
      ? Math.max(placed.fragment.height, containingBlock.height - top - bottom - margin.top - margin.bottom)
      : placed.fragment.height
  const x = isCentred
    ? containingBlock.x + left + (containingBlock.width - left - right - placed.fragment.width) / 2
    : left !== undefined
      ? containingBlock.x + left + margin.left
      : right !== undefined
        ? containingBlock.x + containingBlock.width - right - outer + margin.left
        : flow.x + margin.left
  // Margins of `auto` share the space that a box of a given height leaves free (CSS 2.2, 10.6.4).
  const vertical = marginOf(style, containingBlock.width)
  const isMiddle =
    top !== undefined &&
    bottom !== undefined &&
    (style.word('height') ?? 'auto') !== 'auto' &&
    vertical.top === undefined &&
    vertical.bottom === undefined
  const y = isMiddle
    ? containingBlock.y + top + Math.max(0, containingBlock.height - top - bottom - height) / 2
    : top !== undefined
      ? containingBlock.y + top + margin.top
      : bottom !== undefined
        ? containingBlock.y + containingBlock.height - bottom - height - margin.bottom
        : flow.y + margin.top
  const isFree = top === undefined && bottom === undefined
  return { fragment: { ...placed.fragment, x, y, height }, isFree }
}
