import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { nearestName } from '../shared/nearest-name.ts'
import { readSize, rules, type SettingRule } from '../shared/setting-rules.ts'

/**
 * The settings of the operator. The command line takes precedence over the environment, that over
 * `config/config.json`, and that over the default. The name of a property is `--name` on the command line,
 * `SERVICE_NAME` in upper snake case in the environment, and the key in the file. Times are in milliseconds
 * and sizes in bytes unless `options` states another unit.
 */
export interface Config {
  readonly port: number
  readonly bind: string
  readonly workdir: string
  readonly dataDir: string
  readonly factories: number
  readonly attempts: number
  readonly mergeWorkers: number
  readonly mergeMemoryMb: number
  readonly stateless: boolean
  readonly templateManagement: boolean
  readonly databaseName: string
  readonly docs: boolean
  readonly studio: boolean
  readonly studioUser: string
  readonly lang: string
  readonly timezone: string
  readonly currencySource: string
  readonly currencyTarget: string
  readonly currencyRates: Readonly<Record<string, number>>
  readonly translations: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly maxDataSize: number
  readonly maxTemplateSize: number
  readonly renderTimeout: number
  readonly asyncTimeout: number
  readonly requestTimeout: number
  readonly nbReportMaxPerBatch: number
  readonly nbReportMaxWaiting: number
  readonly xlsmEnabled: boolean
  readonly webhookSecret: readonly string[]
  readonly webhookMaxRetry: number
  readonly renderLife: number
  readonly templateRetention: number
  readonly templatePathRetention: number
  readonly templateCacheSize: number
  readonly defaultApiVersion: number
  readonly instanceQueueSize: number
  readonly converterFactoryTimeout: number
  readonly prewarm: boolean
  readonly headerAliases: readonly string[]
  readonly allowOrigin: string
  readonly hosted: boolean
  readonly maxClientRenders: number
  readonly authentication: boolean
  readonly authenticationPublicKey: string
  readonly jwtAudience: string
  readonly egressAllowPrivate: boolean
  readonly egressAllowList: readonly string[]
  readonly egressProxy: string
  readonly maxDownloadFileCount: number
  readonly maxDownloadSizeTotal: number
  readonly maxDownloadTimeout: number
  readonly maxDownloadConcurrency: number
  readonly iceFontCacheSize: number
  readonly originSecret: string
  readonly databaseUrl: string
  readonly blobsUrl: string
  readonly redisUrl: string
  readonly bucketTemplates: string
  readonly bucketRenders: string
  readonly awsAccessKeyId: string
  readonly awsSecretAccessKey: string
  readonly awsEndpointUrl: string
  readonly awsRegion: string
  readonly containerTemplates: string
  readonly containerRenders: string
  readonly azureStorageAccount: string
  readonly azureStorageKey: string
  readonly azureStorageEndpoint: string
  readonly plugins: readonly string[]
  readonly hookTimeout: number
  readonly isolation: 'required' | 'best'
  readonly officePath: string
  readonly browserPath: string
  readonly officeAltUrl: string
  readonly officeAltSecret: string
  readonly officeAltCallback: string
  readonly officeAltPath: string
  readonly logLevel: string
  readonly stopDelay: number
}

type Kind = 'integer' | 'bytes' | 'boolean' | 'text' | 'list' | 'object'
interface Option {
  readonly kind: Kind
  readonly short?: string
  /** The environment variable has no SERVICE_ prefix, because other programs use the same name. */
  readonly common?: true
  readonly default: unknown
  readonly min?: number
  readonly max?: number
  /**
   * An unusable value is a start error. Ignoring it would leave something unprotected that the operator meant
   * to protect.
   */
  readonly strict?: true
  /** A further check of a value that is valid for its kind. */
  readonly rule?: SettingRule
  readonly says: string // the description in --help and in the table of docs/configuration.md
}

/** A text option with the environment variable that the AWS or Azure tools use. */
const common = (says: string): Option => ({ kind: 'text', default: '', common: true, says })
/** The part that all options of a size share. 2 GiB - 1 is the maximum that fits a signed 32-bit integer. */
const byte = { kind: 'bytes', min: 1024, max: 2_147_483_647 } as const

