/**
 * A concurrency limit: runs `work` as soon as a slot is free and settles as `work` does. Waiting calls run in
 * order of arrival.
 */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** Creates a concurrency limit with `max` slots. */
export function createTurns(max: number): Turns {
  const waiting: (() => void)[] = []
  let free = max // slots; a slot that passes to a waiting call is never counted as free
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
