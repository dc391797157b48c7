/**
 * Asynchronous renders waiting to run. A queue only hands out: whether a job is done, failed or tried again is decided
 * by `run` and kept in the records, so losing an entry, or having one twice, loses and doubles nothing.
 * At least once: a job whose worker dies is handed out again after its lease, and one whose run asks for it, or throws,
 * after a pause; no queue gives up. Jobs start in the order they were sent, roughly.
 * Failures are AppError 'storage.queue' with the cause inside.
 * Implementations: a table in SQLite, Cloudflare Queues, BullMQ.
 */
export interface Queue {
  /** A job that is there already, under the same id, is not there twice; one that waits for later becomes due now. */
  send(job: Omit<QueuedJob, 'delivery'>): Promise<void>
  /**
   * Starts handing out jobs; the returned function hands out no more and waits for those in hand. Absent where the
   * host pushes. `signal` aborts when the job is no longer ours: another worker may have it by then.
   */
  consume?(run: RunJob, options: { concurrency: number }): () => Promise<void>
  /** Jobs waiting or in hand. */
  size?(): Promise<number>
}

export interface QueuedJob {
  readonly id: string
  readonly account: string
  readonly kind: 'render'
  readonly delivery: number // how often it was handed out, this time included
}

/** Resolves with the time after which the job is to be handed out again, or with nothing when it is over. */
export type RunJob = (job: QueuedJob, signal: AbortSignal) => Promise<Again | undefined>

export interface Again {
  readonly afterMs: number
}

/** The pause before a job is handed out again, in ms: from two seconds, doubling, up to an hour. */
export function pauseBefore(delivery: number, firstMs = 2000): number {
  return Math.min(firstMs * 2 ** Math.min(delivery - 1, 30), 3_600_000)
}
