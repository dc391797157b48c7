import { Readable } from 'node:stream'
import { AppError } from '../../shared/errors/app-error.ts'
import type { ByteSource } from '../../shared/plugin/values.ts'
import { timedStream } from '../../shared/timed-stream.ts'

/**
 * Reads the bytes from `start` to before `end` of one version of an object. Fails when that has been
 * replaced.
 */
export type OpenRange = (start: number, end: number) => Promise<ReadableStream<Uint8Array>>

/**
 * How long a store may take to answer a request, and be silent in the middle of an object, in milliseconds. A store that hangs
 * or is disconnected does not respond at all; without a limit a request would wait forever.
 */
export const storeTimeoutMs = 15_000

/**
 * Runs one request and aborts its signal when it takes longer than `ms`. Throws 'storage.unavailable' then, also when the
 * request goes on regardless, and else what `work` throws.
 */
export async function within<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  control = new AbortController(),
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AppError('storage.unavailable', {}, { cause: new Error('The store does not answer.') }))
      control.abort()
    }, ms)
  })
  try {
    return await Promise.race([work(control.signal), timeout])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * A range of an object in a remote store. It is requested when it is read. Throws 'storage.blobs',
 * 'storage.unavailable'.
 */
export function remoteSource(
  open: OpenRange,
  [start, end]: readonly [number, number],
  timeoutMs = storeTimeoutMs,
): ByteSource {
  const size = Math.max(0, end - start)
  const stream = () => streamOf(size, () => guarded(() => open(start, end)), timeoutMs)
  return {
    size,
    slice: (from, to) => {
      const [low, high] = [clamp(from, size), clamp(to, size)]
      return remoteSource(open, [start + low, start + Math.max(low, high)], timeoutMs)
    },
    stream,
    async arrayBuffer() {
      const bytes = new Uint8Array(size)
      let position = 0
      for await (const chunk of stream()) {
        if (position + chunk.byteLength > size) throw incompleteBlob()
        bytes.set(chunk, position)
        position += chunk.byteLength
      }
      return bytes.buffer
    },
  }
}

/**
 * Requests the range at the first read. An early end is an error, so that less than `size` bytes are never
 * returned, and so is a silence of `timeoutMs`.
 */
function streamOf(
  size: number,
  read: () => Promise<ReadableStream<Uint8Array>>,
  timeoutMs: number,
): ReadableStream<Uint8Array> {
  const timedOut = () => new AppError('storage.unavailable')
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  let remaining = size
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (remaining === 0) return controller.close()
        reader ??= timedStream(await read(), { idleMs: timeoutMs }, timedOut).getReader()
        const current = reader
        const { done, value } = await guarded(() => current.read())
        if (done) throw incompleteBlob()
        remaining -= value.byteLength
        controller.enqueue(value)
      },
      cancel: async (reason) => {
        await reader?.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

const clamp = (offset: number, size: number): number => Math.min(Math.max(offset, 0), size)

/** The error for an object whose content is not the expected one. */
export const incompleteBlob = () =>
  new AppError('storage.blobs', {}, { cause: new Error('A blob was cut short or replaced.') })

/** Whether a store cannot be reached or is overloaded, so that the same request may succeed later. */
function isUnavailable(cause: unknown): boolean {
  const { code, name, $metadata, statusCode } = cause as {
    code?: unknown
    name?: unknown
    statusCode?: unknown // Azure
    $metadata?: { httpStatusCode?: number } // S3
  }
  const status = Number($metadata?.httpStatusCode ?? statusCode ?? 0)
  if (status === 429 || status >= 500) return true
  return (
    name === 'TimeoutError' ||
    /^(REQUEST_SEND_ERROR|E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/.test(
      String(code),
    )
  )
}

const storeError = (cause: unknown): AppError =>
  new AppError(isUnavailable(cause) ? 'storage.unavailable' : 'storage.blobs', {}, { cause })

/**
 * Sends a body of unknown length and returns its size in bytes. An error of the body's stream also makes
 * `send` fail, which discards what it has sent, and is thrown unchanged. Other errors are 'storage.blobs' and
 * 'storage.unavailable'.
 */
export async function sendCounted(
  body: ReadableStream<Uint8Array>,
  send: (body: Readable) => Promise<unknown>,
): Promise<number> {
  let size = 0
  let failure: { readonly error: unknown } | undefined
  async function* counted() {
    try {
      for await (const chunk of body) {
        size += chunk.byteLength
        if (chunk.byteLength > 0) yield chunk
      }
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  try {
    await send(Readable.from(counted(), { objectMode: false }))
    return size
  } catch (cause) {
    throw failure === undefined ? storeError(cause) : failure.error
  }
}

/** Runs `work` and throws its errors as 'storage.unavailable' or 'storage.blobs'. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw cause instanceof AppError ? cause : storeError(cause)
  }
}