/** All options in the order of the documentation. The defaults are those of a single machine. */
export const options: { readonly [Name in keyof Config]: Option } = {
  port: {
    kind: 'integer',
    short: 'p',
    default: 4000,
    min: 0,
    max: 65_535,
    says: 'Port; 0 takes a free one.',
  },
  bind: { kind: 'text', short: 'b', default: '127.0.0.1', says: 'Address to listen on.' },
  workdir: {
    kind: 'text',
    short: 'w',
    default: '.',
    says: 'Folder of `config/`, `fonts/`, `plugin/` and the data.',
  },
  dataDir: { kind: 'text', default: '.data', says: 'Templates, renders and the database, below workdir.' },
  factories: { kind: 'integer', short: 'f', default: 1, min: 1, max: 64, says: 'Office processes.' },
  attempts: {
    kind: 'integer',
    short: 'a',
    default: 2,
    min: 1,
    max: 10,
    says: 'Attempts at a document that brings its engine down.',
  },
  mergeWorkers: {
    kind: 'integer',
    default: availableParallelism(),
    min: 1,
    max: 256,
    says: 'Threads that fill templates.',
  },
  mergeMemoryMb: {
    kind: 'integer',
    default: 2048,
    min: 128,
    max: 65_536,
    says: 'JavaScript memory of one such thread.',
  },
  stateless: { kind: 'boolean', default: false, says: 'No database: templates by hash only, no lists.' },
  templateManagement: { kind: 'boolean', default: true, says: '`false` is `stateless`.' },
  databaseName: {
    kind: 'text',
    default: 'service.sqlite',
    says: 'File of the database, in the data folder.',
  },
  docs: { kind: 'boolean', default: true, says: 'The documentation at `/docs`.' },
  studio: { kind: 'boolean', short: 's', default: false, says: 'The template studio at `/`.' },
  studioUser: {
    kind: 'text',
    short: 'S',
    default: '',
    says: '`name:password` that the studio asks for; empty: it is open.',
  },
  lang: {
    kind: 'text',
    short: 'l',
    default: 'en',
    rule: rules.locale,
    says: 'Locale when a request names none.',
  },
  timezone: {
    kind: 'text',
    short: 't',
    default: 'UTC',
    rule: rules.timezone,
    says: 'Time zone when a request names none.',
  },
  currencySource: { kind: 'text', short: 'cs', default: '', says: 'Currency of the data.' },
  currencyTarget: { kind: 'text', short: 'ct', default: '', says: 'Currency of documents.' },
  currencyRates: {
    kind: 'object',
    default: {},
    rule: rules.currencyRates,
    says: 'Exchange rates; in the file only.',
  },
  translations: {
    kind: 'object',
    default: {},
    rule: rules.translations,
    says: 'Localization dictionary; in the file only.',
  },
  maxDataSize: { ...byte, short: 'mds', default: 62_914_560, says: 'Largest JSON body.' },
  maxTemplateSize: { ...byte, default: 20_971_520, says: 'Largest template, decoded.' },
  renderTimeout: { kind: 'integer', default: 60_000, min: 100, max: 3_600_000, says: 'Of a render, in ms.' },
  asyncTimeout: {
    kind: 'integer',
    default: 300_000,
    min: 100,
    max: 3_600_000,
    says: 'Of a render with a webhook, in ms.',
  },
  requestTimeout: {
    kind: 'integer',
    default: 300_000,
    min: 1000,
    max: 3_600_000,
    says: 'In which a request must have come in, in ms.',
  },
  nbReportMaxPerBatch: {
    kind: 'integer',
    default: 100,
    min: 0,
    max: 65_000,
    says: 'Reports that one batch may ask for; 0: no batches.',
  },
  nbReportMaxWaiting: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 65_000,
    says: 'Reports of a batch without a webhook; 0: no other limit, hosted and at an edge 10.',
  },
  xlsmEnabled: {
    kind: 'boolean',
    default: false,
    says: 'Output `xlsm` is named so, without macros; else it is an XLSX.',
  },
  webhookSecret: {
    kind: 'list',
    default: [],
    says: 'Signs calls to webhooks as Standard Webhooks says: `whsec_` and base64; several while one is replaced.',
  },
  webhookMaxRetry: {
    kind: 'integer',
    default: 1,
    min: 0,
    max: 10,
    says: 'Further calls to a webhook that fails.',
  },
  renderLife: {
    kind: 'integer',
    default: 3600,
    min: 1,
    max: 86_400,
    says: 'Of a stored render, in seconds.',
  },
  templateRetention: {
    kind: 'integer',
    default: 86_400,
    min: 0,
    max: 31_536_000,
    says: 'Seconds for which the file of an expired template is kept.',
  },
  templatePathRetention: {
    kind: 'integer',
    short: 'r',
    default: 0,
    min: 0,
    max: 36_500,
    says: 'Whole days after which a template without versioning goes that nobody rendered, fetched or sent again; 0: never.',
  },
  templateCacheSize: { ...byte, min: 0, default: 134_217_728, says: 'Memory for templates in use.' },
  defaultApiVersion: {
    kind: 'integer',
    default: 5,
    min: 3,
    max: 5,
    says: 'When `service-version` is absent.',
  },
  instanceQueueSize: {
    kind: 'integer',
    default: 100,
    min: 0,
    max: 100_000,
    says: 'Conversions that may wait.',
  },
  converterFactoryTimeout: {
    kind: 'integer',
    default: 60_000,
    min: 1000,
    max: 3_600_000,
    says: 'Time for an engine to start, in ms.',
  },
  prewarm: { kind: 'boolean', default: true, says: 'Start the engines at once, not at their first use.' },
  headerAliases: {
    kind: 'list',
    default: [],
    rule: rules.headerAliases,
    says: 'Other prefixes that `service-` headers may come with.',
  },
  allowOrigin: {
    kind: 'text',
    default: '*',
    strict: true,
    rule: rules.allowOrigin,
    says: '`Access-Control-Allow-Origin`.',
  },
  hosted: {
    kind: 'boolean',
    default: false,
    strict: true,
    says: 'Accounts that `platen accounts` made, test tokens, monthly credits; callers need tokens.',
  },
  maxClientRenders: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 1_000_000,
    says: 'Renders that one client may have in work at once; 0: no limit, hosted 100.',
  },
  authentication: {
    kind: 'boolean',
    short: 'A',
    default: false,
    strict: true,
    says: 'Callers need a token. The keys are made when there are none.',
  },
  authenticationPublicKey: {
    kind: 'text',
    default: '',
    says: 'PEM of the public keys; empty: `config/key.pub` below workdir.',
  },
  jwtAudience: { kind: 'text', default: 'service', says: 'What tokens must name as `aud`.' },
  egressAllowPrivate: {
    kind: 'boolean',
    default: false,
    says: 'Outbound calls may reach private addresses.',
  },
  egressAllowList: {
    kind: 'list',
    default: [],
    strict: true,
    rule: rules.hosts,
    says: 'Hosts that may be called, `*.example.com` for all below one; empty: all public ones.',
  },
  egressProxy: {
    kind: 'text',
    default: '',
    says: 'HTTP proxy that outbound calls go through, `http://user:password@host:port`.',
  },
  maxDownloadFileCount: {
    kind: 'integer',
    default: 20,
    min: 0,
    max: 1000,
    says: 'Files that a render may fetch.',
  },
  maxDownloadSizeTotal: { ...byte, default: 10_485_760, says: 'All of them together.' },
  maxDownloadTimeout: { kind: 'integer', default: 6000, min: 100, max: 60_000, says: 'Of each, in ms.' },
  maxDownloadConcurrency: { kind: 'integer', default: 15, min: 1, max: 100, says: 'Of a render at once.' },
  iceFontCacheSize: {
    kind: 'integer',
    default: 24,
    min: 1,
    max: 1000,
    says: 'Font faces the instant engine keeps in each of its threads.',
  },
  originSecret: {
    kind: 'text',
    default: '',
    strict: true,
    rule: rules.secret,
    says: 'Shared with an edge that hands its conversions to this origin, at least 32 bytes; empty: none does.',
  },
  databaseUrl: {
    kind: 'text',
    default: '',
    says: 'Records in PostgreSQL, shared by several origins: `postgres://…`. Empty: a file of the data folder.',
  },
  blobsUrl: {
    kind: 'text',
    default: '',
    says: 'Files in an S3 bucket: `s3://key:secret@bucket/prefix?region=…&endpoint=https://…`, or in Azure: `azure://account:key@container/prefix`. Empty: the data folder, unless buckets or containers are named.',
  },
  redisUrl: {
    kind: 'text',
    default: '',
    says: 'Waiting renders in Redis: `redis://…`. Empty: a table beside the records.',
  },
  bucketTemplates: common('S3 bucket of templates, where there is no SERVICE_BLOBS_URL.'),
  bucketRenders: common('S3 bucket of renders and what waits; empty: that of templates.'),
  awsAccessKeyId: common('Of these buckets; empty: what else the AWS tools look at.'),
  awsSecretAccessKey: common('Its secret.'),
  awsEndpointUrl: common("Of a store other than Amazon's."),
  awsRegion: common('Of these buckets.'),
  containerTemplates: common('Azure container of templates, where there is no SERVICE_BLOBS_URL.'),
  containerRenders: common('Azure container of renders and what waits; empty: that of templates.'),
  azureStorageAccount: common('Storage account of these containers.'),
  azureStorageKey: common('Its key.'),
  azureStorageEndpoint: common(
    "Of a store other than Azure's own, account included: `http://127.0.0.1:10000/account`.",
  ),
  plugins: { kind: 'list', default: [], says: 'Modules or folders of further engines and formats.' },
  hookTimeout: {
    kind: 'integer',
    default: 30_000,
    min: 10,
    max: 3_600_000,
    says: 'In which a hook of `plugin/` must end, in ms.',
  },
  isolation: {
    kind: 'text',
    default: '',
    strict: true,
    rule: rules.isolation,
    says: '`required`: an engine whose programs cannot be isolated (a user of their own, no network, no files of others) stays off. `best`: they start with what the system offers, never as root. Empty: hosted `required`, else `best`.',
  },
  officePath: { kind: 'text', default: '', says: 'Path of soffice; empty: looked for.' },
  browserPath: { kind: 'text', default: '', says: 'Path of Chromium; empty: looked for.' },
  officeAltUrl: {
    kind: 'text',
    default: '',
    says: 'Address of an ONLYOFFICE Docs server: engine O. Empty: what this machine has.',
  },
  officeAltSecret: { kind: 'text', default: '', says: 'Secret that the server checks its tokens with.' },
  officeAltCallback: {
    kind: 'text',
    default: '',
    says: 'Where that server fetches documents from us, `http://host:port`; empty: a free port of this machine.',
  },
  officeAltPath: { kind: 'text', default: '', says: 'Path of x2t for engine O; empty: looked for.' },
  logLevel: {
    kind: 'text',
    default: 'info',
    rule: rules.logLevel,
    says: 'debug, info, warn, error or silent.',
  },
  stopDelay: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 300_000,
    says: 'Time for which /status says 503 before a stop, in ms.',
  },
}

