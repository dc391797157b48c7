import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../shared/errors/app-error.ts'
import { toAppError } from '../shared/errors/problem.ts'
import type { ByteSource, Log, Trace } from '../shared/plugin/values.ts'
import type { Clock } from '../shared/ports/index.ts'
import type { Tracing } from '../shared/ports/tracing.ts'
import { createVerifier } from '../shared/remote/signature.ts'
import { resultHeader, writeError } from '../shared/remote/wire.ts'
import { timedStream } from '../shared/timed-stream.ts'
import { traceOf } from '../shared/trace.ts'
import { requestBody } from './request-body.ts'

export interface InternalParts {
  readonly clock: Clock
  readonly log: Log
  readonly secret: string // SERVICE_ORIGIN_SECRET
  /**
   * Claims a nonce for all origins of a cluster, see `createVerifier`. Absent without Redis.
   */
  readonly claimOnce?: ((text: string, ms: number) => Promise<boolean>) | undefined
  readonly tracing?: Tracing | undefined
  /** Time allowed for receiving a complete request, in milliseconds. Default: five minutes. */
  readonly bodyTimeoutMs?: number
}

export interface Internal {
  /** Checks the signature in the headers, before any byte of the body is read. Throws 'origin.refused'. */
  verified(
    request: FastifyRequest,
    method: 'GET' | 'POST',
    route: string,
  ): Promise<{ readonly jobDigest: string; readonly bodyDigest: string }>
  /** The body of a request, which fails with 'api.body.cut' and 'api.body.slow'. */
  bodyOf(request: FastifyRequest): ReadableStream<Uint8Array>
  /** Runs `work` and answers what it throws in the format that the edge parses. */
  answering(reply: FastifyReply, work: () => Promise<unknown>): Promise<unknown>
}

/**
 * Creates what all routes for calls from an edge share: checking signatures and writing errors
 * (`shared/remote`).
 */
export function createInternal(parts: InternalParts): Internal {
  const { clock, log, secret, claimOnce, tracing, bodyTimeoutMs = 300_000 } = parts
  const verify = createVerifier(secret, clock.now, claimOnce)
  return {
    async verified(request, method, route) {
      const header = (name: string) => {
        const value = request.headers[name]
        return typeof value === 'string' ? value : undefined
      }
      const verification = await verify({ method, route, header })
      if (verification.ok) return verification
      log.warn('origin.refused', { because: verification.because })
      throw new AppError('origin.refused')
    },
    bodyOf: ({ raw }) => requestBody(raw, bodyTimeoutMs, 'whole'),
    async answering(reply, work) {
      try {
        if (tracing === undefined || reply.request.method === 'GET') return await work()
        const { url } = reply.request.routeOptions
        const attributes = { 'http.request.method': reply.request.method, 'http.route': url ?? '' }
        const trace = traceOfRequest(reply.request)
        return await tracing.begin({ kind: 'server', name: 'edge', trace, attributes }, work)
      } catch (thrown) {
        const error = toAppError(thrown)
        const { requestId } = traceOfRequest(reply.request)
        if (error.blame === 'us')
          log.error('origin.failed', { request: requestId, code: error.code, cause: error.cause })
        const { raw } = reply.request
        if (!raw.readableEnded) {
          reply.header('connection', 'close')
          raw.resume()
        }
        return reply.code(error.status).header(resultHeader, 'error').send(writeError(error))
      }
    },
  }
}

/** The trace that the edge sent along. */
export function traceOfRequest({ headers }: Pick<FastifyRequest, 'headers'>): Trace {
  return traceOf((name) => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  })
}

/** The rest of a body of which the deadline of its work is known. Fails with 'api.body.slow' when it passes. */
export function beforeDeadline(
  body: ReadableStream<Uint8Array>,
  remainingMs: number,
): ReadableStream<Uint8Array> {
  const time = Math.max(0, remainingMs)
  return timedStream(body, { idleMs: time, totalMs: time }, () => new AppError('api.body.slow'))
}

/** A signal that aborts with 'api.aborted' when the edge closes the connection. */
export function whileConnected(reply: FastifyReply): AbortSignal {
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort(new AppError('api.aborted')))
  return disconnected.signal
}

/** Sends a source as the response body, in one write when its bytes are in memory. */
export function sendSource(reply: FastifyReply, source: ByteSource): FastifyReply {
  const { view } = source
  if (view !== undefined) return reply.send(Buffer.from(view.buffer, view.byteOffset, view.byteLength))
  return reply.send(Readable.fromWeb(source.stream() as never))
}
