import { AppError } from '../shared/errors/app-error.ts'
import type { DownloadLimits } from '../shared/ports/index.ts'
import type { Settings } from '../shared/services/services.ts'
import { readWebhookSecrets } from '../shared/webhook/sign.ts'
import { isLogLevel, type LogLevel } from './log.ts'

/** What the Worker was told, under the names the origin uses: SERVICE_<NAME>. A value that is no use counts as absent. */
export interface Config {
  readonly settings: Settings
  readonly templateCacheBytes: number
  readonly logLevel: LogLevel
  readonly autoMigrate: boolean
  /** Absent: callers need no token. */
  readonly authentication?: { readonly publicKeys: string; readonly audience: string }
  /** Absent: no template studio. `user`: 'name:password' that it asks for, empty for none. */
  readonly studio?: { readonly user: string }
  readonly originUrls: readonly string[]
  /** Bodies above this many bytes flow through to an origin, where there is one. */
  readonly heldBodyBytes: number
  readonly originSecret: string
  readonly downloads: DownloadLimits
  readonly egress: { readonly allowPrivate: boolean; readonly allowedHosts: readonly string[] }
}

type Variables = Readonly<Record<`SERVICE_${string}`, string | undefined>>

export function readConfig(env: Variables, version: string): Config {
  const hosted = isOn('HOSTED', env['SERVICE_HOSTED']?.trim() || 'off')
  const text = (name: string, fallback: string) => env[`SERVICE_${name}`]?.trim() || fallback
  const flag = (name: string, fallback: boolean) => {
    const value = text(name, '')
    return /^(true|1|yes|on)$/i.test(value) || (fallback && !/^(false|0|no|off)$/i.test(value))
  }
  const integer = (name: string, fallback: number, least = 0) => {
    const value = text(name, '')
    return /^\d{1,12}$/.test(value) && Number(value) >= least ? Number(value) : fallback
  }
  const list = (name: string) =>
    text(name, '')
      .split(',')
      .flatMap((item) => item.trim() || [])
  const major = integer('DEFAULT_API_VERSION', 5)
  const level = text('LOG_LEVEL', 'info')
  const currency = (name: string) => text(name, '') || undefined

  return {
    settings: {
      version,
      stateless: flag('STATELESS', false),
      defaultApiVersion: major === 3 || major === 4 ? major : 5,
      maxDataBytes: integer('MAX_DATA_SIZE', 62_914_560, 1024),
      maxTemplateBytes: integer('MAX_TEMPLATE_SIZE', 20_971_520, 1024),
      renderTimeoutMs: integer('RENDER_TIMEOUT', 60_000, 100),
      requestTimeoutMs: integer('REQUEST_TIMEOUT', 300_000, 100),
      asyncTimeoutMs: integer('ASYNC_TIMEOUT', 300_000, 100),
      webhookSecrets: readWebhookSecrets(list('WEBHOOK_SECRET')),
      webhookRetries: Math.min(integer('WEBHOOK_MAX_RETRY', 1), 10),
      maxBatchReports: Math.min(integer('NB_REPORT_MAX_PER_BATCH', 100), 65_000),
      maxWaitingBatchReports: integer('NB_REPORT_MAX_WAITING', 10) || undefined,
      renderLifeSeconds: integer('RENDER_LIFE', 3600, 1),
      templateRetentionSeconds: integer('TEMPLATE_RETENTION', 86_400),
      templateUnusedDays: integer('TEMPLATE_PATH_RETENTION', 0),
      lang: text('LANG', 'en'),
      timezone: text('TIMEZONE', 'UTC'),
      currencySource: currency('CURRENCY_SOURCE'),
      currencyTarget: currency('CURRENCY_TARGET'),
      allowOrigin: text('ALLOW_ORIGIN', '*'),
      headerAliases: list('HEADER_ALIASES').map((alias) => alias.toLowerCase()),
      hosted,
      maxClientRenders: integer('MAX_CLIENT_RENDERS', hosted ? 100 : 0) || undefined,
    },
    // An isolate has 128 MB for everything.
    templateCacheBytes: integer('TEMPLATE_CACHE_SIZE', 24 * 1024 * 1024),
    logLevel: isLogLevel(level) ? level : 'info',
    autoMigrate: flag('AUTO_MIGRATE', true),
    authentication: isOn('AUTHENTICATION', text('AUTHENTICATION', hosted ? 'on' : 'off'))
      ? { publicKeys: text('AUTHENTICATION_PUBLIC_KEY', ''), audience: text('JWT_AUDIENCE', 'service') }
      : undefined,
    studio: flag('STUDIO', false) ? { user: text('STUDIO_USER', '') } : undefined,
    originUrls: list('ORIGIN_URL').flatMap(originUrl),
    heldBodyBytes: integer('HELD_BODY_SIZE', 16 * 1024 * 1024, 1024),
    originSecret: text('ORIGIN_SECRET', ''),
    downloads: {
      files: integer('MAX_DOWNLOAD_FILE_COUNT', 20),
      totalBytes: integer('MAX_DOWNLOAD_SIZE_TOTAL', 10_485_760, 1024),
      timeoutMs: integer('MAX_DOWNLOAD_TIMEOUT', 6000, 100),
      atOnce: integer('MAX_DOWNLOAD_CONCURRENCY', 15, 1),
    },
    egress: {
      allowPrivate: !hosted && flag('EGRESS_ALLOW_PRIVATE', false),
      allowedHosts: list('EGRESS_ALLOW_LIST'),
    },
  }
}

/** A switch that no misspelling may leave off. Throws 'auth.keys'. */
function isOn(name: string, value: string): boolean {
  if (/^(true|1|yes|on)$/i.test(value)) return true
  if (/^(false|0|no|off)$/i.test(value)) return false
  throw new AppError('auth.keys', { because: `SERVICE_${name} is neither on nor off` })
}

/** An address without the slash that routes bring along; nothing for what is no http address. */
function originUrl(text: string): readonly string[] {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return []
  return [url.origin + url.pathname.replace(/\/+$/, '')]
}
