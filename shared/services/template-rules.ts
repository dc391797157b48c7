import { AppError } from '../errors/app-error.ts'

/** From this value up, deployedAt means "now" (specification 2.1). */
export const deployNow = 42_000_000_000

/**
 * A caller's deployedAt in seconds: "now" is resolved, the future refused. 0 means "keep it without deploying it".
 * Throws 'api.metadata'.
 */
export function checkDeployedAt(value: number, now: number): number {
  if (value >= deployNow) return now
  if (value > now)
    throw new AppError('api.metadata', {
      issue: `"deployedAt" must not be in the future; a value >= ${deployNow} means now`,
    })
  return value
}
