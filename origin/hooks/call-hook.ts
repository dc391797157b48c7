import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError } from '../../shared/errors/app-error.ts'

/** A function of an operator: it takes a callback `(error, value)` last, or returns a promise, or simply returns. */
// biome-ignore lint/suspicious/noExplicitAny: what operators write is checked when it is called
export type Hook = (...args: any[]) => unknown

interface Running {
  fail(error: unknown): void
}
const running = new AsyncLocalStorage<Running>()

/**
 * Calls a hook and waits for its end, but no longer than `timeoutMs`. The first end counts. Throws 'hook.slow', what
 * `refusalOf` makes of an error with a status between 400 and 499, and 'hook.failed' for any other.
 */
export async function callHook(
  name: string,
  hook: Hook,
  args: readonly unknown[],
  timeoutMs: number,
): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await new Promise<unknown>((resolve, reject) => {
      const fail = (error: unknown) => reject(refusalOf(error) ?? failed(name, error))
      timer = setTimeout(() => reject(new AppError('hook.slow', { hook: name })), timeoutMs)
      running.run({ fail }, () => {
        const callback = (error?: unknown, value?: unknown) =>
          error === undefined || error === null ? resolve(value) : fail(error)
        const takesCallback = hook.length > args.length
        try {
          const given = hook(...args, callback)
          // One that takes a callback has not ended when it returns, nor when it promised nothing.
          if (isThenable(given))
            given.then((value) => {
              if (value !== undefined || !takesCallback) resolve(value)
            }, fail)
          else if (!takesCallback) resolve(given)
        } catch (error) {
          fail(error)
        }
      })
    })
  } finally {
    clearTimeout(timer)
  }
}

function failed(name: string, cause: unknown): AppError {
  return new AppError('hook.failed', { hook: name }, { cause })
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

const longestWords = 300

/**
 * An error with `statusCode` (or `status`) 4xx is a refusal in the operator's own words, which the caller gets to read.
 * undefined: a failure, of which nobody outside hears more than that.
 */
export function refusalOf(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  const { statusCode, status = statusCode, message } = Object(error) as Record<string, unknown>
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined
  const code = `hook.refused.${refusals.includes(status) ? status : 400}` as 'hook.refused.400'
  const because = String(message ?? '')
    .replace(/[\u0000-\u0020\u007f]+/g, ' ')
    .trim()
    .slice(0, longestWords)
  return new AppError(code, { because: because === '' ? 'Refused.' : because }, { cause: error })
}
const refusals = [400, 401, 402, 403, 404, 409, 413, 422, 429]

let guards = 0

/**
 * What a hook throws after it has returned, in a callback of its own, would end the process: it ends the hook instead.
 * Returns what takes that back. Errors of anything else end the process as before.
 */
export function guardProcess(): () => void {
  if (guards++ === 0) process.on('uncaughtException', caught)
  return () => {
    if (--guards === 0) process.off('uncaughtException', caught)
  }
}
function caught(error: unknown): void {
  const hook = running.getStore()
  if (hook !== undefined) {
    hook.fail(error)
    return
  }
  if (process.listenerCount('uncaughtException') > 1) return
  console.error(error)
  process.exit(1)
}
