import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { macroWorkbook } from '../plugins/formats/xlsx/index.ts'
import { openStudio } from '../shared/api/studio.ts'
import { createConverter } from '../shared/convert/converter.ts'
import { createPdfFinisher } from '../shared/convert/finish-pdf.ts'
import { AppError } from '../shared/errors/app-error.ts'
import { createOutbound } from '../shared/net/outbound.ts'
import type { Host, Log } from '../shared/plugin/contract.ts'
import { createRegistry } from '../shared/plugin/registry.ts'
import type { Hasher } from '../shared/ports/hasher.ts'
import type { Clock, DownloadLimits } from '../shared/ports/index.ts'
import type { Sql } from '../shared/ports/sql.ts'
import { migrate } from '../shared/records/migrate.ts'
import { sharedSecret } from '../shared/records/secrets.ts'
import { createIds } from '../shared/services/ids.ts'
import type { Services, Settings } from '../shared/services/services.ts'
import { createTemplateCache } from '../shared/services/template-cache.ts'
import { createTemplateUses } from '../shared/services/template-uses.ts'
import studioFiles from '../shared/studio/built.json' with { type: 'json' }
import { readWebhookSecrets } from '../shared/webhook/sign.ts'
import { openAuthentication } from './auth/open-authentication.ts'
import { nodeCodec } from './codec.ts'
import type { Config } from './config.ts'
import { openDocs } from './docs/index.ts'
import { loadExternalPlugins } from './external-plugins.ts'
import { loadHookFiles } from './hooks/load-hooks.ts'
import { type Hooks, openHooks } from './hooks/open-hooks.ts'
import { createLog } from './log.ts'
import { createMergePool } from './merge-pool.ts'
import { countedConverter, countedMerger, createOriginMetrics, metricsText } from './metrics.ts'
import { createPinnedTransport } from './net/pinned-fetch.ts'
import { createProxiedTransport } from './net/proxied-fetch.ts'
import { encodePicture } from './pictures.ts'
import { plugins } from './plugins.ts'
import { createConfinement } from './processes/confine.ts'
import { isolationGauge, isolationLine, isolationText } from './processes/report.ts'
import { createProgramRunner } from './processes/run-program.ts'
import { createScratch, type Scratch } from './processes/scratch.ts'
import { createSupervisor } from './processes/supervisor.ts'
import { readMigrations } from './storage/migrations.ts'
import { openStorage } from './storage/open.ts'
import { sharedBytes } from './threads.ts'

