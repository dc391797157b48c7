/**
 * Grid layout. Takes a grid container and the size of its content box, and returns one fragment for each row. An item that
 * spans several rows belongs to the first of them. Source: CSS Grid Layout 2; CSS Box Alignment 3.
 */
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import type { Pt } from '../frame.ts'
import type { BlockBox, LayoutBox } from './box.ts'
import type { IntrinsicWidths, PlacedBox, WebContext } from './context.ts'
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
import { type FlexContent, gapOf, isFlex, itemsOf, relayout } from './flex.ts'
import type { Fragment } from './fragment.ts'
import { areasOf, type GridPlacement, placeItems } from './grid-places.ts'
import { lineNamesOf, type Track, trackSizes, tracksOf, withImplicit } from './grid-tracks.ts'

export const isGrid = (style: ComputedStyle): boolean => /^(?:inline-)?grid$/.test(style.display)

interface Grid {
  readonly places: readonly GridPlacement[]
  readonly columns: readonly Track[]
  readonly rows: readonly Track[]
  readonly across: Pt
  readonly down: Pt
}

function gridOf({ budget }: WebContext, box: BlockBox, inner: Pt | undefined): Grid {
  const { style } = box
  const boxes = itemsOf(box)
  const [across, down] = [gapOf(style, 'column-gap', inner), gapOf(style, 'row-gap')]
  const space = { available: inner, gap: across, filled: boxes.length }
  const named = areasOf(style)
  const columns = tracksOf(style, 'grid-template-columns', space)
  const rows = tracksOf(style, 'grid-template-rows', {
    available: undefined,
    gap: down,
    filled: boxes.length,
  })
  const places = placeItems(
    boxes,
    style,
    {
      areas: named.areas,
      columnLines: lineNamesOf(style, 'grid-template-columns', space),
      rowLines: lineNamesOf(style, 'grid-template-rows', space),
      columns: Math.max(columns.length, named.columns),
      rows: Math.max(rows.length, named.rows),
    },
    () => budget.check(),
  )
  const count = (of: 'column' | 'row', least: number): number =>
    places.reduce(
      (most, place) => Math.max(most, place[of] + place[of === 'column' ? 'columns' : 'rows']),
      least,
    )
  return {
    places,
    columns: withImplicit(style, columns, count('column', named.columns), 'grid-auto-columns'),
    rows: withImplicit(style, rows, count('row', named.rows), 'grid-auto-rows'),
    across,
    down,
  }
}

/** The intrinsic widths of an item with its margins. */
function outerWidths(context: WebContext, box: LayoutBox): IntrinsicWidths {
  const { minContent, maxContent } = context.intrinsicWidths(context, box)
  if (box.kind === 'lines' || box.kind === 'out-of-flow') return { minContent, maxContent }
  const { left = 0, right = 0 } = marginOf(box.style, 0)
  // A scroll container may be narrower than its content.
  const clips = (box.style.word('overflow') ?? 'visible') !== 'visible' || box.style.word('min-width') === '0'
  return { minContent: clips ? 0 : minContent + left + right, maxContent: maxContent + left + right }
}

const columnContributions = (context: WebContext, { places }: Grid) =>
  places.map(({ box, column, columns }) => ({ from: column, count: columns, ...outerWidths(context, box) }))

/** The intrinsic widths of a grid. */
export function gridWidths(context: WebContext, box: BlockBox): IntrinsicWidths {
  const grid = gridOf(context, box, undefined)
  const contributions = columnContributions(context, grid)
  const sum = (of: keyof IntrinsicWidths): Pt => {
    const sizes = trackSizes(
      grid.columns.map((track) =>
        typeof track.max === 'object' && 'fraction' in track.max ? { min: 'auto', max: 'auto' } : track,
      ),
      contributions.map((need) => ({ ...need, maxContent: need[of] })),
      { available: undefined, gap: grid.across, fillsSpace: false },
    )
    return sizes.reduce((total, size) => total + size, grid.across * Math.max(0, sizes.length - 1))
  }
  return { minContent: sum('minContent'), maxContent: sum('maxContent') }
}

/** Lays out the items of a grid. `height` is the height of its content box, if it is known. */
export function layoutGrid(
  context: WebContext,
  box: BlockBox,
  inner: Pt,
  height: Pt | undefined,
): FlexContent {
  const { style } = box
  const grid = gridOf(context, box, inner)
  const fillsSpace = (name: string): boolean =>
    !/^(?:start|end|center|left|right|flex-|space-)/.test(style.word(name) ?? 'normal')
  const widths = trackSizes(grid.columns, columnContributions(context, grid), {
    available: inner,
    gap: grid.across,
    fillsSpace: fillsSpace('justify-content'),
  })
  const items = grid.places.map((place) => {
    context.budget.check()
    const width = extentOf(widths, place.column, place.columns, grid.across)
    return { place, width, placed: layoutItem(context, style, place.box, width) }
  })
  const contributions = items.map(({ place, placed: { fragment, margin } }) => {
    const size = margin.top + fragment.height + margin.bottom
    return { from: place.row, count: place.rows, minContent: size, maxContent: size }
  })
  const heights = trackSizes(grid.rows, contributions, {
    available: height,
    gap: grid.down,
    fillsSpace: fillsSpace('align-content'),
  })
  const rows: Fragment[] = []
  // From right to left, places are counted from the right edge.
  const rightToLeft = style.word('direction') === 'rtl'
  const offsets = offsetsOf(widths, grid.across)
  const byRow = Map.groupBy(items, ({ place }) => place.row)
  let y = 0
  for (const [row, tall] of heights.entries()) {
    const members = byRow.get(row) ?? []
    const children = members.map(({ place, width, placed }): Fragment => {
      const area = {
        x: offsets[place.column] ?? 0,
        width,
        height: extentOf(heights, row, place.rows, grid.down),
      }
      const fragment = alignedInArea(context, style, place.box, placed, area)
      return rightToLeft ? { ...fragment, x: inner - fragment.x - fragment.width } : fragment
    })
    const avoidBreakInside = members.every(
      ({ place: { box: item } }) => item.kind !== 'lines' && keepsInside(item.style),
    )
    rows.push({ kind: 'row', x: 0, y, width: inner, height: tall, children, avoidBreakInside })
    y += tall + grid.down
  }
  const [first] = rows[0]?.children ?? []
  return {
    children: rows,
    height: Math.max(0, y - grid.down),
    baseline: first?.baseline === undefined ? undefined : first.y + first.baseline,
  }
}

