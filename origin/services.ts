import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { macroWorkbook } from '../plugins/formats/xlsx/index.ts'
import { openStudio } from '../shared/api/studio.ts'
import { createByteCache } from '../shared/byte-cache.ts'
import { createConverter } from '../shared/convert/converter.ts'
import { createPdfFinisher } from '../shared/convert/finish-pdf.ts'
import { AppError } from '../shared/errors/app-error.ts'
import { createOutbound } from '../shared/net/outbound.ts'
import type { EnginePlugin, Host } from '../shared/plugin/contract.ts'
import type { HookPlugin } from '../shared/plugin/hooks.ts'
import type { Confine } from '../shared/plugin/processes.ts'
import { createRegistry, type Registry } from '../shared/plugin/registry.ts'
import type { PluginRoute } from '../shared/plugin/routes.ts'
import type { Log } from '../shared/plugin/values.ts'
import type { Hasher } from '../shared/ports/hasher.ts'
import type { Clock, DownloadLimits, Outbound } from '../shared/ports/index.ts'
import type { Sql } from '../shared/ports/sql.ts'
import type { Studio } from '../shared/ports/studio.ts'
import { migrate } from '../shared/records/migrate.ts'
import { sharedSecret } from '../shared/records/secrets.ts'
import { createIds } from '../shared/services/ids.ts'
import { recordGauges } from '../shared/services/record-gauges.ts'
import type { ServiceSettings, Services } from '../shared/services/services.ts'
import { createTemplateUses } from '../shared/services/template-uses.ts'
import type { SigningSettings } from '../shared/signing/request.ts'
import { readWebhookSecrets } from '../shared/webhook/sign.ts'
import { nodeCodec } from './codec.ts'
import type { OriginConfig } from './config.ts'
import { openDocs } from './docs/index.ts'
import { joinPlugins, loadExternalPlugins } from './external-plugins.ts'
import { loadHookFiles } from './hooks/load-hooks.ts'
import type { OpenedHooks } from './hooks/open-hooks.ts'
import { createLog } from './log.ts'
import { createMergePool, type MergePool, type MergePoolOptions } from './merge-pool.ts'
import {
  countedBlobs,
  countedSql,
  createOriginMetrics,
  currentGauges,
  observeAnswers,
  observeConversions,
  observeMerges,
} from './metrics.ts'
import { createPinnedTransport } from './net/pinned-fetch.ts'
import { createProxiedTransport } from './net/proxied-fetch.ts'
import { encodePicture } from './pictures.ts'
import { plugins } from './plugins.ts'
import { type Confinement, createConfinement, perlPath } from './processes/confine.ts'
import { isolationGauge, isolationLine, isolationText } from './processes/report.ts'
import { createProgramRunner } from './processes/run-program.ts'
import { createScratch, type Scratch } from './processes/scratch.ts'
import { createStarter, directStarter, type ProgramStarter } from './processes/starter.ts'
import { createSupervisor, type Supervisor } from './processes/supervisor.ts'
import { readMigrations } from './storage/migrations.ts'
import { openStorage } from './storage/open.ts'
import type { openTelemetry, Telemetry } from './telemetry/open.ts'
import { tracedBlobs, tracedConverter, tracedMerger, tracedSql } from './telemetry/traced.ts'
import { sharedBytes } from './threads.ts'

export interface OriginServices extends Services {
  /** The operator's hooks from `plugin/`. Absent when there are none. */
  readonly hooked?: OpenedHooks | undefined
  /** The routes of plugins. */
  readonly routes: readonly PluginRoute[]
  /**
   * Claims a text for the given milliseconds. Resolves to true for the first claim by any origin of the
   * cluster. Absent without Redis.
   */
  readonly claimOnce?: ((text: string, ms: number) => Promise<boolean>) | undefined
  /**
   * Starts the engines. With `prewarm`, `GET /status?ready=1` reports that the service is starting until this
   * resolves.
   */
  warm(): Promise<void>
  /** Descriptions of how the programs of engines are isolated. They resolve after a trial run. */
  readonly isolation: {
    line(): Promise<string>
    /** For the engine with this id. Undefined when it starts no programs. */
    of(id: string): Promise<string | undefined>
  }
  /** After this call new renders are refused and /status answers 503. */
  beginStop(): void
  /** Stops workers and engines and closes the stores. Call it after all requests have been answered. */
  stop(): Promise<void>
}

