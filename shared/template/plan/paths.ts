/** Compiles a flat path into one that a render follows: from a loop's item, or from the data. */
import {
  type EnclosingLoop,
  type FlatPath,
  flatten,
  isIterator,
  isSilent,
  keyOf,
  type Segment,
} from '../bind/paths.ts'
import type { FilterNode, SelectorNode } from '../parse/ast.ts'
import type { FilterPlan, PathPlan, StepPlan } from './plan.ts'

/** The context in which a path is compiled. */
export interface PathContext {
  /** Loops around the tag, outermost first. */
  readonly loops: readonly EnclosingLoop[]
  /** The slot of the loop whose index `.i` means at this number of dots. */
  indexSlot(dots: number): number | undefined
  /** The object that relative operands inside brackets of an argument start from; absent in a tag's own path. */
  readonly argumentOwner?: FlatPath
}

/** Compiles a path. Brackets with an iterator that no loop runs over pick the first item that passes. */
export function compilePath(flat: FlatPath, scope: PathContext): PathPlan {
  let base: PathPlan['base'] = flat.root
  let steps: StepPlan[] = []
  const walked: Segment[] = []
  for (const segment of flat.segments) {
    if (segment.name !== '') steps.push({ kind: 'key', name: segment.name })
    const preceding = { name: segment.name, selectors: [] as SelectorNode[] }
    for (const selector of segment.selectors) {
      const array: FlatPath = {
        root: flat.root,
        segments: [...walked, { name: preceding.name, selectors: [...preceding.selectors] }],
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
      preceding.selectors.push(selector)
    }
    walked.push({ name: segment.name, selectors: preceding.selectors })
  }
  const keys = steps.flatMap((step) => (step.kind === 'key' ? [step.name] : []))
  return { base, steps, ...(keys.length === steps.length ? { keys } : {}) }
}

function slotOf(loops: readonly EnclosingLoop[], key: string): number | undefined {
  return loops.findLast((loop) => loop.key === key)?.slot
}

/** `array`: the path to the array whose items the filters test. */
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
