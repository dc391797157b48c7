/** Plans what a loop runs over: its source, filters, order, and which items are shown. */
import { enclosingLoops, type ScopedPart } from '../bind/bind.ts'
import { isGuardTag } from '../bind/guards.ts'
import { type Loop, selectorFor } from '../bind/loops.ts'
import { tagOf, type ValueTag } from '../bind/part.ts'
import type { EnclosingLoop } from '../bind/paths.ts'
import { isMarkerOnly, isQuiet, isSetTag, printsNothing } from '../bind/tag-kinds.ts'
import type { SelectorNode } from '../parse/ast.ts'
import { compileFilters, compilePath } from './paths.ts'
import type { FilterPlan, LoopPlan } from './plan.ts'
import { pathContext } from './values.ts'

type LoopHead = Omit<LoopPlan, 'body' | 'resets' | 'slot'>

/** A loop without its body. `shown` is left to `shownFilters`, because loops of table columns show every item. */
export function loopHead(loop: Loop, scoped: ScopedPart): LoopHead {
  const enclosing = enclosingLoops(scoped, loop.parent?.index ?? -1)
  const outside = pathContext(loop.startTag, enclosing)
  const inside = pathContext(loop.startTag, [...enclosing, loop])
  const keys = (selector: SelectorNode) => selector.iterators.map((iterator) => iterator.keys)
  const isIndex = (names: readonly string[]) => names.length === 1 && names[0] === 'i'
  const iterators =
    [keys(loop.begin), keys(loop.end)].find((list) => list.some((names) => !isIndex(names))) ??
    keys(loop.begin)
  const sort = iterators.filter((names) => !isIndex(names))
  const times = loop.end.iterators.find((iterator) => iterator.times !== undefined)?.times
  return {
    kind: 'loop',
    source: compilePath(loop.path, outside),
    filters: compileFilters(loop.end.filters, loop.path, inside),
    sort,
    distinct: sort.length > 0 && sort.length === iterators.length,
    ...(times === undefined ? {} : { times }),
    tag: tagOf(loop.startTag.token),
  }
}

/**
 * The lists of filters of which one must pass for an item to be written: those of the tags in the block. Undefined when a tag
 * without filters is always shown.
 */
export function shownFilters(loop: Loop, scoped: ScopedPart): FilterPlan[][] | undefined {
  const { tags, removed } = scoped
  const lists = new Map<string, SelectorNode>()
  for (const tag of tagsWithin(tags.values, loop)) {
    if (removed[tag.at] === 1) continue
    if (isGuardTag(tag) || isSetTag(tag) || printsNothing(tag.calls) || isQuiet(tag.calls)) continue
    const selector = selectorFor(tag, loop.key)
    const hasFilters = selector !== undefined && selector.filters.length > 0
    if (!hasFilters && isMarkerOnly(tag, tags.objectArrays)) continue
    if (!hasFilters) return undefined
    lists.set(JSON.stringify(selector.filters), selector)
  }
  if (lists.size === 0) return undefined
  const context = pathContext(loop.startTag, enclosingLoops(scoped, loop.index))
  return [...lists.values()].map((selector) => compileFilters(selector.filters, loop.path, context))
}

/** The tags of a loop's block. Tags are in document order, so the first one is found by bisection. */
function tagsWithin(tags: readonly ValueTag[], { start, stop }: Loop): readonly ValueTag[] {
  const first = firstFrom(tags, start)
  return tags.slice(first, firstFrom(tags, stop))
}

function firstFrom(tags: readonly ValueTag[], token: number): number {
  let low = 0
  let high = tags.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tags[middle]?.at ?? token) < token) low = middle + 1
    else high = middle
  }
  return low
}

/** Filters in a tag's own brackets, for loops that do not skip the item anyway. */
export function filtersOf(
  tag: ValueTag,
  scoped: ScopedPart,
  enclosing: readonly EnclosingLoop[],
): { readonly slot: number; readonly filters: FilterPlan[] }[] {
  return tag.iterated.flatMap(({ key, selector }) => {
    if (selector.filters.length === 0) return []
    const loop = scoped.loops.find(
      (candidate) => candidate.key === key && enclosing.some(({ slot }) => slot === candidate.slot),
    )
    if (loop === undefined || JSON.stringify(selector.filters) === JSON.stringify(loop.end.filters)) return []
    const filters = compileFilters(selector.filters, loop.path, pathContext(tag, enclosing))
    return [{ slot: loop.slot, filters }]
  })
}
