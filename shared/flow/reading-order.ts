/** The place of something on a page or slide, in points from its top left corner. */
export interface FlowBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Divisions of divisions beyond this number are sorted by their corners: stacks of boxes come out the same. */
const maxDivisions = 40
/** Boxes that overlap by no more than this count as beside each other, pt: text boxes have empty edges. */
const tolerance = 4

/**
 * The order in which a person reads boxes on a slide: the boxes are divided at the widest gap between them, into rows
 * or into columns, and each part is divided again (the XY cut of layout analysis). Parts that no gap divides are sorted by
 * their top and left edges. Items without a box keep their order and come last.
 */
export function inReadingOrder<T extends { readonly box?: FlowBox | undefined }>(items: readonly T[]): T[] {
  const placed = items.flatMap((item) => (item.box === undefined ? [] : [{ item, box: item.box }]))
  const others = items.filter(({ box }) => box === undefined)
  return [...divided(placed, 0).map(({ item }) => item), ...others]
}

interface BoxedItem<T> {
  readonly item: T
  readonly box: FlowBox
}

function divided<T>(items: readonly BoxedItem<T>[], depth: number): readonly BoxedItem<T>[] {
  if (items.length < 2) return items
  const rows = widestGap(items, ({ box }) => [box.y, box.height])
  const columns = widestGap(items, ({ box }) => [box.x, box.width])
  const best = columns !== undefined && columns.gap > (rows?.gap ?? 0) ? columns : rows
  if (best === undefined || depth >= maxDivisions)
    return items.toSorted((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)
  return [...divided(best.before, depth + 1), ...divided(best.after, depth + 1)]
}

/** Divides items at the widest gap along one axis; undefined when they overlap. */
function widestGap<T>(
  items: readonly BoxedItem<T>[],
  extent: (item: BoxedItem<T>) => readonly [start: number, size: number],
): { gap: number; before: BoxedItem<T>[]; after: BoxedItem<T>[] } | undefined {
  const sorted = items
    .map((item) => {
      const [start, size] = extent(item)
      const edge = Math.min(tolerance / 2, Math.max(size, 0) / 4)
      return { item, start: start + edge, end: start + size - edge }
    })
    .toSorted((a, b) => a.start - b.start)
  let reached = sorted[0]?.end ?? 0
  let [gap, at] = [0, 0]
  for (const [index, { start, end }] of sorted.entries()) {
    if (index > 0 && start - reached > gap) [gap, at] = [start - reached, index]
    reached = Math.max(reached, end)
  }
  if (at === 0) return undefined
  const inOrder = sorted.map(({ item }) => item)
  return { gap, before: inOrder.slice(0, at), after: inOrder.slice(at) }
}
