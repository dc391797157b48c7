import { concatBytes } from './bytes.ts'

/** A stream whose beginning is read in chunks of known lengths, and the rest as a stream again. */
export interface ByteReader {
  /** Exactly so many bytes; undefined when the stream ends before. */
  take(length: number): Promise<Uint8Array | undefined>
  /** The bytes that were not taken. Nothing may be taken afterwards. */
  rest(): ReadableStream<Uint8Array>
}

export function createByteReader(stream: ReadableStream<Uint8Array>): ByteReader {
  const reader = stream.getReader()
  let remainder: Uint8Array = new Uint8Array(0)

  return {
    async take(length) {
      const chunks = [remainder]
      let size = remainder.byteLength
      while (size < length) {
        const { value, done } = await reader.read()
        if (done) return undefined
        chunks.push(value)
        size += value.byteLength
      }
      const all = concatBytes(chunks, size)
      remainder = all.subarray(length)
      return all.subarray(0, length)
    },
    rest() {
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          if (remainder.byteLength > 0) {
            controller.enqueue(remainder)
            remainder = new Uint8Array(0)
            return
          }
          const { value, done } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        },
        cancel: (reason) => reader.cancel(reason),
      })
    },
  }
}

/** Wraps a generator as a stream that pulls from it only on demand. */
export function streamOf(chunks: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => void chunks.return(),
    },
    { highWaterMark: 0 },
  )
}

/** Chunks of a stream, whichever way the platform lets one read it. */
export async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader()
  try {
    while (true) {
      const { value, done } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** All of a stream, in memory. */
export async function gather(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunksOf(stream)) {
    chunks.push(chunk)
    size += chunk.byteLength
  }
  return concatBytes(chunks, size)
}
