/**
 * Block formatting: boxes one below the other, with margins that collapse. In: a box and the width around it. Out: its
 * fragment and the margins that reach out of it. Source: CSS 2.2, 8.3.1, 9.4.1 and 10.3 to 10.7.
 */
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import type { Placed, Pt } from '../frame.ts'
import { backgroundItems } from './background.ts'
import type { BlockBox, LayoutBox, OutOfFlowBox } from './box.ts'
import type { FormattingPosition, PlacedBox, WebContext } from './context.ts'
import {
  bordersOf,
  borderWidths,
  boxPaintOf,
  breakRule,
  contentSize,
  edgesHeight,
  edgesWidth,
  keepsInside,
  marginOf,
  paddingOf,
} from './dimensions.ts'
import { effectOf } from './effects.ts'
import { isFlex, layoutFlex, relayout } from './flex.ts'
import { FloatArea } from './floats.ts'
import type { Fragment, OutOfFlowFragment } from './fragment.ts'
import { isGrid, layoutGrid } from './grid.ts'
import { intrinsicWidths } from './intrinsic.ts'
import { layoutLines } from './lines.ts'
import { layoutPicture } from './picture.ts'
import { isPositioned, placeAbsoluteBoxes, placeholderOf, relativeShift } from './positioned.ts'
import { layoutTable } from './table.ts'

/** Margins that meet: the largest positive and the smallest negative one count. */
interface CollapsingMargin {
  readonly positive: Pt
  readonly negative: Pt
}
const noMargin: CollapsingMargin = { positive: 0, negative: 0 }
const marginFrom = (value: Pt): CollapsingMargin => ({
  positive: Math.max(0, value),
  negative: Math.min(0, value),
})
const collapsed = (a: CollapsingMargin, b: CollapsingMargin): CollapsingMargin => ({
  positive: Math.max(a.positive, b.positive),
  negative: Math.min(a.negative, b.negative),
})
const marginSize = ({ positive, negative }: CollapsingMargin): Pt => positive + negative

const newFormattingContext = (): FormattingPosition => ({ floats: new FloatArea(), x: 0, y: 0 })

interface BlockLayout {
  /** `x` is the distance of its border box from the left of the content around it. */
  readonly fragment: Fragment
  readonly above: CollapsingMargin
  readonly below: CollapsingMargin
  /** The box is empty: its margins above and below collapse. */
  readonly isEmpty: boolean
}

/** Lays a box out between the sides of the content around it. `space`: where its border box begins. */
export function layoutBox(
  context: WebContext,
  box: LayoutBox,
  width: Pt,
  space: FormattingPosition = newFormattingContext(),
): BlockLayout {
  context.budget.check()
  if (box.kind === 'lines') {
    const fragment = layoutLines(context, box, width, space)
    return { fragment, above: noMargin, below: noMargin, isEmpty: fragment.height === 0 }
  }
  if (box.kind === 'block') return layoutBlock(context, box, width, space)
  const placed = layoutIndependentBox(context, box, width, true)
  return {
    fragment: { ...placed.fragment, x: placed.margin.left },
    above: marginFrom(placed.margin.top),
    below: marginFrom(placed.margin.bottom),
    isEmpty: false,
  }
}

/** Lays a box out as a unit whose margins stay its own. `fits`: it is as wide as its content where it says nothing. */
export function layoutIndependentBox(
  context: WebContext,
  box: LayoutBox,
  width: Pt,
  shrinksToFit: boolean,
): PlacedBox {
  if (box.kind === 'out-of-flow') return layoutIndependentBox(context, box.box, width, true)
  if (box.kind === 'picture') return layoutPicture(context, box, width)
  if (box.kind === 'table') {
    const fragment = layoutTable(context, box, width)
    return { fragment, margin: resolvedMargins(box.style, width, fragment.width) }
  }
  if (box.kind === 'lines')
    return { fragment: layoutLines(context, box, width), margin: { top: 0, right: 0, bottom: 0, left: 0 } }
  const { style } = box
  const edges = edgesWidth(paddingOf(style, width)) + edgesWidth(borderWidths(bordersOf(style)))
  const margins = marginOf(style, width)
  let inner = contentSize(style, 'width', width, edges)
  if (inner === undefined) {
    const available = Math.max(0, width - edges - (margins.left ?? 0) - (margins.right ?? 0))
    const { minContent, maxContent } = intrinsicWidths(context, box)
    inner = shrinksToFit ? Math.min(maxContent - edges, Math.max(minContent - edges, available)) : available
  }
  inner = clampToLimits(style, 'width', inner, width, edges)
  const fragment = layoutBlockContent(context, box, Math.max(0, inner), width, true).fragment
  return withOwnMargins(fragment, margins)
}

