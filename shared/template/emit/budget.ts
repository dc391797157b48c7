import { AppError } from '../../errors/app-error.ts'
import type { Budget } from './state.ts'

/** Reading the signal is more expensive than counting, so it is read only once in this many steps. */
const signalInterval = 1024

/** Counts one step of work: a loop body, or an item visited. Throws if the render has used up its steps or was stopped. */
export function spend(budget: Budget): void {
  budget.left -= 1
  if (budget.left < 0) throw new AppError('template.iterations', { limit: budget.limit })
  if (budget.left % signalInterval === 0 && budget.signal?.aborted === true)
    throw new AppError('template.stopped')
}
