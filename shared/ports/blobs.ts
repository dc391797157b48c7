import { AppError } from '../errors/app-error.ts'
import type { ByteSource } from '../plugin/contract.ts'

/**
 * Bytes under a key. Keys are made by us from ids, never from callers' text, and start with the account; their form
 * is checked by `checkKey`. Writes are atomic: a reader sees the whole blob or none.
 * Failures are AppError 'storage.blobs' with the cause inside, 'storage.unavailable' where a store cannot be reached,
 * 'storage.damaged' for a blob that is shorter or longer than it was; an error of the body's own stream passes unchanged.
 * Implementations: filesystem, R2, S3.
 */
export interface Blobs {
  /** Replaces what was there. A stream that fails leaves nothing behind. Returns bytes written. */
  put(key: string, body: ByteSource | ReadableStream<Uint8Array>): Promise<number>
  get(key: string): Promise<ByteSource | undefined>
  /** Not an error when absent. */
  delete(key: string): Promise<void>
  /**
   * Blobs whose key starts with `prefix`, in the order of their keys, behind `after`: what the orphan sweep walks
   * over. A blob written or deleted meanwhile may be there or not. `writtenAt` is in ms since the epoch.
   */
  list(prefix: string, after?: string): AsyncIterable<BlobEntry>
  /** `writtenAt` becomes now. Not an error when absent. Only stores have it that hosts without a database use. */
  touch?(key: string): Promise<void>
  /** Renames an upload whose final key (a content hash) is known only at its end; replaces what was there. */
  move(from: string, to: string): Promise<void>
}

export interface BlobEntry {
  readonly key: string
  readonly size: number // bytes
  readonly writtenAt: number // ms since the epoch
}

/** Segments of letters, digits, `_`, `-` and `.`, none starting with a dot or a dash: no way out of any store. */
const key = /^[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/
const longestKey = 512 // R2 allows 1024 bytes, a file name 255: ids stay far below either

/** Last line of defence of every implementation: a key of another form is a fault of ours, never reaches storage. */
export function checkKey(text: string): string {
  if (text.length > longestKey || !key.test(text)) {
    throw new AppError(
      'storage.blobs',
      {},
      { cause: new Error('A blob key has a form that is not allowed.') },
    )
  }
  return text
}
