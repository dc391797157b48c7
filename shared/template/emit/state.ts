/** What one render of one part holds while it runs. */

import { newCondition } from '../formatters/condition.ts'
import type { ConditionState, RenderContext, TagState } from '../formatters/formatter.ts'
import type { CompiledPart, Hooks, PartPlan } from '../plan/plan.ts'
import type { RenderScope } from '../scope.ts'

import { Lookups } from './lookup.ts'

/** What the parts of a render share. */
export interface RenderState {
  readonly data: unknown
  readonly complement: unknown
  readonly render: RenderContext
  readonly budget: Budget
  /** Numbers given to ids of copies, by space and original. */
  readonly unique: Map<string, number>
  /** What computed pieces keep. */
  readonly scope: RenderScope
}

/** Counts work and looks at the clock now and then. */
export interface Budget {
  left: number
  readonly limit: number
  readonly signal: AbortSignal | undefined
}

export interface PartState {
  readonly shared: RenderState
  readonly plan: PartPlan
  readonly hooks: Hooks
  readonly items: unknown[]
  readonly index: number[]
  readonly lengths: number[] // of the arrays the items stand in
  /** 0 not judged, 1 true, 2 false. */
  readonly conditions: Uint8Array
  readonly tag: TagState & { condition: ConditionState }
  readonly running: Map<number, RunningTotals>
  readonly cached: Map<number, ReadonlyMap<string, unknown>>
  readonly current: Map<string, string>
  /** While a part is written: the data does not change. Absent while `:set` tags run. */
  readonly lookups: Lookups | undefined
}
export interface RunningTotals {
  readonly totals: Map<string, number>
  readonly seen: Map<string, Set<string>>
}

/** `changes`: the data is being written to, so nothing of it may be remembered. */
export function partState(shared: RenderState, { plan, hooks }: CompiledPart, changes = false): PartState {
  return {
    shared,
    plan,
    hooks,
    items: new Array<unknown>(plan.slots).fill(undefined),
    index: new Array<number>(plan.slots).fill(0),
    lengths: new Array<number>(plan.slots).fill(0),
    conditions: new Uint8Array(plan.conditions.length + plan.flags),
    tag: { render: shared.render, condition: newCondition() },
    running: new Map(),
    cached: new Map(),
    current: new Map(),
    lookups: changes ? undefined : new Lookups(),
  }
}
