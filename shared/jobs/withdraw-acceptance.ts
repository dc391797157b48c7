import { AppError } from '../errors/app-error.ts'
import { findJob, type JobRow, withdrawJob } from '../records/jobs.ts'
import { discardFile } from '../services/discard-file.ts'
import { type Services, seconds } from '../services/services.ts'
import { failureNotice } from './job-notice.ts'
import { retryOutages } from './retry-outages.ts'

/**
 * The longest pause between two attempts. It is far below the time after an outage for which `createCalm` keeps other
 * processes from sending jobs that no worker has begun.
 */
const maxPauseMs = 1000

/**
 * Makes sure that a job is not rendered whose caller was refused because the answer to its commit was lost. The caller sends the request again, so the job would be made, charged and reported twice. Works in the
 * background until the database is back.
 */
export function withdrawAcceptance(
  services: Services,
  { account, id, blob }: Pick<JobRow, 'account' | 'id' | 'blob'>,
): void {
  const { sql, log, later } = services
  const notice = JSON.stringify(failureNotice(new AppError('api.job.not-accepted')))
  const withdraw = async () => {
    const at = seconds(services)
    const isWithdrawn =
      (await withdrawJob(sql, { account, id }, { notice, at })) ||
      // An attempt before this one has withdrawn it, and its answer was lost.
      (await findJob(sql, account, id))?.notice === notice
    if (isWithdrawn) await discardFile(services, blob)
    else log.warn('jobs.not-withdrawn', { job: id, account })
  }
  const work = retryOutages(services, withdraw, maxPauseMs).catch((error: unknown) =>
    log.error('jobs.not-withdrawn', { job: id, account, error }),
  )
  later?.(work)
}
