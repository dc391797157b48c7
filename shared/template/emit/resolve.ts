/**
 * Follows paths through the data. Only own properties are read, so that a template cannot reach anything that was not in the
 * JSON. Source: template language 3, 4, 5.
 */
import { printed } from '../formatters/printed.ts'
import type { FilterPlan, PathPlan, StepPlan } from '../plan/plan.ts'
import { indexedFrom } from './lookup.ts'
import type { PartState } from './state.ts'
import { itemsOf, property, walk } from './walk.ts'

/** The value at the end of a path; undefined where it leads nowhere. */
export function resolve(path: PathPlan, state: PartState): unknown {
  const { base } = path
  const start =
    typeof base === 'number' ? state.items[base] : base === 'd' ? state.shared.data : state.shared.complement
  if (path.keys !== undefined) return walk(start, path.keys)
  let value = start
  for (const step of path.steps) {
    if (value === undefined || value === null) return undefined
    value = take(value, step, state)
  }
  return value
}

function take(value: unknown, step: StepPlan, state: PartState): unknown {
  switch (step.kind) {
    case 'key':
      return property(value, step.name)
    case 'at':
      return itemsOf(value)[step.index]
    case 'parallel':
      return itemsOf(value)[state.index[step.slot] ?? 0]
    case 'find': {
      const items = state.lookups?.itemsOf(value) ?? itemsOf(value)
      const [filter] = step.filters
      const isSingle = filter?.left !== undefined && step.filters.length === 1
      if (state.lookups !== undefined && items.length >= indexedFrom && isSingle) {
        const compared = comparedValue(filter, state)
        if (compared !== undefined) return items[state.lookups.find(items, filter.left, compared.value)]
      }
      for (let index = 0; index < items.length; index += 1) {
        if (passes(step.filters, items[index], index, items.length, state)) return items[index]
      }
      return undefined
    }
    default:
      return step satisfies never
  }
}

/** The value that a filter compares an attribute with for equality, if it is the same for all items; undefined otherwise. */
function comparedValue(
  { left, operator, right }: FilterPlan,
  state: PartState,
): { readonly value: unknown } | undefined {
  if (left === undefined || operator !== '=' || right.kind === 'item') return undefined
  if (right.kind === 'path') return { value: resolve(right.path, state) }
  const isWord =
    /^(?:true|false)$/.test(right.text) || (!right.quoted && /^(?:null|undefined)$/.test(right.text))
  return isWord ? undefined : { value: right.number ?? right.text }
}

/** Whether an item passes all filters. `index` is its position in a list of `length` items, for filters on the index. */
export function passes(
  filters: readonly FilterPlan[],
  item: unknown,
  index: number,
  length: number,
  state: PartState,
): boolean {
  for (const filter of filters) if (!passesOne(filter, item, index, length, state)) return false
  return true
}

function passesOne(
  { left, operator, right }: FilterPlan,
  item: unknown,
  index: number,
  length: number,
  state: PartState,
): boolean {
  if (left === undefined) return indexPasses(operator, right, item, index, length, state)
  if (item === null || item === undefined) return false
  const value = walk(item, left)
  let operand: unknown
  if (right.kind === 'constant') {
    if (!right.quoted && (right.text === 'true' || right.text === 'false')) {
      return compare(value === null || value === undefined ? value : printed(value), operator, right.text)
    }
    // A quoted 'true' is a text and equals no boolean. An unquoted number or text is compared loosely.
    if (right.quoted && (right.text === 'true' || right.text === 'false') && typeof value === 'boolean') {
      return operator === '!='
    }
    // [x!=''] selects values that are not empty. A missing value is empty.
    if (right.text === '' && operator === '!=' && (value === null || value === undefined)) return false
    if (!right.quoted && (right.text === 'null' || right.text === 'undefined')) operand = null
    else operand = right.number ?? right.text
  } else if (right.kind === 'item') operand = walk(item, right.keys)
  else operand = resolve(right.path, state)
  return compare(value, operator, operand)
}

/** Compares the index of an item. A negative bound counts from the end: [i=-1] is the last item. */
function indexPasses(
  operator: FilterPlan['operator'],
  right: FilterPlan['right'],
  item: unknown,
  index: number,
  length: number,
  state: PartState,
): boolean {
  const raw =
    right.kind === 'constant'
      ? right.text
      : right.kind === 'item'
        ? walk(item, right.keys)
        : resolve(right.path, state)
  let bound = typeof raw === 'number' ? raw : Number.parseInt(String(raw), 10)
  if (bound < 0) bound += length
  return compare(index, operator, bound)
}

/** Compares loosely, as JavaScript does: a number equals its text. Objects are compared as text, so no method is called. */
function compare(value: unknown, operator: FilterPlan['operator'], operand: unknown): boolean {
  const a = primitive(value)
  const b = primitive(operand)
  switch (operator) {
    case '=':
      return looselyEqual(a, b)
    case '!=':
      return !looselyEqual(a, b)
    case '>':
      return relational(a, b, (x, y) => x > y)
    case '<':
      return relational(a, b, (x, y) => x < y)
    case '>=':
      return relational(a, b, (x, y) => x >= y)
    case '<=':
      return relational(a, b, (x, y) => x <= y)
    default:
      return operator satisfies never
  }
}

/** A value that can be compared without calling a method of the data. */
type Primitive = string | number | boolean | null | undefined

const primitive = (value: unknown): Primitive =>
  typeof value === 'object' && value !== null ? printed(value) : (value as Primitive)

function looselyEqual(a: Primitive, b: Primitive): boolean {
  if (a === b) return true
  if (a === null || a === undefined) return b === null || b === undefined
  if (b === null || b === undefined || typeof a === typeof b) return false
  return Number(a) === Number(b) && a !== '' && b !== ''
}

function relational(
  a: Primitive,
  b: Primitive,
  holds: (x: number | string, y: number | string) => boolean,
): boolean {
  if (a === null || a === undefined || b === null || b === undefined) return false
  return typeof a === 'string' && typeof b === 'string' ? holds(a, b) : holds(Number(a), Number(b))
}
