import { bytesOf, fromBytes } from '../shared/plugin/byte-source.ts'
import type { ByteSource } from '../shared/plugin/values.ts'

/**
 * A ByteSource of bytes that are still arriving. When its first use is `stream`, the bytes pass through
 * without being kept, as those of a document on the way to its caller do. Any other first use collects them
 * in memory.
 */
export function receivedSource(body: ReadableStream<Uint8Array>, size: number): ByteSource {
  let gathered: Promise<Uint8Array> | undefined // the collected bytes, from which further reads are served
  let passed = false // whether the stream was passed on, after which the bytes cannot be read again
  const gather = (): Promise<Uint8Array> => {
    if (passed) return Promise.reject(new Error('These bytes were passed on and are not kept.'))
    gathered ??= new Response(body).arrayBuffer().then((buffer) => {
      if (buffer.byteLength !== size) throw new Error('The transfer was cut.')
      return new Uint8Array(buffer)
    })
    return gathered
  }
  return {
    ...later(gather, 0, size),
    stream() {
      if (gathered !== undefined || passed) return later(gather, 0, size).stream()
      passed = true
      return body
    },
  }
}

/** A range of bytes that are loaded on the first read. */
function later(readAll: () => Promise<Uint8Array>, start: number, end: number): ByteSource {
  const size = Math.max(0, end - start)
  const clamp = (offset: number) => start + Math.min(Math.max(offset, 0), size)
  const range = async () => (await readAll()).subarray(start, start + size)
  return {
    size,
    slice: (from, to) => later(readAll, clamp(from), clamp(to)),
    arrayBuffer: async () => fromBytes(await range()).arrayBuffer(),
    stream: () =>
      new ReadableStream<Uint8Array>({
        async start(controller) {
          const bytes = await bytesOf(fromBytes(await range()))
          if (bytes.byteLength > 0) controller.enqueue(bytes)
          controller.close()
        },
      }),
  }
}
