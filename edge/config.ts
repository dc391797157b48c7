import { AppError } from '../shared/errors/app-error.ts'
import type { DownloadLimits } from '../shared/ports/index.ts'
import type { ServiceSettings } from '../shared/services/services.ts'
import { type LogLevel, rules } from '../shared/setting-rules.ts'
import { readWebhookSecrets } from '../shared/webhook/sign.ts'
import { createSettingsReader, type SettingsReader, type Variables } from './settings-reader.ts'

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
  readonly maxBufferedBody: number
  readonly originSecret: string
  readonly downloads: DownloadLimits
  readonly egress: { readonly allowPrivate: boolean; readonly allowedHosts: readonly string[] }
}

/**
 * Reads the settings from the environment. Throws 'auth.keys' when it is unclear whether tokens are required,
 * and 'origin.secret' for one that is too short.
 */
export function readConfig(env: Variables, version: string): EdgeConfig {
  const reader = createSettingsReader(env)
  const { text, flag, bytes } = reader
  const hosted = reader.strictFlag('HOSTED', false)
  const origins = readOrigins(reader)
  const config: EdgeConfig = {
    warnings: reader.warnings,
    settings: readServiceSettings(reader, { version, hosted }),
    // An isolate has 128 MB of memory in total.
    templateCacheBytes: bytes('TEMPLATE_CACHE_SIZE', 24 * 1024 * 1024),
    logLevel: reader.ruled('LOG_LEVEL', text('LOG_LEVEL', 'info'), rules.logLevel, 'info') as LogLevel,
    autoMigrate: flag('AUTO_MIGRATE', true),
    authentication: reader.strictFlag('AUTHENTICATION', hosted)
      ? { publicKeys: text('AUTHENTICATION_PUBLIC_KEY', ''), audience: text('JWT_AUDIENCE', 'service') }
      : undefined,
    docs: flag('DOCS', true),
    studio: flag('STUDIO', false) ? { user: text('STUDIO_USER', '') } : undefined,
    ...origins,
    maxBufferedBody: bytes('HELD_BODY_SIZE', 16 * 1024 * 1024, 1024),
    downloads: readDownloads(reader),
    egress: readEgress(reader, hosted),
  }
  reader.warnUnknown()
  return config
}

function readServiceSettings(
  reader: SettingsReader,
  { version, hosted }: { readonly version: string; readonly hosted: boolean },
): ServiceSettings {
  const { text, flag, integer, bytes, list, ruled } = reader
  const optional = (name: string) => text(name, '') || undefined
  const major = integer('DEFAULT_API_VERSION', 5)
  if (![3, 4, 5].includes(major)) reader.warnUnusable('DEFAULT_API_VERSION', '3, 4 or 5')
  const aliases = ruled('HEADER_ALIASES', list('HEADER_ALIASES'), rules.headerAliases, [])
  return {
    version,
    stateless: flag('STATELESS', false),
    defaultApiVersion: major === 3 || major === 4 ? major : 5,
    maxDataBytes: bytes('MAX_DATA_SIZE', 62_914_560, 1024),
    // An isolate has 128 MB of memory in total; what needs more is rendered by an origin.
    maxParsedBytes: 64 * 1024 * 1024,
    maxTemplateBytes: bytes('MAX_TEMPLATE_SIZE', 20_971_520, 1024),
    renderTimeoutMs: integer('RENDER_TIMEOUT', 60_000, 100),
    requestTimeoutMs: integer('REQUEST_TIMEOUT', 300_000, 100),
    asyncTimeoutMs: integer('ASYNC_TIMEOUT', 300_000, 100),
    signing: {
      key: optional('SIGN_KEY'),
      password: optional('SIGN_PASSWORD'),
      timestampUrl: optional('TIMESTAMP_URL'),
    },
    webhookSecrets: readWebhookSecrets(list('WEBHOOK_SECRET')),
    webhookRetries: Math.min(integer('WEBHOOK_MAX_RETRY', 1), 10),
    maxBatchReports: Math.min(integer('NB_REPORT_MAX_PER_BATCH', 100), 65_000),
    maxWaitingBatchReports: integer('NB_REPORT_MAX_WAITING', 10) || undefined,
    renderLifeSeconds: integer('RENDER_LIFE', 3600, 1),
    templateRetentionSeconds: integer('TEMPLATE_RETENTION', 86_400),
    templateUnusedDays: integer('TEMPLATE_PATH_RETENTION', 0),
    deployRequiresChecks: flag('DEPLOY_REQUIRES_CHECKS', false),
    lang: ruled('LANG', text('LANG', 'en'), rules.locale, 'en'),
    timezone: ruled('TIMEZONE', text('TIMEZONE', 'UTC'), rules.timezone, 'UTC'),
    currencySource: optional('CURRENCY_SOURCE'),
    currencyTarget: optional('CURRENCY_TARGET'),
    allowOrigin: ruled('ALLOW_ORIGIN', text('ALLOW_ORIGIN', '*'), rules.allowOrigin, 'null'),
    headerAliases: aliases.map((alias) => alias.toLowerCase()),
    hosted,
    maxClientRenders: integer('MAX_CLIENT_RENDERS', hosted ? 100 : 0) || undefined,
    // Half of the consumers that wrangler.toml allows, since Cloudflare's queue does not let accounts take turns.
    maxAccountJobs: integer('MAX_ACCOUNT_JOBS', hosted ? 10 : 0) || undefined,
  }
}

/** The origins and the secret that signs requests to them. Throws 'origin.secret' for one that is too short. */
function readOrigins({ list, text, warnUnusable }: SettingsReader) {
  const urls = list('ORIGIN_URL')
  const originUrls = urls.flatMap((url) => originUrl(url) ?? [])
  if (originUrls.length < urls.length)
    warnUnusable('ORIGIN_URL', 'addresses that begin with http:// or https://')
  const originSecret = text('ORIGIN_SECRET', '')
  if ((originSecret !== '' || originUrls.length > 0) && !rules.secret.fits(originSecret))
    throw new AppError('origin.secret')
  return { originUrls, originSecret }
}

function readDownloads({ integer, bytes }: SettingsReader): DownloadLimits {
  return {
    files: integer('MAX_DOWNLOAD_FILE_COUNT', 20),
    totalBytes: bytes('MAX_DOWNLOAD_SIZE_TOTAL', 10_485_760, 1024),
    timeoutMs: integer('MAX_DOWNLOAD_TIMEOUT', 6000, 100),
    atOnce: integer('MAX_DOWNLOAD_CONCURRENCY', 15, 1),
  }
}

function readEgress({ flag, list, ruled }: SettingsReader, hosted: boolean): EdgeConfig['egress'] {
  const allowPrivate = flag('EGRESS_ALLOW_PRIVATE', false)
  const allowedHosts = list('EGRESS_ALLOW_LIST')
  return {
    allowPrivate: !hosted && allowPrivate,
    // An unusable list is kept: without it, calls to every host would be allowed.
    allowedHosts: ruled('EGRESS_ALLOW_LIST', allowedHosts, rules.hosts, allowedHosts),
  }
}

/**
 * Normalizes the URL of an origin, without a slash at the end. Returns undefined when it is not an HTTP URL.
 */
function originUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
  return url.origin + url.pathname.replace(/\/+$/, '')
}
