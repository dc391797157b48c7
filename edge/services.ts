import { waitUntil } from 'cloudflare:workers'
import manifest from '../package.json' with { type: 'json' }
import { openStudio } from '../shared/api/studio.ts'
import { createByteCache } from '../shared/byte-cache.ts'
import { createConverter } from '../shared/convert/converter.ts'
import { createPdfFinisher } from '../shared/convert/finish-pdf.ts'
import { fetchTransport } from '../shared/net/fetch-transport.ts'
import { createOutbound } from '../shared/net/outbound.ts'
import { createPdfOperations } from '../shared/pdf/operations.ts'
import type { Conversion, EnginePlugin, Host } from '../shared/plugin/contract.ts'
import { createRegistry } from '../shared/plugin/registry.ts'
import type { Log } from '../shared/plugin/values.ts'
import type { DocPage, Docs } from '../shared/ports/docs.ts'
import type { Clock, Sql } from '../shared/ports/index.ts'
import { migrate } from '../shared/records/migrate.ts'
import { sharedSecret } from '../shared/records/secrets.ts'
import { createIds } from '../shared/services/ids.ts'
import { createPureHasher } from '../shared/services/pure-hasher.ts'
import { recordMetrics } from '../shared/services/record-gauges.ts'
import type { Services } from '../shared/services/services.ts'
import { createTemplateUses } from '../shared/services/template-uses.ts'
import studioFiles from '../shared/studio/built.json' with { type: 'json' }
import { openAuthentication } from './authentication.ts'
import { pureCodec } from './codec.ts'
import { type EdgeConfig, readConfig } from './config.ts'
import type { Env } from './env.ts'
import { openFontsNow } from './fonts.ts'
import { createLog } from './log.ts'
import { createMerger } from './merger.ts'
import { migrations } from './migrations.ts'
import { createOriginPlugin, fetchConversions } from './origin-client.ts'
import originConversions from './origin-conversions.json' with { type: 'json' }
import { createOriginRelay } from './origin-relay.ts'
import { createOrigins } from './origins.ts'
import { plugins } from './plugins.ts'
import { openR2Blobs } from './storage/blobs-r2.ts'
import { openCloudflareQueue } from './storage/queue-cloudflare.ts'
import { openD1 } from './storage/records-d1.ts'
import { loadWebpDecoder, loadWebpEncoder } from './webp.ts'

const clock: Clock = { now: () => Date.now() }

/**
 * Creates the services of an isolate from its bindings and settings. No other file of the edge opens the
 * bindings.
 */
export async function createServices(env: Env): Promise<Services> {
  const config = readConfig(env, manifest.version)
  const { settings } = config
  const log = createLog(config.logLevel)
  for (const message of config.warnings) log.warn('setting.unusable', { message })
  const sql = openD1(env.RECORDS)
  const asset = (name: string) => readAsset(env.FONTS, name)
  const [conversions, fonts] = await Promise.all([
    conversionsOf(config, log),
    openFontsNow({ bucket: env.BLOBS, asset, codec: pureCodec }, { runLater: waitUntil }),
    prepare(config, sql),
  ])
  const ids = createIds({ clock, node: crypto.getRandomValues(new Uint16Array(1))[0]! })
  const { originSecret: secret, originUrls: urls } = config
  const origins = createOrigins({ urls, log, now: clock.now })
  const origin = createOriginPlugin({ origins, secret, conversions, now: clock.now })
  const registry = createRegistry([...plugins, origin as EnginePlugin])
  const outbound = createOutbound({
    policy: config.egress,
    transport: fetchTransport,
    limits: config.downloads,
    userAgent: `platen/${manifest.version}`,
  })
  const host: Host = {
    format: registry.format,
    asset,
    fonts,
    codec: pureCodec,
    loadWebpDecoder,
    loadWebpEncoder,
    log,
    now: clock.now,
    outbound,
  }
  const blobs = openR2Blobs(env.BLOBS)
  return {
    sql,
    blobs,
    queue: openCloudflareQueue(env.RENDERS),
    merger: createMerger(settings.maxTemplateBytes),
    clock,
    ids,
    outbound,
    codec: pureCodec,
    log,
    registry,
    converter: createConverter({
      registry,
      host,
      // An isolate has 128 MB of memory in total: an A4 page at 240 dots an inch is drawn in 60 MB of it.
      // Its clock stands still while it computes. A step takes 2 to 16 microseconds, so these end before `cpu_ms` of wrangler.toml.
      settings: { instant: { maxPagePixels: 6_000_000, maxSteps: 4_000_000 } },
      finisher: createPdfFinisher({
        registry,
        pdf: createPdfOperations({ codec: pureCodec, random: ids.random }),
      }),
    }),
    hasher: createPureHasher(),
    templates: createByteCache({ maxBytes: config.templateCacheBytes, shareLoads: false }),
    ...((settings.templateUnusedDays ?? 0) > 0 && {
      uses: createTemplateUses({ sql, blobs, clock, log, stateless: settings.stateless, later: waitUntil }),
    }),
    settings,
    secret: await sharedSecret(sql, 'cursor', ids.random),
    authentication: await openAuthentication(config, { clock, sql }),
    docs: config.docs ? openDocs(env.FONTS) : undefined,
    studio: config.studio && (await openStudio(studioFiles, config.studio.user)),
    ...(origins.count > 0 && {
      relay: createOriginRelay({ origins, secret, aboveBytes: config.maxBufferedBody, now: clock.now }),
    }),
    lifecycle: { stopping: false, warming: false },
    later: waitUntil,
    metrics: () => recordMetrics(sql, Math.floor(clock.now() / 1000)),
  }
}

/** The pages are static assets, which the build writes before wrangler bundles the Worker. */
function openDocs(files: Fetcher): Docs {
  return {
    async page(id) {
      const answer = await files.fetch(`https://assets.invalid/docs/${id}.json`)
      return answer.ok ? answer.json<DocPage>() : undefined
    },
  }
}

/** Reads a font or hyphenation pattern from the static assets. Returns undefined for any other name. */
async function readAsset(files: Fetcher, name: string): Promise<Uint8Array | undefined> {
  if (!/^(fonts|hyphenation)\/[\w-]+\.bin$/.test(name)) return undefined
  const answer = await files.fetch(`https://assets.invalid/${name}`)
  return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined
}

/** Creates or updates the tables, unless that is left to wrangler. */
async function prepare({ autoMigrate }: EdgeConfig, sql: Sql): Promise<void> {
  if (autoMigrate) await migrate(sql, migrations)
}

/**
 * The conversions that the origins currently offer. When none responds or none is configured, those that an
 * origin of the same version offers.
 */
async function conversionsOf(
  { originUrls: urls, originSecret: secret }: EdgeConfig,
  log: Log,
): Promise<readonly Conversion[]> {
  const live = urls.length > 0 ? await fetchConversions({ urls, secret, log, now: clock.now }) : undefined
  return live ?? (originConversions as readonly Conversion[])
}
