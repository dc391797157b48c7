/**
 * Breaks the column of a web page into pages. Every fragment gets a top and bottom in a stack of pages of equal height.
 * Content that does not fit moves to the next page and pushes what follows down. Source: CSS Fragmentation 3, 3 and 4.
 */

import { AppError } from '../../../../../shared/errors/app-error.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import type { LayoutBudget } from '../context.ts'
import type { Pt } from '../frame.ts'
import type { BreakRule, Fragment } from './fragment.ts'

/** A fragment with its position in the stack of pages. */
export interface PagedFragment {
  readonly fragment: Fragment
  readonly x: Pt
  readonly top: Pt
  bottom: Pt
  readonly children: readonly PagedFragment[]
  /** The columns that stand in the place of the children. */
  readonly columns?: PagedColumns
}

/** The content of a multi-column box in a stack of columns, which are paginated like pages. */
export interface PagedColumns {
  readonly content: PagedFragment
  readonly stack: ColumnStack
  /** For each column, its top left corner in the stack of pages. */
  readonly places: readonly { readonly x: Pt; readonly y: Pt }[]
}

/** A stack of columns. Column `n` begins at `n * pitch` and is `heights[n]` high; the last height holds for all that follow. */
export interface ColumnStack {
  readonly pitch: Pt
  readonly heights: readonly Pt[]
}

/** Sums of rounded lengths may exceed the page height by this much. */
const tolerance = 0.01

type WholeColumns = Pick<PagedColumns, 'content' | 'stack'>

interface Pager {
  readonly height: Pt
  /** Set if the pages are columns, which may be less high than their distance `height`. */
  readonly columns?: ColumnStack
  readonly budget: LayoutBudget
  /** The height of the repeated table headers on each page. */
  reserved: Pt
  readonly unbreakableStarts: WeakMap<Fragment, Pt>
  /** The columns that stand on one page, without their places, which alone depend on where they stand. */
  readonly wholeColumns: WeakMap<Fragment, WholeColumns>
}

/** Paginates a fragment with all its content. Throws AppError 'layout.too-many-pages'. */
export function paginate(root: Fragment, height: Pt, budget: LayoutBudget): PagedFragment {
  const pager: Pager = {
    height,
    budget,
    reserved: 0,
    unbreakableStarts: new WeakMap(),
    wholeColumns: new WeakMap(),
  }
  return place(pager, root, 0, 0, untied)
}

export const pageAt = (y: Pt, height: Pt): number => Math.floor((y + tolerance) / height)

function startOfNext(pager: Pager, y: Pt): Pt {
  const page = pageAt(y, pager.height) + 1
  if (page >= pager.budget.pages) throw new AppError('layout.too-many-pages', { pages: pager.budget.pages })
  return page * pager.height + pager.reserved
}
const isAtStart = (pager: Pager, y: Pt): boolean =>
  y - pageAt(y, pager.height) * pager.height <= pager.reserved + tolerance
const fits = (pager: Pager, y: Pt, size: Pt): boolean => y + size <= endOfPage(pager, y) + tolerance

/** The lower edge of the page or column at `y`. */
function endOfPage({ height, columns }: Pager, y: Pt): Pt {
  const page = pageAt(y, height)
  return page * height + (columns === undefined ? height : columnHeight(columns, page))
}

export const columnHeight = ({ heights, pitch }: ColumnStack, column: number): Pt =>
  heights[Math.min(column, heights.length - 1)] ?? pitch

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
  if (fragment.kind === 'columns') return placeColumns({ ...pager, height: endless }, fragment, left, top)
  return {
    fragment,
    x: left,
    top,
    bottom: top + fragment.height,
    children: insideOf(pager, fragment, left, top),
  }
}
const insideOf = (pager: Pager, { children, outOfFlow = [] }: Fragment, x: Pt, y: Pt): PagedFragment[] =>
  [...children, ...outOfFlow.map((one) => one.fragment)].map((child) => inside(pager, child, x, y))
/** The height of a page that holds everything. */
const endless: Pt = 1e7

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
    .map(({ fragment: one }) => {
      let y = top + one.y
      if (!isAtStart(pager, y) && !fits(pager, y, unbreakableStart(pager, one, 0))) y = startOfNext(pager, y)
      return place(pager, one, x + one.x, y, untied)
    })
}