function extentOf(sizes: readonly Pt[], from: number, count: number, gap: Pt): Pt {
  let extent = 0
  for (let at = from; at < from + count && at < sizes.length; at++)
    extent += (sizes[at] ?? 0) + (at > from ? gap : 0)
  return extent
}

function offsetsOf(sizes: readonly Pt[], gap: Pt): readonly Pt[] {
  const offsets: Pt[] = []
  let at = 0
  for (const size of sizes) {
    offsets.push(at)
    at += size + gap
  }
  return offsets
}

type Alignment = 'start' | 'center' | 'end' | 'stretch'

function alignmentOf(container: ComputedStyle, box: LayoutBox, axis: 'justify' | 'align'): Alignment {
  const self = box.kind === 'lines' ? 'auto' : (box.style.word(`${axis}-self`) ?? 'auto')
  const value = self === 'auto' ? (container.word(`${axis}-items`) ?? 'normal') : self
  if (/start|left|baseline/.test(value)) return 'start'
  if (/end|right/.test(value)) return 'end'
  return value === 'center' ? 'center' : 'stretch'
}

/** Lays out an item in a grid area of this width. `height` is the content height of a stretched item. */
function layoutItem(
  context: WebContext,
  container: ComputedStyle,
  box: LayoutBox,
  width: Pt,
  height?: Pt,
): PlacedBox {
  if (box.kind !== 'block') return context.layoutIndependent(context, box, width, true)
  const { style } = box
  const edges = edgesWidth(paddingOf(style, width)) + edgesWidth(borderWidths(bordersOf(style)))
  const { left, right } = marginOf(style, width)
  const available = Math.max(0, width - edges - (left ?? 0) - (right ?? 0))
  const fills =
    alignmentOf(container, box, 'justify') === 'stretch' && left !== undefined && right !== undefined
  const { minContent, maxContent } = context.contentWidths(context, box)
  const autoWidth = fills ? available : Math.min(maxContent, Math.max(minContent, available))
  const limit = contentSize(style, 'max-width', width, edges) ?? Number.POSITIVE_INFINITY
  const floor = contentSize(style, 'min-width', width, edges) ?? 0
  const content = Math.max(floor, Math.min(limit, contentSize(style, 'width', width, edges) ?? autoWidth))
  return context.layoutSizedItem(context, box, {
    width: content,
    containingWidth: width,
    ...(height !== undefined && { height }),
  })
}

/** Aligns an item in its grid area. */
function alignedInArea(
  context: WebContext,
  container: ComputedStyle,
  box: LayoutBox,
  placed: PlacedBox,
  area: { readonly x: Pt; readonly width: Pt; readonly height: Pt },
): Fragment {
  const { fragment, margin } = placed
  const auto = box.kind === 'lines' ? undefined : marginOf(box.style, area.width)
  const across = area.width - fragment.width - margin.left - margin.right
  const down = area.height - fragment.height - margin.top - margin.bottom
  const x =
    area.x +
    margin.left +
    offsetInArea(alignmentOf(container, box, 'justify'), across, auto?.left, auto?.right, auto !== undefined)
  const align = alignmentOf(container, box, 'align')
  const isStretched =
    align === 'stretch' && box.kind === 'block' && (box.style.word('height') ?? 'auto') === 'auto' && down > 0
  if (isStretched) {
    const edges =
      edgesHeight(paddingOf(box.style, area.width)) + edgesHeight(borderWidths(bordersOf(box.style)))
    const height = fragment.height + down
    // The height changes the layout of the content only if the item is a container itself.
    const stretched =
      isFlex(box.style) || isGrid(box.style)
        ? relayout(context, () => layoutItem(context, container, box, area.width, height - edges))
        : undefined
    return { ...(stretched?.fragment ?? fragment), x, y: margin.top, height }
  }
  return {
    ...fragment,
    x,
    y: margin.top + offsetInArea(align, down, auto?.top, auto?.bottom, auto !== undefined),
  }
}

/** The offset of an item from the start of its area. Margins of `auto` absorb the free space first. */
function offsetInArea(
  align: Alignment,
  free: Pt,
  before: Pt | undefined,
  after: Pt | undefined,
  hasMargins: boolean,
): Pt {
  if (hasMargins && before === undefined) return Math.max(0, free) / (after === undefined ? 2 : 1)
  if (hasMargins && after === undefined) return 0
  return align === 'end' ? free : align === 'center' ? free / 2 : 0
}
