import { availableParallelism } from 'node:os'
import { rules, type SettingRule } from '../shared/setting-rules.ts'

/**
 * The settings of an origin, as one table: name, kind, default, limits and the text of the documentation. The
 * type `Config`, the command line, `--help`, the suggestions for unknown names and the table in
 * docs/configuration.md are made from it.
 */
export interface Setting<T> {
  readonly kind: 'integer' | 'bytes' | 'boolean' | 'text' | 'list' | 'object'
  readonly default: T
  readonly min?: number
  readonly max?: number
  readonly description: string
  readonly short?: string // the name on the command line after one dash
  /**
   * An unusable value is a start error. Ignoring it would leave something unprotected that the operator meant
   * to protect.
   */
  readonly strict?: true
  /** A further check of a value that is valid for its kind. */
  readonly rule?: SettingRule
}

type Extra = Pick<Setting<unknown>, 'short' | 'strict' | 'rule'>

const text = (value: string, description: string, extra: Extra = {}): Setting<string> => ({
  kind: 'text',
  default: value,
  description,
  ...extra,
})
const flag = (value: boolean, description: string, extra: Extra = {}): Setting<boolean> => ({
  kind: 'boolean',
  default: value,
  description,
  ...extra,
})
const list = (description: string, extra: Extra = {}): Setting<readonly string[]> => ({
  kind: 'list',
  default: [],
  description,
  ...extra,
})
const record = <T>(description: string, extra: Extra = {}): Setting<Readonly<Record<string, T>>> => ({
  kind: 'object',
  default: {},
  description,
  ...extra,
})
const integer = (
  value: number,
  [min, max]: readonly [min: number, max: number],
  description: string,
  extra: Extra = {},
): Setting<number> => ({ kind: 'integer', default: value, min, max, description, ...extra })
/** A size in bytes. 2 GiB - 1 is the maximum that fits a signed 32-bit integer. */
const bytes = (
  value: number,
  description: string,
  extra: Extra & { readonly min?: number } = {},
): Setting<number> => ({
  kind: 'bytes',
  default: value,
  min: 1024,
  max: 2_147_483_647,
  description,
  ...extra,
})

const second = 1000
const [minute, hour] = [60 * second, 3600 * second]

// The defaults are those of a single machine.

const service = {
  port: integer(4000, [0, 65_535], 'Port to listen on. `0` takes a free one.', { short: 'p' }),
  bind: text('127.0.0.1', 'Address to listen on.', { short: 'b' }),
  workdir: text('.', 'Folder with `config/`, `fonts/`, `plugin/` and the data folder.', { short: 'w' }),
  dataDir: text('.data', 'Folder of templates, renders and the database, below `workdir`.'),
  stateless: flag(
    false,
    'Run without a database. Templates are addressed by their hash only, and cannot be listed.',
  ),
  docs: flag(true, 'Serve the documentation at `/docs`.'),
  studio: flag(false, 'Serve the template studio at `/`.', { short: 's' }),
  studioUser: text('', 'Name and password of the studio, as `name:password`. Empty: everybody can open it.', {
    short: 'S',
  }),
  defaultApiVersion: integer(5, [3, 5], 'API version of requests without the header `service-version`.'),
  headerAliases: list(
    'Other prefixes that are accepted in place of `service-` in the names of request headers.',
    { rule: rules.headerAliases },
  ),
  allowOrigin: text('*', 'Value of `Access-Control-Allow-Origin`.', {
    strict: true,
    rule: rules.allowOrigin,
  }),
  prewarm: flag(
    true,
    'Start the engines with the service instead of at their first use, and load what later documents need while they are idle.',
  ),
  stopDelay: integer(
    0,
    [0, 300_000],
    'Time for which `/status` answers 503 before the service stops, in ms.',
  ),
} as const

const defaults = {
  lang: text('en', 'Default locale of documents.', { short: 'l', rule: rules.locale }),
  timezone: text('UTC', 'Default time zone of documents.', { short: 't', rule: rules.timezone }),
  currencySource: text('', 'Default currency of the amounts in the data.', { short: 'cs' }),
  currencyTarget: text('', 'Default currency of documents.', { short: 'ct' }),
  currencyRates: record<number>(
    'Default exchange rates, by currency code. An object, best given in the file.',
    { rule: rules.currencyRates },
  ),
  translations: record<Readonly<Record<string, string>>>(
    'Default translations, by locale. An object, best given in the file.',
    {
      rule: rules.translations,
    },
  ),
  xlsmEnabled: flag(
    false,
    'Give the output type `xlsm` the extension `.xlsm`, without macros. Otherwise the result is an XLSX.',
  ),
} as const

