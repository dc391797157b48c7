/**
 * From a path as written to a path as run. Climbing is done here: a path is a row of names with their brackets, and
 * going up takes the last one off. Loops are recognised by the key of their array: the path to it, iterators bare.
 * Source: template language 3.3, 4, 11.4, 11.7.
 */
import type { FilterNode, PathNode, SelectorNode } from '../parse/ast.ts'
import type { FilterPlan, PathPlan, StepPlan } from '../plan/plan.ts'

/** A name and the brackets behind it. The first segment is the root and has no name. */
export interface Segment {
  readonly name: string
  readonly selectors: readonly SelectorNode[]
}
export interface FlatPath {
  readonly root: 'd' | 'c'
  readonly segments: readonly Segment[]
}
/** An iterator met while reading a path: the array it stands for. */
export interface IteratedArray {
  readonly key: string
  readonly path: FlatPath // to the array
  readonly array: string // its name, for messages
  readonly selector: SelectorNode
  readonly next: boolean
}
export interface EnclosingLoop {
  readonly key: string
  readonly slot: number
}

/** Thrown where a path climbs above its root. */
export class PathAboveRoot extends Error {}

export const isIterator = (selector: SelectorNode): boolean => selector.iterators.length > 0
/** `[]`: all items, without a loop. */
export const isSilent = (selector: SelectorNode): boolean =>
  selector.iterators.length === 0 &&
  selector.filters.length === 0 &&
  selector.index === undefined &&
  selector.parallel === undefined

/** Reads a path written from the root, or from `owner` when it is relative. */
export function flatten(
  path: PathNode,
  owner: FlatPath | undefined,
): { flat: FlatPath; iterated: IteratedArray[] } {
  let segments: Segment[] = [{ name: '', selectors: [] }]
  let root: 'd' | 'c' = 'd'
  if (path.root === '.') {
    if (owner === undefined) throw new PathAboveRoot()
    root = owner.root
    segments = [...climb(owner, path.up).segments]
  } else root = path.root
  const iterated: IteratedArray[] = []
  for (const step of path.steps) {
    if (step.kind === 'key') segments.push({ name: step.name, selectors: [] })
    else if (step.kind === 'up') segments = [...climb({ root, segments }, step.levels).segments]
    else {
      const last = segments.pop()!
      const before = last.selectors.at(-1)
      // A filter alias before an iterator belongs to the loop: d.stock[$fresh][i].
      const merges = before !== undefined && isIterator(step.selector) && isFilterOnly(before)
      const kept = merges ? last.selectors.slice(0, -1) : last.selectors
      const selector = merges
        ? { ...step.selector, filters: [...before.filters, ...step.selector.filters] }
        : step.selector
      if (isIterator(selector)) {
        const array: FlatPath = { root, segments: [...segments, { name: last.name, selectors: kept }] }
        iterated.push({
          key: keyOf(array),
          path: array,
          array: last.name === '' ? root : last.name,
          selector,
          next: selector.iterators.some(({ next }) => next),
        })
      }
      segments.push({ name: last.name, selectors: [...kept, selector] })
    }
  }
  return { flat: { root, segments }, iterated }
}

const isFilterOnly = (selector: SelectorNode): boolean =>
  selector.filters.length > 0 && !isIterator(selector) && selector.index === undefined

export function climb(path: FlatPath, levels: number): FlatPath {
  if (levels >= path.segments.length) throw new PathAboveRoot()
  return levels === 0 ? path : { root: path.root, segments: path.segments.slice(0, -levels) }
}

/** The object that a tag's value belongs to: the item itself when the path ends with brackets. */
export function ownerOf(path: FlatPath): FlatPath {
  const last = path.segments.at(-1)!
  return last.selectors.length > 0 || path.segments.length === 1 ? path : climb(path, 1)
}

/** What tells one array from another. */
export function keyOf(path: FlatPath): string {
  let key: string = path.root
  for (const { name, selectors } of path.segments) {
    if (name !== '') key += `.${name}`
    for (const selector of selectors)
      key += isIterator(selector) || isSilent(selector) ? '[]' : JSON.stringify(selector)
  }
  return key
}

