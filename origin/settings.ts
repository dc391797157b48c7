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
  readonly says: string
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

const text = (value: string, says: string, extra: Extra = {}): Setting<string> => ({
  kind: 'text',
  default: value,
  says,
  ...extra,
})
const flag = (value: boolean, says: string, extra: Extra = {}): Setting<boolean> => ({
  kind: 'boolean',
  default: value,
  says,
  ...extra,
})
const list = (says: string, extra: Extra = {}): Setting<readonly string[]> => ({
  kind: 'list',
  default: [],
  says,
  ...extra,
})
const record = <T>(says: string, extra: Extra = {}): Setting<Readonly<Record<string, T>>> => ({
  kind: 'object',
  default: {},
  says,
  ...extra,
})
const integer = (
  value: number,
  [min, max]: readonly [min: number, max: number],
  says: string,
  extra: Extra = {},
): Setting<number> => ({ kind: 'integer', default: value, min, max, says, ...extra })
/** A size in bytes. 2 GiB - 1 is the maximum that fits a signed 32-bit integer. */
const bytes = (
  value: number,
  says: string,
  extra: Extra & { readonly min?: number } = {},
): Setting<number> => ({
  kind: 'bytes',
  default: value,
  min: 1024,
  max: 2_147_483_647,
  says,
  ...extra,
})

const second = 1000
const [minute, hour] = [60 * second, 3600 * second]

