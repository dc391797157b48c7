/**
 * Breaks the column of a web page into pages. Every fragment gets a top and bottom in a stack of pages.
 * Content that does not fit moves to the next page and pushes what follows down. Source: CSS Fragmentation 3, 3 and 4.
 */

import { pushAll } from '../../../../../shared/push-all.ts'
import type { LayoutBudget } from '../context.ts'
import type { Pt } from '../frame.ts'
import {
  columnsUsed,
  equalShare,
  flowPositionAt,
  leastHeight,
  tallestUnbreakable,
} from './balance-columns.ts'
import type { Fragment } from './fragment.ts'
import {
  type ColumnStack,
  endOfPage,
  fits,
  isAtStart,
  isForcedBreak,
  type PagedColumns,
  type PagedFragment,
  type Pager,
  pageAt,
  startOfNext,
  tolerance,
  type WholeColumns,
} from './pager.ts'
import {
  breakableStart,
  endSpaceInside,
  isKeptWithNext,
  keptTogether,
  splitBeforeEnd,
  startBeforeBestBreak,
  unbreakableStart,
} from './unbreakable.ts'

/** Paginates a fragment with all its content. `pages`: the heights of the pages. Throws AppError 'layout.too-many-pages'. */
export function paginate(root: Fragment, pages: ColumnStack, budget: LayoutBudget): PagedFragment {
  const pager: Pager = {
    height: pages.pitch,
    stack: pages,
    inColumns: false,
    budget,
    reserved: 0,
    reservedBelow: 0,
    unbreakableStarts: new WeakMap(),
    wholeColumns: new WeakMap(),
  }
  return place(pager, root, 0, 0, untied)
}

/** How a fragment is tied to what stands before and after it. */
interface Ties {
  /** The start of the fragment fits where it is only if `break-inside: avoid` is not kept. */
  readonly stays?: boolean
  /** The bottom edges of the boxes that end with this fragment. They stay on the page of its last line. */
  readonly endSpace: Pt
}
const untied: Ties = { endSpace: 0 }

function place(pager: Pager, fragment: Fragment, x: Pt, top: Pt, ties: Ties): PagedFragment {
  pager.budget.check()
  switch (fragment.kind) {
    case 'leaf':
      return {
        fragment,
        x,
        top,
        bottom: top + fragment.height,
        children: insideOf(pager, fragment, x, top),
      }
    case 'lines':
      return placeLines(pager, fragment, x, top, ties)
    case 'row':
      return placeRow(pager, fragment, x, top)
    case 'box':
      return placeBox(pager, fragment, x, top, ties)
    case 'columns':
      return placeColumns(pager, fragment, x, top)
  }
}

/** The content of a leaf keeps its position, since a leaf is never broken. */
function inside(pager: Pager, fragment: Fragment, x: Pt, y: Pt): PagedFragment {
  const [left, top] = [x + fragment.x, y + fragment.y]
  if (fragment.kind === 'columns')
    return placeColumns({ ...pager, height: endless, stack: endlessStack }, fragment, left, top)
  return {
    fragment,
    x: left,
    top,
    bottom: top + fragment.height,
    children: insideOf(pager, fragment, left, top),
  }
}
const insideOf = (pager: Pager, { children, outOfFlow = [] }: Fragment, x: Pt, y: Pt): PagedFragment[] =>
  [...children, ...outOfFlow.map(({ fragment }) => fragment)].map((child) => inside(pager, child, x, y))
/** The height of a page that holds everything. */
const endless: Pt = 1e7
const endlessStack: ColumnStack = { pitch: endless, heights: [endless] }

/** Places the out-of-flow fragments that follow the first `count` children. */
function placeOutOfFlow(
  pager: Pager,
  { outOfFlow = [] }: Fragment,
  count: number,
  x: Pt,
  top: Pt,
): PagedFragment[] {
  return outOfFlow
    .filter(({ after }) => after === count)
    .map(({ fragment: positioned }) => {
      let y = top + positioned.y
      if (!isAtStart(pager, y) && !fits(pager, y, unbreakableStart(pager, positioned, 0)))
        y = startOfNext(pager, y)
      return place(pager, positioned, x + positioned.x, y, untied)
    })
}