/** The arrays that a path goes through with an iterator or all at once, outermost first. */
export function arraysOf(
  path: FlatPath,
): { readonly key: string; readonly array: string; readonly selector: SelectorNode }[] {
  const found: { key: string; array: string; selector: SelectorNode }[] = []
  const walked: Segment[] = []
  for (const { name, selectors } of path.segments) {
    selectors.forEach((selector, at) => {
      if (!isIterator(selector) && !isSilent(selector)) return
      const array: FlatPath = {
        root: path.root,
        segments: [...walked, { name, selectors: selectors.slice(0, at) }],
      }
      found.push({ key: keyOf(array), array: name === '' ? path.root : name, selector })
    })
    walked.push({ name, selectors })
  }
  return found
}

export interface PathContext {
  /** Loops around the tag, outermost first. */
  readonly loops: readonly EnclosingLoop[]
  /** The slot that `.i` means at this number of dots. */
  indexSlot(dots: number): number | undefined
  /** What relative operands inside brackets of an argument start from; absent in a tag's own path. */
  readonly argumentOwner?: FlatPath
}

/** Compiles a path. Brackets with an iterator that no loop runs over pick the first item that passes. */
export function compilePath(flat: FlatPath, scope: PathContext): PathPlan {
  let base: PathPlan['base'] = flat.root
  let steps: StepPlan[] = []
  const walked: Segment[] = []
  for (const segment of flat.segments) {
    if (segment.name !== '') steps.push({ kind: 'key', name: segment.name })
    const before = { name: segment.name, selectors: [] as SelectorNode[] }
    for (const selector of segment.selectors) {
      const array: FlatPath = {
        root: flat.root,
        segments: [...walked, { name: before.name, selectors: [...before.selectors] }],
      }
      const slot = isIterator(selector) || isSilent(selector) ? slotOf(scope.loops, keyOf(array)) : undefined
      if (slot !== undefined) {
        base = slot
        steps = []
      } else if (selector.index !== undefined) steps.push({ kind: 'at', index: selector.index })
      else if (selector.parallel !== undefined) {
        const parallel = scope.indexSlot(selector.parallel)
        steps.push(parallel === undefined ? { kind: 'at', index: 0 } : { kind: 'parallel', slot: parallel })
      } else steps.push({ kind: 'find', filters: compileFilters(selector.filters, array, scope) })
      before.selectors.push(selector)
    }
    walked.push({ name: segment.name, selectors: before.selectors })
  }
  const keys = steps.every((step) => step.kind === 'key')
    ? steps.map((step) => (step as { name: string }).name)
    : undefined
  return { base, steps, ...(keys === undefined ? {} : { keys }) }
}

function slotOf(loops: readonly EnclosingLoop[], key: string): number | undefined {
  for (let at = loops.length - 1; at >= 0; at -= 1) if (loops[at]!.key === key) return loops[at]!.slot
  return undefined
}

/** `array`: the path to the array whose items are judged. */
export function compileFilters(
  filters: readonly FilterNode[],
  array: FlatPath,
  scope: PathContext,
): FilterPlan[] {
  return filters.map(({ left, operator, right }) => {
    const index = left.length === 1 && (left[0] === 'i' || left[0] === 'I')
    return { left: index ? undefined : left, operator, right: compileOperand(right, array, scope) }
  })
}

function compileOperand(
  right: FilterNode['right'],
  array: FlatPath,
  scope: PathContext,
): FilterPlan['right'] {
  if (!('root' in right)) {
    const { text, quoted } = right
    // Digits that a number cannot hold, those of long ids, are compared as text.
    const isNumber = !quoted && /^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(text)
    const number = isNumber && Number.isSafeInteger(Math.trunc(Number(text))) ? Number(text) : undefined
    return { kind: 'constant', text, quoted, ...(number === undefined ? {} : { number }) }
  }
  if (right.root === '.' && scope.argumentOwner === undefined) {
    if (right.up === 0) {
      const keys = right.steps.flatMap((step) => (step.kind === 'key' ? [step.name] : []))
      return { kind: 'item', keys }
    }
    const { flat } = flatten(right, array)
    return { kind: 'path', path: compilePath(flat, scope) }
  }
  const { flat } = flatten(right, scope.argumentOwner)
  return { kind: 'path', path: compilePath(flat, scope) }
}
