import type { Sql } from '../ports/sql.ts'
import { openJobs } from '../records/jobs.ts'
import { expiredRenders } from '../records/renders.ts'

/** Expired renders are counted up to this number. */
const maxCounted = 10_000

export interface RecordGauge {
  readonly name: string
  readonly help: string
  readonly value: number
}

/** The state of the whole service according to the database, which every host can report. `now` is in seconds. */
export async function recordGauges(sql: Sql, now: number): Promise<readonly RecordGauge[]> {
  const [{ count, oldest }, expired] = await Promise.all([
    openJobs(sql),
    expiredRenders(sql, now, maxCounted),
  ])
  return [
    {
      name: 'jobs_open',
      help: 'Asynchronous renders of the whole service that have not ended.',
      value: count,
    },
    {
      name: 'oldest_job_seconds',
      help: 'Age of the oldest asynchronous render that has not ended.',
      value: oldest === undefined ? 0 : Math.max(0, now - oldest),
    },
    {
      name: 'sweep_backlog',
      help: `Expired renders that wait to be removed, counted up to ${maxCounted}.`,
      value: expired,
    },
  ]
}

/**
 * The metrics in the Prometheus text format, for a host without counters: each of its many short-lived processes would
 * have its own.
 */
export async function recordMetrics(sql: Sql, now: number): Promise<string> {
  const gauges = await recordGauges(sql, now)
  return gauges
    .map(({ name, help, value }) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`)
    .join('')
}