/**
 * Creates the services from the configuration. Waits for a database that does not answer yet; throws when
 * keys, the studio's password or plugins are unusable.
 */
export async function createServices(
  config: OriginConfig,
  { withHooks = false } = {},
): Promise<OriginServices> {
  const log = createLog(config.logLevel)
  const clock: Clock = { now: Date.now }
  const external = await loadExternalPlugins(config.plugins, config.workdir, log)
  // The folder holds templates, documents and keys. An existing one may still be open to other users, hence
  // the chmod.
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  await chmod(config.dataDir, 0o700)
  const storage = await openStorage(config, { log, clock })
  const { queue } = storage
  const metrics = createOriginMetrics()
  const version = await readVersion()
  const telemetry = await telemetryOf(config, { version, metrics: () => reports.snapshot() })
  const { tracing } = telemetry ?? {}
  const counted = countedSql(storage.sql, metrics)
  const sql = tracing === undefined ? counted : tracedSql(counted, tracing)
  await untilAnswers(sql, log)
  const scratch = createScratch(config.dataDir)
  await scratch.sweep()
  await warnOfClosedFolder(scratch, log)
  const hooked = withHooks ? await hooksOf(config, external.hooks, { log, clock, scratch }) : undefined
  const countedFiles = countedBlobs(hooked?.blobs(storage.blobs) ?? storage.blobs, metrics)
  const blobs = tracing === undefined ? countedFiles : tracedBlobs(countedFiles, tracing)
  // Both throw for unusable keys or an unusable password, so they come before any thread is started.
  const studio = config.studio ? await studioOf(config) : undefined
  const authentication = await authenticationOf(config, { hooked, clock, sql, log })
  await migrate(sql, await readMigrations())
  const engines = openEngines(config, external.plugins, { log, clock, scratch, metrics, version })
  const { registry, outbound, merger, converter } = engines
  const templates = createByteCache({ maxBytes: config.templateCacheSize, allocate: sharedBytes })
  const ids = createIds({ clock, node: randomBytes(2).readUInt16BE() })
  const uses =
    config.templatePathRetention === 0
      ? undefined
      : createTemplateUses({ sql, blobs, clock, log, stateless: config.stateless })
  const lifecycle = { stopping: false, warming: config.prewarm }
  const unfinished = new Set<Promise<void>>() // work in the background

  const reports = reportsOf({
    metrics,
    merger,
    queue,
    sql,
    clock,
    supervisor: engines.supervisor,
    templates,
    confinement: engines.confinement,
    engines: registry.engines(),
  })

  return {
    sql,
    blobs,
    queue,
    claimOnce: storage.claimOnce,
    hooked,
    routes: external.routes,
    hooks: hooked?.render,
    merger: tracing === undefined ? merger : tracedMerger(merger, tracing),
    clock,
    ids,
    outbound,
    codec: nodeCodec,
    log,
    registry,
    converter: tracing === undefined ? converter : tracedConverter(converter, tracing),
    hasher: nodeHasher,
    templates,
    uses,
    allocate: sharedBytes,
    settings: { ...settingsOf(config, version), signing: await signingOf(config) },
    secret: await sharedSecret(sql, 'cursors', ids.random),
    authentication,
    studio,
    docs: config.docs ? openDocs() : undefined,
    lifecycle,
    later: (work) => {
      unfinished.add(work)
      void work.finally(() => unfinished.delete(work))
    },
    async warm() {
      await Promise.allSettled([converter.warm(), merger.warm()])
      lifecycle.warming = false
    },
    details: async () => ({ merge: merger.figures() }),
    ...reports.services,
    tracing,
    beginStop: () => {
      lifecycle.stopping = true
    },
    stop: async () => {
      // What is tried again until a store answers ends with it.
      lifecycle.stopping = true
      await Promise.allSettled([merger.stop(), converter.stop(), uses?.settled(), ...unfinished])
      engines.starter.stop()
      engines.transport.close()
      await telemetry?.stop()
      await storage.close()
      await scratch.remove()
    },
  }
}

