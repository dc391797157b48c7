import { AppError } from '../../shared/errors/app-error.ts'
import type { Log } from '../../shared/plugin/values.ts'
import {
  type Queue as JobQueue,
  pauseBefore,
  type QueuedJob,
  type Redelivery,
  type RunJob,
  type SentJob,
} from '../../shared/ports/queue.ts'

/** The sending end of the queue. The platform delivers jobs by calling the Worker; see `runBatch`. */
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

/** The maximum delay of a message that Cloudflare Queues accepts, in seconds. */
const maxDelaySeconds = 43_200

/**
 * Runs all jobs of a batch at once (its size is set in wrangler.toml) and acknowledges or retries each of
 * them separately. Never throws, since the platform would then retry all of them. A message that was retried
 * too often goes to the dead letter queue.
 */
export async function runBatch(
  batch: MessageBatch<SentJob>,
  run: RunJob,
  options: {
    readonly log: Log
    /** The queue of the batch. */
    readonly queue: Pick<Queue<SentJob>, 'send'>
    /** The pause before a job that threw is retried, in seconds. Doubles with each retry. Default: 2. */
    readonly retrySeconds?: number
  },
): Promise<void> {
  const { log, queue, retrySeconds = 2 } = options
  // The signal never aborts: the platform ends an invocation itself, and no other one gets the job before that.
  const { signal } = new AbortController()
  await Promise.all(
    batch.messages.map(async (message) => {
      const { id, account, kind } = message.body
      const job: QueuedJob = { id, account, kind, delivery: message.attempts }
      const retry = await run(job, signal).catch((error: unknown): Redelivery => {
        log.warn('queue.again', { job: id, delivery: job.delivery, error })
        return { afterMs: pauseBefore(job.delivery, retrySeconds * 1000) }
      })
      if (retry === undefined) return message.ack()
      const delaySeconds = Math.min(Math.ceil(retry.afterMs / 1000), maxDelaySeconds)
      if (retry.untried !== true) return message.retry({ delaySeconds })
      // A new message, because the platform counts the deliveries of this one. If sending it fails, this one stays.
      await queue.send(message.body, { contentType: 'json', delaySeconds }).then(
        () => message.ack(),
        () => message.retry({ delaySeconds }),
      )
    }),
  )
}
