/**
 * Block layout: boxes stacked vertically, with collapsing margins. Takes a box and the width of its containing block, and
 * returns its fragment together with the margins that collapse through its edges. Source: CSS 2.2, 8.3.1, 9.4.1 and 10.3 to
 * 10.7.
 */
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import type { Placed, Pt } from '../frame.ts'
import { backgroundItems } from './background.ts'
import type { BlockBox, LayoutBox, OutOfFlowBox } from './box.ts'
import { columnsIn, hasColumns, spansColumns } from './columns.ts'
import type { FormattingPosition, PlacedBox, WebContext } from './context.ts'
import { cornerRadiiOf } from './corners.ts'
import {
  bordersOf,
  borderWidths,
  boxPaintOf,
  breakRule,
  contentSize,
  edgesHeight,
  edgesWidth,
  keepsInside,
  lineOf,
  marginOf,
  paddingOf,
  ratioOf,
  sideOf,
} from './dimensions.ts'
import { drawBox } from './draw-box.ts'
import { effectOf } from './effects.ts'
import { isFlex, isRow, layoutFlex, relayout } from './flex.ts'
import { FloatArea } from './floats.ts'
import type { Edges, Fragment, OutOfFlowFragment } from './fragment.ts'
import { isGrid, layoutGrid } from './grid.ts'
import { intrinsicWidths } from './intrinsic.ts'
import { layoutLines } from './lines.ts'
import { balancedHeight } from './paginate.ts'
import { layoutPicture } from './picture.ts'
import { isPositioned, placeAbsoluteBoxes, placeholderOf, relativeShift } from './positioned.ts'
import { layoutTable } from './table.ts'

/** A set of adjoining margins. Its size is the largest positive margin plus the smallest negative one (CSS 2.2, 8.3.1). */
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
  /** `fragment.x` is the distance from the left edge of the containing block to the border box. */
  readonly fragment: Fragment
  readonly above: CollapsingMargin
  readonly below: CollapsingMargin
  /** True if the box has no height, so that its top and bottom margins collapse with each other. */
  readonly isEmpty: boolean
}

/**
 * Lays out a box in a containing block of this width. `space` is the position of its border box in the block formatting
 * context.
 */
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

/**
 * Lays out a box whose margins do not collapse with those around it: a float, an inline block or a table cell. With
 * `shrinksToFit`, an automatic width is the shrink-to-fit width of CSS 2.2, 10.3.5; otherwise the box fills the available
 * width.
 */
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
  let inner = contentSize(style, 'width', width, edges) ?? ratioWidth(style, edges)
  if (inner === undefined) {
    const available = Math.max(0, width - edges - (margins.left ?? 0) - (margins.right ?? 0))
    const { minContent, maxContent } = intrinsicWidths(context, box)
    inner = shrinksToFit ? Math.min(maxContent - edges, Math.max(minContent - edges, available)) : available
  }
  inner = clampToLimits(style, 'width', inner, width, edges)
  const fragment = layoutBlockContent(context, box, Math.max(0, inner), width, true).fragment
  return withOwnMargins(fragment, margins)
}

/** Adds the margins to a laid-out box and applies relative positioning. A margin of `auto` becomes 0. */
function withOwnMargins(
  fragment: Fragment,
  { top = 0, right = 0, bottom = 0, left = 0 }: ReturnType<typeof marginOf>,
): PlacedBox {
  const { x = 0, y = 0 } = fragment.shift ?? {}
  const kept = top === 0 ? {} : { marginAbove: top }
  return { fragment: { ...fragment, ...kept, x, y }, margin: { top, right, bottom, left } }
}

/** Resolves the margins of a box of this width. Left and right margins of `auto` share the remaining space equally. */
function resolvedMargins(style: ComputedStyle, containingWidth: Pt, width: Pt): PlacedBox['margin'] {
  const { top = 0, right, bottom = 0, left } = marginOf(style, containingWidth)
  const free = Math.max(0, containingWidth - width - (left ?? 0) - (right ?? 0))
  // Applies the `align` attribute of the parent element (`-block-align`). In quirks mode tables do not inherit it.
  const aligned = style.parent?.word('-block-align')
  const auto = (left === undefined ? 1 : 0) + (right === undefined ? 1 : 0)
  const autoMargin = auto === 0 ? 0 : free / auto
  // A block that leaves space stands at the start of its lines (CSS 2.2, 10.3.3).
  const isAtRight = aligned === undefined ? style.parent?.word('direction') === 'rtl' : aligned === 'right'
  const shift = auto > 0 ? 0 : aligned === 'center' ? free / 2 : isAtRight ? free : 0
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
    contentSize(style, 'width', width, edges) ??
      ratioWidth(style, edges) ??
      contentWidth(context, box, available) ??
      available,
    width,
    edges,
  )
  const { left } = resolvedMargins(style, width, inner + edges)
  const layout = layoutBlockContent(context, box, inner, width, establishesFormattingContext(style), {
    position: { ...space, x: space.x + left },
  })
  return { ...layout, fragment: { ...layout.fragment, x: left } }
}

