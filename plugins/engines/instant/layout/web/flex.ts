/**
 * Flexible boxes: items in rows or one below the other, which share the space that is left or lacking. In: a container and the
 * size of its content. Out: the rows, or the items of a column. Source: CSS Flexible Box Layout 1, 9.
 */
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import type { Pt } from '../frame.ts'
import type { BlockBox, Box } from './box.ts'
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

/** The space between columns or rows. */
export const gapOf = (style: ComputedStyle, name: 'column-gap' | 'row-gap', whole?: Pt): Pt =>
  layoutUnit(Math.max(0, style.length(name, whole) ?? 0))

export interface FlexContent {
  readonly children: readonly Fragment[]
  readonly height: Pt
  readonly baseline: Pt | undefined
}

interface FlexItem {
  readonly box: Box
  /** Missing for text, which is an item without a style of its own. */
  readonly style: ComputedStyle | undefined
  readonly margin: ReturnType<typeof marginOf>
  /** Padding and borders across. */
  readonly around: Pt
  /** The widths of the content: where the item begins, and its limits. */
  readonly base: Pt
  readonly least: Pt
  readonly most: Pt
  width: Pt
}

const numberOf = (style: ComputedStyle | undefined, name: string, usual: number): number => {
  const value = Number(style?.get(name) ?? usual)
  return Number.isFinite(value) ? Math.min(Math.max(value, 0), 1e6) : usual
}

/** The items of a container in the order in which they are drawn. */
export function itemsOf({ children }: BlockBox): readonly Box[] {
  const order = (box: Box): number => (box.kind === 'lines' ? 0 : Number(box.style.get('order') ?? 0) || 0)
  return children.filter(({ kind }) => kind !== 'out').toSorted((a, b) => order(a) - order(b))
}

/** Lays out the items of a container. `height`: that of its content, where it is known. */
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

function itemOf(context: WebContext, box: Box, inner: Pt): FlexItem {
  const widths = context.intrinsic(context, box)
  if (box.kind === 'lines') {
    const margin = { top: 0, right: 0, bottom: 0, left: 0 }
    return {
      box,
      style: undefined,
      margin,
      around: 0,
      base: widths.most,
      least: widths.least,
      most: Infinity,
      width: 0,
    }
  }
  const { style } = box
  const around = edgesWidth(paddingOf(style, inner)) + edgesWidth(borderWidths(bordersOf(style)))
  const size = (name: string) => contentSize(style, name, inner, around)
  const own = size('width')
  const basis = style.word('flex-basis') ?? 'auto'
  const base = (basis === 'auto' ? own : size('flex-basis')) ?? Math.max(0, widths.most - around)
  const clips = (style.word('overflow') ?? 'visible') !== 'visible'
  const content =
    box.kind === 'block' ? context.contents(context, box).least : Math.max(0, widths.least - around)
  const most = size('max-width') ?? Number.POSITIVE_INFINITY
  const least = size('min-width') ?? (clips ? 0 : Math.min(content, own ?? content, most))
  return {
    box,
    style,
    margin: marginOf(style, inner),
    around,
    base,
    least,
    most: Math.max(most, least),
    width: 0,
  }
}

const clamp = ({ least, most }: FlexItem, width: Pt): Pt => Math.max(least, Math.min(most, width))
const outside = ({ margin, around }: FlexItem): Pt => (margin.left ?? 0) + (margin.right ?? 0) + around

/** Rounding may not wrap what was measured to fit. */
const tolerance = 0.01

