/** Sends requests, again where that is safe. Web standards only. */
import { ConnectionError, errorOfAnswer, type PlatenError } from './errors.ts'

export interface PlatenOptions {
  /** The address of the service, such as `https://documents.example.org`. */
  readonly url: string | URL
  /** The token, or what gets one; it is asked before each attempt. */
  readonly token?: string | (() => string | Promise<string>) | undefined
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How often a call is sent again after a failure that may pass. Default: 3. */
  readonly retries?: number | undefined
  /** The longest pause between attempts, in ms. A service that asks for more ends the retries. Default: 30,000. */
  readonly maxPauseMs?: number | undefined
  /** In place of the global `fetch`: a service binding of a Worker, a proxy, a test. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Whether streams are sent as they come. Default: where the runtime can, which browsers cannot. */
  readonly streams?: boolean | undefined
}

export interface CallOptions {
  /** Ends the call and its retries. */
  readonly signal?: AbortSignal | undefined
  /** Headers of this call, over those of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface MakingOptions extends CallOptions {
  /**
   * The `idempotency-key` of a call that makes something, 1 to 255 visible characters: for 24 hours the service makes it
   * once, however often the call is sent, also by another process. Default: a new one, for the retries of this call.
   */
  readonly idempotencyKey?: string | undefined
}

/** A body that can be made for each attempt anew, or, as a stream, only once. */
export interface Body {
  readonly type?: string // media type; absent where the runtime sets it
  readonly once: boolean
  make(): NonNullable<RequestInit['body']>
}

export interface Sent extends MakingOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  readonly body?: Body | undefined
  /**
   * When it is sent again: 'always'; 'keyed', after any failure that may pass, with a key by which the service makes one
   * thing only; or only where the service 'refused' it before it began.
   */
  readonly repeat: 'always' | 'keyed' | 'refused'
}

export interface Transport {
  readonly streams: boolean
  readonly retries: number
  /** The pause before a repetition for which the service asks for none, in ms. Repetitions count from 0. */
  backoffMs(repetition: number): number
  /** The answer, with a status below 400. Throws `PlatenError`, and the reason of an aborted signal. */
  send(sent: Sent): Promise<Response>
}

/** Statuses after which the same call may succeed, and that of a service that did not begin. */
const transient = new Set([408, 429, 502, 503, 504])
const refused = 429
/** The status of a call whose key belongs to one that still runs. Then the answer has `retry-after`. */
const running = 409

const firstPauseMs = 250

export function createTransport(options: PlatenOptions): Transport {
  const base = String(options.url).replace(/\/+$/, '')
  const retries = options.retries ?? 3
  const maxPauseMs = options.maxPauseMs ?? 30_000
  // A method of the global object must be called on it.
  const fetcher = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))

  return { streams: options.streams ?? canStream(), retries, backoffMs, send }

  function backoffMs(repetition: number): number {
    return Math.min(firstPauseMs * 2 ** repetition, maxPauseMs) * jitter()
  }

  async function send(call: Sent): Promise<Response> {
    const sent = withKey(call)
    const once = sent.body?.once === true
    for (let attempt = 0; ; attempt++) {
      const outcome = await attemptOnce(sent)
      if (outcome instanceof Response) return outcome
      const pauseMs = outcome.retryAfterMs ?? backoffMs(attempt)
      if (once || attempt >= retries || !repeats(sent, outcome) || pauseMs > maxPauseMs) throw outcome
      await pause(pauseMs, sent.signal)
    }
  }

  async function attemptOnce(sent: Sent): Promise<Response | PlatenError> {
    const { method, path, query = {}, body, signal } = sent
    signal?.throwIfAborted()
    const headers = new Headers(options.headers)
    const token = typeof options.token === 'function' ? await options.token() : options.token
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    if (body?.type !== undefined) headers.set('content-type', body.type)
    for (const [name, value] of Object.entries(sent.headers ?? {})) headers.set(name, value)
    const init: RequestInit & { duplex?: 'half' } = { method, headers }
    if (signal !== undefined) init.signal = signal
    if (body !== undefined) init.body = body.make()
    if (init.body instanceof ReadableStream) init.duplex = 'half'
    try {
      const response = await fetcher(`${base}${path}${queryText(query)}`, init)
      return response.status < 400 ? response : await errorOfAnswer(response)
    } catch (cause) {
      signal?.throwIfAborted()
      return new ConnectionError(`No answer came from ${new URL(base).origin}.`, { cause })
    }
  }
}

/** The call with its `idempotency-key`, which is the same in all attempts. */
function withKey(sent: Sent): Sent {
  if (sent.repeat !== 'keyed') return sent
  const key = sent.idempotencyKey ?? newKey()
  return { ...sent, headers: { 'idempotency-key': key, ...sent.headers } }
}

/** 128 random bits. `crypto.randomUUID` is missing in pages that came over plain HTTP. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

function repeats({ repeat }: Sent, { status, retryAfterMs }: PlatenError): boolean {
  if (repeat === 'keyed' && status === running) return retryAfterMs !== undefined
  if (repeat === 'refused') return status === refused
  return status === 0 || transient.has(status)
}

/** Spreads callers that failed together: between 0.5 and 1. */
const jitter = (): number => 1 - Math.random() / 2

/** Resolves after `ms`. Throws the reason of the signal when it aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    if (signal?.aborted === true) return reject(signal.reason)
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

function queryText(query: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const parameters = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`
}

/**
 * Whether `fetch` sends a stream as it comes. Browsers do so over HTTP/2 only, or not at all, and cannot be asked
 * beforehand; `importScripts` and `window` exist in their pages and workers, and in no other runtime.
 */
function canStream(): boolean {
  return !('window' in globalThis) && !('importScripts' in globalThis)
}
