import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Api } from '../shared/api/api.ts'
import { type Call, collapsePath, createCall, type Reply } from '../shared/api/call.ts'
import { bodyTiming, type Route } from '../shared/api/route.ts'
import { chunksOf } from '../shared/byte-reader.ts'
import { AppError } from '../shared/errors/app-error.ts'
import type { ByteSource } from '../shared/plugin/values.ts'
import { afterResponse, awaitAfterResponses } from './after-response.ts'
import { withExchange } from './hooks/exchange.ts'
import type { OpenedHooks } from './hooks/open-hooks.ts'
import { requestBody } from './request-body.ts'

/**
 * A caller whose request was answered early may go on sending its body, which is read and dropped. The
 * connection is cut after this long without data, or at the latest after `maxLingerMs`. Shorter times lose
 * answers: a sender that is still writing when the connection closes sees a broken connection instead of the
 * answer.
 */
const lingerMs = 2000
const maxLingerMs = 30_000

export interface OriginMountSettings {
  readonly aliases: readonly string[]
  /** Time allowed for receiving the complete request body, in milliseconds. */
  readonly bodyTimeoutMs: number
  readonly hooks?: Pick<OpenedHooks, 'before' | 'after'> | undefined
}

/**
 * Registers every route of the API with Fastify. Request bodies stay raw streams, because the API reads them
 * itself.
 */
export function mount(app: FastifyInstance, api: Api, settings: OriginMountSettings): void {
  const { aliases, bodyTimeoutMs, hooks } = settings
  const callOf = (request: FastifyRequest, reply: FastifyReply, route?: Route) =>
    readCall(request, reply, { aliases, bodyTimeoutMs, route })
  const respond = async (request: FastifyRequest, reply: FastifyReply, answer: () => Promise<Reply>) => {
    if (hooks === undefined) return send(request, reply, await answer())
    return withExchange({ req: request.raw, res: reply.raw }, async () => {
      const result = await withHooks({ hooks, refuse: api.refuse }, request, reply, answer)
      return result === undefined ? reply.hijack() : send(request, reply, result)
    })
  }
  awaitAfterResponses(app)
  app.addHook('onRequest', async (request, reply) => {
    if (!hasValidHost(request.raw))
      return send(request, reply, api.refuse(new AppError('api.request.invalid')))
  })
  for (const route of api.routes) {
    app.route({
      method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
      url: route.path,
      // The request is answered in this hook, before Fastify would refuse content types for which it has no parser.
      // `done` is called only with errors. An async hook must not be used: when a caller disconnects in the middle of
      // a file, Fastify would continue to the handler as soon as the promise of the hook resolves.
      onRequest: (request, reply, done) => {
        respond(request, reply, () => api.answer(route, callOf(request, reply, route))).catch(done)
      },
      handler: notReached,
    })
  }
  app.options('*', (request, reply) =>
    respond(request, reply, async () => api.preflight(callOf(request, reply))),
  )
  app.setNotFoundHandler((request, reply) =>
    respond(request, reply, async () => api.unmatched(callOf(request, reply))),
  )
  app.setErrorHandler(async (error: { statusCode?: number }, request, reply) => {
    // Only requests that match no route reach Fastify's own checks, which may reject them as the caller's
    // mistake.
    const isCallerError = (error.statusCode ?? 500) < 500
    return send(request, reply, isCallerError ? api.unmatched(callOf(request, reply)) : api.refuse(error))
  })
}

/**
 * Runs the operator's `before` middlewares, then `answer`, and `after` when the connection closes. Returns
 * undefined when a middleware has already written the response itself.
 */
async function withHooks(
  {
    hooks,
    refuse,
  }: { readonly hooks: NonNullable<OriginMountSettings['hooks']>; readonly refuse: Api['refuse'] },
  { raw }: FastifyRequest,
  answering: FastifyReply,
  answer: () => Promise<Reply>,
): Promise<Reply | undefined> {
  const { raw: answerRaw } = answering
  afterResponse(answering, () => withExchange({ req: raw, res: answerRaw }, hooks.after))
  try {
    await hooks.before()
  } catch (error) {
    return refuse(error)
  }
  if (answerRaw.headersSent) return undefined
  if (raw.readableDidRead) return refuse(new Error('A middleware has read the body of a request.'))
  const reply = await answer()
  if (!answerRaw.headersSent) return reply
  await reply.finished?.(false)
  return undefined
}

