import type { MessagePort } from 'node:worker_threads'
import { AppError } from '../shared/errors/app-error.ts'
import type { PdfOperations } from '../shared/pdf/operations.ts'
import { fromBytes } from '../shared/plugin/byte-source.ts'
import type { Host } from '../shared/plugin/contract.ts'
import type { InspectJob, JsonInput, MergeJob, Merger, MergeTemplate } from '../shared/ports/index.ts'
import type { WorkerAnswer, WorkerSetup, WorkerTask } from './merge-worker.ts'
import { pdfOnThreads } from './pdf-threads.ts'
import { createThreadPool } from './thread-pool.ts'
import { numbered, reviveError, type SharedArray, shared, transferable } from './threads.ts'

/**
 * How long a worker may continue after its job was aborted. A job that ends within this time keeps its thread, with
 * the plans that the thread has compiled.
 */
const graceMs = 1000
/** A thread that has been idle for this long ends, with the plans that it has compiled. */
const idleMs = 600_000
/** Twice as much makes no merge faster, from a letter to 10,000 rows. */
const newSpaceMb = 24
/** A thread that has done usual work occupies 40 to 90 MB, without its compiled plans. */
const maxRestingMb = 128
/**
 * The size from which templates and JSON are posted in shared memory, in bytes. A copy of less is quick, and V8 frees it with
 * the other garbage of the thread, whereas it does not know of shared memory that the thread holds.
 */
const minSharedBytes = 65_536

export interface MergePool extends Merger {
  /** Reads an office document before an office opens it. */
  readonly scan: NonNullable<Host['scanOffice']>
  /** Post-processing of PDFs. */
  readonly pdf: PdfOperations
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
  /** One thread is started immediately and kept even when idle. Without it, threads start with the first job. */
  readonly keepsOne: boolean
  readonly memoryMb: number // of each thread
  readonly queueSize?: number
  /** Called at the end of each merge, for metrics. */
  readonly observe?: (merge: ObservedMerge) => void
}

export interface ObservedMerge {
  readonly ms: number // including the wait for a thread
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
  const pool = createThreadPool<WorkerTask, WorkerAnswer>({
    script: new URL('./merge-worker.ts', import.meta.url),
    workerData: setup satisfies WorkerSetup,
    min: keepsOne ? 1 : 0,
    max: workers,
    idleMs,
    memoryMb,
    newSpaceMb,
    maxBusyMb: memoryMb / 4,
    maxRestingMb,
    graceMs,
    outOfMemory: (cause) => new AppError('api.render.memory', {}, { cause }),
  })
  let done = 0

  return {
    async merge(job, signal) {
      const started = performance.now()
      try {
        const posted = sharedJob(job)
        const { complement, batch } = posted.options
        const memory = memoryOf(posted.template, [posted.data, complement, batch?.rest])
        const answer = await run({ kind: 'merge', job: posted, memory }, signal)
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
      const posted = sharedTemplate(template)
      await run({ kind: 'check', template: posted, memory: memoryOf(posted) }, signal)
    },
    async inspect(job, signal) {
      const posted = sharedInspection(job)
      const memory = memoryOf(posted.template, [posted.data, posted.complement])
      const answer = await run({ kind: 'inspect', job: posted, memory }, signal)
      return answer.inspection!
    },
    async scan(document, signal) {
      const bytes = transferable(document.bytes) // a view of a larger buffer would be posted with all of it
      const answer = await run({ kind: 'scan', document: { ...document, bytes } }, signal)
      return answer.scan!
    },
    pdf: pdfOnThreads(async (call, signal, portOf) => {
      const answer = await run({ kind: 'pdf', call }, signal, portOf)
      return answer.pdfResult
    }),
    async warm() {
      await run({ kind: 'warm' }, new AbortController().signal)
    },
    stop: () => pool.stop(),
    figures: () => ({ ...pool.figures(), done }),
  }

  async function run(
    task: WorkerTask,
    signal: AbortSignal,
    portOf?: () => MessagePort,
  ): Promise<Extract<WorkerAnswer, { ok: true }>> {
    signal.throwIfAborted()
    if (pool.inFlight() >= workers + queueSize) throw new AppError('api.too-many')
    const title = task.kind === 'pdf' ? 'work on a PDF' : 'the merge'
    const answer = await pool.run(task, { title, signal }, portOf)
    if (!answer.ok) throw reviveError(answer.error)
    return answer
  }
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
  return { ...template, bytes: posted(template.bytes) }
}

function sharedJson(input: JsonInput): JsonInput {
  if (!('text' in input) || typeof input.text === 'string') return input
  return { text: posted(input.text) }
}

/** Bytes in a buffer of their own: posting a view of a larger one would copy all of that. */
function posted(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes
  return bytes.length < minSharedBytes ? new Uint8Array(bytes) : shared(bytes)
}

/** The arrays of a posted task that are in shared memory. */
function memoryOf(
  template: MergeTemplate,
  inputs: readonly (JsonInput | undefined)[] = [],
): readonly SharedArray[] {
  const texts = inputs.flatMap((input) =>
    input !== undefined && 'text' in input && typeof input.text !== 'string' ? input.text : [],
  )
  return [template.bytes, ...texts].filter(({ buffer }) => !(buffer instanceof ArrayBuffer)).map(numbered)
}
