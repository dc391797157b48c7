import { AppError } from '../shared/errors/app-error.ts'
import { nearestName } from '../shared/nearest-name.ts'
import type { DownloadLimits } from '../shared/ports/index.ts'
import type { ServiceSettings } from '../shared/services/services.ts'
import { type LogLevel, readSize, rules, type SettingRule } from '../shared/setting-rules.ts'
import { readWebhookSecrets } from '../shared/webhook/sign.ts'

/**
 * The settings of the Worker, SERVICE_<NAME>, with the same names as on the origin. Unusable values count as
 * absent.
 */
export interface EdgeConfig {
  readonly settings: ServiceSettings
  /** One line for the log about each unusable value. */
  readonly warnings: readonly string[]
  readonly templateCacheBytes: number
  readonly logLevel: LogLevel
  readonly autoMigrate: boolean
  /** Absent when callers need no token. */
  readonly authentication?: { readonly publicKeys: string; readonly audience: string }
  /** Whether the documentation is served at `/docs`. */
  readonly docs: boolean
  /** Absent when the template studio is off. `user` is the 'name:password' that it requires, or empty. */
  readonly studio?: { readonly user: string }
  readonly originUrls: readonly string[]
  /** Larger bodies, in bytes, are streamed to an origin, if one is configured. */
  readonly heldBodyBytes: number
  readonly originSecret: string
  readonly downloads: DownloadLimits
  readonly egress: { readonly allowPrivate: boolean; readonly allowedHosts: readonly string[] }
}

type Variables = Readonly<Record<`SERVICE_${string}`, string | undefined>>

/**
 * Reads the settings from the environment. Throws 'auth.keys' when it is unclear whether tokens are required,
 * and 'origin.secret' for one that is too short.
 */
