import { findOverdueJobs, takeOverdueJob } from '../records/jobs.ts'
import { type Services, seconds } from './services.ts'

/** Jobs that one run looks at. */
const mostJobs = 200

/**
 * Queues again the jobs whose rows wait for a worker that nobody sends: their entries were lost with a queue, or never
 * written. Any number of origins may do so at once. What has a row no more is dropped where it is handed out. Returns
 * how many were sent.
 */
export async function reconcileJobs(services: Services, graceSeconds = 60): Promise<number> {
  const { sql, queue, log } = services
  if (queue === undefined) return 0
  const now = seconds(services)
  let sent = 0
  for (const row of await findOverdueJobs(sql, now - graceSeconds, mostJobs)) {
    if (!(await takeOverdueJob(sql, row, now))) continue
    await queue.send({ id: row.id, account: row.account, kind: 'render' })
    sent++
  }
  if (sent > 0) log.info('jobs.reconciled', { sent })
  return sent
}