/** Characters of a host with a port (RFC 3986, 3.2.2). */
const host = /^[\w.~%!$&'()*+,;=:[\]-]*$/

/** Whether there is one `Host` of characters that it may have (RFC 9112, 3.2). Only HTTP/1.1 requires it. */
function hasValidHost({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean {
  const count = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length
  return count === 0 ? httpVersion !== '1.1' : count === 1 && host.test(headers.host ?? '')
}

/** The target that routes are matched against: its path with repeated slashes collapsed, and its query. */
export function routedTarget({ url: target = '/' }: Pick<IncomingMessage, 'url'>): string {
  const url = withoutAuthority(target)
  const queryStart = url.indexOf('?')
  return queryStart === -1
    ? collapsePath(url)
    : collapsePath(url.slice(0, queryStart)) + url.slice(queryStart)
}

/** A request target may be an absolute URL (RFC 9112 3.2.2). Routing uses its path and query only. */
function withoutAuthority(url: string): string {
  return url.startsWith('/')
    ? url
    : url.replace(/^https?:\/\/[^/?#]*(?=([/?]?))/i, (_, delimiter) => (delimiter === '/' ? '' : '/'))
}

function notReached(): never {
  throw new Error('The request was to be answered before its body is parsed.')
}

function readCall(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    aliases,
    bodyTimeoutMs,
    route,
  }: Pick<OriginMountSettings, 'aliases' | 'bodyTimeoutMs'> & { readonly route: Route | undefined },
): Call {
  const { raw } = request
  // `routedTarget` has collapsed the slashes of this URL.
  const [path = '/', ...query] = (raw.url ?? '/').split('?')
  const disconnected = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) disconnected.abort()
  })
  const hasBody =
    raw.headers['transfer-encoding'] !== undefined || (raw.headers['content-length'] ?? '0') !== '0'
  const timed = bodyTiming(route, raw.headers['content-type'])
  return createCall(
    {
      method: request.method,
      path,
      query: new URLSearchParams(query.join('?')),
      headers: pairs(raw.rawHeaders),
      body: hasBody ? requestBody(raw, bodyTimeoutMs, timed) : undefined,
      signal: disconnected.signal,
      client: raw.socket.remoteAddress,
      origin: `${request.protocol}://${request.host}`,
    },
    aliases,
  )
}

/** Node's flat list of raw headers as pairs of name and value. */
function* pairs(raw: readonly string[]): Generator<readonly [string, string]> {
  for (let index = 0; index + 1 < raw.length; index += 2) yield [raw[index]!, raw[index + 1]!]
}

/**
 * Sends the answer. When the request has not been received completely, the rest is drained for a limited time
 * and the connection is closed after it. Calls `answer.finished` with whether the response was passed to the
 * operating system.
 */
export function send(request: FastifyRequest, reply: FastifyReply, answer: Reply): FastifyReply {
  const { finished } = answer
  const { raw } = reply
  /**
   * The body was flushed completely although the response has not ended, as it waits for the request to be
   * drained.
   */
  let flushed = false
  // Node flushes writes at the end of the tick, so the state is read in the next one.
  const onBodyRead = () =>
    process.nextTick(() => {
      flushed = raw.writableLength === 0 && !raw.destroyed
    })
  if (finished !== undefined) afterResponse(reply, () => finished(flushed || raw.writableFinished))
  const { body } = answer
  // A body that is answered while it arrives is still being read.
  const early = body.kind !== 'stream' && !request.raw.readableEnded && !request.raw.complete
  reply.code(answer.status).headers(answer.headers)
  const drained = early ? drain(request) : undefined
  if (early) reply.header('connection', 'close')
  if (body.kind === 'none') return reply.send()
  if (body.kind === 'text') {
    const { text } = body
    if (request.method === 'HEAD') return reply.header('content-length', Buffer.byteLength(text)).send('')
    if (drained === undefined || text === '') return reply.send(text)
    const bytes = Buffer.from(text)
    return reply
      .header('content-length', bytes.length)
      .send(Readable.from(lingering([bytes], drained, onBodyRead)))
  }
  if (body.kind === 'stream') return reply.send(Readable.from(chunksOf(body.stream), { objectMode: false }))
  const { view } = body.source
  if (drained !== undefined && request.method !== 'HEAD')
    return reply.send(
      Readable.from(lingering(view === undefined ? bytesOf(body.source) : [view], drained, onBodyRead)),
    )
  if (view !== undefined) return reply.send(Buffer.from(view.buffer, view.byteOffset, view.byteLength))
  return reply.send(Readable.from(bytesOf(body.source)))
}

/**
 * Yields the bytes of a source and ends with the last of them, without another read to see that none follow.
 * A client that counts bytes may disconnect right after the last one, and a response that is still open then
 * would count as not delivered.
 */
async function* bytesOf(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = source.stream().getReader()
  let bytesLeft = source.size
  try {
    while (true) {
      const { value, done } = await reader.read()
      if (done) return
      bytesLeft -= value.length
      if (bytesLeft <= 0) return yield value
      yield value
    }
  } finally {
    // Cancelling closes a file; the response does not wait for that.
    void reader.cancel().catch(() => undefined)
  }
}

/**
 * Yields the body at once but ends only when the rest of the request is drained. Node closes the connection
 * at the end of a response with `connection: close`, and a client that is still sending would see a reset
 * instead of the response (RFC 9112 9.6).
 */
async function* lingering(
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  drained: Promise<void>,
  /** Called when the last chunk of the body has been taken by the response. */
  onBodyRead: () => void,
): AsyncGenerator<Uint8Array> {
  yield* body
  onBodyRead()
  await drained
}

/**
 * Reads and drops the rest of the request. Resolves at its end, or when a limit above has closed the
 * connection.
 */
function drain({ raw }: FastifyRequest): Promise<void> {
  return new Promise((resolve) => {
    const slow = setTimeout(() => raw.destroy(), lingerMs).unref()
    const long = setTimeout(() => raw.destroy(), maxLingerMs).unref()
    const finish = () => {
      clearTimeout(slow)
      clearTimeout(long)
      resolve()
    }
    raw.removeAllListeners('readable')
    raw.removeAllListeners('data')
    raw.on('data', () => slow.refresh())
    raw.once('end', finish)
    raw.once('close', finish)
    raw.resume()
  })
}
