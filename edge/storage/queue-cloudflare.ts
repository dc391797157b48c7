import { AppError } from '../../shared/errors/app-error.ts'
import type { Log } from '../../shared/plugin/contract.ts'
import { afterFailure, type Queue as JobQueue, type QueuedJob } from '../../shared/ports/queue.ts'

/** The sending end. The platform hands jobs out by calling the Worker: see `runBatch`. */
export function openCloudflareQueue(queue: Queue<QueuedJob>): JobQueue {
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

/**
 * Runs a batch that the platform handed out, all its jobs at once (the size is in wrangler.toml), each acknowledged or
 * put back by itself. Never throws: that would put all of them back.
 */
export async function runBatch(
  batch: MessageBatch<QueuedJob>,
  run: (job: QueuedJob, signal: AbortSignal) => Promise<void>,
  options: {
    readonly log: Log
    /** Pause before a job that threw is tried again, 2 s unless told; doubles with each attempt. */
    readonly retrySeconds?: number
  },
): Promise<void> {
  const { log, retrySeconds = 2 } = options
  // The platform ends an invocation by itself; until then a job handed out stays ours.
  const { signal } = new AbortController()
  await Promise.all(
    batch.messages.map(async (message) => {
      const job: QueuedJob = { ...message.body, attempt: message.attempts }
      try {
        await run(job, signal)
        message.ack()
      } catch (error) {
        if (afterFailure(job, error, log) === 'drop') message.ack()
        else message.retry({ delaySeconds: retrySeconds * 2 ** (job.attempt - 1) })
      }
    }),
  )
}
