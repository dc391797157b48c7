import { Piscina } from 'piscina'
import { AppError } from '../shared/errors/app-error.ts'
import { fromBytes } from '../shared/plugin/byte-source.ts'
import type { InspectJob, JsonInput, MergeJob, Merger, MergeTemplate } from '../shared/ports/index.ts'
import type { ThreadSize, WorkerAnswer, WorkerSetup, WorkerTask } from './merge-worker.ts'
import { isOutOfMemory, raceAgainst, reviveError, shared } from './threads.ts'

/**
 * How long a worker may go on after its job was aborted. A job that ends within this time keeps its thread,
 * with the plans that the thread has compiled.
 */
const graceMs = 1000
const megabyte = 1_048_576

/**
 * The fraction of its memory limit that a thread may occupy between tasks before it is replaced, because the
 * heap of V8 hardly shrinks by itself. A larger fraction keeps more idle memory; a smaller one loses compiled
 * plans more often.
 */
const maxIdleFraction = 1 / 4

export interface MergePool extends Merger {
  stop(): Promise<void>
  figures(): {
    readonly waiting: number
    readonly workers: number
    readonly done: number
    readonly replaced: number // threads terminated because they kept too much memory
  }
}

/**
 * Creates a merger that works in `workers` threads, so that merging uses all cores and a heavy template never
 * blocks the thread that serves requests. Throws 'api.too-many' when `queueSize` jobs are waiting and
 * 'api.render.memory' when a job exceeds `memoryMb`. A worker that is still busy `graceMs` after the signal
 * of its job fired is terminated and replaced.
 */
export function createMergePool(
  options: WorkerSetup & { readonly workers: number; readonly memoryMb: number; readonly queueSize?: number },
): MergePool {
  const { workers, memoryMb, queueSize = 1000, ...setup } = options
  const pool = new Piscina<WorkerTask, WorkerAnswer>({
    filename: new URL('./merge-worker.ts', import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    idleTimeout: Number.POSITIVE_INFINITY,
    workerData: setup satisfies WorkerSetup,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    recordTiming: false,
  })
  pool.on('error', () => {}) // the promise of the task rejects with the same error
  let done = 0
  let replaced = 0
  let inFlight = 0 // tasks that run or wait, also those whose caller has given up

  return {
    async merge(job, signal) {
      const answer = await run({ kind: 'merge', job: sharedJob(job) }, signal)
      const { bytes, ...rest } = answer.merged!
      done++
      return { value: { ...rest, document: fromBytes(bytes) }, warnings: answer.warnings }
    },
    async check(template, signal) {
      await run({ kind: 'check', template: sharedTemplate(template) }, signal)
    },
    async inspect(job, signal) {
      const answer = await run({ kind: 'inspect', job: sharedInspection(job) }, signal)
      return answer.inspection!
    },
    stop: () => pool.destroy(),
    figures: () => ({ waiting: pool.queueSize, workers: pool.threads.length, done, replaced }),
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
    const running = runOnThread(task, end.signal)
    // The task counts until its thread is free, even if the race below ends earlier.
    running.catch(() => {}).finally(() => inFlight--)
    const answer = await raceAgainst(running, signal, { end, graceMs }).catch((error: unknown) => {
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
