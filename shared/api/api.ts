import { setEntry } from '../entry-of.ts'
import { AppError } from '../errors/app-error.ts'
import { errorBody, toAppError } from '../errors/problem.ts'
import type { PluginRoute } from '../plugin/routes.ts'
import type { BeginningSpan } from '../ports/tracing.ts'
import { ownAccount } from '../records/accounts.ts'
import type { Services } from '../services/services.ts'
import { requestIdHeader, traceOf } from '../trace.ts'
import { type Call, json, nothing, type Reply } from './call.ts'
import { commonHeaders, preflight } from './cors.ts'
import { createLocalHolds, runOnce } from './idempotency.ts'
import { pluginRoute } from './plugin-routes.ts'
import type { Input, Route } from './route.ts'
import { routes as ownRoutes } from './routes/index.ts'

/**
 * The HTTP contract over one set of services. `mount.ts` of a host registers each route with its framework
 * and calls `answer`. It passes requests without a route to `unmatched`, and failures outside of a route to
 * `refuse`. None of these functions throws, and every error is sent as JSON.
 */
export interface Api {
  readonly routes: readonly Route[]
  answer(route: Route, call: Call): Promise<Reply>
  unmatched(call: Call): Reply
  preflight(call: Call): Reply
  refuse(error: unknown): Reply
}