/** A unit at its place, which relative positioning may have moved. Margins that are `auto` are none. */
function withOwnMargins(
  fragment: Fragment,
  { top = 0, right = 0, bottom = 0, left = 0 }: ReturnType<typeof marginOf>,
): PlacedBox {
  const { x = 0, y = 0 } = fragment.shift ?? {}
  return { fragment: { ...fragment, x, y }, margin: { top, right, bottom, left } }
}

/** The margins of a box of this width; those that are `auto` share what remains. */
export function resolvedMargins(style: ComputedStyle, containingWidth: Pt, width: Pt): PlacedBox['margin'] {
  const { top = 0, right, bottom = 0, left } = marginOf(style, containingWidth)
  const free = Math.max(0, containingWidth - width - (left ?? 0) - (right ?? 0))
  // The box around it aligns it; tables of old pages do not inherit that.
  const aligned = style.parent?.word('-block-align')
  const auto = (left === undefined ? 1 : 0) + (right === undefined ? 1 : 0)
  const autoMargin = auto === 0 ? 0 : free / auto
  const shift = auto > 0 ? 0 : aligned === 'center' ? free / 2 : aligned === 'right' ? free : 0
  return { top, bottom, left: (left ?? autoMargin) + shift, right: right ?? autoMargin }
}

function clampToLimits(
  style: ComputedStyle,
  name: 'width' | 'height',
  value: Pt,
  containingSize: Pt | undefined,
  edges: Pt,
): Pt {
  const max = contentSize(style, `max-${name}`, containingSize, edges) ?? Number.POSITIVE_INFINITY
  const min = contentSize(style, `min-${name}`, containingSize, edges) ?? 0
  return Math.max(min, Math.min(max, value))
}

function layoutBlock(context: WebContext, box: BlockBox, width: Pt, space: FormattingPosition): BlockLayout {
  const { style } = box
  const edges = edgesWidth(paddingOf(style, width)) + edgesWidth(borderWidths(bordersOf(style)))
  const margins = marginOf(style, width)
  const available = Math.max(0, width - edges - (margins.left ?? 0) - (margins.right ?? 0))
  const inner = clampToLimits(
    style,
    'width',
    contentSize(style, 'width', width, edges) ?? contentWidth(context, box, available) ?? available,
    width,
    edges,
  )
  const { left } = resolvedMargins(style, width, inner + edges)
  const layout = layoutBlockContent(context, box, inner, width, establishesFormattingContext(style), {
    position: { ...space, x: space.x + left },
  })
  return { ...layout, fragment: { ...layout.fragment, x: left } }
}

/** The width of a block that asks for that of its content. Source: CSS Sizing 3, 3.2. */
function contentWidth(context: WebContext, box: BlockBox, available: Pt): Pt | undefined {
  const value = box.style.word('width')?.replace('-webkit-', '').replace('-moz-', '')
  if (value !== 'fit-content' && value !== 'max-content' && value !== 'min-content') return undefined
  const { minContent, maxContent } = context.contentWidths(context, box)
  if (value !== 'fit-content') return value === 'min-content' ? minContent : maxContent
  return Math.min(maxContent, Math.max(minContent, available))
}

/** Whether the margins of its children stay inside of a block. */
function establishesFormattingContext(style: ComputedStyle): boolean {
  const overflow = style.word('overflow') ?? 'visible'
  return (
    overflow !== 'visible' ||
    /^(?:flow-root|inline-block|(?:inline-)?flex|(?:inline-)?grid|table-cell)$/.test(style.display) ||
    /^(?:left|right)$/.test(style.word('float') ?? '')
  )
}

/** The content of a cell in a content box of this width. */
export const layoutCellContent = (context: WebContext, box: BlockBox, inner: Pt): Fragment =>
  layoutBlockContent(context, box, inner, inner, true).fragment

