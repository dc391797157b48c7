/**
 * Finds what a loop repeats. A loop is identified by two positions: the first tag with [i] and the first with
 * [i+1]. The markup between them determines the repeated block by its nesting levels alone, never by element
 * names. Source: template language 11.
 */
import type { ElementTree } from '../nest/tree.ts'
import type { SelectorNode } from '../parse/ast.ts'
import type { Token } from '../scan/tokens.ts'
import type { TokenRange } from './columns.ts'
import { enclosingArrays } from './embedded.ts'
import { type BindContext, locationOf, shorten, tagOf, type ValueTag } from './part.ts'
import type { FlatPath, IteratedArray } from './paths.ts'

export interface Loop {
  readonly key: string // of its array
  readonly path: FlatPath // to the array
  readonly begin: SelectorNode // of the tag with [i]
  readonly end: SelectorNode // of the tag with [i+1]
  readonly startTag: ValueTag
  readonly start: number // first token of the block
  readonly stop: number // after its last token
  /** The tag with [i+1] and what encloses it: shows where the sample ends and is removed. */
  readonly marker: TokenRange
  readonly index: number // in the list of loops
  readonly slot: number // where a render keeps its current item
  readonly parent: Loop | undefined
}

/** A loop before its position among the others is known. */
interface BoundLoop extends Omit<Loop, 'index' | 'slot' | 'parent'> {
  /** The depth of the array in its path. Where two loops repeat the same tokens, the outer array comes first. */
  readonly rank: number
}

/** The first tag of an array whose loop has not ended. */
interface OpenLoop {
  readonly tag: ValueTag
  readonly array: IteratedArray
  readonly rank: number
  /** Only aggregates have referred to the array so far. They need no loop, so a missing end is not an error. */
  readonly weak: boolean
}

/** An array with its depth in the path of a tag. */
interface RankedArray {
  readonly array: IteratedArray
  readonly rank: number
}

export interface BoundLoops {
  readonly loops: readonly Loop[] // outer before inner, in document order
  readonly removed: Uint8Array // 1 for the tokens of loop markers
}

/**
 * `aggregates`: whether the tag reduces an array, and so needs no loop of its own. `takeSlot` numbers the loops of a whole
 * template.
 */
export function findLoops(
  context: BindContext,
  tags: readonly ValueTag[],
  aggregates: (tag: ValueTag) => boolean,
  takeSlot: () => number,
): BoundLoops {
  const removed = new Uint8Array(context.tree.tokens.length)
  const openLoops = new Map<string, OpenLoop>()
  const complete: BoundLoop[] = []
  /** Samples in the marker of another loop, which is removed, by the key of their array. */
  const samplesInMarkers = new Map<string, ValueTag>()
  const outerArrays = enclosingArrays(context.outerLoops, tags)
  for (const tag of tags) {
    // A loop marker cannot begin a loop, but it may end several ones, whose tags are next to each other in it.
    const inMarker = removed[tag.at] === 1
    const ended = openLoopsOf(tag, inMarker)
    // The innermost loop ends first.
    for (const array of ended.reverse()) endLoop(tag, array, inMarker)
  }
  for (const { tag, array, weak } of openLoops.values()) {
    if (weak || context.tolerant || array.key === context.single) continue
    context.report.add(
      'template.loop.unclosed',
      { tag: tagOf(tag.token), array: array.array, next: markerOf(array, '+1') },
      locationOf(context, tag.at),
    )
  }
  return { loops: ordered(context, complete, takeSlot), removed }

  /** Opens the loops whose first [i] is in the tag. Returns the arrays whose loops the tag ends with [i+1]. */
  function openLoopsOf(tag: ValueTag, inMarker: boolean): RankedArray[] {
    const ended: RankedArray[] = []
    for (const [rank, array] of tag.iterated.entries()) {
      if (outerArrays.has(array.key)) continue
      if (array.next) {
        ended.push({ array, rank })
      } else if (inMarker) {
        if (!samplesInMarkers.has(array.key)) samplesInMarkers.set(array.key, tag)
      } else {
        // After an [i+1], an [i] in the same tag does not begin a loop.
        if (ended.length > 0) break
        const earlier = openLoops.get(array.key)
        const weak = tag.embedded === true || aggregates(tag)
        if (earlier === undefined) openLoops.set(array.key, { tag, array, rank, weak })
        else if (earlier.weak && !weak) openLoops.set(array.key, { ...earlier, weak })
      }
    }
    return ended
  }

  function endLoop(tag: ValueTag, { array, rank }: RankedArray, inMarker: boolean): void {
    const beginning = openLoops.get(array.key)
    if (beginning === undefined) {
      if (!inMarker && tag.embedded !== true)
        reportUnopened(context, tag, array, samplesInMarkers.get(array.key))
      return
    }
    openLoops.delete(array.key)
    const loop = closed(context, beginning, tag, array, rank)
    if (loop === undefined) return
    removed.fill(1, loop.marker.start, loop.marker.stop)
    complete.push(loop)
  }
}

