import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  type Span as RecordedSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace as traces,
} from '@opentelemetry/api'
import type { IdGenerator } from '@opentelemetry/sdk-trace'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Trace } from '../../shared/plugin/values.ts'
import type { BeginningSpan, Span, Tracing } from '../../shared/ports/tracing.ts'

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT } as const

/**
 * Records spans with a tracer whose ids come from `ids`. The current span is tracked across the asynchronous calls of
 * its work. A span that fails gets the code of the error and neither its message nor its stack, which may quote
 * documents.
 */
export function createTracing(tracer: Tracer, ids: ChosenIds): Tracing {
  const current = new AsyncLocalStorage<Context>()
  return {
    begin<T>({ kind, name, trace, attributes = {}, describe }: BeginningSpan<T>, work: () => Promise<T>) {
      const [, traceId = '', spanId = '', flags = '00'] = trace.traceparent.split('-')
      const options = { kind: kinds[kind], attributes: { ...attributes, ...requestOf(trace) } }
      const parent =
        trace.parent === undefined
          ? ROOT_CONTEXT
          : traces.setSpanContext(ROOT_CONTEXT, {
              traceId,
              spanId: trace.parent,
              traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
              isRemote: true,
            })
      const span = ids.using({ traceId, spanId }, () => tracer.startSpan(name, options, parent))
      return recorded(span, traces.setSpan(ROOT_CONTEXT, span), work, describe)
    },
    async span<T>({ name, attributes = {}, describe }: Span<T>, work: () => Promise<T>) {
      const context = current.getStore()
      if (context === undefined) return work()
      const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes }, context)
      return recorded(span, traces.setSpan(context, span), work, describe)
    },
  }

  async function recorded<T>(
    span: RecordedSpan,
    context: Context,
    work: () => Promise<T>,
    describe: Span<T>['describe'],
  ): Promise<T> {
    try {
      const result = await current.run(context, work)
      if (describe !== undefined) span.setAttributes(describe(result))
      return result
    } catch (error) {
      span.setAttribute('error.type', error instanceof AppError ? error.code : 'unforeseen')
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }
}

/** The id that finds a request in the logs. A caller may have chosen it, so other ids stay out of spans. */
function requestOf({ requestId }: Trace): { readonly 'request.id'?: string } {
  return /^[0-9a-f]{32}$/.test(requestId) ? { 'request.id': requestId } : {}
}

export interface ChosenIds extends IdGenerator {
  /** Runs `start`, which starts one span, and assigns these ids to that span. */
  using<T>(ids: { readonly traceId: string; readonly spanId: string }, start: () => T): T
}

/** The ids of spans: random, unless the span of a request must have the id in its `traceparent`. */
export function createIds(random: IdGenerator): ChosenIds {
  let chosen: { readonly traceId: string; readonly spanId: string } | undefined
  return {
    generateTraceId: () => chosen?.traceId ?? random.generateTraceId(),
    generateSpanId: () => chosen?.spanId ?? random.generateSpanId(),
    using(ids, start) {
      chosen = ids
      try {
        return start()
      } finally {
        chosen = undefined
      }
    },
  }
}
