import { isOutage } from '../errors/outages.ts'
import type { Services } from '../services/services.ts'

/** Pauses between retries double from the first value to the second; retries stop after the third. */
const firstPauseMs = 100
const defaultMaxPauseMs = 5000
const maxRetryMs = 600_000

/**
 * Repeats `work`, which records something that has already happened, while the database or the file store is
 * unavailable. If the record were lost, another worker would repeat the render or the call. Throws the error
 * of `work` when it is not an outage, when the outage has lasted ten minutes, or when the process is
 * stopping.
 */
export async function retryOutages<T>(
  services: Pick<Services, 'clock' | 'lifecycle'>,
  work: () => Promise<T>,
  maxPauseMs = defaultMaxPauseMs,
): Promise<T> {
  const end = services.clock.now() + maxRetryMs
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
    try {
      return await work()
    } catch (error) {
      if (!isOutage(error) || services.lifecycle.stopping || services.clock.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}
