import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Tracing } from '../../shared/ports/tracing.ts'
import type { MetricsSnapshot } from '../metrics.ts'
import { producerOf } from './metric-data.ts'
import { createIds, createTracing } from './tracing.ts'

/** How often metrics are sent. */
const metricsEveryMs = 60_000
/** Data for a receiver that does not answer within this time is lost. */
const exportTimeoutMs = 10_000

export interface Telemetry {
  readonly tracing: Tracing
  /** Sends the remaining data. A receiver that cannot be reached delays this for at most its timeout. */
  stop(): Promise<void>
}

/**
 * Sends spans and metrics to a receiver of OTLP over HTTP with JSON, below `url`: `v1/traces` and `v1/metrics`. This
 * module imports the SDK, so it is imported only if the setting requires it. If the receiver fails, telemetry is
 * lost, but nothing else. The SDK reads `OTEL_EXPORTER_OTLP_HEADERS` for a receiver that requires a token.
 */
export function openTelemetry({
  url,
  version,
  metrics,
}: {
  readonly url: string
  readonly version: string
  /** Reads the state of the metrics; called before each export. */
  readonly metrics: () => Promise<MetricsSnapshot>
}): Telemetry {
  const endpoint = (path: string) => new URL(path, url.endsWith('/') ? url : `${url}/`).href
  const resource = resourceFromAttributes({ 'service.name': 'platen', 'service.version': version })
  const ids = createIds(new RandomIdGenerator())
  const spans = new TracerProvider({
    resource,
    idGenerator: ids,
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: endpoint('v1/traces'), timeoutMillis: exportTimeoutMs }),
      }),
    ],
  })
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: endpoint('v1/metrics'), timeoutMillis: exportTimeoutMs }),
        exportIntervalMillis: metricsEveryMs,
        exportTimeoutMillis: exportTimeoutMs,
        metricProducers: [producerOf(metrics, { resource, startedAt: Date.now() - performance.now() })],
      }),
    ],
  })
  return {
    tracing: createTracing(spans.getTracer('platen', version), ids),
    async stop() {
      await Promise.allSettled([spans.shutdown(), meters.shutdown()])
    },
  }
}
