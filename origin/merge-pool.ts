import { Piscina } from 'piscina'
import { AppError } from '../shared/errors/app-error.ts'
import { fromBytes } from '../shared/plugin/byte-source.ts'
import type { Host } from '../shared/plugin/contract.ts'
import type { InspectJob, JsonInput, MergeJob, Merger, MergeTemplate } from '../shared/ports/index.ts'
import type { ThreadSize, WorkerAnswer, WorkerSetup, WorkerTask } from './merge-worker.ts'
import { createTurns } from './processes/waiting.ts'
import { isOutOfMemory, ownBuffer, raceAgainst, reviveError, shared } from './threads.ts'

/**
 * How long a worker may go on after its job was aborted. A job that ends within this time keeps its thread,
 * with the plans that the thread has compiled.
 */
const graceMs = 1000
const megabyte = 1_048_576
/** A thread that has been idle for this long ends, with the plans that it has compiled. */
const idleMs = 600_000

/**
 * The fraction of its memory limit that a thread may occupy between tasks before it is replaced, because the
 * heap of V8 hardly shrinks by itself. A larger fraction keeps more idle memory; a smaller one loses compiled
 * plans more often.
 */
const maxIdleFraction = 1 / 4

export interface MergePool extends Merger {
  /** Reads an office document before an office opens it. */
  readonly scan: NonNullable<Host['scanOffice']>
  /** Starts a thread and has it import the code of all template formats. */
  warm(): Promise<void>
  stop(): Promise<void>
  figures(): {
    readonly waiting: number
    readonly workers: number
    readonly done: number
    readonly replaced: number // threads terminated because they kept too much memory
  }
}

export interface MergePoolOptions extends WorkerSetup {
  readonly workers: number // maximum
  /** One thread is started at once and kept however long it is idle. Without it, threads start with the first job. */
  readonly keepsOne: boolean
  readonly memoryMb: number // of each thread
  readonly queueSize?: number
  /** Called at the end of each merge, for metrics. */
  readonly observe?: (merge: ObservedMerge) => void
}

export interface ObservedMerge {
  readonly ms: number // with the wait for a thread
  /** The template had been compiled before. */
  readonly planReused: boolean
  /** Set where it failed. */
  readonly error?: unknown
}

/**
 * Creates a merger that works in up to `workers` threads, so that merging uses all cores and a heavy template
 * never blocks the thread that serves requests. Threads start when jobs wait and end after ten idle minutes.
 * Throws 'api.too-many' when `queueSize` jobs are waiting and 'api.render.memory' when a job exceeds `memoryMb`.
 * A worker that is still busy `graceMs` after the signal of its job fired is terminated and replaced.
 */
