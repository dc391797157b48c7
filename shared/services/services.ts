import type { Docs } from '../api/docs.ts'
import type { Studio } from '../api/studio.ts'
import type { Authentication } from '../auth/authenticate.ts'
import type { Converter } from '../convert/converter.ts'
import type { SchemaIssue } from '../plugin/contract.ts'
import type { Registry } from '../plugin/registry.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { Ports, RenderHooks, RenderRelay } from '../ports/index.ts'
import type { Sql } from '../ports/sql.ts'
import type { TemplateCache } from './template-cache.ts'
import type { TemplateUses } from './template-uses.ts'

/** What the use cases are handed. Built once by `services.ts` of a side, the only file there that reads configuration. */
export interface Services extends Omit<Ports, 'sql'> {
  /** In stateless mode an empty database in memory: renders are claimed in it, templates live as files alone. */
  readonly sql: Sql
  readonly registry: Registry
  readonly converter: Converter
  readonly hasher: Hasher
  readonly templates: TemplateCache
  /** Absent where templates are kept for ever, used or not. */
  readonly uses?: TemplateUses | undefined
  readonly settings: Settings
  /** Memory that merging can read without a copy; absent: any memory is. */
  readonly allocate?: (size: number) => Uint8Array
  /** Signs list cursors. The same for all processes that serve one address. */
  readonly secret: Uint8Array
  /** Where renders go whose body is more than this host can hold; absent where there is no such place. */
  readonly relay?: RenderRelay
  /** Absent where the operator has added none. */
  readonly hooks?: RenderHooks | undefined
  /** Absent while authentication is off: every caller then acts for `ownAccount`. */
  readonly authentication?: Authentication
  /** Absent where the template studio is off. */
  readonly studio?: Studio
  /** Absent where the documentation is off. */
  readonly docs?: Docs
  /** Set while the process winds down: no new renders, status 503. */
  readonly stopping: () => boolean
  /** Set while the engines start: what they make would have to wait. Absent where none does. */
  readonly warming?: () => boolean
  /** More about this process, for `GET /status?full=1`. */
  readonly details?: () => Promise<Readonly<Record<string, unknown>>>
  /** Prometheus text; absent where `GET /metrics` is not served. */
  readonly metrics?: () => Promise<string>
  /** Told of each answer: which operation, how it ended, and how long that took until the transfer. */
  readonly observed?: (answer: {
    readonly operation: string
    readonly status: number
    readonly ms: number
  }) => void
}

export interface Settings {
  readonly version: string // of the product
  readonly stateless: boolean
  readonly defaultApiVersion: 3 | 4 | 5
  readonly maxDataBytes: number // of a JSON body
  readonly maxTemplateBytes: number // of a decoded template
  readonly renderTimeoutMs: number
  readonly asyncTimeoutMs?: number // of a render with a webhook; five minutes unless set
  /** In which a body must have come in, where the side asks for it here. */
  readonly requestTimeoutMs?: number
  readonly webhookSecrets?: readonly Uint8Array[] // sign the notices to webhooks
  readonly webhookRetries?: number // 1 unless set
  readonly maxBatchReports?: number // 0: no batches; 100 unless set
  readonly maxWaitingBatchReports?: number // of a batch whose caller waits for its end; no other limit unless set
  readonly batchConcurrency?: number // items of one batch in work at once; 4 unless set
  readonly renderLifeSeconds: number
  readonly templateRetentionSeconds: number // a template's file is kept so long after it expired
  readonly templateUnusedDays?: number // one without versioning that lies unused goes after these; 0 unless set: never
  readonly lang: string
  readonly timezone: string
  readonly currencySource?: string
  readonly currencyTarget?: string
  readonly currencyRates?: Readonly<Record<string, number>>
  readonly translations?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly allowOrigin: string
  readonly headerAliases: readonly string[]
  /** Accounts that were created, test tokens, monthly credits; callers' webhooks on public hosts alone. */
  readonly hosted?: boolean
  readonly maxClientRenders?: number // of one client at once; no limit unless set
}

export type { SchemaIssue }

/** The account of callers while authentication is off. */
export const ownAccount = 'self'

/** UTC seconds. */
export function seconds(services: Pick<Services, 'clock'>): number {
  return Math.floor(services.clock.now() / 1000)
}
