import { Queue as BullQueue, DelayedError, type Job, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Log } from '../../shared/plugin/contract.ts'
import { pauseBefore, type Queue, type QueuedJob, type RunJob } from '../../shared/ports/index.ts'

export interface RedisQueueOptions {
  readonly log: Log
  /** Services that share a Redis but nothing else have different names. */
  readonly name?: string
  /** How long a silent worker is believed to be alive. A living one renews its lock at every half of it. */
  readonly leaseMs?: number
  /** Pause before a job that threw is handed out again; doubles with each time. */
  readonly retryMs?: number
}
export interface RedisQueue extends Queue {
  /** True the first time that any process asks for this text, for so many ms. */
  once(text: string, ms: number): Promise<boolean>
  close(): Promise<void>
}

type Sent = Pick<QueuedJob, 'account' | 'kind'>
const connectTimeoutMs = 5_000
/** A Redis that is frozen or cut off says nothing at all. */
const commandTimeoutMs = 5_000

/**
 * The queue of several processes: BullMQ on Redis. Jobs of a process that dies are handed out again when their lock has
 * run out. As durable as the Redis is (`appendonly yes`); what a job is about lies in records and blobs.
 */
export function openRedisQueue(url: string, options: RedisQueueOptions): RedisQueue {
  const { log, name = 'platen', leaseMs = 15_000, retryMs = 2_000 } = options
  // A request that waits for an answer is refused soon; what only works in the background waits as long as it takes.
  const asking = connect(url, log, 2)
  const working = connect(url, log, null)
  const queue = new BullQueue<Sent>(name, {
    connection: asking,
    skipVersionCheck: true,
    defaultJobOptions: {
      removeOnComplete: true,
      removeOnFail: true,
    },
  })
  queue.on('error', (error) => log.warn('queue.connection', { error }))

  /** Runs one job. It leaves the queue when it is over, or is moved to the time when it is to be handed out again. */
  async function work(job: Job<Sent>, token: string | undefined, run: RunJob, signal: AbortSignal) {
    const { account, kind } = job.data
    const given: QueuedJob = { id: ownId(job.id!), account, kind, delivery: job.attemptsStarted }
    const again = await run(given, signal).catch((error: unknown) => {
      log.warn('queue.again', { job: given.id, delivery: given.delivery, error })
      return { afterMs: pauseBefore(given.delivery, retryMs) }
    })
    if (again === undefined) return
    await job.moveToDelayed(Math.ceil(Date.now() + again.afterMs), token)
    throw new DelayedError()
  }

  return {
    async send(job) {
      const { account, kind } = job
      await guarded(asking, async () => {
        const sent = await queue.add(kind, { account, kind }, { jobId: jobId(job.id) })
        // One that was there already may wait for a later time. Meanwhile it may also have begun, or ended.
        if (await sent.isDelayed()) await sent.promote().catch(() => {})
      })
    },

    consume(run, { concurrency }) {
      const worker = new Worker<Sent>(name, (job, token, signal) => work(job, token, run, signal ?? never), {
        connection: working,
        skipVersionCheck: true,
        concurrency,
        lockDuration: leaseMs,
        stalledInterval: leaseMs,
        // The records count the attempts that ended so.
        maxStalledCount: 1_000_000,
      })
      worker.on('error', (error) => log.warn('queue.worker', { error }))
      worker.on('lockRenewalFailed', (ids) => {
        for (const id of ids) {
          log.warn('queue.lease-lost', { job: ownId(id) })
          worker.cancelJob(id, 'The lease of this job has passed to another worker.')
        }
      })
      return () => worker.close()
    },

    async size() {
      const counts = await guarded(asking, () =>
        queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized'),
      )
      return Object.values(counts).reduce((sum, count) => sum + count, 0)
    },

    async once(text, ms) {
      const key = `${name}:once:${text}`
      return (await guarded(asking, () => asking.set(key, '1', 'PX', ms, 'NX'))) === 'OK'
    },

    async close() {
      if (asking.status === 'ready') await queue.close()
      for (const connection of [asking, working]) connection.disconnect()
    },
  }
}

const never = new AbortController().signal

/** Ids of nothing but digits are those that BullMQ makes itself. */
const jobId = (id: string): string => `job-${id}`
const ownId = (id: string): string => id.slice('job-'.length)

function connect(url: string, log: Log, retries: number | null): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: retries,
    // What works in the background waits for jobs with commands that block.
    ...(retries !== null && { commandTimeout: commandTimeoutMs }),
    connectTimeout: connectTimeoutMs,
    retryStrategy: (times) => Math.min(100 * times, 2_000),
  })
  redis.on('error', (error) => log.warn('queue.redis', { error }))
  return redis
}

async function guarded<T>(redis: Redis, work: () => Promise<T>): Promise<T> {
  try {
    await ready(redis)
    return await work()
  } catch (cause) {
    throw new AppError('storage.queue', {}, { cause })
  }
}

/** BullMQ itself would wait for a connection for ever. */
async function ready(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      redis.off('ready', done)
      reject(new Error('Redis cannot be reached.'))
    }, connectTimeoutMs)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    redis.once('ready', done)
  })
}
