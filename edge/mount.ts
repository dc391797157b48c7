import type { Context, Hono } from 'hono'
import { type Api, withoutBody } from '../shared/api/api.ts'
import { type Call, collapsePath, createCall, type Reply } from '../shared/api/call.ts'
import { bodyTiming, type Route } from '../shared/api/route.ts'
import { AppError } from '../shared/errors/app-error.ts'

export interface EdgeMountSettings {
  readonly aliases: readonly string[]
  /** Time allowed for receiving the whole request body, in milliseconds. */
  readonly bodyTimeoutMs: number
}

/** Registers a hono handler for each route of the API, for preflight requests and for everything else. */
export function mount(app: Hono, api: Api, settings: EdgeMountSettings): void {
  app.options('*', (context) => toResponse(api.preflight(readCall(context, settings)), context))
  for (const route of api.routes) {
    // hono calls the handlers of GET for HEAD requests as well.
    app.on(route.method, route.path, async (context) => {
      const call = readCall(context, settings, route)
      const reply = await api.answer(route, call)
      if (reply.status >= 400) await discardBody(call.body)
      return toResponse(call.method === 'HEAD' ? withoutBody(reply) : reply, context)
    })
  }
  app.notFound((context) => toResponse(api.unmatched(readCall(context, settings)), context))
  app.onError((error, context) => toResponse(api.refuse(error), context))
}

/** The path that routes are matched against: with repeated slashes collapsed, and still percent-encoded. */
export function pathOf(request: Request): string {
  return collapsePath(new URL(request.url).pathname)
}

function readCall(context: Context, { aliases, bodyTimeoutMs }: EdgeMountSettings, route?: Route): Call {
  const request = context.req.raw
  const url = new URL(request.url)
  const timed = bodyTiming(route, request.headers.get('content-type'))
  return createCall(
    {
      method: request.method,
      path: pathOf(request),
      query: url.searchParams,
      headers: request.headers,
      body: request.body === null ? undefined : arriving(request.body, bodyTimeoutMs, timed),
      signal: request.signal,
      client: request.headers.get('cf-connecting-ip') ?? undefined,
      origin: url.origin,
    },
    aliases,
  )
}

/**
 * Wraps a request body. The stream fails with 'api.body.slow' when receiving the whole body, or each chunk of
 * it, takes longer than `timeoutMs`, and with 'api.body.cut' when the sender closes the connection. Reading and
 * the timer start when the consumer pulls.
 */
function arriving(
  body: ReadableStream<Uint8Array>,
  timeoutMs: number,
  timed: 'whole' | 'chunk',
): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined // set by the first pull
  let timer: ReturnType<typeof setTimeout> | undefined // set by the first pull
  let open = true // until the stream is closed, has failed or was cancelled
  const end = (close: () => void) => {
    if (timer !== undefined) clearTimeout(timer)
    if (open) close()
    open = false
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= body.getReader()
        timer ??= setTimeout(() => end(() => controller.error(new AppError('api.body.slow'))), timeoutMs)
        try {
          const { value, done } = await reader.read()
          if (timed === 'chunk') {
            clearTimeout(timer)
            timer = undefined
          }
          if (done) end(() => controller.close())
          else if (open) controller.enqueue(value)
        } catch (cause) {
          end(() => controller.error(new AppError('api.body.cut', {}, { cause })))
        }
      },
      cancel: () => end(() => undefined),
    },
    { highWaterMark: 0 },
  )
}

/**
 * The limits for the rest of a refused body: its size, the time between two chunks, and the time in total.
 */
const [maxDiscardedBytes, maxPauseMs, maxDiscardMs] = [128 * 1024 * 1024, 2000, 30_000]

/**
 * Reads and discards the rest of a refused body, within limits. The platform closes a connection whose body
 * was not read, and a sender that is still writing would see a broken pipe instead of the response.
 */
async function discardBody(body: ReadableStream<Uint8Array> | undefined): Promise<void> {
  if (body === undefined || body.locked) return
  const reader = body.getReader()
  // Timers cancel the reader, because a race of each read against a timeout would keep all chunks until it fires.
  const leave = () => void reader.cancel().catch(() => undefined)
  const timer = setTimeout(leave, maxDiscardMs)
  let slow = setTimeout(leave, maxPauseMs)
  let size = 0
  try {
    while (size < maxDiscardedBytes) {
      const read = await reader.read()
      if (read.done) return
      size += read.value.byteLength
      clearTimeout(slow)
      slow = setTimeout(leave, maxPauseMs)
    }
  } catch {
    // The sender closed the connection, so no response can be sent.
  } finally {
    clearTimeout(timer)
    clearTimeout(slow)
    reader.releaseLock()
  }
}

function toResponse({ status, headers, body, finished }: Reply, context: Context): Response {
  if (body.kind === 'none') return new Response(null, { status, headers })
  if (body.kind === 'text') return new Response(body.text, { status, headers })
  if (body.kind === 'stream') {
    const { readable, writable } = new IdentityTransformStream()
    const sent = body.stream.pipeTo(writable)
    context.executionCtx.waitUntil(settled(sent, finished))
    return new Response(readable, { status, headers })
  }
  const { source } = body
  if (source.view !== undefined && finished === undefined)
    return new Response(source.view, { status, headers })
  // A stream of known length keeps its Content-Length, and shows whether the client received all of it.
  const { readable, writable } = new FixedLengthStream(source.size)
  const sent = source.stream().pipeTo(writable)
  context.executionCtx.waitUntil(settled(sent, finished))
  return new Response(readable, { status, headers })
}

/** Resolves when the response has been sent, or cannot be, and the route knows which. */
async function settled(sent: Promise<void>, finished: Reply['finished']): Promise<void> {
  const complete = await sent.then(
    () => true,
    () => false,
  )
  await finished?.(complete)
}