function placeBox(
  pager: Pager,
  fragment: Fragment,
  x: Pt,
  top: Pt,
  { stays = false, endSpace }: Ties,
): PagedFragment {
  const { children } = fragment
  const childEndSpace = endSpaceInside(fragment, endSpace)
  const placed: PagedFragment[] = []
  const beside: PagedFragment[] = []
  const [before, beforeBelow] = [pager.reserved, pager.reservedBelow]
  const repeatedHeader = repeatable(pager, fragment.repeatedHeader)
  const repeatedFooter = repeatable(pager, fragment.repeatedFooter)
  const heads = repeatedHeader?.children.length ?? Number.POSITIVE_INFINITY
  const foots = children.length - (repeatedFooter?.children.length ?? 0)
  pager.reservedBelow = beforeBelow + (repeatedFooter?.height ?? 0)
  let drift = 0
  let above = top
  children.forEach((child, index) => {
    pushAll(beside, placeOutOfFlow(pager, fragment, index, x, top + drift))
    if (repeatedHeader !== undefined && index === heads) pager.reserved = before + repeatedHeader.height
    if (index === foots) pager.reservedBelow = beforeBelow
    const start = startOfChild(pager, fragment, index, top + child.y + drift, {
      top,
      above,
      isBelowHeader: index >= heads,
      stays,
      endSpace: childEndSpace,
    })
    const placedChild = place(pager, child, x + child.x, start.y, {
      stays: start.stays,
      endSpace: index === children.length - 1 ? childEndSpace : 0,
    })
    placed.push(placedChild)
    above = Math.max(above, placedChild.bottom)
    drift = placedChild.bottom - (top + child.y + child.height)
  })
  pager.reserved = before
  pager.reservedBelow = beforeBelow + (repeatedFooter?.height ?? 0)
  const footers = repeatedFooter === undefined ? [] : footerPositions(pager, placed, foots)
  pager.reservedBelow = beforeBelow
  pushAll(beside, placeOutOfFlow(pager, fragment, children.length, x, top + drift))
  const bottom = Math.max(top + fragment.height + drift, top)
  return {
    fragment,
    x,
    top,
    bottom,
    children: [...placed, ...beside],
    ...(footers.length > 0 && { footers }),
  }
}

/** Header or footer rows are not repeated if they take a quarter of a page (observed in Chromium). */
const repeatable = (pager: Pager, rows: Fragment | undefined): Fragment | undefined =>
  rows !== undefined && rows.height < pager.height / 4 ? rows : undefined

/** The lower ends of the rows on each page from which a table continues, where its footer is repeated. */
function footerPositions(pager: Pager, rows: readonly PagedFragment[], foots: number): readonly Pt[] {
  const ends = new Map<number, Pt>()
  const foot = rows[foots]
  if (foot === undefined) return []
  for (const { top, bottom } of rows.slice(0, foots)) {
    const last = pageAt(Math.max(top, bottom - 2 * tolerance), pager.height)
    for (let page = pageAt(top, pager.height); page <= last; page++)
      ends.set(page, page === last ? bottom : endOfPage(pager, page * pager.height))
  }
  ends.delete(pageAt(foot.top, pager.height))
  return [...ends.values()]
}

/** Where a box stands and what surrounds its child that is placed. */
interface ChildPosition extends Required<Ties> {
  /** The top of the box, and the bottom of the children above. */
  readonly top: Pt
  readonly above: Pt
  /** The child is below the header rows that each page repeats. */
  readonly isBelowHeader: boolean
}

