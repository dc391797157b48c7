/**
 * Finds what a loop repeats. A loop is known by two positions: the first tag with [i] and the first with [i+1]. Which
 * part of the markup lies between them follows from the levels of the markup alone, never from element names.
 * Source: template language 11.
 */
import type { SelectorNode } from '../parse/ast.ts'
import { arraysAround } from './embedded.ts'
import { type PartContext, placeOf, shorten, tagOf, type ValueTag } from './part.ts'
import type { FlatPath, IteratedArray } from './paths.ts'

export interface Loop {
  readonly key: string
  readonly path: FlatPath // to the array
  readonly begin: SelectorNode // of the tag with [i]
  readonly end: SelectorNode // of the tag with [i+1]
  readonly startTag: ValueTag
  readonly start: number // first piece of the block
  readonly stop: number // behind its last piece
  readonly marker: { readonly start: number; readonly stop: number }
  readonly rank: number // how deep in its path: outer arrays first where two loops repeat the same part
  index: number
  slot: number
  parent: Loop | undefined
}

interface Open {
  readonly tag: ValueTag
  readonly iterated: IteratedArray
  readonly rank: number
  /** Only aggregates named it so far: they need no loop. */
  weak: boolean
}

export interface LoopsFound {
  readonly loops: readonly Loop[] // outer before inner, in document order
  readonly removed: Uint8Array // pieces of markers: 1
}

/** `aggregates`: whether the tag reduces an array, and so needs no loop of its own. */
export function findLoops(
  context: PartContext,
  tags: readonly ValueTag[],
  aggregates: (tag: ValueTag) => boolean,
): LoopsFound {
  const { tokens, report } = context
  const removed = new Uint8Array(tokens.length)
  const open = new Map<string, Open>()
  const loops: Loop[] = []
  const outside = arraysAround(context.outerLoops, tags)
  for (const tag of tags) {
    // A marker begins nothing, but it may end several loops: their tags stand side by side in it.
    const inMarker = removed[tag.at] === 1
    const closing: { iterated: IteratedArray; rank: number }[] = []
    for (const [rank, iterated] of tag.iterated.entries()) {
      if (outside.has(iterated.key)) continue
      if (iterated.next) closing.push({ iterated, rank })
      else if (inMarker) continue
      else if (closing.length > 0)
        break // behind an [i+1] a bare [i] says nothing
      else {
        const known = open.get(iterated.key)
        const weak = tag.embedded === true || aggregates(tag)
        if (known === undefined || (known.weak && !weak)) {
          open.set(iterated.key, known === undefined ? { tag, iterated, rank, weak } : { ...known, weak })
        }
      }
    }
    for (const { iterated, rank } of closing.reverse()) {
      const begun = open.get(iterated.key)
      if (begun === undefined) {
        if (inMarker || tag.embedded === true) continue
        report.add(
          'template.loop.unopened',
          { tag: tagOf(tag.token), array: iterated.array, first: markerOf(iterated, '') },
          placeOf(context, tag.at),
        )
        continue
      }
      open.delete(iterated.key)
      const others = iteratorsOf(iterated).filter((name) => !iteratorsOf(begun.iterated).includes(name))
      if (others.length > 0) {
        report.warn(
          'template.loop.iterators',
          `${tagOf(tag.token)} ends the loop of ${tagOf(begun.tag.token)}, which does not name [${others.join(', ')}]: both run over [${iteratorsOf(begun.iterated).join(', ')}].`,
          context.part,
        )
      }
      const region = blockOf(context, begun.tag.at, tag.at)
      if (region === undefined) {
        report.add(
          'template.loop.region',
          { tag: tagOf(begun.tag.token), end: tagOf(tag.token) },
          placeOf(context, begun.tag.at),
        )
        continue
      }
      removed.fill(1, region.marker.start, region.marker.stop)
      loops.push({
        key: iterated.key,
        path: begun.iterated.path,
        begin: begun.iterated.selector,
        end: iterated.selector,
        startTag: begun.tag,
        ...region,
        rank,
        index: -1,
        slot: -1,
        parent: undefined,
      })
    }
  }
  for (const { tag, iterated, weak } of open.values()) {
    if (weak || context.tolerant) continue
    report.add(
      'template.loop.unclosed',
      { tag: tagOf(tag.token), array: iterated.array, next: markerOf(iterated, '+1') },
      placeOf(context, tag.at),
    )
  }
  return { loops: nest(context, loops), removed }
}

