import { AppError } from '../errors/app-error.ts'
import type { Outbound, OutboundResponse } from '../ports/index.ts'
import type { WebhookTarget } from './target.ts'

const timeoutMs = 16_000
const pauseMs = 2000
const longestPauseMs = 30_000
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
 * POSTs a notice to its webhook; again, with the same body and headers, after one of the failures that may pass
 * (specification 6): once, unless `retries` says otherwise. The first retry comes after two seconds or when the other
 * side wishes, each further one after about twice the time. Returns whether the other side took it; never throws, except
 * when `signal` fires.
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

/** Doubles, with up to a half taken off, so that many who failed together do not come back together. */
function backOff(retry: number): number {
  return Math.min(pauseMs * 2 ** retry, longestPauseMs) * (1 - Math.random() / 2)
}

interface Attempt {
  readonly delivered: boolean
  readonly because: string
  readonly retryAfterMs?: number
}

async function attempt(
  outbound: Outbound,
  { url, headers }: WebhookTarget,
  notice: string,
  signal: AbortSignal,
): Promise<Attempt> {
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
    return judge(response)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof AppError)) throw error
    // The other side has answered, only at greater length than anyone reads.
    if (error.code === 'net.too-large') return { delivered: true, because: error.code }
    const passes =
      error.code === 'net.timeout' ||
      (error.code === 'net.failed' && retriedReasons.has(String(error.details['reason'])))
    return { delivered: false, because: error.code, ...(passes ? { retryAfterMs: pauseMs } : {}) }
  }
}

function judge({ status, headers }: OutboundResponse): Attempt {
  if (status < 300) return { delivered: true, because: String(status) }
  if (!retriedStatuses.has(status)) return { delivered: false, because: String(status) }
  const asked = Number(headers['retry-after'] ?? Number.NaN) * 1000
  const retryAfterMs = asked >= 0 ? Math.min(asked, longestPauseMs) : pauseMs
  return { delivered: false, because: String(status), retryAfterMs }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave)
      resolve()
    }, ms)
    signal.addEventListener('abort', leave, { once: true })
  })
}