/**
 * The content width that `width: min-content`, `max-content` or `fit-content` specifies; undefined for other values. Source:
 * CSS Sizing 3, 3.2.
 */
function contentWidth(context: WebContext, box: BlockBox, available: Pt): Pt | undefined {
  const value = box.style.word('width')?.replace('-webkit-', '').replace('-moz-', '')
  if (value !== 'fit-content' && value !== 'max-content' && value !== 'min-content') return undefined
  const { minContent, maxContent } = context.contentWidths(context, box)
  if (value !== 'fit-content') return value === 'min-content' ? minContent : maxContent
  return Math.min(maxContent, Math.max(minContent, available))
}

/**
 * Whether the box establishes a new block formatting context, so that the margins of its children do not collapse with its
 * own.
 */
function establishesFormattingContext(style: ComputedStyle): boolean {
  const overflow = style.word('overflow') ?? 'visible'
  return (
    overflow !== 'visible' ||
    hasColumns(style) ||
    /^(?:flow-root|inline-block|(?:inline-)?flex|(?:inline-)?grid|table-cell)$/.test(style.display) ||
    /^(?:left|right)$/.test(style.word('float') ?? '')
  )
}

/** Lays out the content of a table cell at this content width. */
export const layoutCellContent = (context: WebContext, box: BlockBox, inner: Pt): Fragment =>
  layoutBlockContent(context, box, inner, inner, true).fragment

/** The state while the children of a block are stacked. */
interface BlockProgress {
  readonly children: Fragment[]
  /** The bottom edge of the last child. */
  y: Pt
  /** The bottom margin of the last child, which still collapses with the next one. */
  marginBelow: CollapsingMargin
  /** The margins of the first children that collapse with the top margin of the block. */
  marginAbove: CollapsingMargin
  isAtStart: boolean
  baseline: Pt | undefined
  lastBaseline: Pt | undefined
  readonly outOfFlow: OutOfFlowFragment[]
}

/**
 * Lays out the children of a block whose content width is known.
 *
 * width: the width that percentages of margins and padding refer to.
 * isolated: the block starts a new formatting context.
 * position: where its border box begins in the surrounding formatting context, unless it is isolated.
 * height: the content height of a stretched flex or grid item.
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
  // The `height` of a table cell is a minimum, which the table layout applies.
  const declaredHeight =
    stretched ??
    (style.display === 'table-cell'
      ? undefined
      : contentSize(style, 'height', undefined, edgesHeight(padding) + edgesHeight(border)))
  const minHeight = Math.max(
    contentSize(style, 'min-height', undefined, edgesHeight(padding) + edgesHeight(border)) ?? 0,
    // A box with a ratio is as high as its width asks for, and higher where its content is.
    declaredHeight === undefined ? ratioHeight(style, inner, padding, border) : 0,
  )
  const opensBottom =
    !isolated && padding.bottom + border.bottom === 0 && declaredHeight === undefined && minHeight === 0
  const stack: BlockProgress = {
    children: [],
    y: 0,
    marginBelow: noMargin,
    marginAbove: marginFrom(margins.top ?? 0),
    isAtStart: opensTop,
    baseline: undefined,
    lastBaseline: undefined,
    outOfFlow: [],
  }
  const space = isolated ? newFormattingContext() : { ...position, x: position.x + left, y: position.y + top }
  const contentBox = { inner, left, top, space }
  if (isFlex(style) || isGrid(style))
    addContainerItems(context, stack, box, contentBox, { height: declaredHeight, minHeight })
  else if (hasColumns(style) && context.pending.columnDepth < maxColumnDepth)
    addColumns(context, stack, box, contentBox, declaredHeight)
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
  // The bottom edge of a cell, a flex row or a grid may stand alone on the next page (observed in Chromium).
  const mayEndAlone = style.display === 'table-cell' || isGrid(style) || (isFlex(style) && isRow(style))
  const isAsHighAsContent = height === content && maxHeight === undefined
  const endEdge = padding.bottom + border.bottom
  const ownFragment = fragmentOf(context, box, stack, {
    width: inner + edgesWidth(padding) + edgesWidth(border),
    height: full,
    ...(isAsHighAsContent && !mayEndAlone && { endEdge }),
    ...(isAsHighAsContent && mayEndAlone && endEdge > 0 && { loneEdge: { from: full - endEdge, to: full } }),
  })
  const fragment = isPositioned(style) ? placeAbsoluteBoxes(context, ownFragment, border) : ownFragment
  if (!isEmpty) return { fragment, above: stack.marginAbove, below, isEmpty }
  return { fragment, above: collapsed(stack.marginAbove, stack.marginBelow), below, isEmpty }
}

/** The content height that the ratio of a box gives it; 0 if it has none. */
function ratioHeight(style: ComputedStyle, inner: Pt, padding: Edges, border: Edges): Pt {
  const ratio = ratioOf(style)
  if (ratio === undefined) return 0
  if (style.word('box-sizing') !== 'border-box') return inner / ratio
  const edges = edgesHeight(padding) + edgesHeight(border)
  return Math.max(0, (inner + edgesWidth(padding) + edgesWidth(border)) / ratio - edges)
}

