import type { ByteSource } from './values.ts'

/** Wraps bytes in memory as a ByteSource. Only `arrayBuffer` copies them. */
export function fromBytes(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.byteLength,
    view: bytes,
    slice: (start, end) => fromBytes(bytes.subarray(start, end)),
    stream: () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          if (bytes.byteLength > 0) controller.enqueue(bytes)
          controller.close()
        },
      }),
    arrayBuffer: async () => bytes.slice().buffer as ArrayBuffer,
  }
}

/**
 * Returns the whole source as one array. Bytes already in memory are not copied, so do not write to the
 * result.
 */
export async function bytesOf(source: ByteSource): Promise<Uint8Array> {
  return source.view ?? new Uint8Array(await source.arrayBuffer())
}

/** Returns at most `length` bytes from the start of the source, for sniffing. */
export async function headOf(source: ByteSource, length: number): Promise<Uint8Array> {
  return bytesOf(source.slice(0, Math.min(length, source.size)))
}
