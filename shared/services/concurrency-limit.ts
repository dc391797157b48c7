import { createFairLine } from '../fair-line.ts'
import type { Client } from '../plugin/values.ts'

/**
 * A concurrency limit: runs `work` as soon as a slot is free and settles as `work` does. Waiting calls of different
 * accounts take turns; those of one account run in order of arrival.
 */
export type ConcurrencyLimit = <T>(work: () => Promise<T>, client?: Client) => Promise<T>

/** Creates a concurrency limit with `max` slots. */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const waiting = createFairLine<() => void>()
  let freeSlots = max // slots; a slot that passes to a waiting call is never counted as free
  return async (work, client) => {
    if (freeSlots > 0) freeSlots--
    else await new Promise<void>((resolve) => waiting.add(resolve, client))
    try {
      return await work()
    } finally {
      const resume = waiting.take()
      if (resume === undefined) freeSlots++
      else resume()
    }
  }
}
