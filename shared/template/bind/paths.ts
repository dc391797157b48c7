/**
 * Paths without parent steps. A flat path is a list of names with their selectors in which each parent step has
 * removed the name before it. A loop is identified by the key of its array: the path to the array, with
 * iterators reduced to `[]`. Source: template language 3.3, 4, 11.4, 11.7.
 */
import type { PathNode, SelectorNode } from '../parse/ast.ts'

/** A name and the brackets after it. The first segment is the root and has no name. */
export interface Segment {
  readonly name: string
  readonly selectors: readonly SelectorNode[]
}
export interface FlatPath {
  readonly root: 'd' | 'c'
  readonly segments: readonly Segment[]
}
/** An array that a path iterates over. */
export interface IteratedArray {
  readonly key: string
  readonly path: FlatPath // to the array
  readonly array: string // its name, for messages
  readonly selector: SelectorNode
  readonly next: boolean // the tag has [i+1]: it is the loop marker
}
/** What the tags inside a loop use of it: the array it runs over and the slot of its current item. */
export interface EnclosingLoop {
  readonly key: string
  readonly slot: number
}

/** Thrown when a path has more parent steps than names. Callers report it as 'template.path.too-high'. */
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
      const precedingSelector = last.selectors.at(-1)
      // A filter in separate brackets before an iterator belongs to the loop, as in d.stock[$fresh][i] with an
      // alias.
      const merges =
        precedingSelector !== undefined && isIterator(step.selector) && isFilterOnly(precedingSelector)
      const otherSelectors = merges ? last.selectors.slice(0, -1) : last.selectors
      const selector = merges
        ? { ...step.selector, filters: [...precedingSelector.filters, ...step.selector.filters] }
        : step.selector
      if (isIterator(selector)) {
        const array: FlatPath = {
          root,
          segments: [...segments, { name: last.name, selectors: otherSelectors }],
        }
        iterated.push({
          key: keyOf(array),
          path: array,
          array: last.name === '' ? root : last.name,
          selector,
          next: selector.iterators.some(({ next }) => next),
        })
      }
      segments.push({ name: last.name, selectors: [...otherSelectors, selector] })
    }
  }
  return { flat: { root, segments }, iterated }
}

const isFilterOnly = (selector: SelectorNode): boolean =>
  selector.filters.length > 0 && !isIterator(selector) && selector.index === undefined

function climb(path: FlatPath, levels: number): FlatPath {
  if (levels >= path.segments.length) throw new PathAboveRoot()
  return levels === 0 ? path : { root: path.root, segments: path.segments.slice(0, -levels) }
}

/** The path to the object that owns a tag's value. When the path ends with brackets, that is the item itself. */
export function ownerOf(path: FlatPath): FlatPath {
  const last = path.segments.at(-1)!
  return last.selectors.length > 0 || path.segments.length === 1 ? path : climb(path, 1)
}

/**
 * The key that identifies an array. Two paths to the same array have the same key, whatever their iterators are
 * called.
 */
export function keyOf(path: FlatPath): string {
  let key: string = path.root
  for (const { name, selectors } of path.segments) {
    if (name !== '') key += `.${name}`
    for (const selector of selectors)
      key += isIterator(selector) || isSilent(selector) ? '[]' : JSON.stringify(selector)
  }
  return key
}

/** The arrays that a path iterates over or takes entirely, outermost first. */
export function arraysOf(
  path: FlatPath,
): { readonly key: string; readonly array: string; readonly selector: SelectorNode }[] {
  const arrays: { key: string; array: string; selector: SelectorNode }[] = []
  const walked: Segment[] = []
  for (const { name, selectors } of path.segments) {
    selectors.forEach((selector, index) => {
      if (!isIterator(selector) && !isSilent(selector)) return
      const array: FlatPath = {
        root: path.root,
        segments: [...walked, { name, selectors: selectors.slice(0, index) }],
      }
      arrays.push({ key: keyOf(array), array: name === '' ? path.root : name, selector })
    })
    walked.push({ name, selectors })
  }
  return arrays
}
