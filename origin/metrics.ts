import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ObservedConversion } from '../shared/convert/converter.ts'
import { entryOf } from '../shared/entry-of.ts'
import { AppError } from '../shared/errors/app-error.ts'
import type { Blobs, Queue, Sql } from '../shared/ports/index.ts'
import { pushAll } from '../shared/push-all.ts'
import type { Services } from '../shared/services/services.ts'
import type { ObservedMerge } from './merge-pool.ts'
import type { Supervisor } from './processes/supervisor.ts'

const families = {
  http_requests_total: 'Requests answered, by operation and status.',
  http_request_duration_seconds: 'Time from a request to its answer, without the transfer of files.',
  merges_total: 'Templates filled since the start, by outcome.',
  merge_plans_reused_total: 'Merges whose template was compiled already.',
  merge_duration_seconds: 'Time to fill a template, with the wait for a thread.',
  conversions_total: 'Conversions, by engine and outcome.',
  conversion_duration_seconds: 'Time of a conversion, by engine.',
  store_duration_seconds: 'Time of a call of a store, by store.',
  store_failures_total: 'Calls of stores that failed, by store.',
  webhooks_total: 'Webhooks called, by outcome.',
  jobs_total:
    'What happened to asynchronous renders: done, failed, set aside, tried again, waiting for an outage.',
} as const

/** Creates the metrics of this process. MetricLabels carry no data of callers. */
export function createOriginMetrics(): Metrics {
  return createMetrics(families)
}

/** Counts and times the answers of the API. */
export function observeAnswers(metrics: Metrics): NonNullable<Services['observed']> {
  return ({ operation, status, ms }) => {
    metrics.count('http_requests_total', { operation, status })
    metrics.observe('http_request_duration_seconds', ms / 1000, { operation })
  }
}

/** Counts and times merges. */
export function observeMerges(metrics: Metrics): (merge: ObservedMerge) => void {
  return ({ ms, planReused, error }) => {
    metrics.count('merges_total', { outcome: outcomeOf(error) })
    if (planReused) metrics.count('merge_plans_reused_total')
    metrics.observe('merge_duration_seconds', ms / 1000)
  }
}

/** Counts and times conversions. A conversion counts for each engine that took part. */
export function observeConversions(metrics: Metrics): (conversion: ObservedConversion) => void {
  return ({ engines, ms, error }) => {
    const named = engines.length === 0 ? ['none'] : engines
    for (const engine of named) metrics.count('conversions_total', { engine, outcome: outcomeOf(error) })
    metrics.observe('conversion_duration_seconds', ms / 1000, { engine: named.at(-1) ?? 'none' })
  }
}

/** Wraps a database so that its calls are timed. */
export function countedSql(sql: Sql, metrics: Metrics): Sql {
  return {
    ...sql,
    query: (statement) => timedCall(metrics, 'records', () => sql.query(statement)),
    batch: (statements) => timedCall(metrics, 'records', () => sql.batch(statements)),
  }
}

/** Wraps a file store so that its calls are timed. */
export function countedBlobs(blobs: Blobs, metrics: Metrics): Blobs {
  return {
    ...blobs,
    put: (key, body) => timedCall(metrics, 'blobs', () => blobs.put(key, body)),
    get: (key) => timedCall(metrics, 'blobs', () => blobs.get(key)),
    delete: (key) => timedCall(metrics, 'blobs', () => blobs.delete(key)),
  }
}

async function timedCall<T>(metrics: Metrics, store: string, call: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    return await call()
  } catch (error) {
    metrics.count('store_failures_total', { store })
    throw error
  } finally {
    metrics.observe('store_duration_seconds', (performance.now() - startedAt) / 1000, { store })
  }
}

/** The delay of timers on the thread that serves requests, measured since the start. */
const loopDelay = monitorEventLoopDelay({ resolution: 20 })
loopDelay.enable()

type EngineStats = ReturnType<Supervisor['stats']>

function engineGauges(engines: EngineStats): readonly Gauge[] {
  const gauge = (name: string, help: string, of: 'ready' | 'busy' | 'waiting' | 'restarts'): Gauge => ({
    name,
    help,
    value: [...engines].map(([engine, stats]) => ({ labels: { engine }, value: stats[of] })),
    ...(of === 'restarts' && { kind: 'counter' }),
  })
  return [
    gauge('engine_units', 'Running processes of an engine.', 'ready'),
    gauge('engine_busy', 'Conversions that run in an engine.', 'busy'),
    gauge('engine_waiting', 'Conversions that wait for an engine.', 'waiting'),
    gauge('engine_restarts_total', 'Processes of an engine that had to be replaced.', 'restarts'),
  ]
}