export function readConfig(env: Variables, version: string): EdgeConfig {
  const hosted = isOn('HOSTED', env['SERVICE_HOSTED']?.trim() || 'off')
  const warnings: string[] = []
  /** The names that are read below, with which unknown ones are compared. */
  const known = new Set<string>(['SERVICE_HOSTED'])
  const text = (name: string, fallback: string) => {
    known.add(`SERVICE_${name}`)
    return env[`SERVICE_${name}`]?.trim() || fallback
  }
  const warnUnusable = (name: string, wants: string) => {
    warnings.push(`SERVICE_${name} is not a usable value: it takes ${wants}.`)
  }
  const flag = (name: string, fallback: boolean) => {
    const value = text(name, String(fallback))
    if (/^(true|1|yes|on)$/i.test(value)) return true
    if (/^(false|0|no|off)$/i.test(value)) return false
    warnUnusable(name, 'true or false')
    return fallback
  }
  const number = (name: string, fallback: number, min: number, read: (value: string) => number) => {
    const value = text(name, '')
    if (value === '') return fallback
    const found = read(value)
    if (found >= min) return found
    warnUnusable(name, `a whole number from ${min}`)
    return fallback
  }
  const integer = (name: string, fallback: number, min = 0) =>
    number(name, fallback, min, (value) => (/^\d{1,12}$/.test(value) ? Number(value) : Number.NaN))
  const bytes = (name: string, fallback: number, min = 0) => number(name, fallback, min, readSize)
  const list = (name: string) =>
    text(name, '')
      .split(',')
      .flatMap((item) => item.trim() || [])
  /**
   * `fallback` replaces an unusable value. Where a setting restricts access, it must be the strictest value.
   */
  const ruled = <T>(name: string, value: T, rule: SettingRule, fallback: T): T => {
    if (rule.fits(value)) return value
    warnUnusable(name, rule.wants)
    return fallback
  }
  const major = integer('DEFAULT_API_VERSION', 5)
  if (![3, 4, 5].includes(major)) warnUnusable('DEFAULT_API_VERSION', '3, 4 or 5')
  const currency = (name: string) => text(name, '') || undefined
  const aliases = ruled('HEADER_ALIASES', list('HEADER_ALIASES'), rules.headerAliases, [])
  const allowedHosts = list('EGRESS_ALLOW_LIST')
  const given = list('ORIGIN_URL')
  const originUrls = given.flatMap((url) => originUrl(url) ?? [])
  if (originUrls.length < given.length)
    warnUnusable('ORIGIN_URL', 'addresses that begin with http:// or https://')

  const originSecret = text('ORIGIN_SECRET', '')
  if ((originSecret !== '' || originUrls.length > 0) && !rules.secret.fits(originSecret))
    throw new AppError('origin.secret')

  const config: EdgeConfig = {
    warnings,
    settings: {
      version,
      stateless: flag('STATELESS', false),
      defaultApiVersion: major === 3 || major === 4 ? major : 5,
      maxDataBytes: bytes('MAX_DATA_SIZE', 62_914_560, 1024),
      maxTemplateBytes: bytes('MAX_TEMPLATE_SIZE', 20_971_520, 1024),
      renderTimeoutMs: integer('RENDER_TIMEOUT', 60_000, 100),
      requestTimeoutMs: integer('REQUEST_TIMEOUT', 300_000, 100),
      asyncTimeoutMs: integer('ASYNC_TIMEOUT', 300_000, 100),
      signing: {
        key: text('SIGN_KEY', '') || undefined,
        password: text('SIGN_PASSWORD', '') || undefined,
        timestampUrl: text('TIMESTAMP_URL', '') || undefined,
      },
      webhookSecrets: readWebhookSecrets(list('WEBHOOK_SECRET')),
      webhookRetries: Math.min(integer('WEBHOOK_MAX_RETRY', 1), 10),
      maxBatchReports: Math.min(integer('NB_REPORT_MAX_PER_BATCH', 100), 65_000),
      maxWaitingBatchReports: integer('NB_REPORT_MAX_WAITING', 10) || undefined,
      renderLifeSeconds: integer('RENDER_LIFE', 3600, 1),
      templateRetentionSeconds: integer('TEMPLATE_RETENTION', 86_400),
      templateUnusedDays: integer('TEMPLATE_PATH_RETENTION', 0),
      lang: ruled('LANG', text('LANG', 'en'), rules.locale, 'en'),
      timezone: ruled('TIMEZONE', text('TIMEZONE', 'UTC'), rules.timezone, 'UTC'),
      currencySource: currency('CURRENCY_SOURCE'),
      currencyTarget: currency('CURRENCY_TARGET'),
      allowOrigin: ruled('ALLOW_ORIGIN', text('ALLOW_ORIGIN', '*'), rules.allowOrigin, 'null'),
      headerAliases: aliases.map((alias) => alias.toLowerCase()),
      hosted,
      maxClientRenders: integer('MAX_CLIENT_RENDERS', hosted ? 100 : 0) || undefined,
      // Half of the consumers that wrangler.toml allows, since Cloudflare's queue lets no account go first.
      maxAccountJobs: integer('MAX_ACCOUNT_JOBS', hosted ? 10 : 0) || undefined,
    },
    // An isolate has 128 MB of memory in total.
    templateCacheBytes: bytes('TEMPLATE_CACHE_SIZE', 24 * 1024 * 1024),
    logLevel: ruled('LOG_LEVEL', text('LOG_LEVEL', 'info'), rules.logLevel, 'info') as LogLevel,
    autoMigrate: flag('AUTO_MIGRATE', true),
    authentication: isOn('AUTHENTICATION', text('AUTHENTICATION', hosted ? 'on' : 'off'))
      ? { publicKeys: text('AUTHENTICATION_PUBLIC_KEY', ''), audience: text('JWT_AUDIENCE', 'service') }
      : undefined,
    docs: flag('DOCS', true),
    studio: flag('STUDIO', false) ? { user: text('STUDIO_USER', '') } : undefined,
    originUrls,
    heldBodyBytes: bytes('HELD_BODY_SIZE', 16 * 1024 * 1024, 1024),
    originSecret,
    downloads: {
      files: integer('MAX_DOWNLOAD_FILE_COUNT', 20),
      totalBytes: bytes('MAX_DOWNLOAD_SIZE_TOTAL', 10_485_760, 1024),
      timeoutMs: integer('MAX_DOWNLOAD_TIMEOUT', 6000, 100),
      atOnce: integer('MAX_DOWNLOAD_CONCURRENCY', 15, 1),
    },
    egress: {
      allowPrivate: !hosted && flag('EGRESS_ALLOW_PRIVATE', false),
      // An unusable list is kept: without it, calls to every host would be allowed.
      allowedHosts: ruled('EGRESS_ALLOW_LIST', allowedHosts, rules.hosts, allowedHosts),
    },
  }
  for (const name of Object.keys(env)) {
    if (!name.startsWith('SERVICE_') || known.has(name)) continue
    const near = nearestName(name, [...known])
    warnings.push(`${name} is not known at the edge${near === undefined ? '' : `; did you mean ${near}`}.`)
  }
  return config
}

/** Reads a security setting, whose misspelling must not switch it off. Throws 'auth.keys'. */
function isOn(name: string, value: string): boolean {
  if (/^(true|1|yes|on)$/i.test(value)) return true
  if (/^(false|0|no|off)$/i.test(value)) return false
  throw new AppError('auth.keys', { because: `SERVICE_${name} is neither on nor off` })
}

/**
 * Normalizes the URL of an origin, without a slash at the end. Returns undefined when it is not an HTTP URL.
 */
function originUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
  return url.origin + url.pathname.replace(/\/+$/, '')
}
