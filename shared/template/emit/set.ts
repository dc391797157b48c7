/** Runs `:set` tags, which write values into the render's own copy of the data. Source: template language 20. */
import { setEntry } from '../../entry-of.ts'
import { compared, printed } from '../formatters/printed.ts'
import type { CompiledPart, SetPlan, TargetStep } from '../plan/plan.ts'
import { spend } from './budget.ts'
import { resolve } from './resolve.ts'
import { type Budget, type EmitState, type PartState, partState } from './state.ts'
import { argument, evaluate, visit } from './value.ts'
import { property } from './walk.ts'

/** Runs the `:set` tags of one part in document order, before anything of it is written. */
export function runSets(part: CompiledPart, shared: EmitState): void {
  const state = partState(shared, part, true)
  for (const set of part.plan.sets) {
    const indexes: Indexes = new Map()
    visit(set.levels, 0, state, () => store(set, state, indexes))
    // A later tag sees what this one wrote.
    state.cached.clear()
  }
}

/**
 * Follows the target from object to object, creates what is missing, and writes the value at its end. Nothing is written if a
 * step is not an object.
 */
function store({ value, target }: SetPlan, state: PartState, indexes: Indexes): void {
  let object = resolve(target.base, state)
  const stored = copied(evaluate(value, state), state.shared.budget)
  let searched: Searched | undefined
  for (let index = 0; index < target.steps.length; index += 1) {
    if (typeof object !== 'object' || object === null) return
    const step = target.steps[index]!
    const isLast = index === target.steps.length - 1
    if (step.item === undefined) {
      if (isLast) {
        write(object, step.name, stored)
        if (searched?.item === object) settle(searched, indexes)
      } else object = property(object, step.name) ?? write(object, step.name, {})
      continue
    }
    const existing = property(object, step.name)
    const list = Array.isArray(existing) ? existing : (write(object, step.name, []) as unknown[])
    if (step.item.append) {
      if (isLast) list.push(stored)
      else list.push((object = {}))
      continue
    }
    searched = findOrAdd(list, step.item.match, indexes, state)
    object = searched.item
    if (isLast && typeof stored === 'object' && stored !== null) {
      Object.assign(object as object, stored)
      settle(searched, indexes)
    }
  }
}

type ItemMatch = Extract<NonNullable<TargetStep['item']>, { append: false }>['match']

/** An item that a target selected, with the information needed to detect that its keys change. */
interface Searched {
  readonly list: unknown[]
  readonly match: ItemMatch
  readonly key: string
  readonly item: unknown
}
/** The lists that one tag searches, indexed by the values of their keys. A list whose keys are written is indexed anew. */
type Indexes = Map<unknown[], Map<string, unknown>>

/** The item whose keys have the requested values. It is created if there is none. */
function findOrAdd(list: unknown[], match: ItemMatch, indexes: Indexes, state: PartState): Searched {
  let index = indexes.get(list)
  if (index === undefined) {
    index = new Map()
    for (const item of list) {
      spend(state.shared.budget)
      const key = keyOf(item, match)
      if (!index.has(key)) index.set(key, item)
    }
    indexes.set(list, index)
  }
  const matched = match.map(({ key, value }) => ({ key, value: argument(value, state) }))
  const key = textOf(matched.map(({ value }) => value))
  const item = index.get(key)
  if (item !== undefined) return { list, match, key, item }
  const added = {}
  for (const { key: name, value } of matched) write(added, name, value)
  list.push(added)
  index.set(key, added)
  return { list, match, key, item: added }
}

/** Drops the index of a list if a write has changed the keys of one of its items. */
function settle({ list, match, key, item }: Searched, indexes: Indexes): void {
  if (keyOf(item, match) !== key) indexes.delete(list)
}

const keyOf = (item: unknown, match: ItemMatch): string => textOf(match.map(({ key }) => property(item, key)))
const textOf = (values: readonly unknown[]): string => JSON.stringify(values.map(compared))

/** Writes an own property; the length of an array stays. */
function write(object: object, name: string, value: unknown): unknown {
  if (Array.isArray(object) && name === 'length') return value
  setEntry(object as Record<string, unknown>, name, value)
  return value
}

/** A copy of a value. Storing data in itself doubles it with each tag, so each object copied counts as several steps. */
function copied(value: unknown, budget: Budget, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!isData(value)) return printed(value)
  if (depth >= maxDepth) return undefined
  for (let count = 0; count < stepsForAnObject; count += 1) spend(budget)
  if (Array.isArray(value)) return value.map((item) => copied(item, budget, depth + 1))
  const copy = {}
  for (const [name, member] of Object.entries(value)) write(copy, name, copied(member, budget, depth + 1))
  return copy
}

const stepsForAnObject = 8
/** Nothing is copied below this depth, so that the recursion is bounded. */
const maxDepth = 1000

const isData = (value: object): boolean =>
  Array.isArray(value) ||
  Object.getPrototypeOf(value) === Object.prototype ||
  Object.getPrototypeOf(value) === null