function placeBox(
  pager: Pager,
  fragment: Fragment,
  x: Pt,
  top: Pt,
  { stays = false, endSpace }: Ties,
): PagedFragment {
  const { children, repeatedHeader } = fragment
  const childEndSpace = endSpaceInside(fragment, endSpace)
  const placed: PagedFragment[] = []
  const before = pager.reserved
  const heads = repeatedHeader?.children.length ?? 0
  const repeats = repeatedHeader !== undefined && repeatedHeader.height < pager.height / 4
  let drift = 0
  let above = top
  const beside: PagedFragment[] = []
  children.forEach((child, index) => {
    pushAll(beside, placeOutOfFlow(pager, fragment, index, x, top + drift))
    if (repeats && index === heads) pager.reserved = before + repeatedHeader.height
    let y = top + child.y + drift
    let childStays = false
    const previous = children[index - 1]
    const isForced = index > 0 && (isForcedBreak(pager, previous?.breakAfter) || startsPage(pager, child))
    const crosses = index > 0 && pageAt(y, pager.height) > pageAt(above, pager.height)
    if (isForced)
      y = isAtStart(pager, above) && !crosses && above === top ? y : startOfNext(pager, above - tolerance * 2)
    // Margins at a page break are truncated (CSS Fragmentation 3, 5.2).
    else if (crosses && pageAt(above, pager.height) + 1 === pageAt(y, pager.height))
      y = startOfNext(pager, above)
    // Rows begin below the header that is repeated on their page.
    else if (
      repeats &&
      index >= heads &&
      pageAt(y, pager.height) > pageAt(top, pager.height) &&
      isAtStart(pager, y)
    )
      y = Math.max(y, pageAt(y, pager.height) * pager.height + pager.reserved)
    else if (!isAtStart(pager, y)) {
      // An unbreakable box begins a new page even if it is higher than a page (observed in Chromium).
      const isKept = index === 0 ? stays : isKeptWithNext(previous, child)
      const start =
        index > 0 && index === children.length - 1 && !isKept && childEndSpace > 0
          ? startBeforeBestBreak(pager, child, childEndSpace)
          : keptTogether(pager, children, index, childEndSpace)
      if (!fits(pager, y, start)) {
        childStays = isKept && fits(pager, y, breakableStart(child))
        if (!childStays) y = startOfNext(pager, y)
      }
    }
    const one = place(pager, child, x + child.x, y, {
      stays: childStays,
      endSpace: index === children.length - 1 ? childEndSpace : 0,
    })
    placed.push(one)
    above = Math.max(above, one.bottom)
    drift = one.bottom - (top + child.y + child.height)
  })
  pager.reserved = before
  pushAll(beside, placeOutOfFlow(pager, fragment, children.length, x, top + drift))
  const bottom = Math.max(top + fragment.height + drift, top)
  return { fragment, x, top, bottom, children: [...placed, ...beside] }
}

const isForcedBreak = (pager: Pager, rule: BreakRule | undefined): boolean =>
  rule === 'page' || (rule === 'column' && pager.columns !== undefined)