/** The state while children are placed below each other. */
interface BlockProgress {
  readonly children: Fragment[]
  /** The bottom of the last child. */
  y: Pt
  /** The margins below it that have not been used. */
  marginBelow: CollapsingMargin
  /** The margins that reach out of the top. */
  marginAbove: CollapsingMargin
  isAtStart: boolean
  baseline: Pt | undefined
  readonly outOfFlow: OutOfFlowFragment[]
}

/**
 * Lays out the children of a block with a known content width. `width`: what percentages of its edges refer to. `around`: where
 * its border box begins, unless it is isolated. `height`: that of the content of a stretched item.
 */
function layoutBlockContent(
  context: WebContext,
  box: BlockBox,
  inner: Pt,
  width: Pt,
  isolated: boolean,
  {
    position = newFormattingContext(),
    height: stretched,
  }: { readonly position?: FormattingPosition; readonly height?: Pt } = {},
): BlockLayout {
  const { style } = box
  const padding = paddingOf(style, width)
  const border = borderWidths(bordersOf(style))
  const margins = marginOf(style, width)
  const [top, left] = [padding.top + border.top, padding.left + border.left]
  const opensTop = !isolated && top === 0
  // The height of a cell is the least that it has.
  const declaredHeight =
    stretched ??
    (style.display === 'table-cell'
      ? undefined
      : contentSize(style, 'height', undefined, edgesHeight(padding) + edgesHeight(border)))
  const minHeight =
    contentSize(style, 'min-height', undefined, edgesHeight(padding) + edgesHeight(border)) ?? 0
  const opensBottom =
    !isolated && padding.bottom + border.bottom === 0 && declaredHeight === undefined && minHeight === 0
  const stack: BlockProgress = {
    children: [],
    y: 0,
    marginBelow: noMargin,
    marginAbove: marginFrom(margins.top ?? 0),
    isAtStart: opensTop,
    baseline: undefined,
    outOfFlow: [],
  }
  const space = isolated ? newFormattingContext() : { ...position, x: position.x + left, y: position.y + top }
  const contentBox = { inner, left, top, space }
  if (isFlex(style) || isGrid(style))
    addContainerItems(context, stack, box, contentBox, { height: declaredHeight, minHeight })
  else for (const child of box.children) addInFlowChild(context, stack, child, contentBox)
  const isEmpty =
    opensTop && opensBottom && stack.isAtStart && stack.children.every(({ height }) => height === 0)
  let below = marginFrom(margins.bottom ?? 0)
  let content = stack.y
  if (opensBottom) below = collapsed(below, stack.marginBelow)
  else if (!stack.isAtStart) content += marginSize(stack.marginBelow)
  if (isolated) content = Math.max(content, space.floats.bottom)
  const maxHeight = contentSize(style, 'max-height', undefined, edgesHeight(padding) + edgesHeight(border))
  const height = Math.max(declaredHeight ?? content, minHeight)
  const full =
    (maxHeight === undefined ? height : Math.min(height, Math.max(maxHeight, minHeight))) +
    edgesHeight(padding) +
    edgesHeight(border)
  const ownFragment = fragmentOf(context, box, stack, {
    width: inner + edgesWidth(padding) + edgesWidth(border),
    height: full,
  })
  const fragment = isPositioned(style) ? placeAbsoluteBoxes(context, ownFragment, border) : ownFragment
  if (!isEmpty) return { fragment, above: stack.marginAbove, below, isEmpty }
  return { fragment, above: collapsed(stack.marginAbove, stack.marginBelow), below, isEmpty }
}

interface ContentBox {
  readonly inner: Pt
  /** The top left of the content in the border box. */
  readonly left: Pt
  readonly top: Pt
  readonly space: FormattingPosition
}

