/**
 * Flex layout. Takes a flex container and the size of its content box, and returns its lines, or its items if they are in a
 * column. Source: CSS Flexible Box Layout 1, 9.
 */
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import type { Pt } from '../frame.ts'
import type { BlockBox, LayoutBox } from './box.ts'
import type { PlacedBox, WebContext } from './context.ts'
import {
  bordersOf,
  borderWidths,
  contentSize,
  edgesHeight,
  edgesWidth,
  keepsInside,
  marginOf,
  paddingOf,
} from './dimensions.ts'
import type { Fragment } from './fragment.ts'
import { layoutUnit } from './text-font.ts'

export const isFlex = (style: ComputedStyle): boolean => /^(?:inline-)?flex$/.test(style.display)

export const isRow = (style: ComputedStyle): boolean => !/^column/.test(style.word('flex-direction') ?? 'row')

export const wrapsItems = (style: ComputedStyle): boolean => /^wrap/.test(style.word('flex-wrap') ?? '')

/** The gap between columns or rows, in pt. */
export const gapOf = (style: ComputedStyle, name: 'column-gap' | 'row-gap', whole?: Pt): Pt =>
  layoutUnit(Math.max(0, style.length(name, whole) ?? 0))

export interface FlexContent {
  readonly children: readonly Fragment[]
  readonly height: Pt
  readonly baseline: Pt | undefined
}

interface FlexItem {
  readonly box: LayoutBox
  /** Undefined for text, which becomes an anonymous item. */
  readonly style: ComputedStyle | undefined
  readonly margin: ReturnType<typeof marginOf>
  /** The sum of the horizontal padding and borders. */
  readonly edges: Pt
  /** The flex base size and the limits, as widths of the content box. */
  readonly baseSize: Pt
  readonly minWidth: Pt
  readonly maxWidth: Pt
  width: Pt
}

const flexFactor = (style: ComputedStyle | undefined, name: string, initial: number): number => {
  const value = Number(style?.get(name) ?? initial)
  return Number.isFinite(value) ? Math.min(Math.max(value, 0), 1e6) : initial
}

/** The in-flow children of a container in their `order`. */
export function itemsOf({ children }: BlockBox): readonly LayoutBox[] {
  const order = (box: LayoutBox): number =>
    box.kind === 'lines' ? 0 : Number(box.style.get('order') ?? 0) || 0
  return children.filter(({ kind }) => kind !== 'out-of-flow').toSorted((a, b) => order(a) - order(b))
}

/** Lays out the items of a container. `height` is the height of its content box, if it is known. */
export function layoutFlex(
  context: WebContext,
  box: BlockBox,
  inner: Pt,
  height: Pt | undefined,
): FlexContent {
  const { style } = box
  const boxes = itemsOf(box)
  const ordered = /reverse$/.test(style.word('flex-direction') ?? '') ? boxes.toReversed() : boxes
  return isRow(style)
    ? layoutRows(context, style, ordered, inner, height)
    : layoutColumn(context, style, ordered, inner, height)
}

function itemOf(context: WebContext, box: LayoutBox, inner: Pt): FlexItem {
  const widths = context.intrinsicWidths(context, box)
  if (box.kind === 'lines') {
    const margin = { top: 0, right: 0, bottom: 0, left: 0 }
    return {
      box,
      style: undefined,
      margin,
      edges: 0,
      baseSize: widths.maxContent,
      minWidth: widths.minContent,
      maxWidth: Infinity,
      width: 0,
    }
  }
  const { style } = box
  const edges = edgesWidth(paddingOf(style, inner)) + edgesWidth(borderWidths(bordersOf(style)))
  const size = (name: string) => contentSize(style, name, inner, edges)
  const declaredWidth = size('width')
  const basis = style.word('flex-basis') ?? 'auto'
  const baseSize =
    (basis === 'auto' ? declaredWidth : size('flex-basis')) ?? Math.max(0, widths.maxContent - edges)
  const clips = (style.word('overflow') ?? 'visible') !== 'visible'
  const content =
    box.kind === 'block'
      ? context.contentWidths(context, box).minContent
      : Math.max(0, widths.minContent - edges)
  const most = size('max-width') ?? Number.POSITIVE_INFINITY
  const minWidth = size('min-width') ?? (clips ? 0 : Math.min(content, declaredWidth ?? content, most))
  return {
    box,
    style,
    margin: marginOf(style, inner),
    edges,
    baseSize,
    minWidth,
    maxWidth: Math.max(most, minWidth),
    width: 0,
  }
}

const clamp = ({ minWidth, maxWidth }: FlexItem, width: Pt): Pt =>
  Math.max(minWidth, Math.min(maxWidth, width))