/** Opens what merges and converts documents: the plugins, the threads that merge, and the host that engines call. */
function openEngines(
  config: OriginConfig,
  external: Parameters<typeof joinPlugins>[1],
  {
    log,
    clock,
    scratch,
    metrics,
    version,
  }: {
    readonly log: Log
    readonly clock: Clock
    readonly scratch: Scratch
    readonly metrics: ReturnType<typeof createOriginMetrics>
    readonly version: string
  },
) {
  const builtIn = [...plugins, ...(config.xlsmEnabled ? [macroWorkbook] : [])]
  const registry = createRegistry(joinPlugins(builtIn, external))
  const { outbound, transport } = openOutbound(config, version)
  const confinement = createConfinement(config.isolation)
  const { confine } = confinement
  const perl = perlPath()
  const starter = perl === undefined ? directStarter : createStarter(perl)
  const merger = mergePoolOf(config, observeMerges(metrics))
  const scanOffice = merger.scan
  const supervisor = createSupervisor({ log, now: clock.now, warmsUp: config.prewarm })
  const host = hostOf(config, {
    registry,
    log,
    clock,
    scratch,
    outbound,
    confine,
    starter,
    scanOffice,
    supervisor,
  })
  const converter = createConverter({
    registry,
    host,
    settings: engineSettings(config),
    finisher: createPdfFinisher({ registry, pdf: merger.pdf }),
    observe: observeConversions(metrics),
  })
  return { registry, outbound, transport, confinement, starter, merger, supervisor, converter }
}

/** Throws for an unusable password. */
async function studioOf(config: OriginConfig): Promise<Studio> {
  const { default: files } = await import('../shared/studio/built.json', { with: { type: 'json' } })
  return openStudio(files, config.studioUser)
}

/** Absent if callers need no token. Throws for unusable keys. */
async function authenticationOf(
  config: OriginConfig,
  {
    hooked,
    clock,
    sql,
    log,
  }: {
    readonly hooked: OpenedHooks | undefined
    readonly clock: Clock
    readonly sql: Sql
    readonly log: Log
  },
): Promise<Services['authentication']> {
  if (!config.authentication && !config.hosted) return undefined
  const { openAuthentication } = await import('./auth/open-authentication.ts')
  return openAuthentication({
    workdir: config.workdir,
    publicKeys: config.authenticationPublicKey,
    audience: config.jwtAudience,
    findKeys: hooked?.keysFor,
    hosted: config.hosted,
    clock,
    sql,
    log,
  })
}

/** Outbound calls under the egress policy. The transport must be closed after the last of them. */
function openOutbound(config: OriginConfig, version: string) {
  const policy = {
    allowPrivate: config.egressAllowPrivate && !config.hosted,
    allowedHosts: config.egressAllowList,
  }
  const transport =
    config.egressProxy === ''
      ? createPinnedTransport(policy)
      : createProxiedTransport(policy, config.egressProxy)
  const limits = downloadsOf(config)
  return {
    outbound: createOutbound({ policy, transport, limits, userAgent: `platen/${version}` }),
    transport,
  }
}

/** Creates the part of this host that plugins see. */
function hostOf(
  config: OriginConfig,
  parts: {
    readonly registry: Registry
    readonly log: Log
    readonly clock: Clock
    readonly scratch: Scratch
    readonly outbound: Outbound
    readonly confine: Confine
    readonly starter: ProgramStarter
    readonly scanOffice: Host['scanOffice']
    readonly supervisor: Supervisor
  },
): Host {
  const { registry, log, clock, scratch, outbound, confine, starter, scanOffice, supervisor } = parts
  return {
    format: registry.format,
    asset: (name) => readAsset(config, name),
    codec: nodeCodec,
    log,
    now: clock.now,
    scratch: scratch.folder,
    socketFolder: scratch.socketFolder,
    supervise: supervisor.supervise,
    outbound,
    encodePicture,
    scanOffice,
    confine,
    runProgram: createProgramRunner({
      confine,
      folder: () => scratch.folder('runs'),
      now: clock.now,
      starter,
    }),
  }
}

function mergePoolOf(config: OriginConfig, observe: MergePoolOptions['observe']) {
  return createMergePool({
    observe,
    workers: config.mergeWorkers,
    keepsOne: config.prewarm,
    memoryMb: config.mergeMemoryMb,
    plugins: config.plugins,
    folder: config.workdir,
    cacheBytes: config.templateCacheSize,
    templateBytes: config.maxTemplateSize,
  })
}

