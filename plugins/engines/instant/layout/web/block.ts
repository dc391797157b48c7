/**
 * Block formatting: boxes one below the other, with margins that collapse. In: a box and the width around it. Out: its
 * fragment and the margins that reach out of it. Source: CSS 2.2, 8.3.1, 9.4.1 and 10.3 to 10.7.
 */
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import type { Placed, Pt } from '../frame.ts'
import { backgroundItems } from './background.ts'
import type { BlockBox, Box, OutBox } from './box.ts'
import type { PlacedBox, Space, WebContext } from './context.ts'
import {
  bordersOf,
  borderWidths,
  breakRule,
  contentSize,
  edgesHeight,
  edgesWidth,
  keepsInside,
  lookOf,
  marginOf,
  paddingOf,
} from './dimensions.ts'
import { effectOf } from './effects.ts'
import { again, isFlex, layoutFlex } from './flex.ts'
import { FloatArea } from './floats.ts'
import type { Aside, Fragment } from './fragment.ts'
import { isGrid, layoutGrid } from './grid.ts'
import { intrinsicWidths } from './intrinsic.ts'
import { layoutLines } from './lines.ts'
import { layoutPicture } from './picture.ts'
import { holdPlace, isPositioned, placeWaiting, shiftOf } from './positioned.ts'
import { layoutTable } from './table.ts'

/** Margins that meet: the largest positive and the smallest negative one count. */
interface Margin {
  readonly most: Pt
  readonly least: Pt
}
const noMargin: Margin = { most: 0, least: 0 }
const marginFrom = (value: Pt): Margin => ({ most: Math.max(0, value), least: Math.min(0, value) })
const collapsed = (a: Margin, b: Margin): Margin => ({
  most: Math.max(a.most, b.most),
  least: Math.min(a.least, b.least),
})
const sizeOf = ({ most, least }: Margin): Pt => most + least

const newSpace = (): Space => ({ floats: new FloatArea(), x: 0, y: 0 })

interface LaidOut {
  /** `x` is the distance of its border box from the left of the content around it. */
  readonly fragment: Fragment
  readonly above: Margin
  readonly below: Margin
  /** The box is empty: its margins above and below collapse. */
  readonly isEmpty: boolean
}

/** Lays a box out between the sides of the content around it. `space`: where its border box begins. */
export function layoutBox(context: WebContext, box: Box, width: Pt, space: Space = newSpace()): LaidOut {
  context.budget.check()
  if (box.kind === 'lines') {
    const fragment = layoutLines(context, box, width, space)
    return { fragment, above: noMargin, below: noMargin, isEmpty: fragment.height === 0 }
  }
  if (box.kind === 'block') return layoutBlock(context, box, width, space)
  const placed = placeBox(context, box, width, true)
  return {
    fragment: { ...placed.fragment, x: placed.margin.left },
    above: marginFrom(placed.margin.top),
    below: marginFrom(placed.margin.bottom),
    isEmpty: false,
  }
}

/** Lays a box out as a unit whose margins stay its own. `fits`: it is as wide as its content where it says nothing. */
export function placeBox(context: WebContext, box: Box, width: Pt, fits: boolean): PlacedBox {
  if (box.kind === 'out') return placeBox(context, box.box, width, true)
  if (box.kind === 'picture') return layoutPicture(context, box, width)
  if (box.kind === 'table') {
    const fragment = layoutTable(context, box, width)
    return { fragment, margin: placedMargins(box.style, width, fragment.width) }
  }
  if (box.kind === 'lines')
    return { fragment: layoutLines(context, box, width), margin: { top: 0, right: 0, bottom: 0, left: 0 } }
  const { style } = box
  const around = edgesWidth(paddingOf(style, width)) + edgesWidth(borderWidths(bordersOf(style)))
  const margins = marginOf(style, width)
  let inner = contentSize(style, 'width', width, around)
  if (inner === undefined) {
    const available = Math.max(0, width - around - (margins.left ?? 0) - (margins.right ?? 0))
    const { least, most } = intrinsicWidths(context, box)
    inner = fits ? Math.min(most - around, Math.max(least - around, available)) : available
  }
  inner = limited(style, 'width', inner, width, around)
  const fragment = fillBlock(context, box, Math.max(0, inner), width, true).fragment
  return placedAs(fragment, margins)
}

/** A unit at its place, which relative positioning may have moved. Margins that are `auto` are none. */
function placedAs(
  fragment: Fragment,
  { top = 0, right = 0, bottom = 0, left = 0 }: ReturnType<typeof marginOf>,
): PlacedBox {
  const { x = 0, y = 0 } = fragment.shift ?? {}
  return { fragment: { ...fragment, x, y }, margin: { top, right, bottom, left } }
}