/** The position of a child of a box that would stand at `y` if pages were endless. `stays` is as in `Ties`. */
function startOfChild(
  pager: Pager,
  { children }: Fragment,
  index: number,
  y: Pt,
  { top, above, isBelowHeader, stays, endSpace }: ChildPosition,
): { readonly y: Pt; readonly stays: boolean } {
  const { height } = pager
  const [previous, child] = [children[index - 1], children[index]]
  if (child === undefined) return { y, stays: false }
  // What ends at the end of a page is on that page.
  const before = above > Math.max(top, tolerance * 2) ? above - tolerance * 2 : above
  const crosses = index > 0 && pageAt(y, height) > pageAt(before, height)
  if (index > 0 && (isForcedBreak(pager, previous?.breakAfter) || startsPage(pager, child))) {
    const isFirst = isAtStart(pager, above) && !crosses && above === top
    if (isFirst) return { y, stays: false }
    // After a forced break the margin is kept (CSS Fragmentation 3, 5.2).
    return { y: startOfNext(pager, above - tolerance * 2) + (child.marginAbove ?? 0), stays: false }
  }
  // Margins at a page break are truncated (CSS Fragmentation 3, 5.2).
  if (crosses && pageAt(before, height) + 1 === pageAt(y, height))
    return { y: startOfNext(pager, before), stays: false }
  if (isAtStart(pager, y)) {
    const isContinued = isBelowHeader && pageAt(y, height) > pageAt(top, height)
    return { y: isContinued ? pageAt(y, height) * height + pager.reserved : y, stays: false }
  }
  const { from = 0, to = 0 } = child.loneEdge ?? {}
  if (!fits(pager, y, to) && fits(pager, y, from)) return { y: startOfNext(pager, y), stays: false }
  const isKept = index === 0 ? stays : isKeptWithNext(previous, child)
  const isLast = index > 0 && index === children.length - 1
  const start =
    isLast && !isKept && endSpace > 0
      ? startBeforeBestBreak(pager, child, endSpace)
      : keptTogether(pager, children, index, endSpace)
  if (fits(pager, y, start)) return { y, stays: false }
  // An unbreakable box begins a new page even if it is higher than a page (observed in Chromium).
  return isKept && fits(pager, y, breakableStart(child))
    ? { y, stays: true }
    : { y: startOfNext(pager, y), stays: false }
}

/** Whether a box or the first box in it has a forced break before it. */
function startsPage(pager: Pager, fragment: Fragment): boolean {
  for (let first: Fragment | undefined = fragment; first !== undefined; first = first.children[0]) {
    if (isForcedBreak(pager, first.breakBefore)) return true
    if (first.kind !== 'box') return false
  }
  return false
}

/** Paginates cells independently of each other. The row is as high as its longest cell. */
function placeRow(pager: Pager, fragment: Fragment, x: Pt, top: Pt): PagedFragment {
  const children = fragment.children.map((child) => place(pager, child, x + child.x, top + child.y, untied))
  let drift = 0
  for (const { bottom, fragment: child } of children)
    drift = Math.max(drift, bottom - (top + child.y + child.height))
  const bottom = top + fragment.height + drift
  for (const child of children)
    child.bottom = Math.max(child.bottom, child.top + child.fragment.height + drift)
  return { fragment, x, top, bottom, children }
}

/**
 * Breaks the content of a multi-column box into columns. Where it does not fit on the page, its columns are as high as the
 * pages, and those on the last page are balanced. Source: CSS Multi-column Layout 1, 7 and 8.
 */
function placeColumns(pager: Pager, fragment: Fragment, x: Pt, top: Pt): PagedFragment {
  const { columnSet, children, height } = fragment
  const [content] = children
  if (columnSet === undefined || content === undefined) return { fragment, x, top, bottom: top, children: [] }
  const left = endOfPage(pager, top) - top
  const { count, step } = columnSet
  if (height <= left + tolerance) {
    const paged = pager.wholeColumns.get(fragment) ?? wholeColumns(pager, content, height)
    pager.wholeColumns.set(fragment, paged)
    const used = Math.max(1, columnsUsed(paged.content, paged.stack.pitch))
    const places = Array.from({ length: used }, (_, index) => ({ x: x + index * step, y: top }))
    return { fragment, x, top, bottom: top + height, children: [], columns: { ...paged, places } }
  }
  // All columns on one page are a group. Those of the first group are as high as the rest of its page.
  const pitch = pager.height
  const next = startOfNext(pager, top)
  const first = Array.from({ length: count }, () => left)
  const full = endOfPage(pager, next) - next
  const unbalanced = paginateColumns(pager, content, { pitch, heights: [...first, full] })
  const groups = Math.max(2, Math.ceil(columnsUsed(unbalanced, pitch) / count))
  const filled = [...first, ...Array.from({ length: (groups - 2) * count }, () => full)]
  const remaining =
    content.height - (flowPositionAt(unbalanced, (groups - 1) * count * pitch) ?? content.height)
  const least = Math.min(full, Math.max(remaining / count, tallestUnbreakable(content, full)))
  const last = leastHeight(least, full, (limit) => {
    const paged = paginateColumns(pager, content, { pitch, heights: [...filled, limit] })
    return columnsUsed(paged, pitch) <= groups * count
  })
  const stack: ColumnStack = { pitch, heights: [...filled, last] }
  const tops = [top, next]
  while (tops.length < groups) tops.push(startOfNext(pager, tops.at(-1) ?? next))
  const places = Array.from({ length: groups * count }, (_, index) => ({
    x: x + (index % count) * step,
    y: tops[Math.floor(index / count)] ?? next,
  }))
  const columns: PagedColumns = { content: paginateColumns(pager, content, stack), stack, places }
  return { fragment, x, top, bottom: (tops.at(-1) ?? next) + last, children: [], columns }
}

