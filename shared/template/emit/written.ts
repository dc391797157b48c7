import type { LoopPlan } from '../plan/plan.ts'
import { passes } from './resolve.ts'
import type { PartState } from './state.ts'

/** Whether an item of a loop is written: it passes the loop's filters, and at least one tag of the block is shown. */
export function isWritten(
  plan: Pick<LoopPlan, 'filters' | 'shown'>,
  item: unknown,
  index: number,
  length: number,
  state: PartState,
): boolean {
  if (plan.filters.length > 0 && !passes(plan.filters, item, index, length, state)) return false
  return plan.shown === undefined || plan.shown.some((filters) => passes(filters, item, index, length, state))
}