export interface LoadedConfig {
  readonly config: Config
  /** Messages for the operator about unusable values and unknown names, which were ignored. */
  readonly warnings: readonly string[]
}

/** A command line that cannot be parsed. The message is a complete sentence. */
export class ArgumentError extends Error {}

/**
 * Reads all options from their four sources. Throws for a command line that cannot be parsed, for a
 * configuration file that is not a JSON object, and for an unusable value of a strict option: ignoring those
 * might leave the service unprotected.
 */
export function readConfig(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): LoadedConfig {
  const warnings: string[] = []
  const given = readArguments(args)
  const workdir = resolve(given.get('workdir') ?? environment['SERVICE_WORKDIR'] ?? '.')
  const file = readFile(join(workdir, 'config', 'config.json'))
  for (const name of Object.keys(file))
    if (!Object.hasOwn(options, name))
      warnings.push(`config.json: ${name} is not known${nearest(name, Object.keys(options))}.`)
  warnings.push(...unknownVariables(environment))
  const found: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(options)) {
    const sources: readonly (readonly [string, unknown])[] = [
      [`--${name}`, given.get(name)],
      [environmentName(name), environment[environmentName(name)]],
      [`config.json: ${name}`, Object.hasOwn(file, name) ? file[name] : undefined],
    ]
    found[name] = option.default
    for (const [from, raw] of sources) {
      if (raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '')) continue
      const value = readValue(option, raw)
      if (value !== undefined && option.rule?.fits(value) !== false) {
        found[name] = value
        break
      }
      if (option.strict) throw new Error(`${from} is not a usable value: it takes ${wants(option)}.`)
      warnings.push(`${from} is not a usable value and is ignored: it takes ${wants(option)}.`)
    }
  }
  const config = found as unknown as Config
  const stateless = config.stateless || !config.templateManagement
  const isolation = config.isolation || (config.hosted ? 'required' : 'best')
  const dataDir = resolve(workdir, config.dataDir)
  return { config: { ...config, stateless, isolation, workdir, dataDir }, warnings }
}

