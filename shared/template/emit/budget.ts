import { AppError } from '../../errors/app-error.ts'
import type { Budget } from './state.ts'

/** Looking at the signal costs more than counting: it is asked once in this many steps. */
const looksEvery = 1024

/** One step of work: a loop body, an item visited. Ends the render when it goes on for too long. */
export function spend(budget: Budget): void {
  budget.left -= 1
  if (budget.left < 0) throw new AppError('template.iterations', { limit: budget.limit })
  if (budget.left % looksEvery === 0 && budget.signal?.aborted === true)
    throw new AppError('template.stopped')
}
