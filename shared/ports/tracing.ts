import type { Trace } from '../plugin/values.ts'

/** Names and numbers of this program. Never anything that a caller wrote: spans leave the service. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Records work as spans of distributed traces (W3C Trace Context). */
export interface Tracing {
  /**
   * Runs the work of a request, a job or a webhook as a span below the one that `trace.parent` names, which is
   * of another process or of an earlier request. The span has the id that `trace.traceparent` passes on.
   * `describe` adds attributes that the result has.
   */
  begin<T>(span: BeginningSpan<T>, work: () => Promise<T>): Promise<T>
  /** Runs work as a span below the current one. Without one, the work is run and not recorded. */
  span<T>(span: Span<T>, work: () => Promise<T>): Promise<T>
}

export interface Span<T> {
  readonly name: string
  readonly attributes?: SpanAttributes
  describe?(result: T): SpanAttributes
}

export interface BeginningSpan<T> extends Span<T> {
  /** `server` answers a request, `consumer` runs a queued job, `client` calls a webhook. */
  readonly kind: 'server' | 'consumer' | 'client'
  readonly trace: Trace
}
