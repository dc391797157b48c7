import type { Context, Hono } from 'hono'
import { type Api, withoutBody } from '../shared/api/api.ts'
import type { Call, Reply } from '../shared/api/call.ts'
import { collapsePath, readHeaders } from '../shared/api/headers.ts'

/** Makes a hono handler of every route of the contract, and of what no route takes. */
export function mount(app: Hono, api: Api, aliases: readonly string[]): void {
  app.options('*', (context) => toResponse(api.preflight(readCall(context, aliases)), context))
  for (const route of api.routes) {
    // hono gives HEAD to the handlers of GET.
    app.on(route.method, route.path, async (context) => {
      const call = readCall(context, aliases)
      const reply = await api.answer(route, call)
      return toResponse(call.method === 'HEAD' ? withoutBody(reply) : reply, context)
    })
  }
  app.notFound((context) => toResponse(api.unmatched(readCall(context, aliases)), context))
  app.onError((error, context) => toResponse(api.refuse(error), context))
}

/** The path as it is matched: slashes collapsed, still percent-encoded. */
export function pathOf(request: Request): string {
  return collapsePath(new URL(request.url).pathname)
}

function readCall(context: Context, aliases: readonly string[]): Call {
  const request = context.req.raw
  const url = new URL(request.url)
  return {
    method: request.method,
    path: pathOf(request),
    query: url.searchParams,
    headers: readHeaders(request.headers, aliases),
    body: request.body ?? undefined,
    signal: request.signal,
    origin: url.origin,
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
