import type { ByteSource } from '../plugin/contract.ts'

/**
 * Bytes under a key. Keys are made by us from ids, `[a-z0-9/_.-]+`, never from callers' text, and start with the
 * account. Writes are atomic: a reader sees the whole blob or none. Implementations: filesystem, R2, S3.
 */
export interface Blobs {
  /** Replaces what was there. A stream that fails leaves nothing behind. Returns bytes written. */
  put(key: string, body: ByteSource | ReadableStream<Uint8Array>): Promise<number>
  get(key: string): Promise<ByteSource | undefined>
  /** Not an error when absent. */
  delete(key: string): Promise<void>
  /** Keys below a prefix, in pages, with the time they were written (ms): what the orphan sweep walks over. */
  list(prefix: string, after?: string): AsyncIterable<{ key: string; size: number; writtenAt: number }>
  /** Renames an upload whose final key (a content hash) is known only at its end. Atomic. */
  move(from: string, to: string): Promise<void>
}
