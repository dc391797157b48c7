import type { Converter } from '../shared/convert/converter.ts'
import { AppError } from '../shared/errors/app-error.ts'
import type { Queue } from '../shared/ports/index.ts'
import { createMetrics, type Gauge, type Metrics } from '../shared/services/metrics.ts'
import type { MergePool } from './merge-pool.ts'

const families = {
  http_requests_total: 'Requests answered, by operation and status.',
  http_request_duration_seconds: 'Time from a request to its answer, without the transfer of files.',
  merges_total: 'Templates filled since the start, by outcome.',
  merge_plans_reused_total: 'Merges whose template was compiled already.',
  merge_duration_seconds: 'Time to fill a template, with the wait for a thread.',
  conversions_total: 'Conversions, by engine and outcome.',
  conversion_duration_seconds: 'Time of a conversion, by engine.',
} as const

/** Creates the metrics of this process. Labels carry no data of callers. */
export function createOriginMetrics(): Metrics {
  return createMetrics(families)
}

/** Wraps a merger so that merges are counted and timed. */
export function countedMerger(merger: MergePool, metrics: Metrics): MergePool {
  return {
    ...merger,
    async merge(job, signal) {
      const started = performance.now()
      try {
        const outcome = await merger.merge(job, signal)
        metrics.count('merges_total', { outcome: 'done' })
        if (outcome.value.planReused) metrics.count('merge_plans_reused_total')
        return outcome
      } catch (error) {
        metrics.count('merges_total', { outcome: outcomeOf(error) })
        throw error
      } finally {
        metrics.observe('merge_duration_seconds', (performance.now() - started) / 1000)
      }
    },
  }
}

/**
 * Wraps a converter so that conversions are counted and timed. A successful one counts for each engine that
 * took part; a failed one counts for the letter that the request named, or 'default'.
 */
export function countedConverter(converter: Converter, metrics: Metrics): Converter {
  return {
    ...converter,
    async convert(request) {
      const started = performance.now()
      const end = (engines: readonly string[], outcome: string) => {
        const seconds = (performance.now() - started) / 1000
        for (const engine of engines) metrics.count('conversions_total', { engine, outcome })
        metrics.observe('conversion_duration_seconds', seconds, { engine: engines.at(-1) ?? 'none' })
      }
      try {
        const converted = await converter.convert(request)
        end(converted.engines.length === 0 ? ['none'] : converted.engines, 'done')
        return converted
      } catch (error) {
        const letter = converter.arrows().some((arrow) => arrow.letter === request.letter)
        end([letter ? (request.letter ?? 'default') : 'default'], outcomeOf(error))
        throw error
      }
    },
  }
}

function outcomeOf(error: unknown): string {
  if (!(error instanceof AppError)) return 'failed'
  if (error.code === 'api.aborted') return 'aborted'
  return error.code.endsWith('timeout') ? 'timeout' : `failed-${error.blame}`
}

/** The text of `GET /metrics`: the collected metrics and gauges of the current state. */
export async function metricsText(
  metrics: Metrics,
  now: {
    readonly merge: { readonly waiting: number; readonly workers: number }
    readonly queue: Queue | undefined
    readonly templateBytes: number
    readonly isolation: Gauge
  },
): Promise<string> {
  const memory = process.memoryUsage()
  const { merge, queue, templateBytes, isolation } = now
  const gauges: readonly Gauge[] = [
    { name: 'queued', help: 'Renders waiting for a merge worker.', value: merge.waiting },
    { name: 'jobs', help: 'Asynchronous renders waiting or in hand.', value: (await queue?.size?.()) ?? 0 },
    { name: 'merge_workers', help: 'Merge worker threads.', value: merge.workers },
    { name: 'template_cache_bytes', help: 'Templates kept in memory.', value: templateBytes },
    isolation,
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
  return metrics.text(gauges)
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}
