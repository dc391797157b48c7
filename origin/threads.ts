import { getHeapStatistics } from 'node:v8'
import { isMarkedAsUntransferable, threadId } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { AppError, type Problem } from '../shared/errors/app-error.ts'
import type { ErrorCode } from '../shared/errors/catalogue.ts'
import { toAppError } from '../shared/errors/problem.ts'

/** An error as plain data for posting between threads, because an error object loses its class on the way. */
export interface ThreadError {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, string | number>>
  readonly problems: readonly Problem[]
  readonly cause?: string // for the log
}

export function describeError(error: unknown): ThreadError {
  const { code, details, problems, cause } = toAppError(error)
  return { code, details, problems, ...(cause === undefined ? {} : { cause: text(cause) }) }
}

export function reviveError({ code, details, problems, cause }: ThreadError): AppError {
  const extra = { problems, ...(cause === undefined ? {} : { cause: new Error(cause) }) }
  return new AppError(code, details as never, extra)
}

/**
 * The bytes in a buffer that can be transferred: one that contains nothing else, is not shared, and is not owned by
 * native code, such as the output of libvips. Copies if necessary.
 */
export function transferable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isTransferable =
    bytes.buffer instanceof ArrayBuffer &&
    bytes.byteLength === bytes.buffer.byteLength &&
    !isMarkedAsUntransferable(bytes.buffer)
  // `slice` of a Buffer would be a view of the same memory.
  return isTransferable ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
}

/** The answer of a thread with buffers that are transferred instead of copied. */
export function transferring<Answer>(answer: Answer, buffers: readonly ArrayBufferLike[]): Answer {
  return Piscina.move({
    get [Piscina.transferableSymbol]() {
      return buffers
    },
    get [Piscina.valueSymbol]() {
      return answer
    },
  } as never) as unknown as Answer // the pool hands the value to the caller
}

/** The memory that a thread occupies after a task, including garbage that is not yet collected. */
export interface ThreadSize {
  readonly id: number
  readonly bytes: number
  /** The part of it that is shared memory, where the thread counts that (`ReceivedMemory`). */
  readonly receivedBytes?: number
}

/** The size of this thread, without the `cached` bytes that it keeps on purpose and without shared memory. */
export function threadSize(cached = 0): ThreadSize {
  const { total_heap_size, external_memory } = getHeapStatistics()
  return { id: threadId, bytes: Math.max(0, total_heap_size + external_memory - cached) }
}

/**
 * The task that makes an idle thread collect garbage. Each script of a pool calls `collectGarbage` for it and answers
 * with its size.
 */
export interface CollectTask {
  readonly kind: 'collect'
}

/** Frees the garbage of this thread, which V8 does not do by itself in a thread that waits for its next task. */
export function collectGarbage(): void {
  // Any other flavor does not compact a fragmented heap.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Allocates memory that all threads can access. */
export function sharedBytes(size: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(size))
}

/** The shared copy of each array that `shared` has copied. Entries vanish with the original. */
const sharedCopies = new WeakMap<Uint8Array, Uint8Array>()

/**
 * The same bytes in shared memory. Posting a view of a larger buffer would copy that buffer completely. The
 * copy is cached, because each item of a batch posts the same bytes again; therefore the bytes must not
 * change after the first call.
 */
export function shared(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes
  const cached = sharedCopies.get(bytes)
  if (cached !== undefined) return cached
  const copy = sharedBytes(bytes.length)
  copy.set(bytes)
  sharedCopies.set(bytes, copy)
  return copy
}

/** An array in shared memory, with a number by which a thread that receives it several times recognizes that memory. */
export interface SharedArray {
  readonly id: number
  readonly bytes: Uint8Array
}

/** The number of each shared buffer. Entries vanish with the buffer. */
const bufferIds = new WeakMap<ArrayBufferLike, number>()
let buffersNumbered = 0

export function numbered(bytes: Uint8Array): SharedArray {
  let id = bufferIds.get(bytes.buffer)
  if (id === undefined) bufferIds.set(bytes.buffer, (id = buffersNumbered++))
  return { id, bytes }
}

/**
 * Settles like `running`, or rejects with the reason of `signal` as soon as that fires. In that case `end` is
 * aborted, which terminates the thread, unless `running` settles within `graceMs`.
 */
export function raceAgainst<T>(
  running: Promise<T>,
  signal: AbortSignal,
  { end, graceMs }: { readonly end: AbortController; readonly graceMs: number },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(signal.reason)
      const timer = setTimeout(() => end.abort(), graceMs)
      running.catch(() => {}).finally(() => clearTimeout(timer))
    }
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}

export function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function text(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
