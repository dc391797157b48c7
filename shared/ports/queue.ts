/**
 * Asynchronous renders waiting to run. At least once: a job whose worker dies is handed out again after its lease.
 * Implementations: a table in SQLite, Cloudflare Queues, BullMQ.
 */
export interface Queue {
  send(job: QueuedJob): Promise<void>
  /** Starts handing out jobs; the returned function stops and waits for those in hand. Absent where the host pushes. */
  consume?(
    run: (job: QueuedJob, signal: AbortSignal) => Promise<void>,
    options: { concurrency: number },
  ): () => Promise<void>
  size?(): Promise<number>
}
export interface QueuedJob {
  readonly id: string
  readonly account: string
  readonly kind: 'render'
  readonly attempt: number // from 1
}