/** Places the items of a container, and holds the places of boxes out of the flow. */
function addContainerItems(
  context: WebContext,
  stack: BlockProgress,
  box: BlockBox,
  { inner, left, top, space }: ContentBox,
  { height, minHeight }: { readonly height: Pt | undefined; readonly minHeight: Pt },
): void {
  stack.isAtStart = false
  for (const child of box.children)
    if (child.kind === 'out-of-flow') addOutOfFlow(context, stack, child, { inner, left, top, space })
  const layoutItems = isGrid(box.style) ? layoutGrid : layoutFlex
  const natural = layoutItems(context, box, inner, height)
  const isBelowMinimum = height === undefined && natural.height < minHeight
  const content = isBelowMinimum
    ? (relayout(context, () => layoutItems(context, box, inner, minHeight)) ?? natural)
    : natural
  for (const child of content.children) stack.children.push({ ...child, x: child.x + left, y: child.y + top })
  stack.y = content.height
  if (content.baseline !== undefined) stack.baseline = top + content.baseline
}

/** An item of a container, whose margins stay its own. */
export function layoutSizedItem(
  context: WebContext,
  box: BlockBox,
  {
    width,
    containingWidth,
    height,
  }: { readonly width: Pt; readonly containingWidth: Pt; readonly height?: Pt },
): PlacedBox {
  const margins = marginOf(box.style, containingWidth)
  const size = height === undefined ? {} : { height }
  const { fragment } = layoutBlockContent(context, box, Math.max(0, width), containingWidth, true, size)
  return withOwnMargins(fragment, margins)
}

/** Places one child where the flow has come to: beside floats, below those that it clears, or out of the flow. */
function addInFlowChild(
  context: WebContext,
  stack: BlockProgress,
  child: LayoutBox,
  content: ContentBox,
): void {
  const { inner, space } = content
  if (child.kind === 'out-of-flow') {
    addOutOfFlow(context, stack, child, content)
    return
  }
  const { floats } = space
  // Where there are no floats, nothing depends on how far down a child begins.
  if (!context.hasFloats) {
    appendChild(stack, layoutBox(context, child, inner), content)
    return
  }
  const margin = collapsed(stack.marginBelow, collapsedTopMargin(child, inner))
  let y = stack.y + (stack.isAtStart ? 0 : marginSize(margin))
  let clearedY: Pt | undefined
  const clear = child.kind === 'lines' ? undefined : clearOf(child.style)
  if (clear !== undefined) {
    const to = floats.below(clear, space.y + y) - space.y
    if (to > y + 0.01) clearedY = y = to
  }
  const avoidsFloats =
    child.kind !== 'lines' && (child.kind !== 'block' || establishesFormattingContext(child.style))
  const layoutAt = (at: Pt, width: Pt) =>
    layoutBox(context, child, width, { floats, x: space.x, y: space.y + at })
  if (!avoidsFloats || floats.isEmpty) {
    appendChild(stack, layoutAt(y, inner), content, clearedY)
    return
  }
  const fills = child.kind === 'block' && (child.style.word('width') ?? 'auto') === 'auto'
  const sides = { left: space.x, right: space.x + inner }
  for (;;) {
    context.budget.check()
    const free = floats.interval(space.y + y, 0, sides)
    const layout = layoutAt(y, fills ? free.right - free.left : inner)
    const next = floats.nextEdge(space.y + y)
    if (next === undefined || layout.fragment.width <= free.right - free.left + 0.01) {
      layout.fragment.x += free.left - space.x
      appendChild(stack, layout, content, clearedY)
      return
    }
    clearedY = y = next - space.y
  }
}

function clearOf(style: ComputedStyle): 'left' | 'right' | 'both' | undefined {
  const value = style.word('clear')
  return value === 'left' || value === 'right' || value === 'both' ? value : undefined
}

/** The margin that reaches out of the top of a box, as far as its first children show it. */
function collapsedTopMargin(box: LayoutBox, width: Pt): CollapsingMargin {
  if (box.kind === 'lines' || box.kind === 'out-of-flow') return noMargin
  const { style } = box
  const topMargin = marginFrom(marginOf(style, width).top ?? 0)
  if (box.kind !== 'block' || establishesFormattingContext(style)) return topMargin
  if (paddingOf(style, width).top + borderWidths(bordersOf(style)).top > 0) return topMargin
  const first = box.children.find(({ kind }) => kind !== 'out-of-flow')
  return first === undefined ? topMargin : collapsed(topMargin, collapsedTopMargin(first, width))
}

