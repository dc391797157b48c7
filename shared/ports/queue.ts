/**
 * A queue of asynchronous renders. It only delivers jobs. Whether a job is done, has failed or is tried again
 * is decided by `run` and recorded in the database, so a lost or duplicated entry neither loses nor repeats a
 * render.
 *
 * Delivery is at least once. A job whose worker dies is delivered again after its lease, and a job whose run
 * returns a pause or throws is delivered again after a pause. The queues of the origin never give up a job;
 * Cloudflare Queues moves one that failed too often to a dead letter queue, whose consumer ends the render with
 * a failure notice. Accounts take turns where the platform allows it: a job waits for the earlier ones of its own
 * account and for about as much work of each other account, however much of that waits. Large jobs wait longer. At
 * Cloudflare, jobs start roughly in the order they were sent, and `maxAccountJobs` leaves slots for other accounts.
 *
 * Failures are AppError 'storage.queue' with the cause inside. Implementations: a table in SQLite, Cloudflare
 * Queues, BullMQ.
 */
export interface Queue {
  /**
   * Adds a job. If the queue already has a job of this id, it is not added twice; if that job waits, it
   * becomes due now.
   */
  send(job: SentJob): Promise<void>
  /**
   * Starts delivering jobs to `run`, at most `concurrency` at once. The returned function stops the delivery
   * and waits for the running jobs. Absent where the platform pushes jobs to the host. The signal that `run`
   * receives aborts when the lease of the job is lost, because another worker may have it by then.
   */
  consume?(run: RunJob, options: { concurrency: number }): () => Promise<void>
  /** The number of jobs that wait or run. */
  size?(): Promise<number>
}

/** A job as it is sent. */
export interface SentJob extends Omit<QueuedJob, 'delivery'> {
  /** How much work it is, compared with a small document. Default: 1. */
  readonly weight?: number
}

export interface QueuedJob {
  readonly id: string
  readonly account: string
  readonly kind: 'render'
  readonly delivery: number // how often it was delivered, this time included
}

/**
 * Runs a job. Resolves with the pause before the job must be delivered again, or with undefined when it is
 * finished.
 */
export type RunJob = (job: QueuedJob, signal: AbortSignal) => Promise<Redelivery | undefined>

export interface Redelivery {
  readonly afterMs: number
  /**
   * The job has not been tried, because its account has its share of running jobs. Platforms that give up a job after
   * so many deliveries must not count this one.
   */
  readonly untried?: true
}

/**
 * The pause before the next delivery of a job, in ms. It doubles with each delivery, from `firstMs` up to one
 * hour. `delivery` counts from 1.
 */
export function pauseBefore(delivery: number, firstMs = 2000): number {
  return Math.min(firstMs * 2 ** Math.min(delivery - 1, 30), 3_600_000)
}