/** The margins of a box of this width; those that are `auto` share what remains. */
export function placedMargins(style: ComputedStyle, around: Pt, width: Pt): PlacedBox['margin'] {
  const { top = 0, right, bottom = 0, left } = marginOf(style, around)
  const free = Math.max(0, around - width - (left ?? 0) - (right ?? 0))
  // The box around it aligns it; tables of old pages do not inherit that.
  const aligned = style.parent?.word('-block-align')
  const auto = (left === undefined ? 1 : 0) + (right === undefined ? 1 : 0)
  const share = auto === 0 ? 0 : free / auto
  const shift = auto > 0 ? 0 : aligned === 'center' ? free / 2 : aligned === 'right' ? free : 0
  return { top, bottom, left: (left ?? share) + shift, right: right ?? share }
}

function limited(
  style: ComputedStyle,
  name: 'width' | 'height',
  value: Pt,
  whole: Pt | undefined,
  around: Pt,
): Pt {
  const most = contentSize(style, `max-${name}`, whole, around) ?? Number.POSITIVE_INFINITY
  const least = contentSize(style, `min-${name}`, whole, around) ?? 0
  return Math.max(least, Math.min(most, value))
}

function layoutBlock(context: WebContext, box: BlockBox, width: Pt, space: Space): LaidOut {
  const { style } = box
  const around = edgesWidth(paddingOf(style, width)) + edgesWidth(borderWidths(bordersOf(style)))
  const margins = marginOf(style, width)
  const available = Math.max(0, width - around - (margins.left ?? 0) - (margins.right ?? 0))
  const inner = limited(
    style,
    'width',
    contentSize(style, 'width', width, around) ?? contentWidth(context, box, available) ?? available,
    width,
    around,
  )
  const { left } = placedMargins(style, width, inner + around)
  const laid = fillBlock(context, box, inner, width, startsContext(style), {
    around: { ...space, x: space.x + left },
  })
  return { ...laid, fragment: { ...laid.fragment, x: left } }
}

/** The width of a block that asks for that of its content. Source: CSS Sizing 3, 3.2. */
function contentWidth(context: WebContext, box: BlockBox, available: Pt): Pt | undefined {
  const value = box.style.word('width')?.replace('-webkit-', '').replace('-moz-', '')
  if (value !== 'fit-content' && value !== 'max-content' && value !== 'min-content') return undefined
  const { least, most } = context.contents(context, box)
  if (value !== 'fit-content') return value === 'min-content' ? least : most
  return Math.min(most, Math.max(least, available))
}

/** Whether the margins of its children stay inside of a block. */
function startsContext(style: ComputedStyle): boolean {
  const overflow = style.word('overflow') ?? 'visible'
  return (
    overflow !== 'visible' ||
    /^(?:flow-root|inline-block|(?:inline-)?flex|(?:inline-)?grid|table-cell)$/.test(style.display) ||
    /^(?:left|right)$/.test(style.word('float') ?? '')
  )
}

/** The content of a cell in a content box of this width. */
export const fillCell = (context: WebContext, box: BlockBox, inner: Pt): Fragment =>
  fillBlock(context, box, inner, inner, true).fragment

/** The state while children are placed below each other. */
interface Stack {
  readonly children: Fragment[]
  /** The bottom of the last child. */
  y: Pt
  /** The margins below it that have not been used. */
  pending: Margin
  /** The margins that reach out of the top. */
  above: Margin
  isAtStart: boolean
  baseline: Pt | undefined
  readonly aside: Aside[]
}

/**
 * Lays out the children of a block with a known content width. `width`: what percentages of its edges refer to. `around`: where
 * its border box begins, unless it is isolated. `height`: that of the content of a stretched item.
 */