function layoutRows(
  context: WebContext,
  style: ComputedStyle,
  boxes: readonly Box[],
  inner: Pt,
  height: Pt | undefined,
): FlexContent {
  const [across, down] = [gapOf(style, 'column-gap', inner), gapOf(style, 'row-gap')]
  const lines: FlexItem[][] = []
  let used = 0
  for (const box of boxes) {
    context.budget.check()
    const item = itemOf(context, box, inner)
    const size = clamp(item, item.base) + outside(item)
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

/** Gives every item of a line its width. Source: 9.7. */
function resolveWidths(items: readonly FlexItem[], inner: Pt): void {
  const total = items.reduce((sum, item) => sum + clamp(item, item.base) + outside(item), 0)
  const grows = total < inner
  const factor = ({ style, base }: FlexItem): number =>
    grows ? numberOf(style, 'flex-grow', 0) : numberOf(style, 'flex-shrink', 1) * base
  const open = new Set<FlexItem>()
  for (const item of items) {
    item.width = clamp(item, item.base)
    const isStuck = factor(item) === 0 || (grows ? item.base > item.width : item.base < item.width)
    if (!isStuck) open.add(item)
  }
  // Each round fixes the widths of the items that meet their limits, so it ends after as many rounds as there are items.
  while (open.size > 0) {
    const taken = items.reduce(
      (sum, item) => sum + (open.has(item) ? item.base : item.width) + outside(item),
      0,
    )
    const factors = [...open].reduce((sum, item) => sum + factor(item), 0)
    const parts = grows
      ? factors
      : [...open].reduce((sum, { style }) => sum + numberOf(style, 'flex-shrink', 1), 0)
    const free = (inner - taken) * Math.min(1, parts)
    let violation = 0
    for (const item of open) {
      const wanted = item.base + (factors === 0 ? 0 : (free * factor(item)) / factors)
      item.width = clamp(item, wanted)
      violation += item.width - wanted
    }
    const before = open.size
    for (const item of [...open]) {
      const wanted = item.base + (factors === 0 ? 0 : (free * factor(item)) / factors)
      const by = item.width - wanted
      if (Math.abs(violation) < 1e-6 || (violation > 0 ? by > 0 : by < 0)) open.delete(item)
    }
    if (open.size === before) break
  }
}

/** Containers in containers may be laid out once more this deep; further inside they keep the height of their content. */
const maxAgain = 3

/** Lays a container out a second time, unless it is inside of too many of which the same is done: the work doubles with each. */
export function again<T>(context: WebContext, lay: () => T): T | undefined {
  if (context.waiting.again >= maxAgain) return undefined
  context.waiting.again++
  try {
    return lay()
  } finally {
    context.waiting.again--
  }
}

/** An item with its width as it is laid out; `height`: that of its content, where it is stretched. */
function layoutItem(context: WebContext, { box, width }: FlexItem, inner: Pt, height?: Pt): PlacedBox {
  if (box.kind === 'block')
    return context.item(context, box, { width, whole: inner, ...(height !== undefined && { height }) })
  return context.place(context, box, box.kind === 'lines' ? width : inner, true)
}

type Alignment = 'start' | 'end' | 'center' | 'stretch' | 'baseline'

function alignmentOf(container: ComputedStyle, item: ComputedStyle | undefined): Alignment {
  const own = item?.word('align-self') ?? 'auto'
  const value = own === 'auto' ? (container.word('align-items') ?? 'normal') : own
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
  const ascent = ascents.reduce((most, one, index) => (isOnBaseline[index] ? Math.max(most, one) : most), 0)
  const tall =
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
  const share = autos > 0 ? Math.max(0, free) / autos : 0
  const isReversed = /reverse$/.test(style.word('flex-direction') ?? '')
  const spread = spreadOf(style, autos > 0 ? 0 : free, items.length, isReversed)
  let x = spread.before
  const children = placed.map((one, index): Fragment => {
    const item = items[index]
    const left = item?.margin.left ?? share
    const fragment = inLine(context, style, item, one, {
      tall,
      inner,
      ascent: ascent - (ascents[index] ?? 0),
    })
    const at = x + left
    x = at + fragment.width + (item?.margin.right ?? share) + across + spread.between
    return { ...fragment, x: at }
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
    height: tall,
    children,
    keep: items.every(({ style: own }) => own !== undefined && keepsInside(own)),
    ...(baseline !== undefined && { baseline }),
  }
}

/** Places an item across the direction of its line. */
function inLine(
  context: WebContext,
  container: ComputedStyle,
  item: FlexItem | undefined,
  { fragment, margin }: PlacedBox,
  { tall, inner, ascent }: { readonly tall: Pt; readonly inner: Pt; readonly ascent: Pt },
): Fragment {
  const own = item?.style
  const free = tall - fragment.height - margin.top - margin.bottom
  const [top, bottom] = [item?.margin.top, item?.margin.bottom]
  if (item !== undefined && own !== undefined && (top === undefined || bottom === undefined)) {
    const shift = top === undefined ? Math.max(0, free) / (bottom === undefined ? 2 : 1) : 0
    return { ...fragment, y: margin.top + shift }
  }
  const align = alignmentOf(container, own)
  if (align === 'baseline') return { ...fragment, y: margin.top + ascent }
  if (align === 'end') return { ...fragment, y: margin.top + free }
  if (align === 'center') return { ...fragment, y: margin.top + free / 2 }
  const isStretched =
    align === 'stretch' && own !== undefined && (own.word('height') ?? 'auto') === 'auto' && free > 0
  if (!isStretched || item?.box.kind !== 'block') return { ...fragment, y: margin.top }
  const height = fragment.height + free
  const edges = edgesHeight(paddingOf(own, inner)) + edgesHeight(borderWidths(bordersOf(own)))
  // Only in containers does the height decide where things are.
  const made = isFlex(own)
    ? again(context, () => layoutItem(context, item, inner, height - edges))
    : undefined
  if (made !== undefined) return { ...made.fragment, y: margin.top }
  return { ...fragment, y: margin.top, height }
}

/** How free space is spread before and between items. Source: 9.5, and CSS Box Alignment 3, 4.2. */
export function spreadOf(
  style: ComputedStyle,
  free: Pt,
  count: number,
  isReversed = false,
): { before: Pt; between: Pt } {
  const value = style.word('justify-content') ?? 'normal'
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

function layoutColumn(
  context: WebContext,
  style: ComputedStyle,
  boxes: readonly Box[],
  inner: Pt,
  height: Pt | undefined,
): FlexContent {
  const gap = gapOf(style, 'row-gap')
  const items = boxes.map((box) => {
    context.budget.check()
    const item = itemOf(context, box, inner)
    const available = Math.max(0, inner - outside(item))
    const hasAuto = item.margin.left === undefined || item.margin.right === undefined
    const own = item.style === undefined ? undefined : contentSize(item.style, 'width', inner, item.around)
    const fills = alignmentOf(style, item.style) === 'stretch' && !hasAuto
    item.width = Math.max(0, Math.min(item.most, own ?? (fills ? available : Math.min(item.base, available))))
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
  const growth = items.reduce((sum, { style: own }) => sum + numberOf(own, 'flex-grow', 0), 0)
  const grown = free > 0 && autos === 0 && growth > 0 ? free / Math.max(1, growth) : 0
  const share = autos > 0 ? Math.max(0, free) / autos : 0
  const isReversed = /reverse$/.test(style.word('flex-direction') ?? '')
  const spread = spreadOf(style, grown > 0 || autos > 0 ? 0 : free, items.length, isReversed)
  let y = spread.before
  const children = placed.map(({ fragment, margin }, index): Fragment => {
    const item = items[index]
    const top = y + margin.top + (item?.margin.top === undefined ? share : 0)
    const more = grown * numberOf(item?.style, 'flex-grow', 0)
    y =
      top +
      fragment.height +
      more +
      margin.bottom +
      (item?.margin.bottom === undefined ? share : 0) +
      gap +
      spread.between
    return { ...fragment, x: besideOf(style, item, fragment, inner), y: top, height: fragment.height + more }
  })
  const [first] = children
  const baseline = first?.baseline === undefined ? undefined : first.y + first.baseline
  return { children, height: natural, baseline }
}

/** The left of an item of a column. */
function besideOf(container: ComputedStyle, item: FlexItem | undefined, { width }: Fragment, inner: Pt): Pt {
  const { left, right } = item?.margin ?? { left: 0, right: 0 }
  const free = inner - width - (left ?? 0) - (right ?? 0)
  if (left === undefined) return Math.max(0, free) / (right === undefined ? 2 : 1)
  if (right === undefined) return left
  const align = alignmentOf(container, item?.style)
  return left + (align === 'end' ? free : align === 'center' ? free / 2 : 0)
}
