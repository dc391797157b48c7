import { AppError } from '../errors/app-error.ts'

/**
 * Limits each client to `maxCalls` concurrent calls, counted in this process. Further calls fail immediately
 * with 'api.too-many'. Calls whose client is unknown are not limited.
 */
export function createClientLimit(maxCalls: number | undefined) {
  const open = new Map<string, number>()
  return async function limited<T>(client: string | undefined, run: () => Promise<T>): Promise<T> {
    if (maxCalls === undefined || client === undefined) return run()
    const count = open.get(client) ?? 0
    if (count >= maxCalls) throw new AppError('api.too-many')
    open.set(client, count + 1)
    try {
      return await run()
    } finally {
      const left = open.get(client)! - 1
      if (left === 0) open.delete(client)
      else open.set(client, left)
    }
  }
}