function wholeColumns(pager: Pager, content: Fragment, height: Pt): WholeColumns {
  const stack: ColumnStack = { pitch: Math.max(content.height, height, 1), heights: [height] }
  return { content: paginateColumns(pager, content, stack), stack }
}

/**
 * The height of the columns that hold the content with equal heights: an equal share of the content, or more where it
 * cannot be broken there. Source: CSS Multi-column Layout 1, 7.1; the share was observed in Chromium.
 */
export function balancedHeight(content: Fragment, count: number, budget: LayoutBudget): Pt {
  const pitch = Math.max(content.height, 1)
  const pager = { budget, wholeColumns: new WeakMap<Fragment, WholeColumns>() }
  const least = Math.max(equalShare(content, count), tallestUnbreakable(content, Number.POSITIVE_INFINITY))
  return leastHeight(Math.min(least, pitch), pitch, (limit) => {
    const paged = paginateColumns(pager, content, { pitch, heights: [limit] })
    return columnsUsed(paged, pitch) <= count
  })
}

const paginateColumns = (
  { budget, wholeColumns }: Pick<Pager, 'budget' | 'wholeColumns'>,
  content: Fragment,
  columns: ColumnStack,
): PagedFragment =>
  place(
    {
      height: columns.pitch,
      stack: columns,
      inColumns: true,
      budget: { ...budget, pages: Number.POSITIVE_INFINITY },
      reserved: 0,
      reservedBelow: 0,
      unbreakableStarts: new WeakMap(),
      wholeColumns,
    },
    content,
    0,
    0,
    untied,
  )

function placeLines(pager: Pager, fragment: Fragment, x: Pt, top: Pt, { endSpace }: Ties): PagedFragment {
  const { children, orphans = 2, widows = 2 } = fragment
  const placed: PagedFragment[] = []
  const beside: PagedFragment[] = []
  // Line boxes below a float leave a gap, so the step may exceed the height of the line.
  const stepOf = (index: number): Pt => {
    const [line, next] = [children[index], children[index + 1]]
    return line === undefined ? 0 : next === undefined ? line.height : next.y - line.y
  }
  let y = top + (children[0]?.y ?? 0)
  for (let from = 0; from < children.length; ) {
    let to = from
    // Lines that fill the page exactly must not continue on the next one without a break.
    const bottom = endOfPage(pager, y) + tolerance
    let end = y
    for (; to < children.length && end + (children[to]?.height ?? 0) <= bottom; to++) end += stepOf(to)
    const left = children.length - to
    if (left === 0 && endSpace > 0 && end + endSpace > bottom) {
      const split = splitBeforeEnd(fragment, from)
      const rest = end - y - ((children[split]?.y ?? 0) - (children[from]?.y ?? 0))
      if (rest + endSpace <= pager.height - pager.reserved - pager.reservedBelow + tolerance) to = split
    }
    if (left > 0 && left < widows) to = Math.max(from === 0 ? from + orphans : from + 1, to - (widows - left))
    if (to <= from) {
      // A line that is higher than a page overflows it.
      if (isAtStart(pager, y)) to = from + 1
      else {
        y = startOfNext(pager, y)
        continue
      }
    }
    for (let index = from; index < Math.min(to, children.length); index++) {
      const line = children[index]
      if (line === undefined) break
      pushAll(beside, placeOutOfFlow(pager, fragment, index, x, y - line.y))
      placed.push(place(pager, line, x + line.x, y, untied))
      y += stepOf(index)
    }
    from = to
    if (from < children.length) y = startOfNext(pager, y - tolerance * 2)
  }
  return {
    fragment,
    x,
    top: placed[0]?.top ?? top,
    bottom: placed.length === 0 ? top + fragment.height : y,
    children: [
      ...placed,
      ...beside,
      ...placeOutOfFlow(pager, fragment, children.length, x, y - fragment.height),
    ],
  }
}