/** Whether a box or the first box in it has a forced break before it. */
function startsPage(pager: Pager, fragment: Fragment): boolean {
  for (let one: Fragment | undefined = fragment; one !== undefined; one = one.children[0]) {
    if (isForcedBreak(pager, one.breakBefore)) return true
    if (one.kind !== 'box') return false
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

/** The height of columns if content could be broken anywhere. Forced breaks divide it into runs that share the columns. */
function equalShare(content: Fragment, count: number): Pt {
  const breaks = forcedBreaks(content, 0).slice(0, count - 1)
  const runs = [...breaks, content.height].map((end, index) => ({
    height: end - (breaks[index - 1] ?? 0),
    columns: 1,
  }))
  const share = ({ height, columns }: { readonly height: Pt; readonly columns: number }): Pt =>
    height / columns
  for (let free = count - runs.length; free > 0; free--) {
    const tallest = runs.reduce((most, run) => (share(run) > share(most) ? run : most))
    tallest.columns++
  }
  return runs.reduce((most, run) => Math.max(most, share(run)), 0)
}

/** The height of the tallest part of content that is kept together and no higher than `limit`. */
function tallestUnbreakable({ kind, children, height, avoidBreakInside }: Fragment, limit: Pt): Pt {
  if ((kind === 'leaf' || avoidBreakInside === true) && height <= limit) return height
  return children.reduce((most, child) => Math.max(most, tallestUnbreakable(child, limit)), 0)
}

/** The positions of the forced breaks in content that is not broken. */
function forcedBreaks({ kind, children }: Fragment, top: Pt): Pt[] {
  if (kind !== 'box') return []
  const isForced = (rule: BreakRule | undefined): boolean => rule === 'page' || rule === 'column'
  return children.flatMap((child, index) => {
    const y = top + child.y
    const before = index > 0 && (isForced(children[index - 1]?.breakAfter) || isForced(child.breakBefore))
    return before ? [y, ...forcedBreaks(child, y)] : forcedBreaks(child, y)
  })
}

/** The position in content that is not broken of the first line or picture at or below `y` in the stack of columns. */
function flowPositionAt(paged: PagedFragment, y: Pt, top: Pt = 0): Pt | undefined {
  const flowTop = top + paged.fragment.y
  if (paged.bottom < y) return undefined
  if (paged.children.length === 0) return paged.top >= y - tolerance ? flowTop : undefined
  for (const child of paged.children) {
    const position = flowPositionAt(child, y, flowTop)
    if (position !== undefined) return position
  }
  return undefined
}

/** The least height between two limits that is enough, in 64ths of a pixel. The upper one is enough. */
function leastHeight(from: Pt, most: Pt, isEnough: (height: Pt) => boolean): Pt {
  if (isEnough(from)) return from
  const unit: Pt = 0.75 / 64
  let [tooLow, enough] = [Math.floor(from / unit), Math.ceil(most / unit)]
  while (enough - tooLow > 1) {
    const middle = Math.floor((tooLow + enough) / 2)
    if (isEnough(middle * unit)) enough = middle
    else tooLow = middle
  }
  return Math.min(most, enough * unit)
}

const paginateColumns = (
  { budget, wholeColumns }: Pick<Pager, 'budget' | 'wholeColumns'>,
  content: Fragment,
  columns: ColumnStack,
): PagedFragment =>
  place(
    {
      height: columns.pitch,
      columns,
      budget: { ...budget, pages: Number.POSITIVE_INFINITY },
      reserved: 0,
      unbreakableStarts: new WeakMap(),
      wholeColumns,
    },
    content,
    0,
    0,
    untied,
  )

/** The number of columns that have content. Content that is higher than its column takes more than one. */
function columnsUsed({ bottom, children }: PagedFragment, pitch: Pt): number {
  const last = children.reduce((most, child) => Math.max(most, child.bottom), 0)
  return pageAt(Math.max(0, (children.length > 0 ? last : bottom) - 2 * tolerance), pitch) + 1
}

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
      if (rest + endSpace <= pager.height - pager.reserved + tolerance) to = split
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

const isKeptWithNext = (child: Fragment | undefined, next: Fragment): boolean =>
  child?.breakAfter === 'avoid' || next.breakBefore === 'avoid'

/**
 * The index of the line before which the last lines from `from` on are broken, so that they stand on one page with the
 * bottom edge of their box. Returns `children.length` if there is no such line.
 */
function splitBeforeEnd({ children, orphans = 2, widows = 2 }: Fragment, from: number): number {
  const count = children.length
  const split = count - widows
  if (split >= (from === 0 ? orphans : from + 1)) return split
  return count - 1 > from ? count - 1 : count
}

/** The bottom edges that end with the last child of a box. A child that ends above the content edge has none. */
function endSpaceInside({ children, height, endEdge }: Fragment, endSpace: Pt): Pt {
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
function keptTogether(
  pager: Pager,
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
function startBeforeBestBreak(pager: Pager, child: Fragment, endSpace: Pt): Pt {
  const { kind, children, height, orphans = 2, widows = 2 } = child
  if (kind === 'lines' && children.length < orphans + widows) return height + endSpace
  const only = kind === 'box' && child.avoidBreakInside !== true && children.length === 1 && children[0]
  if (!only) return unbreakableStart(pager, child, endSpace)
  return only.y + startBeforeBestBreak(pager, only, endSpaceInside(child, endSpace))
}

/** The height of the start of a fragment that must not be broken. */
function unbreakableStart(pager: Pager, fragment: Fragment, endSpace: Pt): Pt {
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
function breakableStart({ kind, children, height, orphans = 2 }: Fragment): Pt {
  if (kind === 'leaf' || children.length === 0) return height
  if (kind === 'lines') return children.slice(0, orphans).reduce((sum, line) => sum + line.height, 0)
  if (kind === 'row')
    return children.reduce((most, child) => Math.max(most, child.y + breakableStart(child)), 0)
  const first = children[0]
  return first === undefined ? 0 : first.y + breakableStart(first)
}

function measureUnbreakableStart(pager: Pager, fragment: Fragment, endSpace: Pt): Pt {
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