function fillBlock(
  context: WebContext,
  box: BlockBox,
  inner: Pt,
  width: Pt,
  isolated: boolean,
  { around = newSpace(), height: stretched }: { readonly around?: Space; readonly height?: Pt } = {},
): LaidOut {
  const { style } = box
  const padding = paddingOf(style, width)
  const border = borderWidths(bordersOf(style))
  const margins = marginOf(style, width)
  const [top, left] = [padding.top + border.top, padding.left + border.left]
  const opensTop = !isolated && top === 0
  // The height of a cell is the least that it has.
  const given =
    stretched ??
    (style.display === 'table-cell'
      ? undefined
      : contentSize(style, 'height', undefined, edgesHeight(padding) + edgesHeight(border)))
  const least = contentSize(style, 'min-height', undefined, edgesHeight(padding) + edgesHeight(border)) ?? 0
  const opensBottom = !isolated && padding.bottom + border.bottom === 0 && given === undefined && least === 0
  const stack: Stack = {
    children: [],
    y: 0,
    pending: noMargin,
    above: marginFrom(margins.top ?? 0),
    isAtStart: opensTop,
    baseline: undefined,
    aside: [],
  }
  const space = isolated ? newSpace() : { ...around, x: around.x + left, y: around.y + top }
  const place = { inner, left, top, space }
  if (isFlex(style) || isGrid(style)) stackItems(context, stack, box, place, { height: given, least })
  else for (const child of box.children) stackFlow(context, stack, child, place)
  const isEmpty =
    opensTop && opensBottom && stack.isAtStart && stack.children.every(({ height }) => height === 0)
  let below = marginFrom(margins.bottom ?? 0)
  let content = stack.y
  if (opensBottom) below = collapsed(below, stack.pending)
  else if (!stack.isAtStart) content += sizeOf(stack.pending)
  if (isolated) content = Math.max(content, space.floats.bottom)
  const most = contentSize(style, 'max-height', undefined, edgesHeight(padding) + edgesHeight(border))
  const height = Math.max(given ?? content, least)
  const full =
    (most === undefined ? height : Math.min(height, Math.max(most, least))) +
    edgesHeight(padding) +
    edgesHeight(border)
  const made = fragmentOf(context, box, stack, {
    width: inner + edgesWidth(padding) + edgesWidth(border),
    height: full,
  })
  const fragment = isPositioned(style) ? placeWaiting(context, made, border) : made
  if (!isEmpty) return { fragment, above: stack.above, below, isEmpty }
  return { fragment, above: collapsed(stack.above, stack.pending), below, isEmpty }
}

interface ContentBox {
  readonly inner: Pt
  /** The top left of the content in the border box. */
  readonly left: Pt
  readonly top: Pt
  readonly space: Space
}

/** Places the items of a container, and holds the places of boxes out of the flow. */
function stackItems(
  context: WebContext,
  stack: Stack,
  box: BlockBox,
  { inner, left, top, space }: ContentBox,
  { height, least }: { readonly height: Pt | undefined; readonly least: Pt },
): void {
  stack.isAtStart = false
  for (const child of box.children)
    if (child.kind === 'out') stackOut(context, stack, child, { inner, left, top, space })
  const lay = isGrid(box.style) ? layoutGrid : layoutFlex
  const free = lay(context, box, inner, height)
  const isLow = height === undefined && free.height < least
  const made = isLow ? (again(context, () => lay(context, box, inner, least)) ?? free) : free
  for (const child of made.children) stack.children.push({ ...child, x: child.x + left, y: child.y + top })
  stack.y = made.height
  if (made.baseline !== undefined) stack.baseline = top + made.baseline
}

/** An item of a container, whose margins stay its own. */
export function placeItem(
  context: WebContext,
  box: BlockBox,
  { width, whole, height }: { readonly width: Pt; readonly whole: Pt; readonly height?: Pt },
): PlacedBox {
  const margins = marginOf(box.style, whole)
  const size = height === undefined ? {} : { height }
  const { fragment } = fillBlock(context, box, Math.max(0, width), whole, true, size)
  return placedAs(fragment, margins)
}

/** Places one child where the flow has come to: beside floats, below those that it clears, or out of the flow. */
function stackFlow(context: WebContext, stack: Stack, child: Box, content: ContentBox): void {
  const { inner, space } = content
  if (child.kind === 'out') {
    stackOut(context, stack, child, content)
    return
  }
  const { floats } = space
  // Where there are no floats, nothing depends on how far down a child begins.
  if (!context.floats) {
    stackChild(stack, layoutBox(context, child, inner), content)
    return
  }
  const margin = collapsed(stack.pending, marginAbove(child, inner))
  let y = stack.y + (stack.isAtStart ? 0 : sizeOf(margin))
  let forced: Pt | undefined
  const clear = child.kind === 'lines' ? undefined : clearOf(child.style)
  if (clear !== undefined) {
    const to = floats.below(clear, space.y + y) - space.y
    if (to > y + 0.01) forced = y = to
  }
  const isApart = child.kind !== 'lines' && (child.kind !== 'block' || startsContext(child.style))
  const lay = (at: Pt, width: Pt) => layoutBox(context, child, width, { floats, x: space.x, y: space.y + at })
  if (!isApart || floats.isEmpty) {
    stackChild(stack, lay(y, inner), content, forced)
    return
  }
  const fills = child.kind === 'block' && (child.style.word('width') ?? 'auto') === 'auto'
  const sides = { left: space.x, right: space.x + inner }
  for (;;) {
    context.budget.check()
    const free = floats.interval(space.y + y, 0, sides)
    const laid = lay(y, fills ? free.right - free.left : inner)
    const next = floats.nextEdge(space.y + y)
    if (next === undefined || laid.fragment.width <= free.right - free.left + 0.01) {
      laid.fragment.x += free.left - space.x
      stackChild(stack, laid, content, forced)
      return
    }
    forced = y = next - space.y
  }
}

