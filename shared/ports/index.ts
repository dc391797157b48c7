/** What a side must provide. Nothing in `shared/` reaches the outside except through these. */
import type { Codec, Log } from '../plugin/contract.ts'
import type { Blobs } from './blobs.ts'
import type { Merger } from './merger.ts'
import type { Queue } from './queue.ts'
import type { Sql } from './sql.ts'

export interface Clock {
  now(): number // ms since the epoch
}

export interface Ids {
  /** Decimal text of a positive 63-bit integer, 18 or 19 digits, growing with time. */
  templateId(): string
  /** n cryptographically random bytes. */
  random(length: number): Uint8Array
}

/** Outbound HTTP under one policy: scheme, resolved address, redirects checked again, size, time. */
export interface Outbound {
  fetch(request: OutboundRequest): Promise<OutboundResponse>
  /** Whether a call would be refused for what the URL says; where its name leads to is looked at by the call itself. */
  refuses(url: string): boolean
  /** Of one render; the usual ones unless set. */
  readonly limits?: DownloadLimits
}
/** What a render, and a page that is shown for one, may fetch by address. */
export interface DownloadLimits {
  readonly files: number
  readonly totalBytes: number
  readonly timeoutMs: number // of each
  readonly atOnce: number
}
export interface OutboundRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly maxRedirects?: number // 3
  readonly signal?: AbortSignal
}
export interface OutboundResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>> // lower-case names
  readonly body: Uint8Array
}

export interface Ports {
  readonly sql?: Sql // absent in stateless mode
  readonly blobs: Blobs
  readonly queue?: Queue
  readonly merger: Merger
  readonly clock: Clock
  readonly ids: Ids
  readonly outbound: Outbound
  readonly codec: Codec
  readonly log: Log
}

export { type BlobEntry, type Blobs, checkKey } from './blobs.ts'
export type { MadeRender, RenderHooks } from './hooks.ts'
export type {
  BatchShape,
  Inspection,
  InspectJob,
  JsonInput,
  Merged,
  MergeJob,
  MergeOptions,
  Merger,
  MergeTemplate,
  Sample,
} from './merger.ts'
export { type Again, pauseBefore, type Queue, type QueuedJob, type RunJob } from './queue.ts'
export type { RelayedDocument, RelayedRender, RelayedTerms, RenderRelay } from './relay.ts'
export type { Sql, SqlValue, Statement } from './sql.ts'