function reportUnopened(
  context: BindContext,
  tag: ValueTag,
  array: IteratedArray,
  sample: ValueTag | undefined,
): void {
  const location = locationOf(context, tag.at)
  if (sample !== undefined) {
    const details = { tag: tagOf(tag.token), array: array.array, sample: tagOf(sample.token) }
    context.report.add('template.loop.sample-removed', details, location)
    return
  }
  context.report.add(
    'template.loop.unopened',
    { tag: tagOf(tag.token), array: array.array, first: markerOf(array, '') },
    location,
  )
}

/**
 * Returns the loop between two tags. Reports an error and returns undefined when repeating that markup would
 * break it.
 */
function closed(
  context: BindContext,
  begun: OpenLoop,
  tag: ValueTag,
  end: IteratedArray,
  rank: number,
): BoundLoop | undefined {
  const { report, part } = context
  const iterators = iteratorsOf(begun.array)
  const others = iteratorsOf(end).filter((name) => !iterators.includes(name))
  if (others.length > 0) {
    report.warn(
      'template.loop.iterators',
      `${tagOf(tag.token)} ends the loop of ${tagOf(begun.tag.token)}, which does not have [${others.join(', ')}]: both run over [${iterators.join(', ')}].`,
      part,
    )
  }
  const block = blockBetween(context.tree, begun.tag.at, tag.at)
  if (block === undefined) {
    const details = { tag: tagOf(begun.tag.token), end: tagOf(tag.token) }
    report.add('template.loop.region', details, locationOf(context, begun.tag.at))
    return undefined
  }
  return {
    key: end.key,
    path: begun.array.path,
    begin: begun.array.selector,
    end: end.selector,
    startTag: begun.tag,
    ...block,
    rank,
  }
}

const iteratorsOf = ({ selector }: IteratedArray): string[] =>
  selector.iterators.map(({ keys }) => keys.join('.'))

/** The missing tag, for the error message: the array as the other tag names it, with its iterators at this step. */
function markerOf({ path, selector }: IteratedArray, step: '' | '+1'): string {
  let text: string = path.root
  for (const { name, selectors } of path.segments) {
    if (name !== '') text += `.${name}`
    for (const { iterators, index } of selectors) {
      if (index !== undefined) text += `[${index}]`
      else if (iterators.length > 0) text += `[${iterators.map(({ keys }) => keys.join('.')).join(',')}]`
    }
  }
  const iterators = selector.iterators.map(({ keys }) => keys.join('.') + step).join(',')
  return `{${shorten(text)}[${iterators}]}`
}

/**
 * The block and the loop marker for the tags at tokens `begin` and `end`; undefined when cutting there would break the markup.
 *
 * Walking from `begin` to `end`, closing tags climb and opening tags descend. The highest level reached is the level at which
 * whole elements repeat: the block begins with the element of `begin` on that level, and the marker is the element of `end` on it.
 */
function blockBetween(
  tree: ElementTree,
  begin: number,
  end: number,
): (TokenRange & { readonly marker: TokenRange }) | undefined {
  const { tokens } = tree
  let level = 0
  let highest = 0
  let firstClose = -1
  for (let index = begin + 1; index < end; index += 1) {
    const kind = tokens[index]?.kind
    if (kind === 'close') {
      level += 1
      if (level > highest) {
        highest = level
        firstClose = index
      }
    } else if (kind === 'open') level -= 1
  }
  // The opening tag after which the highest level is not reached again begins the element of the marker.
  let lastOpen = -1
  level = 0
  for (let index = begin + 1; index < end; index += 1) {
    const kind = tokens[index]?.kind
    if (kind === 'close') level += 1
    else if (kind === 'open') {
      if (level === highest && tree.matchOf(index) > end) lastOpen = index
      level -= 1
    }
  }
  const start = firstClose < 0 ? begin : tree.matchOf(firstClose)
  const stop = lastOpen < 0 ? end : lastOpen
  if (start < 0) return undefined
  const cutsAttribute =
    (start === begin && inAttribute(tokens[begin])) || (stop === end && inAttribute(tokens[end]))
  if (cutsAttribute && !repeatsInAttribute(tree, begin, end)) return undefined
  const marker =
    lastOpen < 0 ? { start: end, stop: end + 1 } : { start: lastOpen, stop: tree.matchOf(lastOpen) + 1 }
  return { start, stop, marker }
}

