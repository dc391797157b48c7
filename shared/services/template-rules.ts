import { AppError } from '../errors/app-error.ts'

/** A `deployedAt` of at least this value means "now" (specification 2.1). */
export const deployNow = 42_000_000_000

/**
 * Returns the `deployedAt` to store, in seconds, for the one that the caller sent. 0 means "store without
 * deploying".
 * Throws 'api.metadata' for a time in the future.
 */
export function checkDeployedAt(value: number, now: number): number {
  if (value >= deployNow) return now
  if (value > now)
    throw new AppError('api.metadata', {
      issue: `"deployedAt" must not be in the future; a value >= ${deployNow} means now`,
    })
  return value
}
