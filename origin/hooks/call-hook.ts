import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError } from '../../shared/errors/app-error.ts'
import { shownText } from '../../shared/plugin/plugin-error.ts'

/**
 * A function of the operator. It takes a callback `(error, value)` as its last argument, or returns a promise
 * or a value.
 */
// biome-ignore lint/suspicious/noExplicitAny: what operators write is checked when it is called
export type HookFunction = (...args: any[]) => unknown

/** Which hook of which plugin, for errors and the log. */
export interface HookName {
  readonly plugin: string // its id
  readonly hook: string
}

interface Running {
  fail(error: unknown): void
}
/** The hook that the current asynchronous context belongs to, for `guardProcess`. */
const running = new AsyncLocalStorage<Running>()

/**
 * Calls a hook and waits for its result, for at most `timeoutMs`. If it reports several results, the first
 * one counts. Throws 'hook.slow', the refusal (see `refusalOf`) for an error with a status from 400 to 499,
 * and 'hook.failed' for any other error.
 */
export async function callHook(
  name: HookName,
  hook: HookFunction,
  args: readonly unknown[],
  timeoutMs: number,
): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await new Promise<unknown>((resolve, reject) => {
      const fail = (error: unknown) => reject(refusalOf(error) ?? failed(name, error))
      timer = setTimeout(() => reject(new AppError('hook.slow', { ...name })), timeoutMs)
      running.run({ fail }, () => {
        const callback = (error?: unknown, value?: unknown) =>
          error === undefined || error === null ? resolve(value) : fail(error)
        const takesCallback = hook.length > args.length
        try {
          const returned = hook(...args, callback)
          // A hook that takes a callback ends with the callback, or with a promise of a value. Returning, or
          // a promise of undefined, does not end it: async functions may also use the callback.
          if (isThenable(returned))
            returned.then((value) => {
              if (value !== undefined || !takesCallback) resolve(value)
            }, fail)
          else if (!takesCallback) resolve(returned)
        } catch (error) {
          fail(error)
        }
      })
    })
  } finally {
    clearTimeout(timer)
  }
}

function failed(name: HookName, cause: unknown): AppError {
  return new AppError('hook.failed', { ...name }, { cause })
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

/**
 * The refusal that an error of a hook stands for: one with a `statusCode` or `status` from 400 to 499, whose
 * message is sent to the caller. Undefined for any other error, whose message is not sent.
 */
function refusalOf(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  const { statusCode, status = statusCode, message } = Object(error) as Record<string, unknown>
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined
  const code = `hook.refused.${refusals.includes(status) ? status : 400}` as 'hook.refused.400'
  return new AppError(code, { because: shownText(message) }, { cause: error })
}
/** The statuses that refusals keep. Others become 400. */
const refusals = [400, 401, 402, 403, 404, 409, 413, 422, 429]

/** How many guards are active; one listener serves all of them. */
let guards = 0

/**
 * Keeps the process alive when a hook throws in an asynchronous callback after it has returned: the hook
 * fails with that error instead. Uncaught errors outside of hooks still end the process. Returns a function
 * that removes the guard.
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