const outerEdges = ({ margin, edges }: FlexItem): Pt => (margin.left ?? 0) + (margin.right ?? 0) + edges

/** Widths differ by rounding. An item that is wider than the line by less than this still fits. */
const tolerance = 0.01

function layoutRows(
  context: WebContext,
  style: ComputedStyle,
  boxes: readonly LayoutBox[],
  inner: Pt,
  height: Pt | undefined,
): FlexContent {
  const [across, down] = [gapOf(style, 'column-gap', inner), gapOf(style, 'row-gap')]
  const lines: FlexItem[][] = []
  let used = 0
  for (const box of boxes) {
    context.budget.check()
    const item = itemOf(context, box, inner)
    const size = clamp(item, item.baseSize) + outerEdges(item)
    const line = lines.at(-1)
    if (line === undefined || (wrapsItems(style) && used + across + size > inner + tolerance)) {
      lines.push([item])
      used = size
    } else {
      line.push(item)
      used += across + size
    }
  }
  if (style.word('flex-wrap') === 'wrap-reverse') lines.reverse()
  const children: Fragment[] = []
  let y = 0
  let baseline: Pt | undefined
  for (const line of lines) {
    if (children.length > 0) y += down
    resolveWidths(line, inner - across * (line.length - 1))
    const row = layoutRow(context, style, line, {
      inner,
      across,
      height: lines.length === 1 ? height : undefined,
    })
    baseline ??= row.baseline
    children.push({ ...row, y })
    y += row.height
  }
  return { children, height: y, baseline }
}

/** Resolves the flexible lengths of the items of one line. Source: 9.7. */
function resolveWidths(items: readonly FlexItem[], inner: Pt): void {
  const total = items.reduce((sum, item) => sum + clamp(item, item.baseSize) + outerEdges(item), 0)
  const grows = total < inner
  const factor = ({ style, baseSize }: FlexItem): number =>
    grows ? flexFactor(style, 'flex-grow', 0) : flexFactor(style, 'flex-shrink', 1) * baseSize
  const unfrozen = new Set<FlexItem>()
  for (const item of items) {
    item.width = clamp(item, item.baseSize)
    const isInflexible =
      factor(item) === 0 || (grows ? item.baseSize > item.width : item.baseSize < item.width)
    if (!isInflexible) unfrozen.add(item)
  }
  // Each pass freezes at least one item, so the loop ends after at most as many passes as there are items.
  while (unfrozen.size > 0) {
    const used = items.reduce(
      (sum, item) => sum + (unfrozen.has(item) ? item.baseSize : item.width) + outerEdges(item),
      0,
    )
    const factors = [...unfrozen].reduce((sum, item) => sum + factor(item), 0)
    const parts = grows
      ? factors
      : [...unfrozen].reduce((sum, { style }) => sum + flexFactor(style, 'flex-shrink', 1), 0)
    const free = (inner - used) * Math.min(1, parts)
    let violation = 0
    for (const item of unfrozen) {
      const target = item.baseSize + (factors === 0 ? 0 : (free * factor(item)) / factors)
      item.width = clamp(item, target)
      violation += item.width - target
    }
    const before = unfrozen.size
    for (const item of [...unfrozen]) {
      const target = item.baseSize + (factors === 0 ? 0 : (free * factor(item)) / factors)
      const excess = item.width - target
      if (Math.abs(violation) < 1e-6 || (violation > 0 ? excess > 0 : excess < 0)) unfrozen.delete(item)
    }
    if (unfrozen.size === before) break
  }
}

/**
 * How deeply nested containers may be laid out a second time. The work doubles with each level, so deeper ones keep their
 * natural height.
 */
const maxRelayoutDepth = 3

/** Lays out a container for the second time, now with a definite height. Returns undefined beyond `maxRelayoutDepth`. */
export function relayout<T>(context: WebContext, lay: () => T): T | undefined {
  if (context.pending.relayoutDepth >= maxRelayoutDepth) return undefined
  context.pending.relayoutDepth++
  try {
    return lay()
  } finally {
    context.pending.relayoutDepth--
  }
}

/** Lays out an item at its resolved width. `height` is the content height of a stretched item. */
function layoutItem(context: WebContext, { box, width }: FlexItem, inner: Pt, height?: Pt): PlacedBox {
  if (box.kind === 'block')
    return context.layoutSizedItem(context, box, {
      width,
      containingWidth: inner,
      ...(height !== undefined && { height }),
    })
  return context.layoutIndependent(context, box, box.kind === 'lines' ? width : inner, true)
}

type Alignment = 'start' | 'end' | 'center' | 'stretch' | 'baseline'