/**
 * Whether both tags are in one opening tag with no end of an attribute between them. Inside an opening tag only
 * text can repeat.
 */
function repeatsInAttribute(tree: ElementTree, begin: number, end: number): boolean {
  if (!inAttribute(tree.tokens[begin]) || !inAttribute(tree.tokens[end])) return false
  if (tree.parentOf(begin) !== tree.parentOf(end)) return false
  return !tree.tokens.slice(begin + 1, end).some((token) => token.kind === 'text' && /["'<>]/.test(token.raw))
}

const inAttribute = (token: Token | undefined): boolean =>
  token?.kind === 'tag' && /^(?:attribute|bare|address)$/.test(token.context)

/** Sorts outer loops before inner ones and sets their parents. Overlapping loops are reported and removed. */
function ordered(context: BindContext, unordered: readonly BoundLoop[], takeSlot: () => number): Loop[] {
  const sorted = [...unordered].sort(
    (a, b) => a.start - b.start || b.stop - a.stop || a.rank - b.rank || a.startTag.at - b.startTag.at,
  )
  const enclosing: Loop[] = []
  const loops: Loop[] = []
  for (const { rank: _, ...candidate } of sorted) {
    while ((enclosing.at(-1)?.stop ?? Number.POSITIVE_INFINITY) <= candidate.start) enclosing.pop()
    const parent = enclosing.at(-1)
    if (parent !== undefined && candidate.stop > parent.stop) {
      context.report.add(
        'template.loop.interleaved',
        { tag: tagOf(parent.startTag.token), other: tagOf(candidate.startTag.token) },
        locationOf(context, candidate.startTag.at),
      )
      continue
    }
    // If the blocks were equal, one of the two lists would be repeated completely for each item of the other.
    if (parent !== undefined && parent.start === candidate.start && parent.stop === candidate.stop) {
      const crossedLoop = enclosing.find(
        (outer) =>
          outer.start === candidate.start &&
          outer.stop === candidate.stop &&
          !candidate.key.startsWith(`${outer.key}[`),
      )
      if (crossedLoop !== undefined) {
        reportCrossed(context, crossedLoop, candidate)
        continue
      }
    }
    const loop: Loop = { ...candidate, index: loops.length, slot: takeSlot(), parent }
    loops.push(loop)
    enclosing.push(loop)
    if (enclosing.length > context.limits.loopDepth) {
      context.report.add(
        'template.loop.too-deep',
        { limit: context.limits.loopDepth },
        locationOf(context, candidate.startTag.at),
      )
      return loops
    }
  }
  return loops
}

type Repeated = Pick<Loop, 'path' | 'startTag'>

function reportCrossed(context: BindContext, outer: Repeated, inner: Repeated): void {
  const [array = '', other = ''] = [outer, inner].map(({ path }) => path.segments.at(-1)?.name || path.root)
  context.report.add(
    'template.loop.crossed',
    { tag: tagOf(outer.startTag.token), array, otherTag: tagOf(inner.startTag.token), other },
    locationOf(context, inner.startTag.at),
  )
}

/** The innermost loop around each token, as an index into `loops`; -1 outside. */
export function loopOfTokens(loops: readonly Loop[], tokens: number): Int32Array {
  const innermost = new Int32Array(tokens).fill(-1)
  for (const [index, loop] of loops.entries()) innermost.fill(index, loop.start, loop.stop)
  return innermost
}

/** The selector of `tag` that belongs to a loop. */
export function selectorFor(tag: ValueTag, key: string): SelectorNode | undefined {
  return tag.iterated.find((array) => array.key === key)?.selector
}