/** Describes the values that an option accepts, as the end of a sentence. */
function wants({ kind, rule, min = 0, max = Number.MAX_SAFE_INTEGER }: Option): string {
  if (rule !== undefined) return rule.wants
  if (kind === 'integer') return `a whole number from ${min} to ${max}`
  if (kind === 'bytes') return `bytes or a size such as 20MB, from ${min} to ${max} bytes`
  if (kind === 'boolean') return 'true or false'
  return kind === 'object' ? 'an object' : 'a text'
}

/** The text of `--help`. */
export function optionsHelp(): string {
  const rows = Object.entries(options).map(
    ([name, { short, says }]) => `  --${name}${short === undefined ? '' : `, -${short}`}\n      ${says}`,
  )
  return `Options; each also in the environment or in config/config.json, as docs/configuration.md has them:\n\n${rows.join('\n')}`
}

/** The environment variable of an option, such as `SERVICE_DATA_DIR` for `dataDir`. */
export function environmentName(option: string): string {
  const prefix = options[option as keyof Config]?.common ? '' : 'SERVICE_'
  return `${prefix}${option.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

/** A suggestion such as `; did you mean --authentication`, or an empty text when no known name is similar. */
function nearest(name: string, known: readonly string[]): string {
  const found = nearestName(name, known)
  return found === undefined ? '' : `; did you mean ${found}`
}

/** The variables that Kubernetes sets in every container when one of its services is named "service". */
const injected = /^SERVICE_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_(?:TCP|UDP))/

function unknownVariables(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = Object.keys(options).map(environmentName)
  return Object.keys(environment)
    .filter((name) => name.startsWith('SERVICE_') && !known.includes(name) && !injected.test(name))
    .map((name) => `${name} is not known${nearest(name, known)}.`)
}

function readArguments(args: readonly string[]): Map<string, string> {
  const given = new Map<string, string>()
  for (let at = 0; at < args.length; at++) {
    const { dashes, key, name, inline } = readArgument(args[at]!)
    const option = name === undefined ? undefined : options[name]
    if (name === undefined || option === undefined) {
      if (dashes === undefined) throw new ArgumentError(`"${args[at]}" belongs to no option.`)
      const close = dashes === '--' ? nearest(`--${key}`, longNames) : ''
      throw new ArgumentError(`Option ${dashes}${key} is not known${close}. --help lists all of them.`)
    }
    const next = args[at + 1]
    if (inline !== undefined) given.set(name, inline)
    else if (option.kind === 'boolean' && (next === undefined || next.startsWith('-')))
      given.set(name, 'true')
    else if (next === undefined || readArgument(next).name !== undefined)
      throw new ArgumentError(`Option ${dashes}${key} needs a value.`)
    else given.set(name, args[++at]!)
  }
  return given
}

const longNames = Object.keys(options).map((name) => `--${name}`)
const shorts = new Map(Object.entries(options).map(([name, { short }]) => [short, name]))

/** Splits an argument. `name` is undefined unless it is the name of an existing option. */
function readArgument(text: string) {
  const [, dashes, key = '', , inline] = /^(--?)([^=]+)(=(.*))?$/s.exec(text) ?? []
  const name =
    dashes === '-' ? shorts.get(key) : key.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())
  const known = dashes !== undefined && name !== undefined && Object.hasOwn(options, name)
  return { dashes, key, inline, name: known ? (name as keyof Config) : undefined }
}

function readFile(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {}
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new Error(`${path} is not JSON.`, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${path} is no JSON object of options.`)
  return value as Record<string, unknown>
}

/**
 * Converts a raw value to the kind of the option. Returns undefined for a value that does not fit.
 * Orchestrators inject values such as `tcp://10.0.0.1:4000` under the name SERVICE_PORT, which is why
 * unusable values are not fatal in general.
 */
function readValue(option: Option, raw: unknown): unknown {
  const text = String(raw).trim()
  switch (option.kind) {
    case 'integer':
      return inRange(option, /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN)
    case 'bytes':
      return inRange(option, readSize(text))
    case 'boolean':
      if (/^(true|1|yes|on)$/i.test(text)) return true
      return /^(false|0|no|off)$/i.test(text) ? false : undefined
    case 'text':
      return typeof raw === 'object' ? undefined : text
    case 'list':
      if (Array.isArray(raw)) return raw.map(String)
      return text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]))
    case 'object':
      return readObject(raw)
    default:
      return option.kind satisfies never
  }
}

function inRange({ min = 0, max = Number.MAX_SAFE_INTEGER }: Option, value: number): number | undefined {
  return value >= min && value <= max ? value : undefined
}

function readObject(raw: unknown): unknown {
  if (typeof raw === 'object' && raw !== null) return raw
  try {
    const value: unknown = JSON.parse(String(raw))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
