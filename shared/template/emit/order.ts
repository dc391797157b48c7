/** Sorted and grouped loops. Source: template language 11.8. */
import { printed } from '../formatters/printed.ts'
import type { LoopPlan } from '../plan/plan.ts'
import type { PartState } from './state.ts'
import { walk } from './walk.ts'
import { isWritten } from './written.ts'

/** The indexes of the items to write, in order: filtered, sorted, and one for each distinct key in grouped loops. */
export function arrange(plan: LoopPlan, items: readonly unknown[], state: PartState): number[] {
  const ordered: { at: number; keys: unknown[] }[] = []
  for (let index = 0; index < items.length; index += 1) {
    state.items[plan.slot] = items[index]
    state.index[plan.slot] = index
    if (!isWritten(plan, items[index], index, items.length, state)) continue
    ordered.push({ at: index, keys: plan.sort.map((names) => walk(items[index], names)) })
  }
  ordered.sort((a, b) => {
    for (let n = 0; n < a.keys.length; n += 1) {
      const order = compare(a.keys[n], b.keys[n])
      if (order !== 0) return order
    }
    return a.at - b.at
  })
  if (!plan.distinct) return ordered.map(({ at }) => at)
  const usedKeys = new Set<string>()
  return ordered.flatMap(({ at, keys }) => {
    const key = JSON.stringify(keys.map((value) => (value === undefined ? null : printed(value))))
    if (usedKeys.has(key)) return []
    usedKeys.add(key)
    return [at]
  })
}

/** Orders numbers by size, texts by code unit, null as 0, and missing values last. */
function compare(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
  const x = primitive(a)
  const y = primitive(b)
  if (typeof x === 'string' && typeof y === 'string') return x < y ? -1 : x > y ? 1 : 0
  const left = Number(x)
  const right = Number(y)
  return left < right ? -1 : left > right ? 1 : 0
}

const primitive = (value: unknown): string | number | boolean =>
  value === null ? 0 : typeof value === 'object' ? printed(value) : (value as string | number | boolean)