const limits = {
  maxDataSize: bytes(62_914_560, 'Maximum size of a JSON body.', { short: 'mds' }),
  maxTemplateSize: bytes(20_971_520, 'Maximum size of a template, after base64 is decoded.'),
  renderTimeout: integer(60_000, [100, hour], 'Time limit of a render, in ms.'),
  asyncTimeout: integer(300_000, [100, hour], 'Time limit of a render with a webhook, in ms.'),
  requestTimeout: integer(300_000, [1000, hour], 'Time allowed for receiving a whole request, in ms.'),
  nbReportMaxPerBatch: integer(
    100,
    [0, 65_000],
    'Maximum number of reports of one batch. `0` turns batches off.',
  ),
  nbReportMaxWaiting: integer(
    0,
    [0, 65_000],
    'Maximum number of reports of a batch without a webhook. `0`: only the limit of all batches; 10 when hosted and at an edge.',
  ),
  maxClientRenders: integer(
    0,
    [0, 1_000_000],
    'Maximum number of simultaneous renders of one client. `0`: no limit; 100 when hosted.',
  ),
  maxAccountJobs: integer(
    0,
    [0, 1_000_000],
    'Maximum number of simultaneous renders with a webhook of one account, over all origins and edges. `0`: no limit; 10 when hosted.',
  ),
} as const

const retention = {
  renderLife: integer(3600, [1, 86_400], 'Time for which a stored render is kept, in seconds.'),
  templateRetention: integer(
    86_400,
    [0, 31_536_000],
    'Time for which the file of an expired template is kept, in seconds.',
  ),
  templatePathRetention: integer(
    0,
    [0, 36_500],
    'Delete unversioned templates that have not been rendered, fetched or uploaded for this many days. `0` keeps them.',
    { short: 'r' },
  ),
  deployRequiresChecks: flag(
    false,
    'Refuse to deploy a version of a template while one of its cases fails. A version without cases is deployed.',
  ),
  templateCacheSize: bytes(134_217_728, 'Memory for cached templates.', { min: 0 }),
} as const

const access = {
  authentication: flag(false, 'Require a token from callers. A key pair is created if there is none.', {
    short: 'A',
    strict: true,
  }),
  authenticationPublicKey: text(
    '',
    'Public keys that verify tokens, as PEM. Empty: `config/key.pub` below `workdir`.',
  ),
  jwtAudience: text('service', 'Audience (`aud`) that tokens must have.'),
  hosted: flag(
    false,
    'Serve the accounts that `platen accounts` creates, with test tokens and monthly credits. Callers need tokens.',
    { strict: true },
  ),
} as const

const signing = {
  signKey: text(
    '',
    'Key that signs PDFs for `"sign": true`: a PEM with its certificates, or PKCS#12 as base64. Empty: `config/sign.pem` or `config/sign.p12` below `workdir`, if it exists.',
  ),
  signPassword: text('', 'Password of a PKCS#12 key in `signKey`.'),
  timestampUrl: text('', 'URL of the time-stamp server (RFC 3161) for signatures.'),
  webhookSecret: list(
    'Secret that signs webhook calls as Standard Webhooks defines: `whsec_` and base64. Give several while you replace one.',
  ),
  webhookMaxRetry: integer(1, [0, 10], 'How many times a failed webhook call is repeated.'),
} as const

const outbound = {
  egressAllowPrivate: flag(false, 'Allow outbound calls to private addresses.'),
  egressAllowList: list(
    'Hosts that outbound calls may reach; `*.example.com` allows all hosts below a domain. Empty: all public hosts.',
    {
      strict: true,
      rule: rules.hosts,
    },
  ),
  egressProxy: text('', 'HTTP proxy for outbound calls: `http://user:password@host:port`.'),
  maxDownloadFileCount: integer(20, [0, 1000], 'Maximum number of files that a render may download.'),
  maxDownloadSizeTotal: bytes(10_485_760, 'Maximum total size of the files that a render downloads.'),
  maxDownloadTimeout: integer(6000, [100, minute], 'Time limit of each of these downloads, in ms.'),
  maxDownloadConcurrency: integer(15, [1, 100], 'Maximum number of simultaneous downloads of a render.'),
} as const