/** The settings in the order of the documentation. The defaults are those of a single machine. */
export const settings = {
  port: integer(4000, [0, 65_535], 'Port to listen on. `0` takes a free one.', { short: 'p' }),
  bind: text('127.0.0.1', 'Address to listen on.', { short: 'b' }),
  workdir: text('.', 'Folder of `config/`, `fonts/`, `plugin/` and the data.', { short: 'w' }),
  dataDir: text('.data', 'Folder of templates, renders and the database, below `workdir`.'),
  factories: text(
    'auto',
    'Maximum number of office processes. `auto`: one for each core, 2 to 8, where memory allows. The first starts with the service, the others when documents wait, and they end after ten idle minutes.',
    { short: 'f', rule: rules.factories },
  ),
  attempts: integer(2, [1, 10], 'Attempts at a document that brings its engine down.', { short: 'a' }),
  mergeWorkers: integer(availableParallelism(), [1, 256], 'Threads that merge templates and finish PDFs.'),
  mergeMemoryMb: integer(2048, [128, 65_536], 'Memory that each merge thread may keep, in MB.'),
  stateless: flag(false, 'Run without a database: templates by hash only, no lists.'),
  docs: flag(true, 'Serve the documentation at `/docs`.'),
  studio: flag(false, 'Serve the template studio at `/`.', { short: 's' }),
  studioUser: text('', '`name:password` that the studio asks for. Empty: it is open to all.', { short: 'S' }),
  lang: text('en', 'Locale of requests that name none.', { short: 'l', rule: rules.locale }),
  timezone: text('UTC', 'Time zone of requests that name none.', { short: 't', rule: rules.timezone }),
  currencySource: text('', 'Currency of the data.', { short: 'cs' }),
  currencyTarget: text('', 'Currency of documents.', { short: 'ct' }),
  currencyRates: record<number>('Exchange rates. Best given in the file.', { rule: rules.currencyRates }),
  translations: record<Readonly<Record<string, string>>>('Localization dictionary. Best given in the file.', {
    rule: rules.translations,
  }),
  maxDataSize: bytes(62_914_560, 'Maximum size of a JSON body.', { short: 'mds' }),
  maxTemplateSize: bytes(20_971_520, 'Maximum size of a template, decoded.'),
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
    'Maximum number of reports of a batch without a webhook. `0`: no further limit; 10 when hosted and at an edge.',
  ),
  xlsmEnabled: flag(false, 'Name the output `xlsm` so, without macros. Otherwise it is an XLSX.'),
  signKey: text(
    '',
    'Key that signs PDFs for `"sign": true`: PEM with its certificates, or PKCS#12 as base64. Empty: `config/sign.pem` or `config/sign.p12` below `workdir`, where there is one.',
  ),
  signPassword: text('', 'Password of that PKCS#12.'),
  timestampUrl: text('', 'Server of time stamps (RFC 3161) for signatures.'),
  webhookSecret: list(
    'Signs calls to webhooks as Standard Webhooks defines: `whsec_` and base64. Several while one is replaced.',
  ),
  webhookMaxRetry: integer(1, [0, 10], 'Further calls to a webhook that fails.'),
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
  templateCacheSize: bytes(134_217_728, 'Memory for templates in use.', { min: 0 }),
  defaultApiVersion: integer(5, [3, 5], 'Version of requests without `service-version`.'),
  instanceQueueSize: integer(100, [0, 100_000], 'Maximum number of conversions that wait.'),
  converterFactoryTimeout: integer(60_000, [1000, hour], 'Time limit for the start of an engine, in ms.'),
  prewarm: flag(true, 'Start the engines with the service, not at their first use.'),
  headerAliases: list('Other prefixes that `service-` headers may come with.', { rule: rules.headerAliases }),
  allowOrigin: text('*', 'Value of `Access-Control-Allow-Origin`.', {
    strict: true,
    rule: rules.allowOrigin,
  }),
  hosted: flag(
    false,
    'Serve the accounts that `platen accounts` made, with test tokens and monthly credits. Callers need tokens.',
    { strict: true },
  ),
  maxClientRenders: integer(
    0,
    [0, 1_000_000],
    'Maximum number of renders of one client at once. `0`: no limit; 100 when hosted.',
  ),
  maxAccountJobs: integer(
    0,
    [0, 1_000_000],
    'Maximum number of renders with a webhook of one account at once, over all origins and edges. `0`: no limit; 10 when hosted.',
  ),
  authentication: flag(false, 'Require a token of callers. Keys are made when there are none.', {
    short: 'A',
    strict: true,
  }),
  authenticationPublicKey: text('', 'PEM of the public keys. Empty: `config/key.pub` below `workdir`.'),
  jwtAudience: text('service', 'What tokens must name as `aud`.'),
  egressAllowPrivate: flag(false, 'Let outbound calls reach private addresses.'),
  egressAllowList: list(
    'Hosts that may be called, `*.example.com` for all below one. Empty: all public ones.',
    {
      strict: true,
      rule: rules.hosts,
    },
  ),
  egressProxy: text('', 'HTTP proxy of outbound calls, `http://user:password@host:port`.'),
  maxDownloadFileCount: integer(20, [0, 1000], 'Maximum number of files that a render fetches.'),
  maxDownloadSizeTotal: bytes(10_485_760, 'Maximum size of all files that a render fetches.'),
  maxDownloadTimeout: integer(6000, [100, minute], 'Time limit of each of these downloads, in ms.'),
  maxDownloadConcurrency: integer(15, [1, 100], 'Downloads of a render at once.'),
  iceFontCacheSize: integer(
    24,
    [1, 1000],
    'Font faces that the instant engine keeps in each of its threads.',
  ),
  originSecret: text(
    '',
    'Shared with an edge that sends its conversions to this origin, at least 32 bytes. Empty: no edge does.',
    { strict: true, rule: rules.secret },
  ),
  databaseUrl: text(
    '',
    'Records in PostgreSQL, shared by several origins: `postgres://…`. Empty: a file of the data folder.',
  ),
  blobsUrl: list(
    'Files in an S3 bucket: `s3://key:secret@bucket/prefix?region=…&endpoint=https://…`, or in Azure: `azure://account:key@container/prefix`. Of two, the first is for templates. Empty: the data folder.',
  ),
  redisUrl: text('', 'Waiting renders in Redis: `redis://…`. Empty: a table beside the records.'),
  plugins: list('Modules or folders of further engines, formats and hooks.'),
  hookTimeout: integer(30_000, [10, hour], 'Time limit of a hook, in ms.'),
  isolation: text(
    '',
    '`required`: an engine whose programs cannot be isolated (a user of their own, no network, no files of others) stays off. `best`: they start with what the system offers, never as root. Empty: `required` when hosted, else `best`.',
    { strict: true, rule: rules.isolation },
  ),
  officePath: text('', 'Path of soffice. Empty: it is searched for.'),
  browserPath: text('', 'Path of Chromium. Empty: it is searched for.'),
  officeAltUrl: text('', 'Address of an ONLYOFFICE Docs server for engine O. Empty: what this machine has.'),
  officeAltSecret: text('', 'Secret that this server checks tokens with.'),
  officeAltCallback: text(
    '',
    'Address at which this server fetches documents, `http://host:port`. Empty: a free port of this machine.',
  ),
  officeAltPath: text('', 'Path of x2t for engine O. Empty: it is searched for.'),
  otlpUrl: text(
    '',
    'Receiver of OpenTelemetry, `http://collector:4318`: gets spans and metrics by OTLP over HTTP with JSON. Empty: nothing is recorded.',
    { strict: true, rule: rules.httpUrl },
  ),
  logLevel: text('info', 'debug, info, warn, error or silent.', { rule: rules.logLevel }),
  stopDelay: integer(0, [0, 300_000], 'Time for which `/status` answers 503 before a stop, in ms.'),
} as const

type SettingsTable = typeof settings

/**
 * The settings of the operator. Times are in milliseconds and sizes in bytes unless the table states another
 * unit.
 */
export type OriginConfig = {
  readonly [Name in Exclude<keyof SettingsTable, 'isolation' | 'factories'>]: SettingsTable[Name]['default']
} & { readonly isolation: 'required' | 'best'; readonly factories: number }