function alignmentOf(container: ComputedStyle, item: ComputedStyle | undefined): Alignment {
  const self = item?.word('align-self') ?? 'auto'
  const value = self === 'auto' ? (container.word('align-items') ?? 'normal') : self
  if (/end$/.test(value)) return 'end'
  if (/start$/.test(value)) return 'start'
  if (/baseline/.test(value)) return 'baseline'
  return value === 'center' ? 'center' : 'stretch'
}

interface RowSize {
  readonly inner: Pt
  readonly across: Pt
  readonly height: Pt | undefined
}

function layoutRow(
  context: WebContext,
  style: ComputedStyle,
  items: readonly FlexItem[],
  { inner, across, height }: RowSize,
): Fragment {
  const placed = items.map((item) => layoutItem(context, item, inner))
  const ascents = placed.map(({ fragment, margin }) => margin.top + (fragment.baseline ?? fragment.height))
  const isOnBaseline = items.map(({ style: own }) => alignmentOf(style, own) === 'baseline')
  const ascent = ascents.reduce(
    (most, value, index) => (isOnBaseline[index] ? Math.max(most, value) : most),
    0,
  )
  const lineHeight =
    height ??
    placed.reduce((most, { fragment, margin }, index) => {
      const size = margin.top + fragment.height + margin.bottom
      return Math.max(most, isOnBaseline[index] ? ascent - (ascents[index] ?? 0) + size : size)
    }, 0)
  const used = placed.reduce(
    (sum, { fragment }, index) =>
      sum +
      fragment.width +
      (items[index]?.margin.left ?? 0) +
      (items[index]?.margin.right ?? 0) +
      (index > 0 ? across : 0),
    0,
  )
  const autos = items.reduce(
    (sum, { margin }) => sum + (margin.left === undefined ? 1 : 0) + (margin.right === undefined ? 1 : 0),
    0,
  )
  const free = inner - used
  const autoMargin = autos > 0 ? Math.max(0, free) / autos : 0
  const isReversed = /reverse$/.test(style.word('flex-direction') ?? '')
  const spread = justifyContent(style, autos > 0 ? 0 : free, items.length, isReversed)
  let x = spread.before
  // From right to left, places are counted from the right edge.
  const rightToLeft = style.word('direction') === 'rtl'
  const children = placed.map((box, index): Fragment => {
    const item = items[index]
    const [before, after] = rightToLeft
      ? [item?.margin.right, item?.margin.left]
      : [item?.margin.left, item?.margin.right]
    const fragment = alignedInLine(context, style, item, box, {
      lineHeight,
      inner,
      ascent: ascent - (ascents[index] ?? 0),
    })
    const at = x + (before ?? autoMargin)
    x = at + fragment.width + (after ?? autoMargin) + across + spread.between
    return { ...fragment, x: rightToLeft ? inner - at - fragment.width : at }
  })
  const [first] = children
  const baseline = isOnBaseline.includes(true)
    ? ascent
    : first?.baseline === undefined
      ? undefined
      : first.y + first.baseline
  return {
    kind: 'row',
    x: 0,
    y: 0,
    width: inner,
    height: lineHeight,
    children,
    avoidBreakInside: items.every(({ style: own }) => own !== undefined && keepsInside(own)),
    ...(baseline !== undefined && { baseline }),
  }
}

/** Aligns an item on the cross axis of its line. Source: 9.6. */
function alignedInLine(
  context: WebContext,
  container: ComputedStyle,
  item: FlexItem | undefined,
  { fragment, margin }: PlacedBox,
  { lineHeight, inner, ascent }: { readonly lineHeight: Pt; readonly inner: Pt; readonly ascent: Pt },
): Fragment {
  const style = item?.style
  const free = lineHeight - fragment.height - margin.top - margin.bottom
  const [top, bottom] = [item?.margin.top, item?.margin.bottom]
  if (item !== undefined && style !== undefined && (top === undefined || bottom === undefined)) {
    const shift = top === undefined ? Math.max(0, free) / (bottom === undefined ? 2 : 1) : 0
    return { ...fragment, y: margin.top + shift }
  }
  const align = alignmentOf(container, style)
  if (align === 'baseline') return { ...fragment, y: margin.top + ascent }
  if (align === 'end') return { ...fragment, y: margin.top + free }
  if (align === 'center') return { ...fragment, y: margin.top + free / 2 }
  const isStretched =
    align === 'stretch' && style !== undefined && (style.word('height') ?? 'auto') === 'auto' && free > 0
  if (!isStretched || item?.box.kind !== 'block') return { ...fragment, y: margin.top }
  const height = fragment.height + free
  const edges = edgesHeight(paddingOf(style, inner)) + edgesHeight(borderWidths(bordersOf(style)))
  // The height changes the layout of the content only if the item is a container itself.
  const stretched = isFlex(style)
    ? relayout(context, () => layoutItem(context, item, inner, height - edges))
    : undefined
  if (stretched !== undefined) return { ...stretched.fragment, y: margin.top }
  return { ...fragment, y: margin.top, height }
}