export interface OriginServices extends Services {
  /** The operator's hooks from `plugin/`. Absent when there are none. */
  readonly hooked?: Hooks | undefined
  /**
   * Claims a text for the given milliseconds. Resolves to true for the first claim by any origin of the
   * cluster. Absent without Redis.
   */
  readonly once?: ((text: string, ms: number) => Promise<boolean>) | undefined
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
export async function createServices(config: Config, { withHooks = false } = {}): Promise<OriginServices> {
  const log = createLog(config.logLevel)
  const clock: Clock = { now: () => Date.now() }
  // The folder holds templates, documents and keys. An existing one may still be open to other users, hence
  // the chmod.
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  await chmod(config.dataDir, 0o700)
  const storage = await openStorage(config, { log, clock })
  const { sql, queue } = storage
  await untilAnswers(sql, log)
  const scratch = createScratch(config.dataDir)
  const hooked = withHooks ? await hooksOf(config, { log, clock, scratch }) : undefined
  const blobs = hooked?.blobs(storage.blobs) ?? storage.blobs
  // Both throw for unusable keys or an unusable password, so they come before any thread is started.
  const studio = config.studio ? await openStudio(studioFiles, config.studioUser) : undefined
  const authentication =
    config.authentication || config.hosted
      ? await openAuthentication({
          workdir: config.workdir,
          publicKeys: config.authenticationPublicKey,
          audience: config.jwtAudience,
          findKeys: hooked?.keysFor,
          hosted: config.hosted,
          clock,
          sql,
          log,
        })
      : undefined
  await migrate(sql, await readMigrations())
  const external = await loadExternalPlugins(config.plugins, config.workdir)
  const registry = createRegistry([...plugins, ...(config.xlsmEnabled ? [macroWorkbook] : []), ...external])
  const policy = {
    allowPrivate: config.egressAllowPrivate && !config.hosted,
    allowedHosts: config.egressAllowList,
  }
  const transport =
    config.egressProxy === ''
      ? createPinnedTransport(policy)
      : createProxiedTransport(policy, config.egressProxy)
  const version = await readVersion()
  const limits = downloadsOf(config)
  const outbound = createOutbound({ policy, transport, limits, userAgent: `platen/${version}` })
  const confinement = createConfinement(config.isolation)
  const { confine } = confinement
  const host: Host = {
    format: registry.format,
    asset: (name) => readAsset(config, name),
    codec: nodeCodec,
    log,
    now: clock.now,
    scratch: scratch.folder,
    socketFolder: scratch.socketFolder,
    supervise: createSupervisor({ log, now: clock.now }).supervise,
    outbound,
    encodePicture,
    confine,
    runProgram: createProgramRunner({ confine, folder: () => scratch.folder('runs'), now: clock.now }),
  }
  const metrics = createOriginMetrics()
  const engines = createConverter({
    registry,
    host,
    settings: engineSettings(config),
    finisher: createPdfFinisher({ registry, codec: nodeCodec, random: randomBytes }),
  })
  const converter = countedConverter(engines, metrics)
  const pool = createMergePool({
    workers: config.mergeWorkers,
    memoryMb: config.mergeMemoryMb,
    plugins: config.plugins,
    folder: config.workdir,
    cacheBytes: config.templateCacheSize,
    templateBytes: config.maxTemplateSize,
  })
  const merger = countedMerger(pool, metrics)
  const templates = createTemplateCache({
    maxBytes: config.templateCacheSize,
    allocate: sharedBytes,
  })
  const ids = createIds({ clock, node: randomBytes(2).readUInt16BE() })
  const uses =
    config.templatePathRetention === 0
      ? undefined
      : createTemplateUses({ sql, blobs, clock, log, stateless: config.stateless })
  let stopping = false
  let warming = config.prewarm

  return {
    sql,
    blobs,
    queue,
    once: storage.once,
    hooked,
    hooks: hooked?.render,
    merger,
    clock,
    ids,
    outbound,
    codec: nodeCodec,
    log,
    registry,
    converter,
    hasher: nodeHasher,
    templates,
    uses,
    allocate: sharedBytes,
    settings: settingsOf(config, version),
    secret: await sharedSecret(sql, 'cursors', ids.random),
    authentication,
    studio,
    docs: config.docs ? openDocs() : undefined,
    stopping: () => stopping,
    warming: () => warming,
    warm: () =>
      converter.warm().finally(() => {
        warming = false
      }),
    details: async () => ({ merge: merger.figures() }),
    metrics: () =>
      metricsText(metrics, {
        merge: merger.figures(),
        queue,
        templateBytes: templates.bytes(),
        isolation: isolationGauge(confinement, registry.engines()),
      }),
    observed: ({ operation, status, ms }) => {
      metrics.count('http_requests_total', { operation, status })
      metrics.observe('http_request_duration_seconds', ms / 1000, { operation })
    },
    isolation: {
      line: () => confinement.state().then(() => isolationLine(confinement, registry.engines())),
      of: async (id) => {
        const programs = registry.engines().find((engine) => engine.id === id)?.programs
        return programs === undefined ? undefined : isolationText(await confinement.state(), programs)
      },
    },
    beginStop: () => {
      stopping = true
    },
    stop: async () => {
      await Promise.allSettled([merger.stop(), converter.stop(), uses?.settled()])
      transport.close()
      await storage.close()
      await scratch.remove()
    },
  }
}

/**
 * Waits until the database answers. Outages pass by themselves, while a process that exits must be started
 * again.
 */
async function untilAnswers(sql: Sql, log: Log): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await sql.query({ text: 'SELECT 1 AS one', values: [] })
      return
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'storage.unavailable') throw error
      if (tries === 0)
        console.error('platen waits for its database, which does not answer (SERVICE_DATABASE_URL).')
      if (tries % 30 === 0) log.warn('records.waiting', { error: error.cause })
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}

