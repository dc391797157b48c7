import { Piscina } from 'piscina'
import { AppError } from '../shared/errors/app-error.ts'
import { fromBytes } from '../shared/plugin/byte-source.ts'
import type { InspectJob, JsonInput, MergeJob, Merger, MergeTemplate } from '../shared/ports/index.ts'
import type { ThreadSize, WorkerAnswer, WorkerSetup, WorkerTask } from './merge-worker.ts'
import { isOutOfMemory, raceAgainst, reviveError, shared } from './threads.ts'

/** A worker whose caller left may finish what it does: ending it would cost the plans it has compiled. */
const graceMs = 1000
const megabyte = 1_048_576

/** The share of its memory that a thread may still hold between tasks. The heap of V8 hardly shrinks by itself. */
const keptShare = 1 / 4

export interface MergePool extends Merger {
  stop(): Promise<void>
  figures(): {
    readonly waiting: number
    readonly workers: number
    readonly done: number
    readonly replaced: number // threads that held too much memory
  }
}

/**
 * Merging in worker threads, one per core, so that it uses all cores and a heavy template never blocks the thread that
 * serves requests. Beyond `queueSize` waiting jobs new ones are refused with 'api.too-many'. A worker that is still at it when the signal fires is ended and replaced.
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
  pool.on('error', () => {}) // told to whoever waits for the task
  let done = 0
  let replaced = 0
  let inside = 0 // running and waiting

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

  /** Another thread takes its place. A task that it was given in the meantime runs again there. */
  function replaceLarge({ id, heapBytes }: ThreadSize): void {
    if (heapBytes <= memoryMb * megabyte * keptShare) return
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
      // A thread that is on its way out may have been given it.
      const isOurs = replaced > 0 && attempts > 1 && !signal.aborted && isExit(error)
      if (isOurs) return runOnThread(task, signal, attempts - 1)
      throw error
    }
  }

  async function run(task: WorkerTask, signal: AbortSignal): Promise<Extract<WorkerAnswer, { ok: true }>> {
    signal.throwIfAborted()
    if (inside >= workers + queueSize) throw new AppError('api.too-many')
    inside++
    const end = new AbortController()
    const running = runOnThread(task, end.signal)
    running.catch(() => {}).finally(() => inside--) // also when the race below is lost
    const answer = await raceAgainst(running, signal, { end, graceMs }).catch((error: unknown) => {
      if (isOutOfMemory(error)) throw new AppError('api.render.memory', {}, { cause: error })
      throw error
    })
    if (!answer.ok) throw reviveError(answer.error)
    return answer
  }
}

/** How Piscina tells that a thread ended under a task. */
function isExit(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('worker exited')
}

/** Jobs as they are sent to a thread: nothing large in them is copied by that. */
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
