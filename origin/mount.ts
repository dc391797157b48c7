import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Api } from '../shared/api/api.ts'
import type { Call, Reply } from '../shared/api/call.ts'
import { decodedBody } from '../shared/api/content-encoding.ts'
import { collapsePath, readHeaders } from '../shared/api/headers.ts'
import { AppError } from '../shared/errors/app-error.ts'
import type { ByteSource } from '../shared/plugin/contract.ts'
import { withExchange } from './hooks/exchange.ts'
import type { Hooks } from './hooks/open-hooks.ts'

/** What a sender may still send after it was refused, before the connection is cut. */
const lingerMs = 2000
const longestLingerMs = 30_000

export interface MountSettings {
  readonly aliases: readonly string[]
  /** In which a body must have come in. */
  readonly bodyTimeoutMs: number
  readonly hooks?: Pick<Hooks, 'before' | 'after'> | undefined
}

/** Gives every route to Fastify. Bodies stay raw streams: the contract reads them itself. */
export function mount(app: FastifyInstance, api: Api, settings: MountSettings): void {
  const { aliases, bodyTimeoutMs, hooks } = settings
  const callOf = (request: FastifyRequest, reply: FastifyReply) =>
    readCall(request, reply, aliases, bodyTimeoutMs)
  const around = (request: FastifyRequest, reply: FastifyReply, answer: () => Promise<Reply>) =>
    withExchange({ req: request.raw, res: reply.raw }, async () => {
      if (hooks === undefined) return send(request, reply, await answer())
      const made = await withHooks({ hooks, refuse: api.refuse }, request, reply, answer)
      return made === undefined ? reply.hijack() : send(request, reply, made)
    })
  for (const route of api.routes) {
    app.route({
      method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
      url: route.path,
      // Answered before Fastify looks at the body: it would refuse content types that it cannot parse. It is never told to
      // go on (`goOn` takes errors alone): after a promise it would, when a caller leaves in the middle of a file.
      onRequest: (request, reply, goOn) => {
        around(request, reply, () => api.answer(route, callOf(request, reply))).catch(goOn)
      },
      handler: notReached,
    })
  }
  app.options('*', (request, reply) =>
    around(request, reply, async () => api.preflight(callOf(request, reply))),
  )
  app.setNotFoundHandler((request, reply) =>
    around(request, reply, async () => api.unmatched(callOf(request, reply))),
  )
  app.setErrorHandler(async (error: { statusCode?: number }, request, reply) => {
    // Only a request that no route takes comes as far as Fastify's own checks.
    const theirs = (error.statusCode ?? 500) < 500
    return send(request, reply, theirs ? api.unmatched(callOf(request, reply)) : api.refuse(error))
  })
}

/** The operator's middlewares around an answer. One that has answered itself is the end of it. */
async function withHooks(
  { hooks, refuse }: { readonly hooks: NonNullable<MountSettings['hooks']>; readonly refuse: Api['refuse'] },
  { raw }: FastifyRequest,
  { raw: answerRaw }: FastifyReply,
  answer: () => Promise<Reply>,
): Promise<Reply | undefined> {
  answerRaw.once('close', () => void withExchange({ req: raw, res: answerRaw }, hooks.after))
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

function notReached(): never {
  throw new Error('The request was to be answered before its body is parsed.')
}

function readCall(
  request: FastifyRequest,
  reply: FastifyReply,
  aliases: readonly string[],
  bodyTimeoutMs: number,
): Call {
  const { raw } = request
  const [path = '/', ...query] = (raw.url ?? '/').split('?')
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  const hasBody =
    raw.headers['transfer-encoding'] !== undefined || (raw.headers['content-length'] ?? '0') !== '0'
  return {
    method: request.method,
    path: collapsePath(path),
    query: new URLSearchParams(query.join('?')),
    headers: readHeaders(pairs(raw.rawHeaders), aliases),
    body: hasBody ? decodedBody(bodyOf(raw, bodyTimeoutMs), raw.headers['content-encoding']) : undefined,
    signal: gone.signal,
    client: raw.socket.remoteAddress,
    origin: `${request.protocol}://${request.host}`,
  }
}

/**
 * The body as a web stream that reads only as fast as it is asked, and that can be left unread without cutting the
 * connection under the answer. A sender that goes away in the middle makes it fail with 'api.body.cut', one that takes
 * too long with 'api.body.slow'.
 */
function bodyOf(raw: IncomingMessage, timeoutMs: number): ReadableStream<Uint8Array> {
  let wanted = false
  // All that has come at once: a body may come in pieces of a byte each.
  const give = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const chunk = raw.read() as Uint8Array | null
    if (chunk === null) return
    wanted = false
    controller.enqueue(chunk)
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let open = true
        const end = (how: () => void) => {
          clearTimeout(timer)
          if (open) how()
          open = false
        }
        const late = () => end(() => controller.error(new AppError('api.body.slow')))
        const timer = setTimeout(late, timeoutMs)
        raw.on('readable', () => {
          if (open && wanted) give(controller)
        })
        raw.once('end', () => end(() => controller.close()))
        raw.once('error', () => end(() => controller.error(new AppError('api.body.cut'))))
        raw.once('close', () => end(() => controller.error(new AppError('api.body.cut'))))
      },
      pull(controller) {
        wanted = true
        give(controller)
      },
    },
    { highWaterMark: 0 },
  )
}

