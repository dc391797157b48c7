import { AppError } from '../../shared/errors/app-error.ts'
import type { Log } from '../../shared/plugin/contract.ts'
import { type Queue as JobQueue, pauseBefore, type QueuedJob, type RunJob } from '../../shared/ports/queue.ts'

/** The sending end. The platform hands jobs out by calling the Worker: see `runBatch`. */
export function openCloudflareQueue(queue: Queue<SentJob>): JobQueue {
  return {
    async send(job) {
      try {
        await queue.send(job, { contentType: 'json' })
      } catch (cause) {
        throw new AppError('storage.queue', {}, { cause })
      }
    },
  }
}

/** A message of the queue. */
export type SentJob = Omit<QueuedJob, 'delivery'>

/** A message may wait no longer, in seconds. */
const longestDelay = 43_200

/**
 * Runs a batch that the platform handed out, all its jobs at once (the size is in wrangler.toml), each acknowledged or
 * put back by itself. Never throws: that would put all of them back. What was put back too often for the platform goes
 * to the dead letter queue.
 */
export async function runBatch(
  batch: MessageBatch<SentJob>,
  run: RunJob,
  options: {
    readonly log: Log
    /** Pause before a job that threw is handed out again, 2 s unless told; doubles with each time. */
    readonly retrySeconds?: number
  },
): Promise<void> {
  const { log, retrySeconds = 2 } = options
  // The platform ends an invocation by itself; until then a job handed out stays ours.
  const { signal } = new AbortController()
  await Promise.all(
    batch.messages.map(async (message) => {
      const { id, account, kind } = message.body
      const job: QueuedJob = { id, account, kind, delivery: message.attempts }
      const again = await run(job, signal).catch((error: unknown) => {
        log.warn('queue.again', { job: id, delivery: job.delivery, error })
        return { afterMs: pauseBefore(job.delivery, retrySeconds * 1000) }
      })
      if (again === undefined) message.ack()
      else message.retry({ delaySeconds: Math.min(Math.ceil(again.afterMs / 1000), longestDelay) })
    }),
  )
}