/** Distributes the free space of a line before and between its items. Source: 9.5; CSS Box Alignment 3, 4.2. */
function justifyContent(
  style: ComputedStyle,
  free: Pt,
  count: number,
  isReversed = false,
): { before: Pt; between: Pt } {
  const written = style.word('justify-content') ?? 'normal'
  const value = style.word('direction') === 'rtl' ? (entryOf(mirrored, written) ?? written) : written
  const none = { before: 0, between: 0 }
  const isEnd = value === 'flex-end' || value === 'right'
  if (value === 'end' || isEnd !== (isReversed && !/^(?:center|space)/.test(value)))
    return value === 'start' ? none : { before: free, between: 0 }
  if (value === 'center') return { before: free / 2, between: 0 }
  if (free <= 0 || count === 0) return none
  if (value === 'space-between') return { before: 0, between: count > 1 ? free / (count - 1) : 0 }
  if (value === 'space-around') return { before: free / count / 2, between: free / count }
  if (value === 'space-evenly') return { before: free / (count + 1), between: free / (count + 1) }
  return none
}

/** Sides as they are counted from the right edge. */
const mirrored: Readonly<Record<string, string>> = { left: 'right', right: 'left' }

function layoutColumn(
  context: WebContext,
  style: ComputedStyle,
  boxes: readonly LayoutBox[],
  inner: Pt,
  height: Pt | undefined,
): FlexContent {
  const gap = gapOf(style, 'row-gap')
  const items = boxes.map((box) => {
    context.budget.check()
    const item = itemOf(context, box, inner)
    const available = Math.max(0, inner - outerEdges(item))
    const hasAuto = item.margin.left === undefined || item.margin.right === undefined
    const declaredWidth =
      item.style === undefined ? undefined : contentSize(item.style, 'width', inner, item.edges)
    const fills = alignmentOf(style, item.style) === 'stretch' && !hasAuto
    item.width = Math.max(
      0,
      Math.min(item.maxWidth, declaredWidth ?? (fills ? available : Math.min(item.baseSize, available))),
    )
    return item
  })
  const placed = items.map((item) => layoutItem(context, item, inner))
  const natural = placed.reduce(
    (sum, { fragment, margin }, index) =>
      sum + margin.top + fragment.height + margin.bottom + (index > 0 ? gap : 0),
    0,
  )
  const free = (height ?? natural) - natural
  const autos = items.reduce(
    (sum, { margin }) => sum + (margin.top === undefined ? 1 : 0) + (margin.bottom === undefined ? 1 : 0),
    0,
  )
  const growth = items.reduce(
    (sum, { style: declaredWidth }) => sum + flexFactor(declaredWidth, 'flex-grow', 0),
    0,
  )
  const grown = free > 0 && autos === 0 && growth > 0 ? free / Math.max(1, growth) : 0
  const autoMargin = autos > 0 ? Math.max(0, free) / autos : 0
  const isReversed = /reverse$/.test(style.word('flex-direction') ?? '')
  const spread = justifyContent(style, grown > 0 || autos > 0 ? 0 : free, items.length, isReversed)
  let y = spread.before
  const children = placed.map(({ fragment, margin }, index): Fragment => {
    const item = items[index]
    const top = y + margin.top + (item?.margin.top === undefined ? autoMargin : 0)
    const more = grown * flexFactor(item?.style, 'flex-grow', 0)
    y =
      top +
      fragment.height +
      more +
      margin.bottom +
      (item?.margin.bottom === undefined ? autoMargin : 0) +
      gap +
      spread.between
    return {
      ...fragment,
      x: leftOfItem(style, item, fragment, inner),
      y: top,
      height: fragment.height + more,
    }
  })
  const [first] = children
  const baseline = first?.baseline === undefined ? undefined : first.y + first.baseline
  return { children, height: natural, baseline }
}

/** The left edge of an item in a column container. */
function leftOfItem(
  container: ComputedStyle,
  item: FlexItem | undefined,
  { width }: Fragment,
  inner: Pt,
): Pt {
  const { left, right } = item?.margin ?? { left: 0, right: 0 }
  const free = inner - width - (left ?? 0) - (right ?? 0)
  if (left === undefined) return Math.max(0, free) / (right === undefined ? 2 : 1)
  if (right === undefined) return left
  const align = alignmentOf(container, item?.style)
  return left + (align === 'end' ? free : align === 'center' ? free / 2 : 0)
}
