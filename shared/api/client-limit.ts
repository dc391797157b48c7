import { AppError } from '../errors/app-error.ts'

/**
 * Lets each client have `most` calls in work at once; what is more is refused at once with 'api.too-many'. Counted in
 * this process. A call of nobody knows whom passes.
 */
export function createClientLimit(most: number | undefined) {
  const open = new Map<string, number>()
  return async function limited<T>(client: string | undefined, run: () => Promise<T>): Promise<T> {
    if (most === undefined || client === undefined) return run()
    const count = open.get(client) ?? 0
    if (count >= most) throw new AppError('api.too-many')
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