const iteratorsOf = ({ selector }: IteratedArray): string[] =>
  selector.iterators.map(({ keys }) => keys.join('.'))

/** The tag that is missing: the array as the other tag names it, with its iterators at this step. */
function markerOf({ path, selector }: IteratedArray, step: '' | '+1'): string {
  let text: string = path.root
  for (const { name, selectors } of path.segments) {
    if (name !== '') text += `.${name}`
    for (const { iterators, index } of selectors) {
      if (index !== undefined) text += `[${index}]`
      else if (iterators.length > 0) text += `[${iterators.map(({ keys }) => keys.join('.')).join(',')}]`
    }
  }
  const own = selector.iterators.map(({ keys }) => keys.join('.') + step).join(',')
  return `{${shorten(text)}[${own}]}`
}

interface Block {
  readonly start: number
  readonly stop: number
  readonly marker: { readonly start: number; readonly stop: number }
}

/** The block and the marker part for the tags at pieces s and e; undefined when cutting there would break the markup. */
function blockOf({ tokens, match, parent }: PartContext, s: number, e: number): Block | undefined {
  let level = 0
  let highest = 0
  let firstClose = -1
  for (let at = s + 1; at < e; at += 1) {
    const { kind } = tokens[at]!
    if (kind === 'close') {
      level += 1
      if (level > highest) {
        highest = level
        firstClose = at
      }
    } else if (kind === 'open') level -= 1
  }
  // The opening tag that leaves the highest level for good begins the element of the marker.
  let lastOpen = -1
  level = 0
  for (let at = s + 1; at < e; at += 1) {
    const { kind } = tokens[at]!
    if (kind === 'close') level += 1
    else if (kind === 'open') {
      if (level === highest && match[at]! > e) lastOpen = at
      level -= 1
    }
  }
  const start = firstClose < 0 ? s : match[firstClose]!
  const stop = lastOpen < 0 ? e : lastOpen
  if (start < 0) return undefined
  // Inside a tag's attributes only text can repeat.
  for (const [tag, edge] of [
    [s, start],
    [e, stop],
  ] as const) {
    if (edge !== tag || !inAttribute(tokens[tag])) continue
    const other = tag === s ? e : s
    if (!inAttribute(tokens[other]) || parent[s] !== parent[e]) return undefined
    for (let at = s + 1; at < e; at += 1) {
      const between = tokens[at]!
      if (between.kind === 'text' && /["'<>]/.test(between.raw)) return undefined
    }
  }
  const marker = lastOpen < 0 ? { start: e, stop: e + 1 } : { start: lastOpen, stop: match[lastOpen]! + 1 }
  return { start, stop, marker }
}

function inAttribute(token: PartContext['tokens'][number] | undefined): boolean {
  return token?.kind === 'tag' && /^(?:attribute|bare|address)$/.test(token.context)
}

/** Outer loops before inner ones, with parents set; overlaps are reported. */
function nest(context: PartContext, found: readonly Loop[]): Loop[] {
  const loops = [...found].sort(
    (a, b) => a.start - b.start || b.stop - a.stop || a.rank - b.rank || a.startTag.at - b.startTag.at,
  )
  const stack: Loop[] = []
  const kept: Loop[] = []
  for (const loop of loops) {
    while (stack.length > 0 && stack.at(-1)!.stop <= loop.start) stack.pop()
    const around = stack.at(-1)
    if (around !== undefined && loop.stop > around.stop) {
      context.report.add(
        'template.loop.interleaved',
        { tag: tagOf(around.startTag.token), other: tagOf(loop.startTag.token) },
        placeOf(context, loop.startTag.at),
      )
      continue
    }
    loop.parent = around
    loop.index = kept.length
    kept.push(loop)
    stack.push(loop)
    if (stack.length > context.limits.loopDepth) {
      context.report.add(
        'template.loop.too-deep',
        { limit: context.limits.loopDepth },
        placeOf(context, loop.startTag.at),
      )
      return kept
    }
  }
  return kept
}

/** The innermost loop around each piece, as an index into `loops`; -1 outside. */
export function loopOfTokens(loops: readonly Loop[], tokens: number): Int32Array {
  const inner = new Int32Array(tokens).fill(-1)
  for (const [at, loop] of loops.entries()) inner.fill(at, loop.start, loop.stop)
  return inner
}

/** The brackets of `tag` that go with a loop. */
export function selectorFor(tag: ValueTag, key: string): SelectorNode | undefined {
  return tag.iterated.find((iterated) => iterated.key === key)?.selector
}