/** A float, or the place of a box that is positioned later. */
function addOutOfFlow(
  context: WebContext,
  stack: BlockProgress,
  child: OutOfFlowBox,
  { inner, left, top, space }: ContentBox,
): void {
  const y = stack.y + (stack.isAtStart ? 0 : marginSize(stack.marginBelow))
  const after = stack.children.length
  if (child.placement === 'absolute' || child.placement === 'fixed') {
    stack.outOfFlow.push({ fragment: placeholderOf(context, child, left, top + y), after })
    return
  }
  stack.outOfFlow.push({ fragment: placeFloat(context, child, inner, y, space, { left, top }), after })
}

/** Lays a float out and finds its place at or below `y` of the content, whose top left is `at` in the fragment around it. */
export function placeFloat(
  context: WebContext,
  child: OutOfFlowBox,
  inner: Pt,
  y: Pt,
  space: FormattingPosition,
  at: { readonly left: Pt; readonly top: Pt },
): Fragment {
  const { fragment, margin } = layoutIndependentBox(context, child.box, inner, true)
  const width = margin.left + fragment.width + margin.right
  const height = margin.top + fragment.height + margin.bottom
  const clear = clearOf(child.style)
  const from = clear === undefined ? space.y + y : space.floats.below(clear, space.y + y)
  const sides = { left: space.x, right: space.x + inner }
  const position = space.floats.place(
    child.placement === 'right' ? 'right' : 'left',
    { width, height },
    from,
    sides,
  )
  return {
    ...fragment,
    x: at.left + position.x - space.x + margin.left,
    y: at.top + position.y - space.y + margin.top,
  }
}

function appendChild(
  stack: BlockProgress,
  { fragment, above, below, isEmpty }: BlockLayout,
  at: { left: Pt; top: Pt },
  /** The position below floats that are cleared; margins do not count there. */
  clearedY?: Pt,
): void {
  const meeting = collapsed(stack.marginBelow, above)
  const append = (y: Pt) => {
    fragment.x += at.left
    fragment.y = at.top + y + (fragment.shift?.y ?? 0)
    fragment.x += fragment.shift?.x ?? 0
    stack.children.push(fragment)
  }
  if (clearedY !== undefined && !isEmpty) {
    append(clearedY)
    stack.isAtStart = false
    stack.y = clearedY + fragment.height
    stack.marginBelow = below
    if (fragment.baseline !== undefined) stack.baseline = fragment.y + fragment.baseline
    return
  }
  if (isEmpty) {
    stack.marginBelow = collapsed(meeting, below)
    append(stack.y + (stack.isAtStart ? 0 : marginSize(meeting)))
    return
  }
  let y = stack.y
  if (stack.isAtStart) {
    stack.marginAbove = collapsed(stack.marginAbove, meeting)
    stack.isAtStart = false
  } else y += marginSize(meeting)
  append(y)
  stack.y = y + fragment.height
  stack.marginBelow = below
  // The baseline of a block in a line is that of its last line.
  if (fragment.baseline !== undefined) stack.baseline = fragment.y + fragment.baseline
}

function fragmentOf(
  context: WebContext,
  box: BlockBox,
  stack: BlockProgress,
  size: { readonly width: Pt; readonly height: Pt },
): Fragment {
  const { style } = box
  const boxPaint = boxPaintOf(style)
  const isHidden = style.word('visibility') === 'hidden'
  const items: Placed[] = isHidden ? [] : backgroundItems(context, style, size)
  if (box.id !== undefined) items.push({ x: 0, y: 0, item: { kind: 'mark', id: box.id } })
  if (box.heading !== undefined && box.heading.bookmark !== box.id)
    items.push({ x: 0, y: 0, item: { kind: 'mark', id: box.heading.bookmark } })
  return {
    kind: 'box',
    x: 0,
    y: 0,
    ...size,
    children: stack.children,
    ...(boxPaint !== undefined && !isHidden && { boxPaint }),
    ...(items.length > 0 && { items }),
    ...(stack.outOfFlow.length > 0 && { outOfFlow: stack.outOfFlow }),
    ...relativeShift(style),
    ...effectOf(style, size),
    breakBefore: breakRule(style, 'break-before'),
    breakAfter: breakRule(style, 'break-after'),
    avoidBreakInside: keepsInside(style),
    ...(/^(?:hidden|clip|auto|scroll)$/.test(style.word('overflow') ?? '') && { clips: true }),
    ...(stack.baseline !== undefined && { baseline: stack.baseline }),
  }
}
