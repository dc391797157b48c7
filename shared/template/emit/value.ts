/** Evaluates the value of a tag: its path, its chain of formatters, its aggregate. */
import { reducers } from '../formatters/aggregate.ts'
import { isMissing, toNumber } from '../formatters/coerce.ts'
import { Markup } from '../formatters/formatter.ts'
import { translate } from '../formatters/lookup.ts'
import { printed } from '../formatters/printed.ts'
import type { AggregatePlan, ArgPlan, CallPlan, LevelPlan, SumPlan, ValuePlan } from '../plan/plan.ts'
import { spend } from './budget.ts'
import { exactSum } from './exact-sum.ts'
import { passes, resolve } from './resolve.ts'
import { hookOf, type PartState } from './state.ts'
import { itemsOf } from './walk.ts'

/** Evaluates an entire tag, starting without a decided condition. */
export function evaluate(plan: ValuePlan, state: PartState): unknown {
  let value = plan.aggregate === undefined ? resolve(plan.path, state) : aggregate(plan.aggregate, state)
  if (plan.calls.length === 0) return value
  resetCondition(state)
  value = runCalls(plan.calls, value, state)
  return value
}

/** Resets the state before a tag: no condition and no currency. */
export function resetCondition(state: PartState): void {
  const { condition } = state.tag
  condition.result = undefined
  condition.operator = 'or'
  condition.decided = false
  condition.stopped = false
  if (state.tag.currency !== undefined) delete state.tag.currency
}

/**
 * Runs a chain of formatters on a value. Formatters after a decided condition are skipped where the condition governs
 * them.
 */
export function runCalls(calls: readonly CallPlan[], value: unknown, state: PartState): unknown {
  const { tag } = state
  // Iterates by index, as `emit` does.
  for (let index = 0; index < calls.length; index += 1) {
    const call = calls[index]!
    if (tag.condition.stopped) break
    if (call.conditional && tag.condition.decided) continue
    if (call.running !== undefined) value = runningValue(call, call.running, value, state)
    else {
      const formatter = hookOf(state.hooks.formatters, call.hook)
      value = formatter.run(value, call.constants ?? argumentsOf(call.args, state), tag)
    }
  }
  return value
}

function argumentsOf(args: readonly ArgPlan[], state: PartState): unknown[] {
  const values = new Array<unknown>(args.length)
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index]
    if (arg !== undefined) values[index] = argument(arg, state)
  }
  return values
}

/** The value of an argument. A path that leads nowhere gives an empty text. */
export function argument(arg: ArgPlan, state: PartState): unknown {
  switch (arg.kind) {
    case 'constant':
      return arg.value
    case 'path':
      return resolve(arg.path, state) ?? ''
    case 'index':
      return state.index[arg.slot]
    case 'translated':
      return arg.parts
        .map((part, index) => (index % 2 === 0 ? part : translate(part, state.shared.render)))
        .join('')
    case 'sum':
      return (
        (state.shared.render.highPrecision ? exactSum(arg.items, state) : undefined) ?? sum(arg.items, state)
      )
    default:
      return arg satisfies never
  }
}

/** Computes the operators of an argument, which come in postfix order. */
function sum(items: readonly SumPlan[], state: PartState): number {
  const stack: number[] = []
  for (const item of items) {
    if (item.kind === 'number') stack.push(item.value)
    else if (item.kind === 'path') stack.push(toNumber(resolve(item.path, state)))
    else if (item.kind === 'index') stack.push(state.index[item.slot] ?? 0)
    else {
      // The parser guarantees an operand for every operator.
      const right = stack.pop() ?? Number.NaN
      if (item.operator === 'minus') stack.push(-right)
      else stack.push(operate(item.operator, stack.pop() ?? Number.NaN, right))
    }
  }
  return stack[0] ?? Number.NaN
}

function operate(operator: '+' | '-' | '*' | '/', left: number, right: number): number {
  if (operator === '+') return left + right
  if (operator === '-') return left - right
  return operator === '*' ? left * right : left / right
}

/** The next value of a running total, which continues from one printed row to the next. */
function runningValue(call: CallPlan, running: number, value: unknown, state: PartState): unknown {
  let runningTotals = state.running.get(running)
  if (runningTotals === undefined) {
    runningTotals = { totals: new Map(), distinct: new Map() }
    state.running.set(running, runningTotals)
  }
  const { formatter: name } = call
  if (name === 'count') {
    const start = Number.parseInt(String(call.args[0] === undefined ? 1 : argument(call.args[0], state)), 10)
    const next = (runningTotals.totals.get('') ?? (Number.isNaN(start) ? 1 : start) - 1) + 1
    runningTotals.totals.set('', next)
    return next
  }
  const key = keyOf(
    call.args.filter((arg) => arg.kind !== 'constant'),
    state,
  )
  if (name === 'cumCountD') {
    let distinct = runningTotals.distinct.get(key)
    if (distinct === undefined) runningTotals.distinct.set(key, (distinct = new Set()))
    if (!isMissing(value)) distinct.add(printed(value))
    return distinct.size
  }
  const number = name === 'cumCount' ? 1 : isMissing(value) ? 0 : toNumber(value)
  const total = (runningTotals.totals.get(key) ?? 0) + (Number.isNaN(number) ? 0 : number)
  runningTotals.totals.set(key, total)
  return total
}

/** Joins the printed values of arguments into a key that is unique for each combination of values. */
function keyOf(args: readonly ArgPlan[], state: PartState): string {
  return args.length === 0 ? '' : JSON.stringify(args.map((arg) => printed(argument(arg, state))))
}

/**
 * The result of an aggregate for the group of the current row. All groups are computed at once and kept while their
 * outer loops stay on their items.
 */
function aggregate(plan: AggregatePlan, state: PartState): unknown {
  const reducer = reducers.get(plan.name)!
  const key = keyOf(plan.current, state)
  let results = plan.cache === undefined ? undefined : state.cached.get(plan.cache)
  if (results === undefined) {
    const items: { value: unknown; key: string }[] = []
    visit(plan.levels, 0, state, () => {
      let value = resolve(plan.item, state)
      if (plan.before.length > 0) {
        resetCondition(state)
        value = runCalls(plan.before, value, state)
      }
      items.push({ value, key: keyOf(plan.keys, state) })
    })
    const separator = plan.separator === undefined ? undefined : printed(argument(plan.separator, state))
    results = reducer.running ? new Map() : reducer.reduce(items, separator)
    if (plan.cache !== undefined) state.cached.set(plan.cache, results)
  }
  return results.has(key) ? results.get(key) : reducer.empty
}

/** Calls `visitItem` for each item of the innermost level, with the slots of all levels set. `depth`: the level to visit. */
export function visit(
  levels: readonly LevelPlan[],
  depth: number,
  state: PartState,
  visitItem: () => void,
): void {
  const level = levels[depth]
  if (level === undefined) {
    visitItem()
    return
  }
  const items = itemsOf(resolve(level.source, state))
  for (let index = 0; index < items.length; index += 1) {
    spend(state.shared.budget)
    if (!passes(level.filters, items[index], index, items.length, state)) continue
    state.items[level.slot] = items[index]
    state.index[level.slot] = index
    visit(levels, depth + 1, state, visitItem)
  }
}

/** Converts a value to text. Markup is returned unchanged. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value instanceof Markup ? value.markup : printed(value)
}
