/** The headers `Gotenberg-Webhook-…`: the file is sent to an address instead of in the response. */
import {
  PluginError,
  type PluginRoute,
  type RouteCall,
  type RouteHost,
  type RouteRequest,
  type RouteResponse,
} from 'platen/plugin'
import { headersIn, parsedJson } from './invalid.ts'
import { refuse, textReply, traceOf } from './reply.ts'

interface Webhook {
  readonly url: string
  readonly method: RouteCall['method']
  /** Absent: failures are sent only to the address of events. */
  readonly errorUrl: string | undefined
  readonly errorMethod: RouteCall['method']
  readonly eventsUrl: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Adds webhook delivery to a route. Form and addresses are checked first; then the response is 204, and the file or
 * the failure follows as a call. Nothing is stored, so a process that ends before that sends nothing.
 */
export const withWebhook =
  (run: PluginRoute['run']): PluginRoute['run'] =>
  async (request, host) => {
    const webhook = webhookOf(request)
    if (webhook === undefined) return run(request, host)
    if (
      [webhook.url, webhook.errorUrl, webhook.eventsUrl].some((url) => url !== undefined && host.refuses(url))
    )
      return textReply(403, 'Forbidden', request)
    const form = await request.form()
    const kept = { ...request, form: () => Promise.resolve(form) }
    host.later(async (later) => {
      const response = await run(kept, later).catch((error: unknown) => refuse(later.failureOf(error), kept))
      // The calls have a deadline of their own, which the document does not shorten.
      later.later((caller) => report(response, webhook, { request: kept, host: caller }))
    })
    return { status: 204, headers: { 'gotenberg-trace': traceOf(request) }, body: '' }
  }

function webhookOf({ headers }: RouteRequest): Webhook | undefined {
  const header = (name: string) => headers.get(`gotenberg-webhook-${name}`)?.trim() || undefined
  const [url, errorUrl, eventsUrl] = [header('url'), header('error-url'), header('events-url')]
  if (url === undefined && errorUrl === undefined && eventsUrl === undefined) return undefined
  if (url === undefined) throw wrong('Gotenberg-Webhook-Url is required')
  if (errorUrl === undefined && eventsUrl === undefined)
    throw wrong('either Gotenberg-Webhook-Error-Url or Gotenberg-Webhook-Events-Url is required')
  const extra = header('extra-http-headers')
  return {
    url,
    errorUrl,
    eventsUrl,
    method: methodOf(header('method')),
    errorMethod: methodOf(header('error-method')),
    headers:
      extra === undefined
        ? {}
        : headersIn(
            parsedJson(extra, 'Gotenberg-Webhook-Extra-Http-Headers'),
            'Gotenberg-Webhook-Extra-Http-Headers',
          ),
  }
}

function methodOf(text = 'POST'): RouteCall['method'] {
  const method = (['POST', 'PUT', 'PATCH'] as const).find((allowed) => allowed === text.toUpperCase())
  if (method === undefined) throw wrong('the method of a webhook must be POST, PUT or PATCH')
  return method
}

const wrong = (message: string) => new PluginError('plugin.request', `Invalid webhook headers: ${message}`)

interface Report {
  readonly request: RouteRequest
  readonly host: RouteHost
}

/** Sends the file or the failure, and then the event. */
async function report(
  { status, headers, body }: RouteResponse,
  webhook: Webhook,
  { request, host }: Report,
): Promise<void> {
  const trace = { 'gotenberg-trace': traceOf(request) }
  const isMade = status === 200
  const failure = { status, message: typeof body === 'string' ? body : '' }
  const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  const json = { 'content-type': 'application/json; charset=UTF-8' }
  if (isMade) {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    await call(
      webhook.url,
      { method: webhook.method, headers: { ...headers, ...webhook.headers }, body: bytes },
      host,
    )
  } else if (webhook.errorUrl !== undefined)
    await call(
      webhook.errorUrl,
      {
        method: webhook.errorMethod,
        headers: { ...json, ...trace, ...webhook.headers },
        body: encode(failure),
      },
      host,
    )
  if (webhook.eventsUrl === undefined) return
  const event = {
    event: isMade ? 'webhook.success' : 'webhook.error',
    correlationId: traceOf(request),
    timestamp: new Date().toISOString(),
    ...(!isMade && { error: failure }),
  }
  await call(
    webhook.eventsUrl,
    { method: 'POST', headers: { ...json, ...trace, ...webhook.headers }, body: encode(event) },
    host,
  )
}

/** Pauses before the retries of a failed call, in ms. */
const pauses = [1000, 2000, 4000, 8000]

async function call(url: string, request: RouteCall, host: RouteHost): Promise<void> {
  for (const pause of [...pauses, undefined]) {
    const outcome = await host.fetch(url, request).catch((error: unknown) => ({ status: 0, error }))
    if (outcome.status >= 200 && outcome.status <= 299) return
    if (pause === undefined)
      throw 'error' in outcome
        ? outcome.error
        : new Error(`The webhook answers with the status ${outcome.status}.`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