export function createMergePool(options: MergePoolOptions): MergePool {
  const { workers, keepsOne, memoryMb, queueSize = 1000, observe, ...setup } = options
  const pool = new Piscina<WorkerTask, WorkerAnswer>({
    filename: new URL('./merge-worker.ts', import.meta.url).href,
    minThreads: keepsOne ? 1 : 0,
    maxThreads: workers,
    idleTimeout: idleMs,
    workerData: setup satisfies WorkerSetup,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    recordTiming: false,
  })
  pool.on('error', () => {}) // the promise of the task rejects with the same error
  let done = 0
  let replaced = 0
  const turns = createTurns(workers, Date.now)
  let inFlight = 0 // tasks that run or wait, also those whose caller has given up

  return {
    async merge(job, signal) {
      const started = performance.now()
      try {
        const answer = await run({ kind: 'merge', job: sharedJob(job) }, signal)
        const { bytes, ...rest } = answer.merged!
        done++
        observe?.({ ms: performance.now() - started, planReused: rest.planReused })
        return { value: { ...rest, document: fromBytes(bytes) }, warnings: answer.warnings }
      } catch (error) {
        observe?.({ ms: performance.now() - started, planReused: false, error })
        throw error
      }
    },
    async check(template, signal) {
      await run({ kind: 'check', template: sharedTemplate(template) }, signal)
    },
    async inspect(job, signal) {
      const answer = await run({ kind: 'inspect', job: sharedInspection(job) }, signal)
      return answer.inspection!
    },
    async scan(document, signal) {
      const bytes = ownBuffer(document.bytes) // a view of a larger buffer would be posted with all of it
      const answer = await run({ kind: 'scan', document: { ...document, bytes } }, signal)
      return answer.scan!
    },
    async warm() {
      await run({ kind: 'warm' }, new AbortController().signal)
    },
    stop: () => pool.destroy(),
    figures: () => ({
      waiting: turns.waiting(),
      workers: pool.threads.length,
      done,
      replaced,
    }),
  }

  /**
   * Terminates a thread that keeps too much memory; Piscina starts another one. A task that Piscina assigned
   * to the thread in the meantime fails with an exit error, and `runOnThread` runs it again.
   */
  function replaceLarge({ id, heapBytes }: ThreadSize): void {
    if (heapBytes <= memoryMb * megabyte * maxIdleFraction) return
    const thread = pool.threads.find(({ threadId }) => threadId === id)
    if (thread === undefined) return
    replaced++
    void thread.terminate()
  }

  async function runOnThread(task: WorkerTask, signal: AbortSignal, attempts = 3): Promise<WorkerAnswer> {
    try {
      const answer: WorkerAnswer = await pool.run(task, { signal })
      replaceLarge(answer.thread)
      return answer
    } catch (error) {
      // The task may have been assigned to a thread that `replaceLarge` was terminating.
      const isReplaced = replaced > 0 && attempts > 1 && !signal.aborted && isExit(error)
      if (isReplaced) return runOnThread(task, signal, attempts - 1)
      throw error
    }
  }

  async function run(task: WorkerTask, signal: AbortSignal): Promise<Extract<WorkerAnswer, { ok: true }>> {
    signal.throwIfAborted()
    if (inFlight >= workers + queueSize) throw new AppError('api.too-many')
    inFlight++
    const end = new AbortController()
    const answer = await new Promise<WorkerAnswer>((resolve, reject) => {
      // The place is given back when the thread is free, not when the caller gives up. Therefore no task waits in
      // Piscina, which starts no other thread for such a task when the one that it waits for is terminated.
      const work = (ends: AbortSignal) => {
        const running = runOnThread(task, end.signal)
        raceAgainst(running, ends, { end, graceMs }).then(resolve, reject)
        return running
      }
      turns
        .run({ title: 'the merge', signal }, work)
        .then(resolve, reject)
        .finally(() => inFlight--)
    }).catch((error: unknown) => {
      if (isOutOfMemory(error)) throw new AppError('api.render.memory', {}, { cause: error })
      throw error
    })
    if (!answer.ok) throw reviveError(answer.error)
    return answer
  }
}

/** Whether this is Piscina's error for a thread that exited while it ran a task. */
function isExit(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('worker exited')
}

/**
 * A copy of a job whose large buffers are in shared memory, so that posting it to a thread does not copy
 * them.
 */
function sharedJob(job: MergeJob): MergeJob {
  const { template, data, options } = job
  const { complement, batch } = options
  return {
    template: sharedTemplate(template),
    data: sharedJson(data),
    options: {
      ...options,
      ...(complement !== undefined && { complement: sharedJson(complement) }),
      ...(batch?.rest !== undefined && { batch: { ...batch, rest: sharedJson(batch.rest) } }),
    },
  }
}

function sharedInspection(job: InspectJob): InspectJob {
  const { template, data, complement } = job
  return {
    ...job,
    template: sharedTemplate(template),
    ...(data !== undefined && { data: sharedJson(data) }),
    ...(complement !== undefined && { complement: sharedJson(complement) }),
  }
}

function sharedTemplate(template: MergeTemplate): MergeTemplate {
  return { ...template, bytes: shared(template.bytes) }
}

function sharedJson(input: JsonInput): JsonInput {
  return 'text' in input && typeof input.text !== 'string' ? { text: shared(input.text) } : input
}