/** Opens the hook files of `plugin/`. Returns undefined when there are none. */
async function hooksOf(
  config: Config,
  { log, clock, scratch }: { readonly log: Log; readonly clock: Clock; readonly scratch: Scratch },
): Promise<Hooks | undefined> {
  const files = await loadHookFiles(config.workdir, log)
  if (Object.keys(files).length === 0) return undefined
  if (files.authentication !== undefined && !config.authentication && !config.hosted)
    log.warn('hooks.unused', { file: 'plugin/authentication', because: 'authentication is off' })
  return openHooks(files, {
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

function downloadsOf(config: Config): DownloadLimits {
  return {
    files: config.maxDownloadFileCount,
    totalBytes: config.maxDownloadSizeTotal,
    timeoutMs: config.maxDownloadTimeout,
    atOnce: config.maxDownloadConcurrency,
  }
}

function settingsOf(config: Config, version: string): Settings {
  const { hosted } = config
  const clientRenders = config.maxClientRenders === 0 && hosted ? 100 : config.maxClientRenders
  const waiting = config.nbReportMaxWaiting === 0 && hosted ? 10 : config.nbReportMaxWaiting
  return {
    version,
    stateless: config.stateless,
    defaultApiVersion: config.defaultApiVersion as 3 | 4 | 5,
    maxDataBytes: config.maxDataSize,
    maxTemplateBytes: config.maxTemplateSize,
    renderTimeoutMs: config.renderTimeout,
    asyncTimeoutMs: config.asyncTimeout,
    webhookSecrets: readWebhookSecrets(config.webhookSecret),
    webhookRetries: config.webhookMaxRetry,
    maxBatchReports: config.nbReportMaxPerBatch,
    ...(waiting === 0 ? {} : { maxWaitingBatchReports: waiting }),
    batchConcurrency: 2 * Math.max(config.mergeWorkers, config.factories),
    renderLifeSeconds: config.renderLife,
    templateRetentionSeconds: config.templateRetention,
    templateUnusedDays: config.templatePathRetention,
    lang: config.lang,
    timezone: config.timezone,
    ...(config.currencySource === '' ? {} : { currencySource: config.currencySource }),
    ...(config.currencyTarget === '' ? {} : { currencyTarget: config.currencyTarget }),
    currencyRates: config.currencyRates,
    translations: config.translations,
    allowOrigin: config.allowOrigin,
    headerAliases: config.headerAliases.map((alias) => alias.toLowerCase()),
    hosted,
    ...(clientRenders === 0 ? {} : { maxClientRenders: clientRenders }),
  }
}

/** The settings of each engine by its id. Those of an engine that is not loaded are ignored. */
function engineSettings(config: Config): Record<string, unknown> {
  return {
    instant: {
      fontCacheSize: config.iceFontCacheSize,
      dataDir: config.dataDir,
      workdir: config.workdir,
      threads: config.mergeWorkers,
    },
    web: { dataDir: config.dataDir, workdir: config.workdir, threads: config.mergeWorkers },
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
async function readAsset(config: Config, name: string): Promise<Uint8Array | undefined> {
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(name) || name.includes('..')) return undefined
  const candidates = [join(config.workdir, name), new URL(`../assets/${name}`, import.meta.url)]
  for (const candidate of candidates) {
    const bytes = await readFile(candidate).catch(() => undefined)
    if (bytes !== undefined) return bytes
  }
  return undefined
}