const engines = {
  factories: text(
    'auto',
    'Maximum number of office processes. `auto`: one for each core, 2 to 8, where memory allows. The first starts with the service, the others when documents wait, and they end after ten idle minutes.',
    { short: 'f', rule: rules.factories },
  ),
  attempts: integer(2, [1, 10], 'How many times a document that crashes its engine is tried.', {
    short: 'a',
  }),
  mergeWorkers: integer(availableParallelism(), [1, 256], 'Threads that merge templates and finish PDFs.'),
  mergeMemoryMb: integer(2048, [128, 65_536], 'Memory that each merge thread may keep, in MB.'),
  instanceQueueSize: integer(100, [0, 100_000], 'Maximum number of conversions that wait for an engine.'),
  converterFactoryTimeout: integer(60_000, [1000, hour], 'Time limit for the start of an engine, in ms.'),
  iceFontCacheSize: integer(
    24,
    [1, 1000],
    'Maximum number of font faces that the instant engine caches in each thread.',
  ),
  isolation: text(
    '',
    '`required`: an engine stays off if its programs cannot be isolated (separate user, no network, no other files). `best`: they start with the isolation that the system offers, never as root. Empty: `required` when hosted, otherwise `best`.',
    { strict: true, rule: rules.isolation },
  ),
  officePath: text('', 'Path of `soffice`. Empty: the usual folders are searched.'),
  browserPath: text('', 'Path of Chromium. Empty: the usual folders are searched.'),
  officeAltUrl: text(
    '',
    'URL of an ONLYOFFICE Docs server for engine O. Empty: the `x2t` of this machine, if it is installed.',
  ),
  officeAltSecret: text('', 'Secret with which that server verifies tokens.'),
  officeAltCallback: text(
    '',
    'URL from which that server fetches documents: `http://host:port`. Empty: a free port of this machine.',
  ),
  officeAltPath: text('', 'Path of `x2t` for engine O. Empty: the usual folders are searched.'),
} as const

const cluster = {
  databaseUrl: text(
    '',
    'PostgreSQL database for the records, which several origins can share: `postgres://…`. Empty: a SQLite file in the data folder.',
  ),
  blobsUrl: list(
    'Store for files, in S3: `s3://key:secret@bucket/prefix?region=…&endpoint=https://…`, or in Azure: `azure://account:key@container/prefix`. If there are two, the first one stores templates. Empty: the data folder.',
  ),
  redisUrl: text('', 'Redis server for the queue of renders: `redis://…`. Empty: a table of the database.'),
  originSecret: text(
    '',
    'Secret of at least 32 bytes, shared with the edge that sends conversions to this origin. Empty: conversions of edges are refused.',
    { strict: true, rule: rules.secret },
  ),
} as const

const plugins = {
  plugins: list('Plugins with further engines, formats, routes and hooks: paths of modules or folders.'),
  hookTimeout: integer(30_000, [10, hour], 'Time limit of a hook, in ms.'),
} as const

const observation = {
  logLevel: text('info', 'Minimum level of log lines: debug, info, warn, error or silent.', {
    rule: rules.logLevel,
  }),
  otlpUrl: text(
    '',
    'URL of an OpenTelemetry collector, such as `http://collector:4318`, which receives spans and metrics as OTLP over HTTP with JSON. Empty: nothing is recorded.',
    { strict: true, rule: rules.httpUrl },
  ),
} as const

/** The settings by purpose, in the order of the documentation. */
export const settingGroups = {
  'The service': service,
  'Defaults of documents': defaults,
  'Limits of renders': limits,
  'Templates and stored renders': retention,
  Access: access,
  'Signatures and webhooks': signing,
  'Outbound calls': outbound,
  Engines: engines,
  'Several origins, and edges': cluster,
  Plugins: plugins,
  'Logs and telemetry': observation,
} as const

export const settings = {
  ...service,
  ...defaults,
  ...limits,
  ...retention,
  ...access,
  ...signing,
  ...outbound,
  ...engines,
  ...cluster,
  ...plugins,
  ...observation,
} as const

type SettingsTable = typeof settings

/**
 * The settings of the operator. Times are in milliseconds and sizes in bytes unless the table states another
 * unit.
 */
export type OriginConfig = {
  readonly [Name in Exclude<keyof SettingsTable, 'isolation' | 'factories'>]: SettingsTable[Name]['default']
} & { readonly isolation: 'required' | 'best'; readonly factories: number }
