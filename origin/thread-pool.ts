import type { MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import type { AppError } from '../shared/errors/app-error.ts'
import { createSlots, type SlotJob } from './processes/waiting.ts'
import { collectServingThread, resourceLimitsOf, watchMemory } from './thread-memory.ts'
import { type CollectTask, isOutOfMemory, raceAgainst, type ThreadSize } from './threads.ts'

const megabyte = 1_048_576

/**
 * The time without a task after which garbage is collected. A collection takes some 100 ms, during which a new task
 * may have to wait.
 */
const restMs = 5_000
/** Threads below this size are not collected while their pool is idle. Those of engine I start with 60 to 90 MB. */
const worthCollectingMb = 96
/** The same for shared memory alone, all of which a thread at rest gives back. */
const worthReturningMb = 4

/** Maximum number of attempts for a task whose thread ends for a reason other than the task. */
const maxAttempts = 3

export interface ThreadPoolOptions {
  readonly script: URL // the module of the threads
  readonly workerData: unknown
  /** The number of threads that are kept even when idle. */
  readonly min: number
  readonly max: number
  /** A thread that has been idle for this long ends. */
  readonly idleMs: number
  readonly memoryMb: number // that each thread may keep alive, buffers included
  readonly newSpaceMb: number // as in `resourceLimitsOf`
  /**
   * The size that a thread may have between tasks before it is replaced, in MB, because the heap of V8 hardly
   * shrinks by itself. A larger one keeps more memory under load; a smaller one loses compiled templates and
   * fonts more often.
   */
  readonly maxBusyMb: number
  /** The same for a thread whose pool is idle, after its garbage was collected. */
  readonly maxRestingMb: number
  /** A thread is terminated when its task still runs this long after it was aborted. */
  readonly graceMs: number
  /** The error of a task that needs more memory than `memoryMb`. */
  readonly outOfMemory: (cause: unknown) => AppError
}

export interface ThreadPool<Task, Answer> {
  /**
   * Runs a task when a thread is free, in order of arrival. Rejects as `Turns` does, and with `outOfMemory`. A caller
   * who gives up is answered at once, even while the thread continues. `portOf` is called for each attempt; the
   * thread receives its result as `port` of the task.
   */
  run(task: Task, job: SlotJob, portOf?: () => MessagePort): Promise<Answer>
  /** Tasks that wait or occupy a thread, also those whose caller has given up. */
  inFlight(): number
  figures(): {
    readonly waiting: number
    readonly workers: number
    readonly replaced: number // threads terminated because they kept too much memory
  }
  stop(): Promise<void>
}

/**
 * Creates a pool of threads that returns memory: a thread that grew is replaced between tasks, and when the pool is
 * idle, garbage is collected and threads that are still large are replaced.
 */
export function createThreadPool<Task, Answer extends { readonly thread: ThreadSize }>(
  options: ThreadPoolOptions,
): ThreadPool<Task, Answer> {
  const { script, workerData, min, max, idleMs, memoryMb, newSpaceMb, graceMs, outOfMemory } = options
  const pool: Pool<Task, Answer> = new Piscina({
    filename: script.href,
    minThreads: min,
    maxThreads: max,
    idleTimeout: idleMs,
    workerData,
    resourceLimits: resourceLimitsOf(memoryMb, newSpaceMb),
    recordTiming: false,
  })
  pool.on('error', () => {}) // the promise of the task rejects with the same error
  pool.on('workerDestroy', () => setImmediate(returnStranded))
  const slots = createSlots(max, Date.now)
  /** One for each task that Piscina has. Aborting it takes the task back. */
  const attempts = new Set<AbortController>()
  const memory = watchMemory(memoryMb, { threads: () => pool.threads, isBusy: () => attempts.size > 0 })
  let inFlight = 0
  const growth = watchGrowth(pool, options, () => inFlight > 0)

  /**
   * Piscina starts no thread for waiting tasks if the only one ends before it was ready, for example because memory
   * or file handles are exhausted. Without a thread no task runs, so all are taken back here and tried again.
   */
  function returnStranded(): void {
    if (pool.queueSize === 0 || pool.threads.length > 0) return
    for (const attempt of attempts) attempt.abort(new StrandedError('The thread of the task did not start.'))
  }

  async function runOnThread(
    task: Task,
    signal: AbortSignal,
    portOf: (() => MessagePort) | undefined,
    left = maxAttempts,
  ): Promise<Answer> {
    const attempt = new AbortController()
    attempts.add(attempt)
    memory.begin()
    try {
      const port = portOf?.()
      const answer = (await pool.run(port === undefined ? task : { ...task, port }, {
        signal: AbortSignal.any([signal, attempt.signal]),
        ...(port !== undefined && { transferList: [port] }),
      })) as Answer // the answer to a task, not to `CollectTask`
      growth.observe(answer.thread)
      return answer
    } catch (error) {
      growth.suspect()
      if (signal.aborted) throw error
      const isStranded = attempt.signal.aborted
      // The task may have been assigned to a thread that was being replaced.
      if (left > 1 && (isStranded || (growth.replaced() > 0 && isExit(error))))
        return runOnThread(task, signal, portOf, left - 1)
      throw isStranded ? attempt.signal.reason : error
    } finally {
      attempts.delete(attempt)
    }
  }

  return {
    async run(task, job, portOf) {
      inFlight++
      const end = new AbortController()
      try {
        return await new Promise<Answer>((resolve, reject) => {
          // The place is released when the thread is free, not when the caller gives up. No task therefore waits in
          // Piscina, which starts no other thread for such a task when the thread that it waits for is terminated.
          const work = (ends: AbortSignal) => {
            const running = runOnThread(task, end.signal, portOf)
            raceAgainst(running, ends, { end, graceMs }).then(resolve, reject)
            return running
          }
          slots
            .run(job, work)
            .then(resolve, reject)
            .finally(() => {
              inFlight--
              growth.awaitRest()
            })
        })
      } catch (error) {
        throw isOutOfMemory(error) ? outOfMemory(error) : error
      }
    },
    inFlight: () => inFlight,
    figures: () => ({ waiting: slots.waiting(), workers: pool.threads.length, replaced: growth.replaced() }),
    async stop() {
      growth.end()
      memory.end()
      await pool.destroy()
    },
  }
}

/** What Piscina runs: tasks, and the collection of garbage. */
type Pool<Task, Answer> = Piscina<Task | CollectTask, Answer | { readonly thread: ThreadSize }>

interface GrowthWatch {
  /** Takes the size of a thread after a task. */
  observe(size: ThreadSize): void
  /** Takes note of a task that failed, after which the size of its thread is unknown. */
  suspect(): void
  /** Restarts the wait for the next task after each one. */
  awaitRest(): void
  /** The number of threads that were replaced. */
  replaced(): number
  end(): void
}

/**
 * Replaces the threads of a pool that have grown: those above `maxBusyMb` after their task, and those above `maxRestingMb` when no
 * task has come for a while and their garbage is collected.
 */
function watchGrowth<Task, Answer extends { readonly thread: ThreadSize }>(
  pool: Pool<Task, Answer>,
  { maxBusyMb, maxRestingMb }: Pick<ThreadPoolOptions, 'maxBusyMb' | 'maxRestingMb'>,
  isBusy: () => boolean,
): GrowthWatch {
  /** Whether a thread has grown so much since garbage was collected that it should be while the pool is idle. */
  let hasGrown = false
  let rest: ReturnType<typeof setTimeout> | undefined
  let replaced = 0

  /** Waiting threads do not run their event loop, so V8 collects no garbage in them unless requested. */
  function collectResting(): void {
    rest = undefined
    if (isBusy()) return // the end of that task sets the next timer
    hasGrown = false
    // What a thread has received is referred to by this one, too.
    collectServingThread()
    // Piscina gives one task to each idle thread.
    for (const _thread of pool.threads) void collectOne()
  }

  async function collectOne(): Promise<void> {
    // A thread that ends meanwhile has no garbage to collect.
    const answer = await pool.run({ kind: 'collect' }).catch(() => undefined)
    if (answer !== undefined && answer.thread.bytes > maxRestingMb * megabyte) replace(answer.thread.id)
  }

  /**
   * Terminates a thread; Piscina starts another one. A task that Piscina assigned to the thread in the meantime
   * fails with an exit error, and the pool runs it again.
   */
  function replace(id: number): void {
    const thread = pool.threads.find(({ threadId }) => threadId === id)
    if (thread === undefined) return
    replaced++
    void thread.terminate()
  }

  return {
    observe({ id, bytes, receivedBytes = 0 }) {
      if (bytes > maxBusyMb * megabyte) replace(id)
      else if (bytes > worthCollectingMb * megabyte) hasGrown = true
      else if (receivedBytes > worthReturningMb * megabyte) hasGrown = true
    },
    suspect() {
      hasGrown = true
    },
    awaitRest() {
      rest?.refresh()
      if (hasGrown) rest ??= setTimeout(collectResting, restMs).unref()
    },
    replaced: () => replaced,
    end: () => clearTimeout(rest),
  }
}

class StrandedError extends Error {
  override readonly name = 'StrandedError'
}

/** Whether this is Piscina's error for a thread that exited while it ran a task. */
function isExit(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('worker exited')
}
