import type { Authentication } from '../auth/authenticate.ts'
import type { ByteCache } from '../byte-cache.ts'
import type { Converter } from '../convert/converter.ts'
import type { Registry } from '../plugin/registry.ts'
import type { SchemaIssue } from '../plugin/values.ts'
import type { Docs } from '../ports/docs.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { Ports, RenderHooks, RenderRelay } from '../ports/index.ts'
import type { Sql } from '../ports/sql.ts'
import type { Studio } from '../ports/studio.ts'
import type { Tracing } from '../ports/tracing.ts'
import type { SigningSettings } from '../signing/request.ts'
import type { TemplateUses } from './template-uses.ts'

/**
 * Everything that the use cases depend on. Each host builds it once in its own `services.ts`, the only file
 * of the host that maps configuration to services.
 */
export interface Services extends Omit<Ports, 'sql'> {
  /** The database. In stateless mode it is in memory and records stored renders; templates are files without rows. */
  readonly sql: Sql
  readonly registry: Registry
  readonly converter: Converter
  readonly hasher: Hasher
  readonly templates: ByteCache
  /** Absent where unused templates are never removed. */
  readonly uses?: TemplateUses | undefined
  readonly settings: ServiceSettings
  /** Allocates memory that merge workers can read without a copy. Absent where any memory will do. */
  readonly allocate?: (size: number) => Uint8Array
  /** The key that signs list cursors. All processes behind one address share it. */
  readonly secret: Uint8Array
  /**
   * Runs renders on another host when their body is too large for this one. Absent where there is no other
   * host.
   */
  readonly relay?: RenderRelay
  /** The operator's hook files. Absent where there are none. */
  readonly hooks?: RenderHooks | undefined
  /** Absent while authentication is off: every caller then acts for `ownAccount`. */
  readonly authentication?: Authentication
  /** Absent where the template studio is off. */
  readonly studio?: Studio
  /** Absent where the documentation is off. */
  readonly docs?: Docs
  readonly lifecycle: Lifecycle
  /** Keeps the host alive until work in the background has ended. Absent where nothing ends the host before that. */
  readonly later?: (work: Promise<void>) => void
  /** Figures of the host, added to `GET /status?full=1`. */
  readonly details?: () => Promise<Readonly<Record<string, unknown>>>
  /** The metrics in the Prometheus text format. Absent where `GET /metrics` is not served. */
  readonly metrics?: () => Promise<string>
  /** Counts what happened to jobs and webhooks. Absent where nothing is counted. */
  readonly counted?: (event: CountedEvent) => void
  /** Records requests, jobs and webhooks as spans. Absent where nothing is recorded. */
  readonly tracing?: Tracing | undefined
  /** Called for each answer before its body is transferred. `ms` is the time since the request arrived. */
  readonly observed?: (answer: {
    readonly operation: string
    readonly status: number
    readonly ms: number
  }) => void
}

/** Where the process is between its start and its end. The host changes it. */
export interface Lifecycle {
  /** The process shuts down: it accepts no new renders and its status is 503. */
  readonly stopping: boolean
  /** The engines are starting, so a conversion would have to wait for them. */
  readonly warming: boolean
}

export type CountedEvent =
  | { readonly name: 'webhooks_total'; readonly outcome: 'delivered' | 'undelivered' }
  | { readonly name: 'jobs_total'; readonly outcome: 'done' | 'failed' | 'set-aside' | 'again' | 'waits' }

export interface ServiceSettings {
  readonly version: string // version of the product
  readonly stateless: boolean
  readonly defaultApiVersion: 3 | 4 | 5
  readonly maxDataBytes: number // maximum size of a JSON body
  /** The maximum memory in bytes that `data` and `complement` may take once parsed, each. Absent: that of a large host. */
  readonly maxParsedBytes?: number
  readonly maxTemplateBytes: number // maximum size of a template after base64 decoding
  readonly renderTimeoutMs: number
  readonly asyncTimeoutMs?: number // time allowed for a render with a webhook; default: five minutes
  /** Time allowed for receiving the whole request body, or each line of one of lines, in milliseconds. */
  readonly requestTimeoutMs?: number
  readonly webhookSecrets?: readonly Uint8Array[] // keys that sign webhook notices
  readonly signing?: SigningSettings
  readonly webhookRetries?: number // default: 1
  readonly maxBatchReports?: number // 0: batches are refused; default: 100
  readonly maxWaitingBatchReports?: number // limit for a batch without a webhook
  readonly batchConcurrency?: number // items of one batch that are rendered at once; default: 4
  readonly renderLifeSeconds: number // how long a stored render can be downloaded
  readonly templateRetentionSeconds: number // how long an expired template keeps its file
  /** Days after which an unused template without versioning is removed. 0, the default, keeps it forever. */
  readonly templateUnusedDays?: number
  /** A version whose cases fail cannot be deployed. */
  readonly deployRequiresChecks?: boolean
  readonly lang: string
  readonly timezone: string
  readonly currencySource?: string
  readonly currencyTarget?: string
  readonly currencyRates?: Readonly<Record<string, number>>
  readonly translations?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly allowOrigin: string
  readonly headerAliases: readonly string[]
  /**
   * A hosted service: accounts must have been created, have monthly credits, and may call webhooks on public
   * hosts only.
   */
  readonly hosted?: boolean
  /** Renders with a webhook of one account that run at once, counted over all hosts. Default: no limit. */
  readonly maxAccountJobs?: number | undefined
  readonly maxClientRenders?: number // concurrent renders of one client; default: no limit
}

export type { SchemaIssue }

/** The time allowed for a render with a webhook, and for a check, in milliseconds. */
export const asyncTimeoutMs = (settings: Pick<ServiceSettings, 'asyncTimeoutMs'>): number =>
  settings.asyncTimeoutMs ?? 300_000

/** The current time in UTC seconds since the epoch. */
export function seconds(services: Pick<Services, 'clock'>): number {
  return Math.floor(services.clock.now() / 1000)
}
