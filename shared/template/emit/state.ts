/** The state of a render: what all parts share, and what belongs to the part that is being written. */

import { newCondition } from '../formatters/condition.ts'
import type { ConditionState, RenderContext, TagState } from '../formatters/formatter.ts'
import type { CompiledPart, PartPlan, PlanHooks } from '../plan/plan.ts'
import type { RenderScope } from '../scope.ts'

import { Lookups } from './lookup.ts'

/** The state that the parts of a render share. */
export interface EmitState {
  readonly data: unknown
  readonly complement: unknown
  readonly render: RenderContext
  readonly budget: Budget
  /** How many copies of an id have been written, by space and original, and the highest number given in each space. */
  readonly unique: Map<string, number>
  /** Values of computed tokens. */
  readonly scope: RenderScope
}

/** The steps that a render may still take. */
export interface Budget {
  left: number
  readonly limit: number
  readonly signal: AbortSignal | undefined
}

/** The state of one part. Loops keep their current item under their slot. */
export interface PartState {
  readonly shared: EmitState
  readonly plan: PartPlan
  readonly hooks: PlanHooks
  readonly items: unknown[]
  readonly index: number[]
  readonly lengths: number[] // of the arrays that contain the items
  /** Conditions, and after them flags: 0 not evaluated, 1 true, 2 false. A loop clears those of its block for each item. */
  readonly conditions: Uint8Array
  readonly tag: TagState & { condition: ConditionState }
  readonly running: Map<number, RunningTotals>
  readonly cached: Map<number, ReadonlyMap<string, unknown>>
  /** The value that the last copy of an id took, for attributes that repeat it. */
  readonly current: Map<string, string>
  /** Indexes of long lists. Absent while `:set` tags run, because the data changes. */
  readonly lookups: Lookups | undefined
}
/** The totals of one running formatter so far, by the group of its row. */
export interface RunningTotals {
  readonly totals: Map<string, number>
  readonly distinct: Map<string, Set<string>>
}

/** `changes`: the data is being written to, so nothing of it may be remembered. */
export function partState(shared: EmitState, { plan, hooks }: CompiledPart, changes = false): PartState {
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

/** A hook that the plan names by its number. */
export function hookOf<Hook>(hooks: readonly Hook[], id: number): Hook {
  const hook = hooks[id]
  if (hook === undefined) throw new Error(`A plan has no hook ${id}.`)
  return hook
}