/** The content width that the ratio of a box with a height gives it. */
function ratioWidth(style: ComputedStyle, edges: Pt): Pt | undefined {
  const [ratio, height] = [ratioOf(style), style.length('height')]
  if (ratio === undefined || height === undefined) return undefined
  return Math.max(0, height * ratio - (style.word('box-sizing') === 'border-box' ? edges : 0))
}

interface ContentBox {
  readonly inner: Pt
  /** The top left corner of the content box in the border box. */
  readonly left: Pt
  readonly top: Pt
  readonly space: FormattingPosition
}

/** Lays out the items of a flex or grid container, and leaves placeholders for its absolutely positioned children. */
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

/** Columns that are nested deeper are laid out as one, because the work grows with the power of the depth. */
const maxColumnDepth = 3

/** Lays out the children of a multi-column container. Those that span all columns separate sets of columns. */
function addColumns(
  context: WebContext,
  stack: BlockProgress,
  { children, style }: BlockBox,
  content: ContentBox,
  height: Pt | undefined,
): void {
  const columns = columnsIn(style, content.inner)
  for (let from = 0; from < children.length; ) {
    const spanning = children[from]
    if (spanning !== undefined && spansColumns(spanning)) {
      addInFlowChild(context, stack, spanning, content)
      from++
      continue
    }
    const next = children.findIndex((child, index) => index > from && spansColumns(child))
    const to = next === -1 ? children.length : next
    addColumnSet(context, stack, children.slice(from, to), content, { ...columns, style, height })
    from = to
  }
}

function addColumnSet(
  context: WebContext,
  stack: BlockProgress,
  children: readonly LayoutBox[],
  { left, top, inner }: ContentBox,
  {
    width,
    style,
    height: declaredHeight,
    ...columnSet
  }: ReturnType<typeof columnsIn> & { readonly style: ComputedStyle; readonly height: Pt | undefined },
): void {
  const column: BlockProgress = {
    children: [],
    y: 0,
    marginBelow: noMargin,
    marginAbove: noMargin,
    isAtStart: false,
    baseline: undefined,
    lastBaseline: undefined,
    outOfFlow: [],
  }
  const space = newFormattingContext()
  context.pending.columnDepth++
  for (const child of children)
    addInFlowChild(context, column, child, { inner: width, left: 0, top: 0, space })
  context.pending.columnDepth--
  const fragment: Fragment = {
    kind: 'box',
    x: 0,
    y: 0,
    width,
    height: Math.max(column.y + marginSize(column.marginBelow), space.floats.bottom),
    children: column.children,
    ...(column.outOfFlow.length > 0 && { outOfFlow: column.outOfFlow }),
  }
  const balanced = balancedHeight(fragment, columnSet.count, context.budget)
  const isFilled = declaredHeight !== undefined && style.word('column-fill') === 'auto'
  const height = isFilled ? declaredHeight : Math.min(balanced, declaredHeight ?? balanced)
  appendChild(
    stack,
    {
      fragment: { kind: 'columns', x: 0, y: 0, width: inner, height, children: [fragment], columnSet },
      above: noMargin,
      below: noMargin,
      isEmpty: false,
    },
    { left, top },
  )
}

/** Lays out a flex or grid item of a known content width. Its margins do not collapse. */
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

