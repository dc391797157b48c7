import type { Log } from '../plugin/contract.ts'

/**
 * Asynchronous renders waiting to run. At least once: a job whose worker dies is handed out again after its lease, and
 * one whose run throws after a pause, `mostAttempts` times in all. Jobs start in the order they were sent, roughly.
 * Failures are AppError 'storage.queue' with the cause inside.
 * Implementations: a table in SQLite, Cloudflare Queues, BullMQ.
 */
export interface Queue {
  send(job: QueuedJob): Promise<void>
  /**
   * Starts handing out jobs; the returned function hands out no more and waits for those in hand. Absent where the
   * host pushes. `signal` aborts when the job is no longer ours: another worker may have it by then.
   */
  consume?(
    run: (job: QueuedJob, signal: AbortSignal) => Promise<void>,
    options: { concurrency: number },
  ): () => Promise<void>
  /** Jobs waiting or in hand. */
  size?(): Promise<number>
}
export interface QueuedJob {
  readonly id: string
  readonly account: string
  readonly kind: 'render'
  readonly attempt: number // from 1
}

/** A job that threw this often is dropped, and logged: what it was for has been told of the failure by its run. */
export const mostAttempts = 3

/** What becomes of a job whose run threw, said in the log. Every queue decides alike. */
export function afterFailure(job: QueuedJob, error: unknown, log: Log): 'retry' | 'drop' {
  const details = { job: job.id, attempt: job.attempt, error }
  if (job.attempt < mostAttempts) {
    log.warn('queue.retry', details)
    return 'retry'
  }
  log.error('queue.dropped', details)
  return 'drop'
}
