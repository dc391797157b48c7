import { findOverdueJobs, openJobs, takeOverdueJob } from '../records/jobs.ts'
import { type Services, seconds } from '../services/services.ts'

/** Jobs that one call handles. The next call continues with the others. */
const maxJobs = 200

/**
 * Sends overdue jobs to the queue again. A job is overdue when its row has been due for `graceSeconds` and no
 * worker has begun it, because its queue entry was lost or never written. Several origins may run this at
 * once: each job is sent by one of them. An entry whose row is gone needs no care here, since it is dropped
 * on delivery. Returns the number of jobs sent.
 */
export async function reconcileJobs(services: Services, graceSeconds = 60): Promise<number> {
  const { sql, queue, log } = services
  if (queue === undefined) return 0
  const now = seconds(services)
  let sent = 0
  for (const row of await findOverdueJobs(sql, now - graceSeconds, maxJobs)) {
    if (!(await takeOverdueJob(sql, row, now))) continue
    await queue.send({ id: row.id, account: row.account, kind: 'render' })
    sent++
  }
  if (sent > 0) log.info('jobs.reconciled', { sent })
  return sent
}

/** A job that was just accepted, or is put back, is on its way between the row and the queue for less than this. */
const lostGraceSeconds = 10

/**
 * Does the same for jobs that were due a moment ago, when the queue holds fewer entries than there are open jobs: after
 * a queue has lost what it held, or could not be reached when jobs were accepted. A queue that holds all of them is
 * only long, and nothing is sent to it. Returns the number of jobs sent.
 */
export async function reconcileLostJobs(services: Services): Promise<number> {
  const { sql, queue } = services
  if (queue?.size === undefined) return 0
  const { count } = await openJobs(sql)
  return count > (await queue.size()) ? reconcileJobs(services, lostGraceSeconds) : 0
}

/** A database that answers a trivial query later than this was away. */
const slowAnswerMs = 3000
/**
 * How long the database must have answered in time before lost jobs are looked for. It exceeds the interval of `reconcileLostJobs`, so
 * that an outage that ended a moment ago was seen by the call before.
 */
const calmMs = 12_000

/**
 * Returns a function that runs `work` only while the database answers, and has done so for a while. Just after an outage, a job
 * may have a row and no queue entry because its caller was refused, and
 * `withdrawAcceptance` has yet to end it.
 */
export function createCalm({
  sql,
  clock,
}: Pick<Services, 'sql' | 'clock'>): (work: () => Promise<unknown>) => Promise<void> {
  let troubledAt = Number.NEGATIVE_INFINITY // when the database was last seen to be away, in ms
  return async (work) => {
    const began = clock.now()
    try {
      await sql.query({ text: 'SELECT 1 AS one', values: [] })
    } catch (error) {
      troubledAt = clock.now()
      throw error
    }
    const now = clock.now()
    if (now - began > slowAnswerMs) troubledAt = now
    if (now - troubledAt >= calmMs) await work()
  }
}