/**
 * Adds a child after the previous ones: next to floats if it fits there, below the floats that it clears, or out of the flow.
 */
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
  // Without floats the width of a child does not depend on its vertical position, so it is laid out once.
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
  if (value === 'inline-start' || value === 'inline-end') return sideOf(style, value)
  return value === 'left' || value === 'right' || value === 'both' ? value : undefined
}

/**
 * Estimates the top margin of a box, collapsed with the top margins of its first children. Needed before layout, because the
 * position decides which floats the box stands beside.
 */
function collapsedTopMargin(box: LayoutBox, width: Pt): CollapsingMargin {
  if (box.kind === 'lines' || box.kind === 'out-of-flow') return noMargin
  const { style } = box
  const topMargin = marginFrom(marginOf(style, width).top ?? 0)
  if (box.kind !== 'block' || establishesFormattingContext(style)) return topMargin
  if (paddingOf(style, width).top + borderWidths(bordersOf(style)).top > 0) return topMargin
  const first = box.children.find(({ kind }) => kind !== 'out-of-flow')
  return first === undefined ? topMargin : collapsed(topMargin, collapsedTopMargin(first, width))
}

/** Adds a float, or a placeholder for an absolutely positioned box. */
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

/** Lays out a float and places it at or below `y`. The content box of the parent begins at `at` in the parent's fragment. */
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
  /** The position below the floats that the child clears. The clearance replaces its top margin. */
  clearedY?: Pt,
): void {
  const meeting = collapsed(stack.marginBelow, above)
  const append = (y: Pt) => {
    fragment.x += at.left
    fragment.y = at.top + y + (fragment.shift?.y ?? 0)
    fragment.x += fragment.shift?.x ?? 0
    const margin = marginSize(above)
    if (margin !== 0) fragment.marginAbove = margin
    stack.children.push(fragment)
    if (fragment.baseline === undefined) return
    stack.baseline ??= fragment.y + fragment.baseline
    stack.lastBaseline = fragment.y + (fragment.lastBaseline ?? fragment.baseline)
  }
  if (clearedY !== undefined) {
    append(clearedY)
    stack.isAtStart = false
    stack.y = clearedY + fragment.height
    stack.marginBelow = isEmpty ? collapsed(above, below) : below
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
}

/** The outline around a box, which takes no space (CSS Basic User Interface 4, 3). */
function outlineItems(style: ComputedStyle, { width, height }: Pick<Fragment, 'width' | 'height'>): Placed[] {
  const outline = lineOf(style, 'outline')
  if (outline === undefined) return []
  const by = (style.length('outline-offset') ?? 0) + outline.width
  const borders = { top: outline, right: outline, bottom: outline, left: outline }
  return drawBox({ borders }, -by, -by, Math.max(0, width + 2 * by), Math.max(0, height + 2 * by))
}

function fragmentOf(
  context: WebContext,
  box: BlockBox,
  stack: BlockProgress,
  size: Pick<Fragment, 'width' | 'height' | 'endEdge' | 'loneEdge'>,
): Fragment {
  const { style } = box
  const boxPaint = boxPaintOf(style)
  const isHidden = style.word('visibility') === 'hidden'
  const clips = /^(?:hidden|clip|auto|scroll)$/.test(style.word('overflow') ?? '')
  const radii = clips ? cornerRadiiOf(style) : undefined
  const items: Placed[] = isHidden ? [] : backgroundItems(context, style, size)
  if (!isHidden) pushAll(items, outlineItems(style, size))
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
    ...(clips && radii !== undefined && { clipRadii: radii }),
    ...(items.length > 0 && { items }),
    ...(stack.outOfFlow.length > 0 && { outOfFlow: stack.outOfFlow }),
    ...relativeShift(style),
    ...effectOf(style, size),
    breakBefore: breakRule(style, 'break-before'),
    breakAfter: breakRule(style, 'break-after'),
    avoidBreakInside: keepsInside(style),
    ...(clips && { clips }),
    ...baselinesOf(stack, style, clips),
  }
}

/**
 * The baselines of a box. That of an inline block is the one of its last line box, or its bottom margin edge if it clips its
 * content (CSS 2.2, 10.8.1).
 */
function baselinesOf(
  { baseline, lastBaseline }: BlockProgress,
  { display }: ComputedStyle,
  clips: boolean,
): Pick<Fragment, 'baseline' | 'lastBaseline'> {
  if (baseline === undefined || (clips && display === 'inline-block')) return {}
  if (display === 'inline-block') return { baseline: lastBaseline ?? baseline }
  return { baseline, ...(lastBaseline !== undefined && { lastBaseline }) }
}
