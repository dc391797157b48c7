import { AppError } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/catalogue.ts'
import { errorBody, toAppError } from '../errors/problem.ts'
import { ownAccount, type Services } from '../services/services.ts'
import { type Call, json, nothing, type Reply } from './call.ts'
import { createClientLimit } from './client-limit.ts'
import { commonHeaders, preflight } from './cors.ts'
import { readVersion } from './headers.ts'
import type { Input, Route } from './route.ts'
import { routes } from './routes/index.ts'

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

export function createApi(services: Services): Api {
  const { settings } = services
  const cors = { allowOrigin: settings.allowOrigin, aliases: settings.headerAliases }
  const common = commonHeaders(cors)
  const limit = createClientLimit(settings.maxClientRenders)
  const withCommon = (reply: Reply): Reply => ({ ...reply, headers: { ...common, ...reply.headers } })

  return { routes, answer, unmatched, preflight: (call) => withCommon(preflight(call, cors)), refuse }

  async function answer(route: Route, call: Call): Promise<Reply> {
    const started = performance.now()
    const reply = await answered(route, call)
    const { operation } = route
    services.observed?.({ operation, status: reply.status, ms: performance.now() - started })
    return reply
  }

  async function answered(route: Route, call: Call): Promise<Reply> {
    try {
      const who = await callerOf(services, route, call)
      const version = readVersion(call.headers.get('service-version'), settings.defaultApiVersion)
      if (route.needsDatabase === true && settings.stateless) throw new AppError('api.stateless')
      const params = pathParams(route.path, call.path)
      const input = { params, ...who, major: version.major }
      const run = () => route.run(services, input, call)
      const reply = await (route.limited ? limit(who.caller?.token ?? call.client, run) : run())
      return withCommon(version.bent ? withWarning(reply, 'version') : reply)
    } catch (error) {
      return refuse(contractError(route, error))
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

  function refuse(thrown: unknown): Reply {
    const error = toAppError(thrown)
    if (error.code !== 'api.aborted') report(error)
    return withCommon(json(error.status, errorBody(error), headersFor(error)))
  }

  /**
   * Logs an error. Mistakes of callers appear in the response, so only those of the service and of engines
   * are prominent.
   */
  function report(error: AppError): void {
    const blame = error.cause instanceof AppError ? error.cause.blame : error.blame
    const details = { code: error.code, message: error.message, cause: error.cause }
    if (blame === 'us') services.log.error('request.failed', details)
    else if (blame === 'engine') services.log.warn('request.failed', details)
    else services.log.debug('request.refused', { code: error.code })
  }
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
  if (status === 429 || status === 503) return { 'retry-after': '1' }
  if (code === 'api.unauthorized') return { 'www-authenticate': 'Bearer' }
  if (code === 'studio.unauthorized')
    return { 'www-authenticate': 'Basic realm="platen studio", charset="UTF-8"' }
  if (code === 'api.unauthorized.expired') return { 'www-authenticate': 'Bearer error="invalid_token"' }
  return {}
}

/** Replaces a failure of the service by the error that the contract defines for this endpoint. */
function contractError(route: Route, error: unknown): unknown {
  const code = contractCode(route, toAppError(error).code)
  return code === undefined ? error : new AppError(code, {}, { cause: error })
}

function contractCode({ storageError, recordsError, internalError }: Route, code: ErrorCode) {
  // These keep their own message: the first is temporary, and only the operator can repair the second.
  if (code === 'storage.unavailable' || code === 'storage.damaged') return undefined
  if (code === 'storage.records' || code === 'storage.conflict') return recordsError ?? storageError
  if (code.startsWith('storage.')) return storageError
  return code === 'api.internal' ? internalError : undefined
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
  const found = path.split('/')
  return (
    expected.length === found.length &&
    expected.every((segment, at) => (segment.startsWith(':') ? found[at] !== '' : segment === found[at]))
  )
}

/** Decodes the parameters of a path. Throws 'api.id.invalid' for invalid percent-encoding. */
function pathParams(pattern: string, path: string): Record<string, string> {
  const found = path.split('/')
  const params: Record<string, string> = {}
  for (const [at, segment] of pattern.split('/').entries()) {
    if (!segment.startsWith(':')) continue
    try {
      params[segment.slice(1)] = decodeURIComponent(found[at] ?? '')
    } catch {
      throw new AppError('api.id.invalid')
    }
  }
  return params
}
