import { Queue as BullQueue, DelayedError, type Job, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Log } from '../../shared/plugin/values.ts'
import { pauseBefore, type Queue, type QueuedJob, type RunJob } from '../../shared/ports/index.ts'

export interface RedisQueueOptions {
  readonly log: Log
  /** The name of the queue. Services that share only a Redis server need different names. */
  readonly name?: string
  /** The lifetime of the lock of a job in milliseconds. A running worker renews it after half of that. */
  readonly leaseMs?: number
  /** The pause before a job that threw is delivered again, in milliseconds. It doubles with each delivery. */
  readonly retryMs?: number
}
export interface RedisQueue extends Queue {
  /** Claims a text for the given milliseconds. Resolves to true for the first claim by any process. */
  claimOnce(text: string, ms: number): Promise<boolean>
  close(): Promise<void>
}

type Sent = Pick<QueuedJob, 'account' | 'kind'>
/** The highest number that BullMQ accepts as a priority. Jobs beyond it start in the order they were sent. */
const maxTurn = 2_097_151
const connectTimeoutMs = 5_000
/** A Redis server that hangs or is disconnected does not respond at all; a command fails after this time. */
const commandTimeoutMs = 5_000

/**
 * Opens the queue for several processes: BullMQ on Redis. Jobs of a process that dies are delivered again
 * when their lock expires. The queue is as durable as the Redis server (`appendonly yes`). It holds IDs only;
 * the data of a job is in records and blobs.
 */
export function openRedisQueue(url: string, options: RedisQueueOptions): RedisQueue {
  const { log, name = 'platen', leaseMs = 15_000, retryMs = 2_000 } = options
  // Commands of requests fail soon, because callers wait for them. Background workers retry without a limit.
  const commands = connect(url, log, 2)
  const blocking = connect(url, log, null)
  const queue = new BullQueue<Sent>(name, {
    connection: commands,
    skipVersionCheck: true,
    defaultJobOptions: {
      removeOnComplete: true,
      removeOnFail: true,
    },
  })
  queue.on('error', (error) => log.warn('queue.connection', { error }))

  const turns = `${name}:turns`
  const nextTurn = async (account: string, weight: number, id?: string) =>
    Number(
      await commands.eval(
        lineUp,
        2,
        turns,
        id === undefined ? '' : queue.toKey(id),
        account,
        weight,
        maxTurn,
      ),
    )

  /**
   * Runs one job. It leaves the queue when it is done, or is delayed until its next delivery (BullMQ:
   * DelayedError).
   */
  async function work(job: Job<Sent>, token: string | undefined, run: RunJob, signal: AbortSignal) {
    const { account, kind } = job.data
    await commands.eval(begin, 1, turns, job.priority)
    const queued: QueuedJob = { id: idOfJob(job.id!), account, kind, delivery: job.attemptsStarted }
    const retry = await run(queued, signal).catch((error: unknown) => {
      log.warn('queue.again', { job: queued.id, delivery: queued.delivery, error })
      return { afterMs: pauseBefore(queued.delivery, retryMs) }
    })
    if (retry === undefined) return
    // Assigns a new turn, so that jobs of one account that fail together do not all precede those of others.
    await job.changePriority({ priority: await nextTurn(account, 1) })
    await job.moveToDelayed(Math.ceil(Date.now() + retry.afterMs), token)
    throw new DelayedError()
  }

  return {
    async send(job) {
      const { account, kind, weight = 1 } = job
      await guarded(commands, async () => {
        const priority = await nextTurn(account, weight, jobId(job.id))
        const sent = await queue.add(kind, { account, kind }, { jobId: jobId(job.id), priority })
        // `add` ignores a job whose ID is already queued. If that one is delayed, it should run now.
        // Promoting it fails if it has started or ended in the meantime, which is fine.
        if (await sent.isDelayed()) await sent.promote().catch(() => {})
      })
    },

    consume(run, { concurrency }) {
      const worker = new Worker<Sent>(name, (job, token, signal) => work(job, token, run, signal ?? never), {
        connection: blocking,
        skipVersionCheck: true,
        concurrency,
        lockDuration: leaseMs,
        stalledInterval: leaseMs,
        // BullMQ must not drop jobs of dead workers: the records count attempts and end a job that has too
        // many.
        maxStalledCount: 1_000_000,
      })
      worker.on('error', (error) => log.warn('queue.worker', { error }))
      // No job is waiting, so the count of turns can restart.
      worker.on('drained', () => void commands.del(turns).catch(() => {}))
      worker.on('lockRenewalFailed', (ids) => {
        for (const id of ids) {
          log.warn('queue.lease-lost', { job: idOfJob(id) })
          worker.cancelJob(id, 'The lease of this job has passed to another worker.')
        }
      })
      return () => worker.close()
    },

    async size() {
      const counts = await guarded(commands, () =>
        queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized'),
      )
      return Object.values(counts).reduce((sum, count) => sum + count, 0)
    },

    async claimOnce(text, ms) {
      const key = `${name}:once:${text}`
      return (await guarded(commands, () => commands.set(key, '1', 'PX', ms, 'NX'))) === 'OK'
    },

    async close() {
      if (commands.status === 'ready') await queue.close()
      for (const connection of [commands, blocking]) connection.disconnect()
    },
  }
}

/** A signal that never fires. */
const never = new AbortController().signal

/**
 * The turn of a new job: after the last job of its account, or the turn that is being served when that is later
 * (start-time fair queueing, as in `queue-sqlite.ts`). BullMQ starts jobs in the order of their priorities, from 1. A
 * job that the queue already contains, by its key, keeps its position, and its account moves no further back.
 */
const lineUp = `
if KEYS[2] ~= '' and redis.call('EXISTS', KEYS[2]) == 1 then return 1 end
local served = tonumber(redis.call('HGET', KEYS[1], 'served') or 1)
local own = tonumber(redis.call('HGET', KEYS[1], 'end:' .. ARGV[1]) or 1)
local turn = math.min(math.max(served, own), tonumber(ARGV[3]))
redis.call('HSET', KEYS[1], 'end:' .. ARGV[1], turn + tonumber(ARGV[2]))
return turn`
/** Records the turn that is being served. */
const begin = `
local turn = tonumber(ARGV[1])
if turn > tonumber(redis.call('HGET', KEYS[1], 'served') or 1) then redis.call('HSET', KEYS[1], 'served', turn) end`

/** BullMQ reserves numeric IDs for those that it generates, so the IDs of this service get a prefix. */
const jobId = (id: string): string => `job-${id}`
const idOfJob = (id: string): string => id.slice('job-'.length)

function connect(url: string, log: Log, retries: number | null): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: retries,
    // Background workers wait for jobs with blocking commands, which must not time out.
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

/** Waits for the connection, for at most `connectTimeoutMs`. BullMQ itself would wait forever. */
async function ready(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      redis.off('ready', finish)
      reject(new Error('Redis cannot be reached.'))
    }, connectTimeoutMs)
    const finish = () => {
      clearTimeout(timer)
      resolve()
    }
    redis.once('ready', finish)
  })
}
