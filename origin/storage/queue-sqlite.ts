import { randomUUID } from 'node:crypto'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Log } from '../../shared/plugin/values.ts'
import {
  type Clock,
  pauseBefore,
  type Queue,
  type QueuedJob,
  type RunJob,
  type SentJob,
  type Sql,
  type Statement,
} from '../../shared/ports/index.ts'

const defaultLeaseMs = 30_000

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

interface JobRecord {
  readonly id: string
  readonly account: string
  readonly kind: 'render'
  readonly delivery: number
}

/** A job and the lease under which this process runs it. */
interface ClaimedJob {
  readonly job: QueuedJob
  readonly lease: string
}

/**
 * Opens the queue as a table (migration 0003) in the database of the records, so that a job is as durable as
 * they are. Any number of processes may consume it. One UPDATE claims a job and sets `available_at` to the
 * end of its lease, so that the job becomes available again if its worker dies.
 */
export function openSqlQueue(options: QueueOptions): Queue {
  const { log, pollMs = 1000 } = options
  const table = queueTable(options)
  /** Wakes the consumers of this process when a job has been sent. */
  const wakers = new Set<() => void>()
  return {
    async send(job) {
      await table.add(job)
      for (const wake of wakers) wake()
    },
    consume(run, { concurrency }) {
      const claim = () =>
        table.claim().catch((error) => {
          log.error('queue.claim-failed', { error })
          return undefined
        })
      const work = (claimed: ClaimedJob) => workOn(claimed, run, { table, ...options })
      return consumeJobs({ claim, work, wakers, concurrency, pollMs })
    },
    size: table.size,
  }
}

type QueueTable = ReturnType<typeof queueTable>

/** The statements of the queue. All throw 'storage.queue'. */
function queueTable({ sql, clock, leaseMs = defaultLeaseMs }: QueueOptions) {
  async function query<T>(statement: Statement): Promise<readonly T[]> {
    try {
      return await sql.query<T>(statement)
    } catch (cause) {
      throw new AppError('storage.queue', {}, { cause })
    }
  }

  return {
    async add({ id, account, kind, weight = 1 }: SentJob): Promise<void> {
      await query({
        text: `INSERT INTO queue_jobs (id, account, kind, attempt, available_at, sent_at, weight, turn)
          VALUES (?1, ?2, ?3, 0, ?4, ?4, ?5, ${nextTurn('?2', '?4')}) ON CONFLICT (id) DO UPDATE SET available_at = excluded.available_at
          WHERE queue_jobs.lease IS NULL AND queue_jobs.available_at > excluded.available_at`,
        values: [id, account, kind, clock.now(), weight],
      })
    },

    /** Claims the available job whose turn is next. Undefined when there is none. */
    async claim(): Promise<ClaimedJob | undefined> {
      const now = clock.now()
      const lease = randomUUID()
      // The outer condition on `available_at` is for databases that run statements concurrently: of two claims
      // for the same job, the second one sees the new value and updates nothing.
      const [row] = await query<JobRecord>({
        text: `UPDATE queue_jobs SET lease = ?1, attempt = attempt + 1, available_at = ?2
        WHERE available_at <= ?3 AND id = (
          SELECT id FROM queue_jobs WHERE available_at <= ?3 ORDER BY turn, sent_at, id LIMIT 1)
        RETURNING id, account, kind, attempt AS delivery`,
        values: [lease, now + leaseMs, now],
      })
      return row && { job: { ...row, delivery: Number(row.delivery) }, lease }
    },

    /** Extends a lease. False when another worker has taken the job. */
    async renew({ job, lease }: ClaimedJob): Promise<boolean> {
      const rows = await query({
        text: 'UPDATE queue_jobs SET available_at = ?1 WHERE id = ?2 AND lease = ?3 RETURNING id',
        values: [clock.now() + leaseMs, job.id, lease],
      })
      return rows.length > 0
    },

    async finish({ job, lease }: ClaimedJob): Promise<void> {
      await query({ text: 'DELETE FROM queue_jobs WHERE id = ?1 AND lease = ?2', values: [job.id, lease] })
    },

    async putBack({ job, lease }: ClaimedJob, afterMs: number): Promise<void> {
      await query({
        // It lines up again, so that jobs of one account that fail together are not all before those of others.
        text: `UPDATE queue_jobs SET lease = NULL, available_at = ?1, turn = ${nextTurn('?4', '?5')}
          WHERE id = ?2 AND lease = ?3`,
        values: [Math.ceil(clock.now() + afterMs), job.id, lease, job.account, clock.now()],
      })
    },

    async size(): Promise<number> {
      const [row] = await query<{ jobs: number }>({
        text: 'SELECT COUNT(*) AS jobs FROM queue_jobs',
        values: [],
      })
      return Number(row?.jobs ?? 0)
    },
  }
}