export function createApi(services: Services, pluginRoutes: readonly PluginRoute[] = []): Api {
  const deferred = { running: 0 }
  const routes = [...ownRoutes, ...pluginRoutes.map((route) => pluginRoute(route, deferred))]
  const { settings } = services
  const cors = { allowOrigin: settings.allowOrigin, aliases: settings.headerAliases }
  const common = commonHeaders(cors)
  const limit = createClientLimit(settings.maxClientRenders)
  const localHolds = createLocalHolds()
  const withCommon = (reply: Reply): Reply => ({ ...reply, headers: { ...common, ...reply.headers } })

  return { routes, answer, unmatched, preflight: (call) => withCommon(preflight(call, cors)), refuse }

  async function answer(route: Route, call: Call): Promise<Reply> {
    const startedAt = performance.now()
    const trace = traceOf((name) => call.headers.get(name), { records: services.tracing !== undefined })
    const logFields = { request: trace.requestId, operation: route.operation, account: '' }
    const answering = () => answered(route, { ...call, trace }, logFields)
    const span: BeginningSpan<Reply> = {
      kind: 'server',
      name: route.operation,
      trace,
      attributes: { 'http.request.method': call.method, 'http.route': route.path },
      describe: ({ status }) => ({ 'http.response.status_code': status }),
    }
    // Probes come every few seconds and are of no interest.
    const isProbe = route.scope === 'known' || route.operation === 'metrics'
    const reply = await (isProbe ? answering() : (services.tracing?.begin(span, answering) ?? answering()))
    const ms = Math.round(performance.now() - startedAt)
    const { status } = reply
    services.observed?.({ operation: route.operation, status, ms })
    const level = isProbe ? 'debug' : 'info'
    services.log[level]('request', {
      ...logFields,
      method: call.method,
      status,
      ms,
      trace: trace.traceparent,
    })
    return { ...reply, headers: { ...reply.headers, [requestIdHeader]: trace.requestId } }
  }

  /** `about` gets the account as soon as it is known. */
  async function answered(route: Route, call: Call, about: About): Promise<Reply> {
    try {
      const identity = await callerOf(services, route, call)
      about.account = identity.account
      const version = readVersion(call.headers.get('service-version'), settings.defaultApiVersion)
      if (route.needsDatabase === true && settings.stateless) throw new AppError('api.stateless')
      const params = pathParams(route.path, call.path)
      const input = { params, ...identity, major: version.major }
      const key =
        route.makes === true && !settings.stateless ? call.headers.get('idempotency-key') : undefined
      const run = () =>
        key === undefined
          ? route.run(services, input, call)
          : runOnce(services, localHolds, key, { route, input, call })
      const reply = await (route.limited ? limit(identity.caller?.token ?? call.client, run) : run())
      return withCommon(version.isAdjusted ? withWarning(reply, 'version') : reply)
    } catch (error) {
      return refuse(contractError(route, error), about)
    }
  }

  function unmatched(call: Call): Reply {
    if (withoutId(call)) return refuse(new AppError('api.id.invalid'))
    const allowed = routes.filter((route) => matches(route.path, call.path)).map((route) => route.method)
    if (allowed.length > 0) {
      const list = [...new Set(allowed), ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
      const reply = refuse(new AppError('api.method', { allowed: list }))
      return { ...reply, headers: { ...reply.headers, allow: list } }
    }
    // The ID contains slashes or is missing.
    if (/^\/(render|template)\//.test(call.path)) return refuse(new AppError('api.id.invalid'))
    return refuse(new AppError('api.not-found'))
  }

  function refuse(thrown: unknown, about?: About): Reply {
    const error = toAppError(thrown)
    if (error.code !== 'api.aborted') report(error, about)
    return withCommon(json(error.status, errorBody(error), headersFor(error)))
  }

  /**
   * Logs an error. Mistakes of callers appear in the response, so only those of the service and of engines
   * are prominent.
   */
  function report(error: AppError, about?: About): void {
    const blame = error.cause instanceof AppError ? error.cause.blame : error.blame
    const details = { ...about, code: error.code, message: error.message, cause: error.cause }
    if (blame === 'us') services.log.error('request.failed', details)
    else if (blame === 'engine') services.log.warn('request.failed', details)
    else services.log.debug('request.refused', { ...about, code: error.code })
  }
}

/**
 * Reads the requested major version of the API (specification 9). `bent` is true when the header is
 * malformed, which selects the default, or names an unsupported version, which selects the nearest one.
 */
export function readVersion(
  header: string | undefined,
  fallback: 3 | 4 | 5,
): { readonly major: 3 | 4 | 5; readonly isAdjusted: boolean } {
  if (header === undefined || header.trim() === '') return { major: fallback, isAdjusted: false }
  const match = /^\s*v?(\d{1,6})(?:\.[\dx.]*)?\s*$/i.exec(header)
  if (match === null) return { major: fallback, isAdjusted: true }
  const requested = Number(match[1])
  if (requested === 3 || requested === 4 || requested === 5) return { major: requested, isAdjusted: false }
  return { major: requested < 3 ? 3 : 5, isAdjusted: true }
}

/** The log fields of a request: names and ids of the service, never content that the caller sent. */
interface About {
  readonly request: string
  readonly operation: string
  account: string
}

/** Authenticates a request, before anything else of it is read. Throws the errors of `Authentication`. */
async function callerOf(
  { authentication, studio }: Services,
  { scope }: Route,
  { headers }: Call,
): Promise<Pick<Input, 'account' | 'caller'>> {
  const anonymous = { account: ownAccount }
  if (authentication === undefined || scope === 'open') return anonymous
  if (scope === 'studio' && studio !== undefined) return anonymous
  try {
    const caller = await authentication.authenticate(headers.get('authorization'))
    return { account: caller.account, caller }
  } catch (error) {
    // GET /status must respond even when the database fails.
    if (scope === 'known') return anonymous
    throw error
  }
}

/**
 * Headers that HTTP requires or recommends for some statuses (RFC 6585 4, RFC 9110 15.5.2, RFC 6750 3, RFC
 * 7617 2).
 */
function headersFor({ code, status }: AppError): Record<string, string> {
  // Waiting conversions take longer to clear than a limit on requests.
  if (code === 'convert.busy' || code === 'convert.waited') return { 'retry-after': '5' }
  if (status === 429 || status === 503 || code === 'api.key.running') return { 'retry-after': '1' }
  if (code === 'api.unauthorized') return { 'www-authenticate': 'Bearer' }
  if (code === 'studio.unauthorized')
    return { 'www-authenticate': 'Basic realm="platen studio", charset="UTF-8"' }
  if (code === 'api.unauthorized.expired') return { 'www-authenticate': 'Bearer error="invalid_token"' }
  return {}
}

/** Replaces an unexpected failure by the error that the contract defines for this endpoint. */
function contractError({ internalError }: Route, error: unknown): unknown {
  if (internalError === undefined || toAppError(error).code !== 'api.internal') return error
  return new AppError(internalError, {}, { cause: error })
}

/**
 * Whether the path lacks the ID of a render or template, which happens when a client inserts an empty one.
 */
function withoutId({ path, method }: Call): boolean {
  return path === '/render' || (path === '/template' && ['GET', 'HEAD', 'PATCH', 'DELETE'].includes(method))
}

/** The response to a HEAD request, which has only headers. */
export function withoutBody(reply: Reply): Reply {
  return { ...reply, body: nothing }
}

function withWarning(reply: Reply, code: string): Reply {
  const before = reply.headers['service-warning']
  return {
    ...reply,
    headers: { ...reply.headers, 'service-warning': before === undefined ? code : `${before}, ${code}` },
  }
}

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split('/')
  const segments = path.split('/')
  return (
    expected.length === segments.length &&
    expected.every((segment, index) =>
      segment.startsWith(':') ? segments[index] !== '' : segment === segments[index],
    )
  )
}

/** Decodes the parameters of a path. Throws 'api.id.invalid' for invalid percent-encoding. */
function pathParams(pattern: string, path: string): Record<string, string> {
  const segments = path.split('/')
  const params: Record<string, string> = {}
  for (const [index, segment] of pattern.split('/').entries()) {
    if (!segment.startsWith(':')) continue
    try {
      setEntry(params, segment.slice(1), decodeURIComponent(segments[index] ?? ''))
    } catch {
      throw new AppError('api.id.invalid')
    }
  }
  return params
}

/**
 * Limits each client to `maxCalls` concurrent calls, counted in this process. Further calls fail immediately
 * with 'api.too-many'. A call whose response is made while it is sent runs until its end. Calls whose client is
 * unknown are not limited.
 */
export function createClientLimit(maxCalls: number | undefined) {
  const running = new Map<string, number>()
  const release = (client: string) => {
    const remaining = (running.get(client) ?? 1) - 1
    if (remaining === 0) running.delete(client)
    else running.set(client, remaining)
  }
  return async function limited(client: string | undefined, run: () => Promise<Reply>): Promise<Reply> {
    if (maxCalls === undefined || client === undefined) return run()
    const count = running.get(client) ?? 0
    if (count >= maxCalls) throw new AppError('api.too-many')
    running.set(client, count + 1)
    let isOpen = false // whether work goes on while the response is sent
    try {
      const reply = await run()
      if (reply.body.kind !== 'stream') return reply
      isOpen = true
      const finished = async (complete: boolean) => {
        release(client)
        await reply.finished?.(complete)
      }
      return { ...reply, finished }
    } finally {
      if (!isOpen) release(client)
    }
  }
}