function* pairs(raw: readonly string[]): Generator<readonly [string, string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at]!, raw[at + 1]!]
}

/** Writes the answer. What has not been read of the request by then is read away for a while, then cut off. */
export function send(request: FastifyRequest, reply: FastifyReply, answer: Reply): FastifyReply {
  const { finished } = answer
  const { raw } = reply
  let handed = false
  // What is written in one tick goes out at its end.
  const onHanded = () =>
    process.nextTick(() => {
      handed = raw.writableLength === 0 && !raw.destroyed
    })
  if (finished !== undefined) raw.once('close', () => void finished(handed || raw.writableFinished))
  const early = !request.raw.readableEnded && !request.raw.complete
  reply.code(answer.status).headers(answer.headers)
  const { body } = answer
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
      .send(Readable.from(lingering([bytes], drained, onHanded)))
  }
  const { view } = body.source
  if (drained !== undefined && request.method !== 'HEAD')
    return reply.send(
      Readable.from(lingering(view === undefined ? wholeOf(body.source) : [view], drained, onHanded)),
    )
  if (view !== undefined) return reply.send(Buffer.from(view.buffer, view.byteOffset, view.byteLength))
  return reply.send(Readable.from(wholeOf(body.source)))
}

/**
 * A source that ends with its last byte, not when reading on has shown that none follow: by then a caller who counts has
 * gone, and a document that was taken would pass for one that was not.
 */
async function* wholeOf(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = source.stream().getReader()
  let left = source.size
  try {
    while (true) {
      const { value, done } = await reader.read()
      if (done) return
      left -= value.length
      if (left <= 0) return yield value
      yield value
    }
  } finally {
    // Not waited for: it closes a file.
    void reader.cancel().catch(() => undefined)
  }
}

/**
 * The whole of an answer at once, its end only when the request is read away: node closes the connection at the end
 * of a last answer, and a sender that writes to a closed connection sees that instead of the answer (RFC 9112 9.6).
 */
async function* lingering(
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  drained: Promise<void>,
  /** Told when the last of it was taken. */
  onHanded: () => void,
): AsyncGenerator<Uint8Array> {
  yield* body
  onHanded()
  await drained
}

/** Settles when the rest of the request has been read away, or its sender has been slow or long about it. */
function drain({ raw }: FastifyRequest): Promise<void> {
  return new Promise((resolve) => {
    const slow = setTimeout(() => raw.destroy(), lingerMs).unref()
    const long = setTimeout(() => raw.destroy(), longestLingerMs).unref()
    const over = () => {
      clearTimeout(slow)
      clearTimeout(long)
      resolve()
    }
    raw.removeAllListeners('readable')
    raw.removeAllListeners('data')
    raw.on('data', () => slow.refresh())
    raw.once('end', over)
    raw.once('close', over)
    raw.resume()
  })
}
