/**
 * Infers the shape of the data that a template reads from its tags. Names become properties, brackets become arrays, and
 * formatters and comparisons indicate the kind of value. Source: template language 3 to 6, 11 and 13 to 22.
 */

import type { ValueTag } from '../bind/part.ts'
import { type FlatPath, flatten, ownerOf, PathAboveRoot, type Segment } from '../bind/paths.ts'
import { isSetTag } from '../bind/tag-kinds.ts'
import { formatters } from '../formatters/registry.ts'
import type { ArgNode, CallNode, FilterNode, PathNode, SelectorNode } from '../parse/ast.ts'
import { SyntaxProblem } from '../parse/ast.ts'
import { pathOf } from '../parse/path.ts'
import { ends, kindOf, patternAt, presence, tests } from './hints.ts'
import { DataShape, type ValueKind } from './shape.ts'

/** Everything a template reads. */
export interface InferredData {
  readonly d: DataShape
  readonly c: DataShape
  readonly translations: Set<string>
  /** Names of enumerations. */
  readonly enumerations: Set<string>
}

/** Infers the shape of the data from all tags of a template. */
export function infer(tags: readonly ValueTag[], translations: readonly string[]): InferredData {
  const inferred: InferredData = {
    d: new DataShape(),
    c: new DataShape(),
    translations: new Set(translations),
    enumerations: new Set(),
  }
  const stored = new Set(tags.flatMap(targetsOf))
  for (const tag of tags) {
    const reads = new TagInference(inferred, stored)
    const leaf = reads.walk(tag.flat)
    if (leaf !== undefined) reads.calls(leaf, tag)
  }
  return inferred
}

/** The paths that a `:set` tag writes to. The template creates these values, so they are not part of the caller's data. */
function targetsOf(tag: ValueTag): string[] {
  if (!isSetTag(tag)) return []
  const target = pathArg(tag.calls.at(-1)?.args[0])
  if (target === undefined) return []
  try {
    return [namesOf(flatten(target, ownerOf(tag.flat)).flat)]
  } catch (error) {
    if (error instanceof PathAboveRoot) return []
    throw error
  }
}

const namesOf = ({ root, segments }: FlatPath): string =>
  [root, ...segments.map(({ name }) => name)].join('.')

function pathArg(arg: ArgNode | undefined): PathNode | undefined {
  if (arg?.kind === 'path') return arg.path
  if (arg?.kind !== 'text' || arg.quoted || !/^(?:\.|[dc]\.)/.test(arg.text)) return undefined
  try {
    return pathOf(arg.text)
  } catch (error) {
    if (error instanceof SyntaxProblem) return undefined
    throw error
  }
}

class TagInference {
  readonly #inferred: InferredData
  readonly #stored: ReadonlySet<string>

  constructor(inferred: InferredData, stored: ReadonlySet<string>) {
    this.#inferred = inferred
    this.#stored = stored
  }

  /** The shape at the end of a path; undefined for a value that is not part of the caller's data. */
  walk(flat: FlatPath): DataShape | undefined {
    if (flat.root === 'c' && flat.segments[1]?.name === 'now' && flat.segments.length === 2) return undefined
    let shape = flat.root === 'd' ? this.#inferred.d : this.#inferred.c
    const walked: Segment[] = []
    for (const segment of flat.segments) {
      if (segment.name !== '') shape = shape.property(segment.name)
      walked.push({ name: segment.name, selectors: [] })
      if (this.#stored.has(namesOf({ root: flat.root, segments: walked }))) {
        if (segment.name !== '') this.#forget(flat, walked)
        return undefined
      }
      for (const selector of segment.selectors) {
        const array: FlatPath = { root: flat.root, segments: [...walked] }
        shape = this.#select(shape, selector, array)
        const last = walked.pop()!
        walked.push({ name: last.name, selectors: [...last.selectors, selector] })
      }
    }
    return shape
  }

