import { type HrTime, ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { MetricsSnapshot } from '../metrics.ts'

/** Passes the metrics of this process to the SDK at each export, as totals since the start. */
export function producerOf(
  snapshot: () => Promise<MetricsSnapshot>,
  { resource, startedAt }: { readonly resource: Resource; readonly startedAt: number },
): MetricProducer {
  const startTime = timeOf(startedAt)
  return {
    async collect() {
      const current = await snapshot()
      const times = { startTime, endTime: timeOf(Date.now()) }
      const metrics = [
        ...current.counters.map(
          (family): MetricData => ({
            ...basics(family),
            dataPointType: DataPointType.SUM,
            isMonotonic: true,
            dataPoints: family.series.map(({ labels, value }) => ({
              ...times,
              attributes: { ...labels },
              value,
            })),
          }),
        ),
        ...current.gauges.map(
          (family): MetricData => ({
            ...basics(family),
            dataPointType: DataPointType.GAUGE,
            dataPoints: family.series.map(({ labels, value }) => ({
              ...times,
              attributes: { ...labels },
              value,
            })),
          }),
        ),
        ...current.histograms.map(
          (family): MetricData => ({
            ...basics(family),
            dataPointType: DataPointType.HISTOGRAM,
            dataPoints: family.series.map(({ labels, value }) => ({
              ...times,
              attributes: { ...labels },
              value: {
                buckets: { boundaries: [...value.bounds], counts: [...value.counts] },
                sum: value.sum,
                count: value.total,
              },
            })),
          }),
        ),
      ]
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'platen' }, metrics }] },
        errors: [],
      }
    },
  }
}

function basics({ name, help }: { readonly name: string; readonly help: string }) {
  const unit = /_seconds(?:_total)?$/.test(name) ? 's' : name.endsWith('_bytes') ? 'By' : '1'
  return {
    descriptor: { name: `platen.${name}`, description: help, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
}

/** Milliseconds since the epoch in the two parts that the SDK requires: seconds and nanoseconds. */
function timeOf(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.round((ms - seconds * 1000) * 1_000_000)]
}