/** The reports of the service about its work and about the isolation of its engines. */
function reportsOf(parts: {
  readonly metrics: ReturnType<typeof createOriginMetrics>
  readonly sql: Sql
  readonly clock: Clock
  readonly supervisor: Supervisor
  readonly merger: MergePool
  readonly queue: Services['queue']
  readonly templates: ReturnType<typeof createByteCache>
  readonly confinement: Confinement
  readonly engines: readonly EnginePlugin[]
}) {
  const { metrics, merger, queue, sql, clock, supervisor, templates, confinement, engines } = parts
  const gauges = async () =>
    currentGauges({
      engines: supervisor.stats(),
      // The other figures are reported even while the database is unreachable.
      records: await recordGauges(sql, Math.floor(clock.now() / 1000)).catch(() => []),
      merge: merger.figures(),
      queue,
      templateBytes: templates.bytes(),
      isolation: isolationGauge(confinement, engines),
    })
  const services: Pick<OriginServices, 'metrics' | 'counted' | 'observed' | 'isolation'> = {
    counted: ({ name, outcome }) => metrics.count(name, { outcome }),
    metrics: async () => metrics.text(await gauges()),
    observed: observeAnswers(metrics),
    isolation: {
      line: () => confinement.state().then(() => isolationLine(confinement, engines)),
      of: async (id) => {
        const programs = engines.find((engine) => engine.id === id)?.programs
        return programs === undefined ? undefined : isolationText(await confinement.state(), programs)
      },
    },
  }
  return { services, snapshot: async () => metrics.snapshot(await gauges()) }
}

/** Opens telemetry if the setting specifies a receiver of spans and metrics. The SDK is imported only then. */
async function telemetryOf(
  { otlpUrl }: OriginConfig,
  parts: Omit<Parameters<typeof openTelemetry>[0], 'url'>,
): Promise<Telemetry | undefined> {
  if (otlpUrl === '') return undefined
  const { openTelemetry } = await import('./telemetry/open.ts')
  return openTelemetry({ ...parts, url: otlpUrl })
}

/** Waits until the database answers. Outages end by themselves, while a process that exits must be started again. */
async function untilAnswers(sql: Sql, log: Log): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await sql.query({ text: 'SELECT 1 AS one', values: [] })
      return
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'storage.unavailable') throw error
      if (tries === 0)
        console.error('platen is waiting for its database, which does not respond (SERVICE_DATABASE_URL).')
      if (tries % 30 === 0) log.warn('records.waiting', { error: error.cause })
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}

/** Merging works even where no other program can be started, so this does not end the start. */
async function warnOfClosedFolder(scratch: Scratch, log: Log): Promise<void> {
  const folder = await scratch.closedFolder()
  if (folder === undefined) return
  const { message, hint } = new AppError('convert.closed-folder')
  log.error('scratch.closed', { folder, because: message, hint })
}

/** Opens the hooks of `plugin/` and of `SERVICE_PLUGINS`. Returns undefined when there are none. */
async function hooksOf(
  config: OriginConfig,
  external: readonly HookPlugin[],
  { log, clock, scratch }: { readonly log: Log; readonly clock: Clock; readonly scratch: Scratch },
): Promise<OpenedHooks | undefined> {
  const hooks = [...(await loadHookFiles(config.workdir, log)), ...external]
  if (hooks.length === 0) return undefined
  const keys = hooks.find(({ kind }) => kind === 'keys')
  if (keys !== undefined && !config.authentication && !config.hosted)
    log.warn('hooks.unused', { plugin: keys.id, because: 'authentication is off' })
  const { openHooks } = await import('./hooks/open-hooks.ts')
  return openHooks(hooks, {
    timeoutMs: config.hookTimeout,
    clock,
    log,
    folder: () => scratch.folder('hooks'),
  })
}

const nodeHasher: Hasher = {
  sha256() {
    const running = createHash('sha256')
    return { update: (bytes) => void running.update(bytes), hex: () => running.digest('hex') }
  },
}

function downloadsOf(config: OriginConfig): DownloadLimits {
  return {
    files: config.maxDownloadFileCount,
    totalBytes: config.maxDownloadSizeTotal,
    timeoutMs: config.maxDownloadTimeout,
    atOnce: config.maxDownloadConcurrency,
  }
}

/** The operator's key for signatures: the one in the settings, otherwise the file in `config/` if it exists. */
async function signingOf({
  signKey,
  signPassword,
  timestampUrl,
  workdir,
}: OriginConfig): Promise<SigningSettings> {
  return {
    key: signKey || (await signingKeyFile(join(workdir, 'config'))),
    password: signPassword || undefined,
    timestampUrl: timestampUrl || undefined,
  }
}

