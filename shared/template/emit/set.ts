/** Runs `:set` tags: writes values into the private copy of the data. Source: template language 20. */
import { compared, printed } from '../formatters/printed.ts'
import type { PartPlan, SetPlan, TargetStep } from '../plan.ts'
import { property, resolve } from './resolve.ts'
import { type PartState, partState, type RenderState } from './state.ts'
import { argument, evaluate, visit } from './value.ts'

export function runSets(plan: PartPlan, shared: RenderState): void {
  const state = partState(shared, plan)
  for (const set of plan.sets) {
    visit(set.levels, 0, state, () => store(set, state))
    // A later tag sees what this one wrote.
    state.cached.clear()
  }
}

function store({ value, target }: SetPlan, state: PartState): void {
  let object = resolve(target.base, state)
  const stored = copied(evaluate(value, state))
  for (let at = 0; at < target.steps.length; at += 1) {
    if (typeof object !== 'object' || object === null) return
    const step = target.steps[at]!
    const last = at === target.steps.length - 1
    if (step.item === undefined) {
      if (last) write(object, step.name, stored)
      else object = property(object, step.name) ?? write(object, step.name, {})
      continue
    }
    const known = property(object, step.name)
    const list = Array.isArray(known) ? known : (write(object, step.name, []) as unknown[])
    if (step.item.append) {
      if (last) list.push(stored)
      else list.push((object = {}))
      continue
    }
    object = found(list, step.item.match, state)
    if (last && typeof stored === 'object' && stored !== null) Object.assign(object as object, stored)
  }
}

type Match = Extract<NonNullable<TargetStep['item']>, { append: false }>['match']

/** The item whose keys have the wanted values; made when there is none. */
function found(list: unknown[], match: Match, state: PartState): unknown {
  const wanted = match.map(({ key, value }) => ({ key, value: argument(value, state) }))
  const item = list.find((candidate) =>
    wanted.every(({ key, value }) => compared(property(candidate, key)) === compared(value)),
  )
  if (item !== undefined) return item
  const made = {}
  for (const { key, value } of wanted) write(made, key, value)
  list.push(made)
  return made
}

/** An own property, whatever its name: a name that means something to prototypes does not reach them. */
function write(object: object, name: string, value: unknown): unknown {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  return value
}

const copied = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? isData(value)
      ? structuredClone(value)
      : printed(value)
    : value

const isData = (value: object): boolean =>
  Array.isArray(value) ||
  Object.getPrototypeOf(value) === Object.prototype ||
  Object.getPrototypeOf(value) === null