  /** Removes the property that `walk` created for a stored value. */
  #forget({ root }: FlatPath, walked: readonly Segment[]): void {
    let shape: DataShape = root === 'd' ? this.#inferred.d : this.#inferred.c
    const names = walked.map(({ name }) => name).filter((name) => name !== '')
    for (const name of names.slice(0, -1)) shape = shape.properties.get(name) ?? shape
    shape.properties.delete(names.at(-1) ?? '')
  }

  #select(array: DataShape, selector: SelectorNode, path: FlatPath): DataShape {
    const item = array.item()
    for (const { keys, times } of selector.iterators) {
      if (keys.length > 0 && keys[0] !== 'i') along(item, keys)
      if (times !== undefined) along(item, times).is('number')
    }
    for (const filter of selector.filters) this.#filter(item, filter, path)
    return item
  }

  #filter(item: DataShape, { left, operator, right }: FilterNode, path: FlatPath): void {
    if (left.length === 1 && (left[0] === 'i' || left[0] === 'I')) return
    const compared = along(item, left)
    if (!('root' in right)) {
      compared.compared(right.text, right.quoted)
      if (operator !== '=' && operator !== '!=' && !right.quoted) compared.is('number')
      return
    }
    if (right.root === '.' && right.up === 0) {
      along(
        item,
        right.steps.flatMap((step) => (step.kind === 'key' ? [step.name] : [])),
      )
    } else this.#argument(right, path)
  }

  /** A path inside brackets or arguments. */
  #argument(path: PathNode, owner: FlatPath): DataShape | undefined {
    try {
      return this.walk(flatten(path, owner).flat)
    } catch (error) {
      if (error instanceof PathAboveRoot) return undefined // already reported as a problem of the tag
      throw error
    }
  }

  calls(leaf: DataShape, tag: ValueTag): void {
    const owner = ownerOf(tag.flat)
    if (tag.token.shows !== undefined) leaf.is(tag.token.shows)
    let decided = false
    for (const call of tag.calls) {
      if (call.name === 'set') break
      if (!decided) decided = this.#hint(leaf, call)
      const parameters = formatters.get(call.name)?.parameters ?? []
      call.args.forEach((arg, index) => {
        const type = parameters[Math.min(index, parameters.length - 1)]?.type
        this.#arg(arg, owner, type === 'number' || type === 'integer' || type === 'expression')
      })
    }
  }

  /** Records what a formatter implies about its input. Returns whether its output is a different value. */
  #hint(leaf: DataShape, call: CallNode): boolean {
    const { name, args } = call
    const first = args[0]
    if (presence.has(name)) {
      leaf.optional = true
      return false
    }
    if (tests.has(name)) {
      if (first?.kind === 'text') leaf.compared(first.text, first.quoted)
      return false
    }
    if (name === 'arrayJoin' || name === 'arrayMap') leaf.item()
    if (ends.has(name)) return true
    const kind: ValueKind | undefined = kindOf.get(name)
    if (kind === undefined) return false
    leaf.is(kind)
    if (name === 'convEnum' && first?.kind === 'text') {
      leaf.enumeration = first.text
      this.#inferred.enumerations.add(first.text)
    }
    const pattern = kind === 'date' ? args[patternAt.get(name) ?? -1] : undefined
    if (pattern?.kind === 'text' && pattern.text !== '') leaf.pattern = pattern.text
    return true
  }

  #arg(arg: ArgNode, owner: FlatPath, isNumber: boolean): void {
    if (arg.kind === 'path') {
      const shape = this.#argument(arg.path, owner)
      if (isNumber) shape?.is('number')
    } else if (arg.kind === 'sum') {
      for (const item of arg.sum) if (item.kind === 'path') this.#argument(item.path, owner)?.is('number')
    } else if (arg.kind === 'translated') {
      for (let index = 1; index < arg.parts.length; index += 2)
        this.#inferred.translations.add(arg.parts[index]!)
    }
  }
}

function along(from: DataShape, names: readonly string[]): DataShape {
  return names.reduce((shape, name) => shape.property(name), from)
}