async function signingKeyFile(folder: string): Promise<string | undefined> {
  const pem = await readFile(join(folder, 'sign.pem'), 'utf8').catch(unlessMissing)
  return pem ?? (await readFile(join(folder, 'sign.p12'), 'base64').catch(unlessMissing))
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
  return undefined
}

function settingsOf(config: OriginConfig, version: string): ServiceSettings {
  const { hosted } = config
  const clientRenders = config.maxClientRenders === 0 && hosted ? 100 : config.maxClientRenders
  const accountJobs = config.maxAccountJobs === 0 && hosted ? 10 : config.maxAccountJobs
  const waiting = config.nbReportMaxWaiting === 0 && hosted ? 10 : config.nbReportMaxWaiting
  return {
    version,
    stateless: config.stateless,
    defaultApiVersion: config.defaultApiVersion as 3 | 4 | 5,
    maxDataBytes: config.maxDataSize,
    maxTemplateBytes: config.maxTemplateSize,
    renderTimeoutMs: config.renderTimeout,
    requestTimeoutMs: config.requestTimeout,
    asyncTimeoutMs: config.asyncTimeout,
    webhookSecrets: readWebhookSecrets(config.webhookSecret),
    webhookRetries: config.webhookMaxRetry,
    maxBatchReports: config.nbReportMaxPerBatch,
    ...(waiting === 0 ? {} : { maxWaitingBatchReports: waiting }),
    batchConcurrency: 2 * Math.max(config.mergeWorkers, config.factories),
    renderLifeSeconds: config.renderLife,
    templateRetentionSeconds: config.templateRetention,
    templateUnusedDays: config.templatePathRetention,
    deployRequiresChecks: config.deployRequiresChecks,
    lang: config.lang,
    timezone: config.timezone,
    ...(config.currencySource === '' ? {} : { currencySource: config.currencySource }),
    ...(config.currencyTarget === '' ? {} : { currencyTarget: config.currencyTarget }),
    currencyRates: config.currencyRates,
    translations: config.translations,
    allowOrigin: config.allowOrigin,
    headerAliases: config.headerAliases.map((alias) => alias.toLowerCase()),
    hosted,
    ...(accountJobs === 0 ? {} : { maxAccountJobs: accountJobs }),
    ...(clientRenders === 0 ? {} : { maxClientRenders: clientRenders }),
  }
}

/** The settings of each engine by its id. Those of an engine that is not loaded are ignored. */
function engineSettings(config: OriginConfig): Record<string, unknown> {
  const threads = { dataDir: config.dataDir, workdir: config.workdir, threads: config.mergeWorkers }
  return {
    instant: { ...threads, fontCacheSize: config.iceFontCacheSize, kept: 1 },
    web: { ...threads, kept: 1 },
    // These engines are rarely used, so their threads end when idle.
    ...Object.fromEntries(['idml', 'tables', 'tex', 'poppler'].map((id) => [id, threads])),
    chromium: {
      attempts: config.attempts,
      queueSize: config.instanceQueueSize,
      bootTimeoutMs: config.converterFactoryTimeout,
      browser: config.browserPath,
      fontsDir: existsSync(join(config.workdir, 'fonts')) ? join(config.workdir, 'fonts') : '',
    },
    'office-alt': {
      url: config.officeAltUrl,
      secret: config.officeAltSecret,
      callback: config.officeAltCallback,
      x2t: config.officeAltPath,
    },
    libreoffice: {
      factories: config.factories,
      attempts: config.attempts,
      queueSize: config.instanceQueueSize,
      bootTimeoutMs: config.converterFactoryTimeout,
      soffice: config.officePath,
      fontsDir: existsSync(join(config.workdir, 'fonts')) ? join(config.workdir, 'fonts') : '',
    },
  }
}

export async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/**
 * Reads a font or hyphenation table by its relative name. The operator's files take precedence over the
 * product's.
 */
async function readAsset(config: OriginConfig, name: string): Promise<Uint8Array | undefined> {
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(name) || name.includes('..')) return undefined
  const candidates = [join(config.workdir, name), new URL(`../assets/${name}`, import.meta.url)]
  for (const candidate of candidates) {
    const bytes = await readFile(candidate).catch(() => undefined)
    if (bytes !== undefined) return bytes
  }
  return undefined
}
