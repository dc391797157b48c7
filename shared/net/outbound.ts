import { setEntry } from '../entry-of.ts'
import { AppError } from '../errors/app-error.ts'
import type { DownloadLimits, Outbound, OutboundRequest } from '../ports/index.ts'
import { checkUrl, type OutboundPolicy } from './policy.ts'

/**
 * Sends one request to one host without following redirects. Each host provides one: `fetch` at the edge,
 * sockets on the origin.
 */
export type Transport = (exchange: Exchange) => Promise<ReceivedResponse>
export interface Exchange {
  readonly url: URL // its text has passed the policy; the transport must check the resolved address
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
  readonly signal: AbortSignal
}
export interface ReceivedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>> // lower-case names
  readonly body: ReadableStream<Uint8Array> | null // decoded by its content-encoding
}

const defaultRedirects = 3
const redirects = [301, 302, 303, 307, 308]

/** Headers that belong to the connection. They are dropped from the given ones (specification 4.1). */
const reservedHeaders =
  /^(host|content-length|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|accept-encoding|user-agent)$/
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]{1,128}$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/

/** Headers that must not be sent to another origin after a redirect. */
const credentialHeaders = ['authorization', 'cookie']

/**
 * Creates outbound HTTP under one policy. Every address of a chain of redirects is checked like the first.
 * The time limit covers the whole call; the size limit covers the received body and is enforced while it
 * arrives. Failures are AppError 'net.refused', 'net.timeout', 'net.too-large', 'net.redirects', or
 * 'net.failed', whose `reason` is the error code of the system where there is one, such as 'ECONNREFUSED'. If
 * the caller aborts, its own reason is thrown.
 */
export function createOutbound(options: {
  readonly policy: OutboundPolicy
  readonly transport: Transport
  readonly userAgent: string
  readonly limits?: DownloadLimits
}): Outbound {
  const { policy, transport, userAgent, limits } = options

  /** Sends a request and follows its redirects. */
  async function follow(request: OpenRequest, signal: AbortSignal): Promise<ReceivedResponse> {
    let { method = 'GET', body } = request
    let headers = cleanHeaders(request.headers ?? {})
    let url = checkUrl(policy, request.url)
    const maxHops = request.maxRedirects ?? defaultRedirects
    for (let hop = 0; ; hop++) {
      const sent = { ...headers, 'user-agent': userAgent }
      const answer = await transport({ url, method, headers: sent, body, signal })
      const location = answer.headers['location']
      if (!redirects.includes(answer.status) || location === undefined) {
        return answer
      }
      await answer.body?.cancel()
      if (hop >= maxHops) throw new AppError('net.redirects', { limit: maxHops })
      const next = checkUrl(policy, URL.parse(location, url.href)?.href ?? location)
      if (next.origin !== url.origin) headers = without(headers, credentialHeaders)
      // RFC 9110 15.4.2 and 15.4.3 allow a GET after 301 and 302 for the sake of browsers, but the body would be
      // lost. After 303 it is the rule, because the server has taken the POST (15.4.4).
      if (answer.status === 303) {
        method = 'GET'
        body = undefined
        headers = without(headers, ['content-type'])
      }
      url = next
    }
  }

  return {
    ...(limits !== undefined && { limits }),
    refuses(url) {
      try {
        checkUrl(policy, url)
        return false
      } catch {
        return true
      }
    },
    fetch: (request) =>
      withinTime(request, async (signal) => {
        const answer = await follow(request, signal)
        return { ...answer, body: await read(answer.body, request, signal) }
      }),
    open: (request) =>
      withinTime(request, async (signal) => {
        const { body, ...answer } = await follow(request, signal)
        return { ...answer, body: body ?? new Blob([]).stream() }
      }),
  }
}

type OpenRequest = Omit<OutboundRequest, 'maxBytes' | 'onBytes'>

/** Runs a call within its time and names what went wrong with it. */
async function withinTime<T>(request: OpenRequest, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), request.timeoutMs)
  const signal = request.signal ? AbortSignal.any([limit.signal, request.signal]) : limit.signal
  try {
    return await call(signal)
  } catch (cause) {
    request.signal?.throwIfAborted()
    if (limit.signal.aborted) throw new AppError('net.timeout', { ms: request.timeoutMs }, { cause })
    if (cause instanceof AppError) throw cause
    throw new AppError('net.failed', { reason: reasonOf(cause) }, { cause })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns the headers that may be sent, with lower-case names. Throws AppError 'net.refused' for an invalid
 * header.
 */
function cleanHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [field, value] of Object.entries(given)) {
    const name = field.toLowerCase()
    if (!headerName.test(name) || !headerValue.test(value)) {
      throw new AppError('net.refused', { because: 'one of the headers to send is not valid' })
    }
    if (!reservedHeaders.test(name)) setEntry(headers, name, value)
  }
  return headers
}

function without(headers: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
}

/** Reads a body of at most `maxBytes`. Throws AppError 'net.too-large'. */
async function read(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, onBytes }: Pick<OutboundRequest, 'maxBytes' | 'onBytes'>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (body === null) return new Uint8Array(0)
  const reader = body.getReader()
  const cancel = () => void reader.cancel(signal.reason).catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    while (true) {
      const { value, done } = await reader.read()
      // A cancelled stream ends like a complete one, so the signal has to be checked.
      signal.throwIfAborted()
      if (done) break
      size += value.byteLength
      if (size > maxBytes) {
        await reader.cancel()
        throw new AppError('net.too-large', { limit: maxBytes })
      }
      onBytes?.(value.byteLength)
      signal.throwIfAborted()
      chunks.push(value)
    }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

/**
 * The system's error code of a failed connection. Its message is never used, because it contains addresses.
 */
function reasonOf(error: unknown): string {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    const code = (cause as { code?: unknown }).code
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)) return code
  }
  return 'failed'
}
