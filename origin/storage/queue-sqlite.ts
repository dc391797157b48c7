import { randomUUID } from 'node:crypto'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Log } from '../../shared/plugin/contract.ts'
import {
  type Clock,
  pauseBefore,
  type Queue,
  type QueuedJob,
  type RunJob,
  type Sql,
  type Statement,
} from '../../shared/ports/index.ts'

export interface QueueOptions {
  readonly sql: Sql
  readonly clock: Clock
  readonly log: Log
  /** The lifetime of the lease of a job in milliseconds. A running worker renews it after a third of that. */
  readonly leaseMs?: number
  /**
   * How often to look for jobs that another process sent or left behind. Jobs of this process start at once.
   */
  readonly pollMs?: number
  /** The pause before a job that threw is delivered again, in milliseconds. It doubles with each delivery. */
  readonly retryMs?: number
}

interface Row {
  readonly id: string
  readonly account: string
  readonly kind: 'render'
  readonly delivery: number
}

/**
 * Opens the queue as a table (migration 0003) in the database of the records, so that a job is as durable as
 * they are. Any number of processes may consume it. One UPDATE claims a job and sets `available_at` to the
 * end of its lease, so that the job becomes available again if its worker dies.
 */
export function openSqlQueue(options: QueueOptions): Queue {
  const { sql, clock, log, leaseMs = 30_000, pollMs = 1000, retryMs = 2000 } = options
  /** Wakes the consumers of this process when a job has been sent. */
  const wakers = new Set<() => void>()

  /** Claims the oldest available job. Undefined when there is none. */
  async function claim(): Promise<{ job: QueuedJob; lease: string } | undefined> {
    const now = clock.now()
    const lease = randomUUID()
    // The outer condition on `available_at` is for databases that run statements concurrently: of two claims
    // for the same job, the second one sees the new value and updates nothing.
    const [row] = await query<Row>({
      text: `UPDATE queue_jobs SET lease = ?1, attempt = attempt + 1, available_at = ?2
        WHERE available_at <= ?3 AND id = (
          SELECT id FROM queue_jobs WHERE available_at <= ?3 ORDER BY available_at, sent_at, id LIMIT 1)
        RETURNING id, account, kind, attempt AS delivery`,
      values: [lease, now + leaseMs, now],
    })
    return row && { job: { ...row, delivery: Number(row.delivery) }, lease }
  }

  /** Extends a lease. False when another worker has taken the job. */
  async function renew(id: string, lease: string): Promise<boolean> {
    const rows = await query({
      text: 'UPDATE queue_jobs SET available_at = ?1 WHERE id = ?2 AND lease = ?3 RETURNING id',
      values: [clock.now() + leaseMs, id, lease],
    })
    return rows.length > 0
  }

  async function finish(id: string, lease: string): Promise<void> {
    await query({ text: 'DELETE FROM queue_jobs WHERE id = ?1 AND lease = ?2', values: [id, lease] })
  }

  async function putBack(id: string, lease: string, afterMs: number): Promise<void> {
    await query({
      text: 'UPDATE queue_jobs SET lease = NULL, available_at = ?1 WHERE id = ?2 AND lease = ?3',
      values: [Math.ceil(clock.now() + afterMs), id, lease],
    })
  }

  async function query<T>(statement: Statement): Promise<readonly T[]> {
    try {
      return await sql.query<T>(statement)
    } catch (cause) {
      throw new AppError('storage.queue', {}, { cause })
    }
  }

  /** Runs one job, then removes it from the queue or puts it back. Never throws; errors are logged. */
  async function work({ job, lease }: { job: QueuedJob; lease: string }, run: RunJob): Promise<void> {
    const lost = new AbortController()
    const heartbeat = setInterval(() => {
      renew(job.id, lease).then(
        (ours) => ours || lost.abort(new Error('The lease of this job has passed to another worker.')),
        (error) => log.warn('queue.renew-failed', { job: job.id, error }),
      )
    }, leaseMs / 3)
    try {
      const again = await run(job, lost.signal).catch((error: unknown) => {
        log.warn('queue.again', { job: job.id, delivery: job.delivery, error })
        return { afterMs: pauseBefore(job.delivery, retryMs) }
      })
      await (again === undefined ? finish(job.id, lease) : putBack(job.id, lease, again.afterMs))
    } catch (error) {
      // The row could not be changed. The lease expires by itself and the job is delivered again.
      log.warn('queue.lost-touch', { job: job.id, error })
    } finally {
      clearInterval(heartbeat)
    }
  }

  return {
    async send(job) {
      const now = clock.now()
      await query({
        text: `INSERT INTO queue_jobs (id, account, kind, attempt, available_at, sent_at)
          VALUES (?1, ?2, ?3, 0, ?4, ?4) ON CONFLICT (id) DO UPDATE SET available_at = excluded.available_at
          WHERE queue_jobs.lease IS NULL AND queue_jobs.available_at > excluded.available_at`,
        values: [job.id, job.account, job.kind, now],
      })
      for (const wake of wakers) wake()
    },

    consume(run, { concurrency }) {
      let stopped = false
      /** The jobs that are running. */
      const running = new Set<Promise<void>>()
      /** Ends the current wait of the loop. Replaced by each call of `nextEvent`. */
      let wake = () => {}
      const wakeLoop = () => wake()
      wakers.add(wakeLoop)

      /** Resolves when a job was sent, when one ended, or after `pollMs`. */
      const nextEvent = () =>
        new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pollMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })

      async function loop(): Promise<void> {
        while (!stopped) {
          // Start waiting before the query, so that a job that is sent during the query is not missed.
          const next = nextEvent()
          const found = running.size < concurrency ? await claimOrLog() : undefined
          if (found === undefined) {
            await next
            continue
          }
          wakeLoop()
          const job = work(found, run).finally(() => {
            running.delete(job)
            wakeLoop()
          })
          running.add(job)
        }
      }
      const claimOrLog = () =>
        claim().catch((error) => {
          log.error('queue.claim-failed', { error })
          return undefined
        })
      const ended = loop()

      return async () => {
        stopped = true
        wakers.delete(wakeLoop)
        wakeLoop()
        await ended
        await Promise.all(running)
      }
    },

    async size() {
      const [row] = await query<{ jobs: number }>({
        text: 'SELECT COUNT(*) AS jobs FROM queue_jobs',
        values: [],
      })
      return Number(row?.jobs ?? 0)
    },
  }
}
