import type { Call, Reply } from './call.ts'
import { nothing } from './call.ts'

/** Settings of the headers for cross-origin requests (specification 4.1). */
export interface CorsSettings {
  readonly allowOrigin: string // an origin or '*'
  readonly aliases: readonly string[] // prefixes of headers, in addition to 'service'
}

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/**
 * The response to a preflight request, which needs no token. It allows the requested headers with a known
 * name or prefix.
 */
export function preflight(call: Call, settings: CorsSettings): Reply {
  const requested = (call.headers.get('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => /^[a-z0-9-]{1,128}$/.test(name) && isAllowed(name, settings.aliases))
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': methods,
      'access-control-allow-headers': (requested.length > 0
        ? requested
        : ['authorization', 'content-type']
      ).join(', '),
      'access-control-max-age': '86400',
    },
    body: nothing,
  }
}

const allowed = new Set([
  'authorization',
  'content-type',
  'accept',
  'idempotency-key',
  'prefer',
  'x-request-id',
  'traceparent',
])

function isAllowed(name: string, aliases: readonly string[]): boolean {
  if (allowed.has(name)) return true
  return ['service', ...aliases].some((prefix) => name.startsWith(`${prefix}-`))
}

const exposed = [
  'warning',
  'converter',
  'fonts',
  'pages',
  'provenance',
  'job-id',
  'idempotent-replay',
  'credits-limit',
  'credits-remaining',
  'credits-reset',
]

/** Headers of every response. */
export function commonHeaders(settings: CorsSettings): Readonly<Record<string, string>> {
  const prefixes = ['service', ...settings.aliases]
  return {
    'access-control-allow-origin': settings.allowOrigin,
    'access-control-expose-headers': [
      'Content-Disposition',
      'Content-Length',
      'ETag',
      'Retry-After',
      'X-Request-Id',
      ...prefixes.flatMap((prefix) => exposed.map((name) => `${prefix}-${name}`)),
    ].join(', '),
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    vary: ['Origin', ...prefixes.map((prefix) => `${prefix}-version`)].join(', '),
  }
}
