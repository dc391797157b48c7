import { AppError } from '../errors/app-error.ts'
import { toRenderError } from '../errors/problem.ts'
import type { Services } from '../services/services.ts'

export interface Deadline {
  readonly signal: AbortSignal
  readonly at: number // ms since the epoch
}

/**
 * Work of a render, which ends with 'api.render.timeout' at its deadline and 'api.aborted' when the caller leaves. What
 * fails in it is the documented 500 with its cause.
 */
export async function withinDeadline<T>(
  { clock }: Pick<Services, 'clock'>,
  caller: AbortSignal,
  timeoutMs: number,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const at = clock.now() + timeoutMs
  const control = new AbortController()
  const leave = () => control.abort(new AppError('api.aborted'))
  const late = () => control.abort(new AppError('api.render.timeout', { ms: timeoutMs }))
  const timer = setTimeout(late, timeoutMs)
  caller.addEventListener('abort', leave, { once: true })
  if (caller.aborted) leave()
  try {
    return await work({ signal: control.signal, at })
  } catch (error) {
    // What runs beside the part that failed, downloads and other templates, ends with it.
    control.abort(error)
    throw toRenderError(control.signal.reason)
  } finally {
    clearTimeout(timer)
    caller.removeEventListener('abort', leave)
  }
}
