import type { ByteSource } from './contract.ts'

/** Bytes in memory as a ByteSource; nothing is copied until `arrayBuffer` is asked for. */
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

/** The whole source as one array. In-memory sources are not copied: do not write to the result. */
export async function bytesOf(source: ByteSource): Promise<Uint8Array> {
  return source.view ?? new Uint8Array(await source.arrayBuffer())
}

/** Up to `length` bytes from the start, for sniffing. */
export async function headOf(source: ByteSource, length: number): Promise<Uint8Array> {
  return bytesOf(source.slice(0, Math.min(length, source.size)))
}
