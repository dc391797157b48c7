import { Queue as BullQueue, type Job, UnrecoverableError, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Log } from '../../shared/plugin/contract.ts'
import { afterFailure, mostAttempts, type Queue, type QueuedJob } from '../../shared/ports/index.ts'

export interface RedisQueueOptions {
  readonly log: Log
  /** Services that share a Redis but nothing else have different names. */
  readonly name?: string
  /** How long a silent worker is believed to be alive. A living one renews its lock at every half of it. */
  readonly leaseMs?: number
  /** Pause before a job that threw is tried again; doubles with each attempt. */
  readonly retryMs?: number
}
export interface RedisQueue extends Queue {
  /** True the first time that any process asks for this text, for so many ms. */
  once(text: string, ms: number): Promise<boolean>
  close(): Promise<void>
}

type Sent = Pick<QueuedJob, 'account' | 'kind'>
const connectTimeoutMs = 5_000

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
      attempts: mostAttempts,
      backoff: { type: 'exponential', delay: retryMs },
      removeOnComplete: true,
      removeOnFail: true,
    },
  })
  queue.on('error', (error) => log.warn('queue.connection', { error }))

  /** Runs one job; what it throws decides whether Redis hands it out again. */
  async function work(
    job: Job<Sent>,
    run: (job: QueuedJob, signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const { account, kind } = job.data
    const given: QueuedJob = { id: ownId(job.id!), account, kind, attempt: job.attemptsStarted }
    if (given.attempt > mostAttempts) {
      // A worker that dies at each attempt must not go on for ever either.
      log.error('queue.dropped', { job: given.id, attempts: given.attempt - 1 })
      throw new UnrecoverableError('Its workers died.')
    }
    try {
      await run(given, signal)
    } catch (error) {
      if (afterFailure(given, error, log) === 'drop')
        throw new UnrecoverableError('It failed at each attempt.')
      throw error
    }
  }

  return {
    async send(job) {
      const { account, kind } = job
      await guarded(asking, () => queue.add(kind, { account, kind }, { jobId: jobId(job.id) }))
    },

    consume(run, { concurrency }) {
      const worker = new Worker<Sent>(name, (job, _token, signal) => work(job, run, signal ?? never), {
        connection: working,
        skipVersionCheck: true,
        concurrency,
        lockDuration: leaseMs,
        stalledInterval: leaseMs,
        maxStalledCount: mostAttempts,
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