function clearOf(style: ComputedStyle): 'left' | 'right' | 'both' | undefined {
  const value = style.word('clear')
  return value === 'left' || value === 'right' || value === 'both' ? value : undefined
}

/** The margin that reaches out of the top of a box, as far as its first children show it. */
function marginAbove(box: Box, width: Pt): Margin {
  if (box.kind === 'lines' || box.kind === 'out') return noMargin
  const { style } = box
  const own = marginFrom(marginOf(style, width).top ?? 0)
  if (box.kind !== 'block' || startsContext(style)) return own
  if (paddingOf(style, width).top + borderWidths(bordersOf(style)).top > 0) return own
  const first = box.children.find(({ kind }) => kind !== 'out')
  return first === undefined ? own : collapsed(own, marginAbove(first, width))
}

/** A float, or the place of a box that is positioned later. */
function stackOut(
  context: WebContext,
  stack: Stack,
  child: OutBox,
  { inner, left, top, space }: ContentBox,
): void {
  const y = stack.y + (stack.isAtStart ? 0 : sizeOf(stack.pending))
  const after = stack.children.length
  if (child.how === 'absolute' || child.how === 'fixed') {
    stack.aside.push({ fragment: holdPlace(context, child, left, top + y), after })
    return
  }
  stack.aside.push({ fragment: placeFloat(context, child, inner, y, space, { left, top }), after })
}

/** Lays a float out and finds its place at or below `y` of the content, whose top left is `at` in the fragment around it. */
export function placeFloat(
  context: WebContext,
  child: OutBox,
  inner: Pt,
  y: Pt,
  space: Space,
  at: { readonly left: Pt; readonly top: Pt },
): Fragment {
  const { fragment, margin } = placeBox(context, child.box, inner, true)
  const width = margin.left + fragment.width + margin.right
  const height = margin.top + fragment.height + margin.bottom
  const clear = clearOf(child.style)
  const from = clear === undefined ? space.y + y : space.floats.below(clear, space.y + y)
  const sides = { left: space.x, right: space.x + inner }
  const found = space.floats.place(child.how === 'right' ? 'right' : 'left', { width, height }, from, sides)
  return {
    ...fragment,
    x: at.left + found.x - space.x + margin.left,
    y: at.top + found.y - space.y + margin.top,
  }
}

function stackChild(
  stack: Stack,
  { fragment, above, below, isEmpty }: LaidOut,
  at: { left: Pt; top: Pt },
  /** The position below floats that are cleared; margins do not count there. */
  forced?: Pt,
): void {
  const meeting = collapsed(stack.pending, above)
  const place = (y: Pt) => {
    fragment.x += at.left
    fragment.y = at.top + y + (fragment.shift?.y ?? 0)
    fragment.x += fragment.shift?.x ?? 0
    stack.children.push(fragment)
  }
  if (forced !== undefined && !isEmpty) {
    place(forced)
    stack.isAtStart = false
    stack.y = forced + fragment.height
    stack.pending = below
    if (fragment.baseline !== undefined) stack.baseline = fragment.y + fragment.baseline
    return
  }
  if (isEmpty) {
    stack.pending = collapsed(meeting, below)
    place(stack.y + (stack.isAtStart ? 0 : sizeOf(meeting)))
    return
  }
  let y = stack.y
  if (stack.isAtStart) {
    stack.above = collapsed(stack.above, meeting)
    stack.isAtStart = false
  } else y += sizeOf(meeting)
  place(y)
  stack.y = y + fragment.height
  stack.pending = below
  // The baseline of a block in a line is that of its last line.
  if (fragment.baseline !== undefined) stack.baseline = fragment.y + fragment.baseline
}

function fragmentOf(
  context: WebContext,
  box: BlockBox,
  stack: Stack,
  size: { readonly width: Pt; readonly height: Pt },
): Fragment {
  const { style } = box
  const look = lookOf(style)
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
    ...(look !== undefined && !isHidden && { look }),
    ...(items.length > 0 && { items }),
    ...(stack.aside.length > 0 && { aside: stack.aside }),
    ...shiftOf(style),
    ...effectOf(style, size),
    before: breakRule(style, 'break-before'),
    after: breakRule(style, 'break-after'),
    keep: keepsInside(style),
    ...(/^(?:hidden|clip|auto|scroll)$/.test(style.word('overflow') ?? '') && { clips: true }),
    ...(stack.baseline !== undefined && { baseline: stack.baseline }),
  }
}