function loopGauges(): readonly Gauge[] {
  const gauges = [
    { name: 'event_loop_delay_p99_seconds', value: loopDelay.percentile(99) / 1e9 },
    { name: 'event_loop_delay_max_seconds', value: loopDelay.max / 1e9 },
  ]
  loopDelay.reset()
  const help = 'Delay of the thread that serves requests, since the last scrape.'
  return gauges.map((gauge) => ({ ...gauge, help }))
}

/** `error`: undefined if the work succeeded. */
function outcomeOf(error: unknown): string {
  if (error === undefined) return 'done'
  if (!(error instanceof AppError)) return 'failed'
  if (error.code === 'api.aborted') return 'aborted'
  return error.code.endsWith('timeout') ? 'timeout' : `failed-${error.blame}`
}

/** The state of the process at the moment its metrics are read. */
export interface MetricsNow {
  readonly merge: { readonly waiting: number; readonly workers: number }
  readonly queue: Queue | undefined
  readonly templateBytes: number
  readonly isolation: Gauge
  readonly engines: EngineStats
  readonly records: readonly Gauge[]
}

/** The gauges of the current state. Those of the event loop cover the time since the last call. */
export async function currentGauges({
  merge,
  queue,
  templateBytes,
  isolation,
  engines,
  records,
}: MetricsNow): Promise<readonly Gauge[]> {
  const memory = process.memoryUsage()
  return [
    { name: 'queued', help: 'Renders waiting for a merge worker.', value: merge.waiting },
    {
      name: 'jobs',
      help: 'Asynchronous renders that are waiting or running.',
      value: (await queue?.size?.()) ?? 0,
    },
    { name: 'merge_workers', help: 'Merge worker threads.', value: merge.workers },
    { name: 'template_cache_bytes', help: 'Templates kept in memory.', value: templateBytes },
    isolation,
    ...engineGauges(engines),
    ...records,
    ...loopGauges(),
    { name: 'process_resident_memory_bytes', help: 'Resident memory.', value: memory.rss },
    { name: 'nodejs_heap_used_bytes', help: 'JavaScript memory in use.', value: memory.heapUsed },
    { name: 'nodejs_external_bytes', help: 'Memory of buffers.', value: memory.external },
    {
      name: 'process_cpu_seconds_total',
      help: 'Processor time of all threads.',
      value: processorSeconds(),
      kind: 'counter',
    },
    {
      name: 'process_start_time_seconds',
      help: 'When the process started.',
      value: Math.round(Date.now() / 1000 - process.uptime()),
    },
  ]
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

/**
 * Metrics of one process in the Prometheus text format (exposition format 0.0.4). Counters and histograms are
 * updated as events happen; gauges are read when the text is requested.
 */
export interface Metrics {
  /** Adds `by`, 1 by default, to a counter. */
  count(name: string, labels?: MetricLabels, by?: number): void
  /** Adds a duration to a histogram. */
  observe(name: string, seconds: number, labels?: MetricLabels): void
  /** All metrics as text. */
  text(gauges: readonly Gauge[]): string
  /** All metrics as data. */
  snapshot(gauges: readonly Gauge[]): MetricsSnapshot
}
export interface MetricsSnapshot {
  readonly counters: readonly MetricFamily<number>[]
  readonly gauges: readonly MetricFamily<number>[]
  readonly histograms: readonly MetricFamily<HistogramValue>[]
}
export interface MetricFamily<Value> {
  readonly name: string
  readonly help: string
  readonly series: readonly { readonly labels: MetricLabels; readonly value: Value }[]
}
export interface HistogramValue {
  readonly bounds: readonly number[] // upper bounds in seconds
  readonly counts: readonly number[] // of each bucket alone; one more for what is above the last bound
  readonly sum: number // seconds
  readonly total: number
}
export type MetricLabels = Readonly<Record<string, string | number>>
export interface Gauge {
  readonly name: string
  readonly help: string
  readonly value: number | readonly { readonly labels: MetricLabels; readonly value: number }[]
  readonly kind?: 'gauge' | 'counter'
}

/**
 * Upper bounds of the histogram buckets in seconds: from a list served from memory to a render that takes
 * minutes.
 */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
/**
 * Label combinations that are kept for one metric; further ones are dropped. MetricLabels are names of this
 * program, so the limit is a guard against a label that a caller could choose.
 */
const maxSeries = 2000

interface Series<Value> {
  readonly labels: MetricLabels
  value: Value
}

interface Histogram {
  readonly counts: number[] // of each bucket alone; the text adds them up
  sum: number // seconds
  total: number // observations, those above the last bound included
}

/**
 * Creates the metrics of a process. `families` maps each metric name to its help text; other names are
 * ignored. Names that end in `_seconds` are histograms.
 */
export function createMetrics(families: Readonly<Record<string, string>>): Metrics {
  const counters = new Map<string, Map<string, Series<number>>>()
  const histograms = new Map<string, Map<string, Series<Histogram>>>()

  return {
    count(name, labels = {}, by = 1) {
      if (entryOf(families, name) === undefined) return
      const series = seriesOf(counters, name)
      const key = labelText(labels)
      const counter = series.get(key)
      if (counter !== undefined) counter.value += by
      else if (series.size < maxSeries) series.set(key, { labels, value: by })
    },
    observe(name, seconds, labels = {}) {
      if (entryOf(families, name) === undefined) return
      const series = seriesOf(histograms, name)
      const key = labelText(labels)
      const existing = series.get(key)
      if (existing === undefined && series.size >= maxSeries) return
      const histogram = existing?.value ?? { counts: bounds.map(() => 0), sum: 0, total: 0 }
      if (existing === undefined) series.set(key, { labels, value: histogram })
      const bucket = bounds.findIndex((bound) => seconds <= bound)
      if (bucket !== -1) histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + 1
      histogram.sum += seconds
      histogram.total++
    },
    text(gauges) {
      const lines: string[] = []
      for (const { name, help, value, kind = 'gauge' } of gauges) {
        const series =
          typeof value === 'number'
            ? [`${name} ${value}`]
            : value.map((labelled) => `${name}{${labelText(labelled.labels)}} ${labelled.value}`)
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`)
        pushAll(lines, series)
      }
      for (const [name, help] of Object.entries(families)) {
        const histogram = histograms.get(name)
        const isHistogram = histogram !== undefined || name.endsWith('_seconds')
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${isHistogram ? 'histogram' : 'counter'}`)
        for (const [labels, { value }] of histogram ?? []) pushAll(lines, histogramLines(name, labels, value))
        for (const [labels, { value }] of counters.get(name) ?? [])
          lines.push(`${name}${labels === '' ? '' : `{${labels}}`} ${value}`)
      }
      return `${lines.join('\n')}\n`
    },
    snapshot(gauges) {
      const current = gauges.map(({ name, help, value, kind = 'gauge' }) => ({
        kind,
        family: { name, help, series: typeof value === 'number' ? [{ labels: {}, value }] : value },
      }))
      const ofKind = (requestedKind: 'gauge' | 'counter') =>
        current.flatMap(({ kind, family }) => (kind === requestedKind ? [family] : []))
      const collected = <Value>(metrics: Map<string, Map<string, Series<Value>>>) =>
        [...metrics].map(([name, series]) => ({
          name,
          help: entryOf(families, name) ?? '',
          series: [...series.values()],
        }))
      return {
        counters: [...ofKind('counter'), ...collected(counters)],
        gauges: ofKind('gauge'),
        histograms: collected(histograms).map(({ name, help, series }) => ({
          name,
          help,
          series: series.map(({ labels, value }) => ({ labels, value: histogramValue(value) })),
        })),
      }
    },
  }
}