/**
 * SQL: the turn of a new job: where the last job of its account ends, or the turn that is being served when that is
 * later. So a new account is next, and no account saves up turns while it has no jobs. Source: P. Goyal, H. M. Vin, H. Cheng,
 * "Start-time fair queueing", SIGCOMM 1996.
 */
const nextTurn = (account: string, now: string) => `(SELECT MAX(t.turn) FROM (
  SELECT COALESCE(MAX(own.turn + own.weight), 0) AS turn FROM queue_jobs own WHERE own.account = ${account}
  UNION ALL SELECT COALESCE(
    (SELECT head.turn FROM queue_jobs head WHERE head.available_at <= ${now} ORDER BY head.turn LIMIT 1),
    (SELECT MAX(every.turn) FROM queue_jobs every), 0)) AS t)`

/** Runs one job, then removes it from the queue or puts it back. Never throws; errors are logged. */
async function workOn(
  claimed: ClaimedJob,
  run: RunJob,
  {
    table,
    log,
    leaseMs = defaultLeaseMs,
    retryMs = 2000,
  }: Pick<QueueOptions, 'log' | 'leaseMs' | 'retryMs'> & { readonly table: QueueTable },
): Promise<void> {
  const { job } = claimed
  const lost = new AbortController()
  const heartbeat = setInterval(() => {
    table.renew(claimed).then(
      (ours) => ours || lost.abort(new Error('The lease of this job has passed to another worker.')),
      (error) => log.warn('queue.renew-failed', { job: job.id, error }),
    )
  }, leaseMs / 3)
  try {
    const retry = await run(job, lost.signal).catch((error: unknown) => {
      log.warn('queue.again', { job: job.id, delivery: job.delivery, error })
      return { afterMs: pauseBefore(job.delivery, retryMs) }
    })
    await (retry === undefined ? table.finish(claimed) : table.putBack(claimed, retry.afterMs))
  } catch (error) {
    // The row could not be changed. The lease expires by itself and the job is delivered again.
    log.warn('queue.lost-touch', { job: job.id, error })
  } finally {
    clearInterval(heartbeat)
  }
}

/**
 * Claims jobs and works on up to `concurrency` of them at once, until the returned function is called. That
 * resolves when the last of them has ended.
 */
function consumeJobs({
  claim,
  work,
  wakers,
  concurrency,
  pollMs,
}: {
  readonly claim: () => Promise<ClaimedJob | undefined>
  readonly work: (claimed: ClaimedJob) => Promise<void>
  /** Functions to call when a job has been sent. Contains one of this consumer while it runs. */
  readonly wakers: Set<() => void>
  readonly concurrency: number
  readonly pollMs: number
}): () => Promise<void> {
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
      const wakeUp = nextEvent()
      const claimed = running.size < concurrency ? await claim() : undefined
      if (claimed === undefined) {
        await wakeUp
        continue
      }
      wakeLoop()
      const job = work(claimed).finally(() => {
        running.delete(job)
        wakeLoop()
      })
      running.add(job)
    }
  }
  const ended = loop()

  return async () => {
    stopped = true
    wakers.delete(wakeLoop)
    wakeLoop()
    await ended
    await Promise.all(running)
  }
}
