import { AppError } from '../errors/app-error.ts'
import type { Outbound, OutboundResponse } from '../ports/index.ts'
import type { WebhookTarget } from './target.ts'

/** Time allowed for one call, redirects included. */
const timeoutMs = 16_000
/** The pause before the first retry, from which the others double up to `maxPauseMs`. */
const pauseMs = 2000
/** A `retry-after` header above this is shortened to it, because the job is held while it waits. */
const maxPauseMs = 30_000
/** Statuses and system error codes after which a retry may succeed. */
const retriedStatuses = new Set([408, 429, 502, 503, 504, 521, 522, 524])
const retriedReasons = new Set([
  'ETIMEDOUT',
  'ECONNRESET',
  'EADDRINUSE',
  'ECONNREFUSED',
  'EPIPE',
  'ENOTFOUND',
  'ENETUNREACH',
  'EAI_AGAIN',
])

/**
 * POSTs a notice to its webhook. After a failure that may pass (specification 6) it sends the same body and
 * headers again, up to `retries` times, once by default. The first retry follows after two seconds or after
 * the `retry-after` time of the receiver, each further one after about twice as long. Returns whether the
 * receiver accepted the notice, with the status or error code as `because`. Throws only when `signal` aborts
 * or for an unexpected error.
 */
export async function deliver(
  outbound: Outbound,
  target: WebhookTarget,
  notice: string,
  options: { readonly signal: AbortSignal; readonly retries?: number },
): Promise<{ readonly delivered: boolean; readonly because: string }> {
  const { signal, retries = 1 } = options
  for (let retry = 0; ; retry++) {
    const { retryAfterMs, ...outcome } = await attempt(outbound, target, notice, signal)
    if (retryAfterMs === undefined || retry >= retries) return outcome
    await pause(retry === 0 ? retryAfterMs : Math.max(retryAfterMs, backOff(retry)), signal)
  }
}

/**
 * The pause before a further retry, in ms. Up to half of it is removed at random, to spread calls that failed
 * together.
 */
function backOff(retry: number): number {
  return Math.min(pauseMs * 2 ** retry, maxPauseMs) * (1 - Math.random() / 2)
}

/** The outcome of one call. `retryAfterMs` is set when a retry may succeed. */
interface DeliveryAttempt {
  readonly delivered: boolean
  readonly because: string
  readonly retryAfterMs?: number
}

async function attempt(
  outbound: Outbound,
  { url, headers }: WebhookTarget,
  notice: string,
  signal: AbortSignal,
): Promise<DeliveryAttempt> {
  try {
    const response = await outbound.fetch({
      url,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: new TextEncoder().encode(notice),
      timeoutMs,
      maxBytes: 1_048_576,
      maxRedirects: 10,
      signal,
    })
    return outcomeOf(response)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof AppError)) throw error
    // The receiver has answered. Only its body, which is not used, is too large.
    if (error.code === 'net.too-large') return { delivered: true, because: error.code }
    const transient =
      error.code === 'net.timeout' ||
      (error.code === 'net.failed' && retriedReasons.has(String(error.details['reason'])))
    return { delivered: false, because: error.code, ...(transient ? { retryAfterMs: pauseMs } : {}) }
  }
}

/** Redirects that name a location are followed before, so a status below 300 is success. */
function outcomeOf({ status, headers }: OutboundResponse): DeliveryAttempt {
  if (status < 300) return { delivered: true, because: String(status) }
  if (!retriedStatuses.has(status)) return { delivered: false, because: String(status) }
  const requestedMs = Number(headers['retry-after'] ?? Number.NaN) * 1000
  const retryAfterMs = requestedMs >= 0 ? Math.min(requestedMs, maxPauseMs) : pauseMs
  return { delivered: false, because: String(status), retryAfterMs }
}

/** Resolves after `ms`; rejects with the reason of `signal` when it aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', cancel)
      resolve()
    }, ms)
    signal.addEventListener('abort', cancel, { once: true })
  })
}
