import type { Context, Hono } from 'hono'
import { type Api, withoutBody } from '../shared/api/api.ts'
import type { Call, Reply } from '../shared/api/call.ts'
import { decodedBody } from '../shared/api/content-encoding.ts'
import { collapsePath, readHeaders } from '../shared/api/headers.ts'
import { AppError } from '../shared/errors/app-error.ts'

export interface MountSettings {
  readonly aliases: readonly string[]
  /** In which a body must have come in. */
  readonly bodyTimeoutMs: number
}

/** Makes a hono handler of every route of the contract, and of what no route takes. */
export function mount(app: Hono, api: Api, settings: MountSettings): void {
  app.options('*', (context) => toResponse(api.preflight(readCall(context, settings)), context))
  for (const route of api.routes) {
    // hono gives HEAD to the handlers of GET.
    app.on(route.method, route.path, async (context) => {
      const call = readCall(context, settings)
      const reply = await api.answer(route, call)
      if (reply.status >= 400) await readAway(call.body)
      return toResponse(call.method === 'HEAD' ? withoutBody(reply) : reply, context)
    })
  }
  app.notFound((context) => toResponse(api.unmatched(readCall(context, settings)), context))
  app.onError((error, context) => toResponse(api.refuse(error), context))
}

/** The path as it is matched: slashes collapsed, still percent-encoded. */
export function pathOf(request: Request): string {
  return collapsePath(new URL(request.url).pathname)
}

function readCall(context: Context, { aliases, bodyTimeoutMs }: MountSettings): Call {
  const request = context.req.raw
  const url = new URL(request.url)
  const encoding = request.headers.get('content-encoding') ?? undefined
  return {
    method: request.method,
    path: pathOf(request),
    query: url.searchParams,
    headers: readHeaders(request.headers, aliases),
    body: request.body === null ? undefined : decodedBody(arriving(request.body, bodyTimeoutMs), encoding),
    signal: request.signal,
    client: request.headers.get('cf-connecting-ip') ?? undefined,
    origin: url.origin,
  }
}

/**
 * A body that fails with 'api.body.slow' when it takes too long, with 'api.body.cut' when its sender goes away. Nothing is
 * read of it, and no clock runs, before it is asked for.
 */
function arriving(body: ReadableStream<Uint8Array>, timeoutMs: number): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let open = true
  const end = (how: () => void) => {
    if (timer !== undefined) clearTimeout(timer)
    if (open) how()
    open = false
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= body.getReader()
        timer ??= setTimeout(() => end(() => controller.error(new AppError('api.body.slow'))), timeoutMs)
        try {
          const { value, done } = await reader.read()
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

/** What a sender may still send after it was refused: bytes, the time between them, the time for all of them. */
const [lingerBytes, lingerMs, longestLingerMs] = [128 * 1024 * 1024, 2000, 30_000]

/**
 * Reads what a refused request still brings and forgets it, within bounds. The platform closes a connection whose body
 * was left unread: a sender who is still writing would see a broken pipe instead of the answer.
 */
async function readAway(body: ReadableStream<Uint8Array> | undefined): Promise<void> {
  if (body === undefined || body.locked) return
  const reader = body.getReader()
  // A race of each read against the time would keep all that was read until the time is over.
  const leave = () => void reader.cancel().catch(() => undefined)
  const late = setTimeout(leave, longestLingerMs)
  let slow = setTimeout(leave, lingerMs)
  let size = 0
  try {
    while (size < lingerBytes) {
      const read = await reader.read()
      if (read.done) return
      size += read.value.byteLength
      clearTimeout(slow)
      slow = setTimeout(leave, lingerMs)
    }
  } catch {
    // The sender went away: nobody is left to answer.
  } finally {
    clearTimeout(late)
    clearTimeout(slow)
    reader.releaseLock()
  }
}

function toResponse({ status, headers, body, finished }: Reply, context: Context): Response {
  if (body.kind === 'none') return new Response(null, { status, headers })
  if (body.kind === 'text') return new Response(body.text, { status, headers })
  const { source } = body
  if (source.view !== undefined && finished === undefined)
    return new Response(source.view, { status, headers })
  // A stream of known length keeps its Content-Length, and tells whether the caller took all of it.
  const { readable, writable } = new FixedLengthStream(source.size)
  const sent = source.stream().pipeTo(writable)
  const told = sent.then(
    () => finished?.(true),
    () => finished?.(false),
  )
  context.executionCtx.waitUntil(told)
  return new Response(readable, { status, headers })
}
