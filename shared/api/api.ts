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
 * The HTTP contract over one set of services. A side's `mount.ts` gives each route to its framework and calls `answer`;
 * what no route takes goes to `unmatched`, what breaks before that to `refuse`. None of them throws, and every error is
 * JSON.
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
      const who = await whoCalls(services, route, call)
      const version = readVersion(call.headers.get('service-version'), settings.defaultApiVersion)
      if (route.needsDatabase === true && settings.stateless) throw new AppError('api.stateless')
      const params = pathParams(route.path, call.path)
      const input = { params, ...who, major: version.major }
      const run = () => route.run(services, input, call)
      const reply = await (route.limited ? limit(who.caller?.token ?? call.client, run) : run())
      return withCommon(version.bent ? withWarning(reply, 'version') : reply)
    } catch (error) {
      return refuse(namedFor(route, error))
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
    // An id with slashes in it, or none at all.
    if (/^\/(render|template)\//.test(call.path)) return refuse(new AppError('api.id.invalid'))
    return refuse(new AppError('api.not-found'))
  }

  function refuse(thrown: unknown): Reply {
    const error = toAppError(thrown)
    if (error.code !== 'api.aborted') report(error)
    return withCommon(json(error.status, errorBody(error), headersFor(error)))
  }

  /** Callers' mistakes are theirs to see; ours and the engines' are for the operator. */
  function report(error: AppError): void {
    const blame = error.cause instanceof AppError ? error.cause.blame : error.blame
    const details = { code: error.code, message: error.message, cause: error.cause }
    if (blame === 'us') services.log.error('request.failed', details)
    else if (blame === 'engine') services.log.warn('request.failed', details)
    else services.log.debug('request.refused', { code: error.code })
  }
}

/** Who asks, before anything else is looked at. Throws as `Authentication` does. */
async function whoCalls(
  { authentication, studio }: Services,
  { scope }: Route,
  { headers }: Call,
): Promise<Pick<Input, 'account' | 'caller'>> {
  const stranger = { account: ownAccount }
  if (authentication === undefined || scope === 'open') return stranger
  if (scope === 'studio' && studio !== undefined) return stranger
  try {
    const caller = await authentication.authenticate(headers.get('authorization'))
    return { account: caller.account, caller }
  } catch (error) {
    // Not even a failing database may keep GET /status from its answer.
    if (scope === 'known') return stranger
    throw error
  }
}

/** What HTTP wants beside some statuses (RFC 6585 4, RFC 9110 15.5.2, RFC 6750 3, RFC 7617 2). */
function headersFor({ code, status }: AppError): Record<string, string> {
  if (status === 429 || status === 503) return { 'retry-after': '1' }
  if (code === 'api.unauthorized') return { 'www-authenticate': 'Bearer' }
  if (code === 'studio.unauthorized')
    return { 'www-authenticate': 'Basic realm="platen studio", charset="UTF-8"' }
  if (code === 'api.unauthorized.expired') return { 'www-authenticate': 'Bearer error="invalid_token"' }
  return {}
}

/** A failure of ours in the words that the contract has for this endpoint. */
function namedFor(route: Route, error: unknown): unknown {
  const code = wordsFor(route, toAppError(error).code)
  return code === undefined ? error : new AppError(code, {}, { cause: error })
}

function wordsFor({ storageError, recordsError, internalError }: Route, code: ErrorCode) {
  // Said as it is: it passes, or only the operator can mend it. The contract's words are for the rest.
  if (code === 'storage.unavailable' || code === 'storage.damaged') return undefined
  if (code === 'storage.records' || code === 'storage.conflict') return recordsError ?? storageError
  if (code.startsWith('storage.')) return storageError
  return code === 'api.internal' ? internalError : undefined
}

/** A call of one render or template that does not say which, as clients make it whose id is empty. */
function withoutId({ path, method }: Call): boolean {
  return path === '/render' || (path === '/template' && ['GET', 'HEAD', 'PATCH', 'DELETE'].includes(method))
}

/** The answer to a HEAD: the headers alone. */
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
    expected.every((piece, at) => (piece.startsWith(':') ? found[at] !== '' : piece === found[at]))
  )
}

/** Throws 'api.id.invalid' for percent signs that decode to nothing. */
function pathParams(pattern: string, path: string): Record<string, string> {
  const found = path.split('/')
  const params: Record<string, string> = {}
  for (const [at, piece] of pattern.split('/').entries()) {
    if (!piece.startsWith(':')) continue
    try {
      params[piece.slice(1)] = decodeURIComponent(found[at] ?? '')
    } catch {
      throw new AppError('api.id.invalid')
    }
  }
  return params
}
