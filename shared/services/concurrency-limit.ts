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
  let free = max // slots; a slot that passes to a waiting call is never counted as free
  return async (work, client) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.add(resolve, client))
    try {
      return await work()
    } finally {
      const next = waiting.take()
      if (next === undefined) free++
      else next()
    }
  }
}
