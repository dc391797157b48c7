import { findOverdueJobs, takeOverdueJob } from '../records/jobs.ts'
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