function histogramValue({ counts, sum, total }: Histogram): HistogramValue {
  const aboveLast = total - counts.reduce((all, count) => all + count, 0)
  return { bounds, counts: [...counts, aboveLast], sum, total }
}

function histogramLines(name: string, labels: string, { counts, sum, total }: Histogram): string[] {
  const labelPrefix = labels === '' ? '' : `${labels},`
  const labelSet = labels === '' ? '' : `{${labels}}`
  let cumulative = 0
  const buckets = bounds.map((bound, index) => {
    cumulative += counts[index] ?? 0
    return `${name}_bucket{${labelPrefix}le="${bound}"} ${cumulative}`
  })
  return [
    ...buckets,
    `${name}_bucket{${labelPrefix}le="+Inf"} ${total}`,
    `${name}_sum${labelSet} ${sum}`,
    `${name}_count${labelSet} ${total}`,
  ]
}

function seriesOf<T>(families: Map<string, Map<string, T>>, name: string): Map<string, T> {
  const existing = families.get(name)
  if (existing !== undefined) return existing
  const created = new Map<string, T>()
  families.set(name, created)
  return created
}

function labelText(labels: MetricLabels): string {
  return Object.entries(labels)
    .map(
      ([name, value]) =>
        `${name}="${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
    )
    .join(',')
}
