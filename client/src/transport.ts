/** Sends requests, and repeats them where that is safe. Uses only web standards. */
import { ConnectionError, errorOfAnswer, type PlatenError } from './errors.ts'

export interface PlatenOptions {
  /** The address of the service, such as `https://documents.example.org`. */
  readonly url: string | URL
  /** The token, or a function that returns one; it is called before each attempt. */
  readonly token?: string | (() => string | Promise<string>) | undefined
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How often a call is repeated after a transient failure. Default: 3. */
  readonly retries?: number | undefined
  /**
   * The longest pause between attempts, in ms. If the service asks for a longer one, the call fails. Default: 30,000.
   */
  readonly maxPauseMs?: number | undefined
  /** Replaces the global `fetch`: a service binding of a Worker, a proxy, a test. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Whether streams are uploaded without buffering. Default: if the runtime supports it, which browsers do not. */
  readonly streams?: boolean | undefined
}

export interface CallOptions {
  /** Aborts the call and its retries. */
  readonly signal?: AbortSignal | undefined
  /** Headers of this call, which override those of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface MakingOptions extends CallOptions {
  /**
   * The `idempotency-key` of a call that creates something, 1 to 255 visible characters: for 24 hours the service
   * executes the call once, however often it is sent, even by another process. Default: a new key for each call,
   * which its retries share.
   */
  readonly idempotencyKey?: string | undefined
}

/** A body that can be created again for each attempt, or, as a stream, only once. */
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
   * When the request is repeated: 'always'; 'keyed': after any transient failure, with a key that makes the service
   * execute it once; 'refused': only if the service refused it before it began.
   */
  readonly repeat: 'always' | 'keyed' | 'refused'
}

export interface Transport {
  readonly streams: boolean
  readonly retries: number
  /** The pause before a repetition if the service does not state one, in ms. Repetitions count from 0. */
  backoffMs(repetition: number): number
  /** Returns the response, with a status below 400. Throws `PlatenError`, and the reason of an aborted signal. */
  send(sent: Sent): Promise<Response>
}

/** Statuses after which the same call may succeed, and the status of a service that did not begin. */
const transient = new Set([408, 429, 502, 503, 504])
const refused = 429
/** The status of a call whose key belongs to a call that is still running. The response then has `retry-after`. */
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

/** Adds an `idempotency-key` to the call, which is the same in all attempts. */
function withKey(sent: Sent): Sent {
  if (sent.repeat !== 'keyed') return sent
  const key = sent.idempotencyKey ?? newKey()
  return { ...sent, headers: { 'idempotency-key': key, ...sent.headers } }
}

/** 128 random bits. `crypto.randomUUID` is missing in pages that were loaded over plain HTTP. */
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

/** A random factor between 0.5 and 1, which spreads the retries of callers that failed together. */
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
 * Whether `fetch` can stream a request body. Browsers can only over HTTP/2, or not at all, and this cannot be
 * detected beforehand; `importScripts` and `window` exist in their workers and pages, and in no other runtime.
 */
function canStream(): boolean {
  return !('window' in globalThis) && !('importScripts' in globalThis)
}
