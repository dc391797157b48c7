import { AppError, type Problem } from '../shared/errors/app-error.ts'
import type { ErrorCode } from '../shared/errors/catalogue.ts'

/**
 * What the pools of worker threads share: errors on their way between threads, where an error would lose its class, and
 * waiting for a thread that may have to be ended.
 */
export interface ThreadError {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, string | number>>
  readonly problems: readonly Problem[]
  readonly cause?: string // for the log
}

export function describeError(error: unknown): ThreadError {
  if (error instanceof AppError) {
    const { code, details, problems } = error
    return { code, details, problems, ...(error.cause === undefined ? {} : { cause: text(error.cause) }) }
  }
  return { code: 'api.internal', details: {}, problems: [], cause: text(error) }
}

export function reviveError({ code, details, problems, cause }: ThreadError): AppError {
  const extra = { problems, ...(cause === undefined ? {} : { cause: new Error(cause) }) }
  return new AppError(code, details as never, extra)
}

/** What is transferred must be a buffer of its own, not a window on a larger or a shared one. */
export function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const own = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
  return own ? (bytes as Uint8Array<ArrayBuffer>) : bytes.slice()
}

/** Memory that all threads see. */
export function sharedBytes(size: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(size))
}

const sharedCopies = new WeakMap<Uint8Array, Uint8Array>()

/**
 * The same bytes where all threads see them. A window on other memory would be sent with all of that memory. Bytes that
 * are sent again, as with each item of a batch, are copied once: they must not change any more.
 */
export function shared(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes
  const known = sharedCopies.get(bytes)
  if (known !== undefined) return known
  const copy = sharedBytes(bytes.length)
  copy.set(bytes)
  sharedCopies.set(bytes, copy)
  return copy
}

/** Gives up waiting as soon as the signal fires, and ends the thread unless it is done within the grace. */
export function raceAgainst<T>(
  running: Promise<T>,
  signal: AbortSignal,
  { end, graceMs }: { readonly end: AbortController; readonly graceMs: number },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(signal.reason)
      const timer = setTimeout(() => end.abort(), graceMs)
      running.catch(() => {}).finally(() => clearTimeout(timer))
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

export function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function text(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
