/** The interfaces that a host must implement. Code in `shared/` reaches the outside only through them. */
import type { Codec, Log } from '../plugin/values.ts'
import type { Blobs } from './blobs.ts'
import type { Merger } from './merger.ts'
import type { Queue } from './queue.ts'
import type { Sql } from './sql.ts'

export interface Clock {
  now(): number // ms since the epoch
}

export interface Ids {
  /** Returns a new Template ID: a positive 63-bit integer of 18 or 19 decimal digits that grows with time. */
  templateId(): string
  /** Returns `length` cryptographically random bytes. */
  random(length: number): Uint8Array
}

/**
 * Outbound HTTP under the egress policy, which covers schemes, resolved addresses, redirects, sizes and
 * times.
 */
export interface Outbound {
  /** Throws AppError 'net.*' for a refused or failed call. Any HTTP status is a result, not an error. */
  fetch(request: OutboundRequest): Promise<OutboundResponse>
  /**
   * As `fetch`, but returns the body as a stream of any length. `timeoutMs` covers the time until the headers have come;
   * `signal` ends the stream as well.
   */
  open(request: Omit<OutboundRequest, 'maxBytes' | 'onBytes'>): Promise<OpenedResponse>
  /**
   * Whether the policy refuses a URL by its text. The address that its host name resolves to is checked only
   * by `fetch`.
   */
  refuses(url: string): boolean
  /** The limits for one render. Absent: those of `shared/net/downloads.ts`. */
  readonly limits?: DownloadLimits
}
/** The limits on files that one render, or one web page drawn for it, may fetch. */
export interface DownloadLimits {
  readonly files: number // maximum number of files
  readonly totalBytes: number // of all files together
  readonly timeoutMs: number // of each file
  readonly atOnce: number // concurrent downloads
}
export interface OutboundRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly timeoutMs: number // of the whole call, redirects included
  readonly maxBytes: number // of the response body
  /** Called with the size of each piece of the body as it arrives. */
  readonly onBytes?: (bytes: number) => void
  readonly maxRedirects?: number // default: 3
  readonly signal?: AbortSignal
}
export interface OutboundResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>> // lower-case names
  readonly body: Uint8Array
}

export interface OpenedResponse extends Pick<OutboundResponse, 'status' | 'headers'> {
  readonly body: ReadableStream<Uint8Array>
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

export type { FinishedRender } from '../plugin/hooks.ts'
export { type BlobEntry, type Blobs, checkKey } from './blobs.ts'
export type { RenderHooks } from './hooks.ts'
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
  SampleData,
} from './merger.ts'
export {
  pauseBefore,
  type Queue,
  type QueuedJob,
  type Redelivery as Again,
  type RunJob,
  type SentJob,
} from './queue.ts'
export type { RelayedDocument, RelayedRender, RelayedTerms, RenderRelay } from './relay.ts'
export type { Sql, SqlValue, Statement } from './sql.ts'
