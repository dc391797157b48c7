import { AppError } from '../errors/app-error.ts'
import type { ByteSource } from '../plugin/values.ts'

/**
 * A store of files under keys. Keys begin with the account and are built from ids, never from text of
 * callers; `checkKey` checks their form. Writes are atomic: a reader sees the complete blob or none. Failures
 * are AppError 'storage.blobs' with the cause inside, 'storage.unavailable' where a store cannot be reached,
 * 'storage.damaged' for a blob that is shorter or longer than it was; an error of the body's own stream
 * passes unchanged. Implementations: filesystem, R2, S3.
 */
export interface Blobs {
  /**
   * Writes a blob, replacing any under that key. Returns the bytes written. If the stream fails, nothing is
   * stored.
   */
  put(key: string, body: ByteSource | ReadableStream<Uint8Array>): Promise<number>
  get(key: string): Promise<ByteSource | undefined>
  /** Deletes a blob. An absent blob is not an error. */
  delete(key: string): Promise<void>
  /** Deletes up to 1,000 blobs in one call. Absent where a store deletes one at a time. */
  deleteMany?(keys: readonly string[]): Promise<void>
  /**
   * Lists the blobs whose key starts with `prefix` and comes after `after`, in the order of their keys. A
   * blob that is written or deleted during the call may or may not be listed.
   */
  list(prefix: string, after?: string): AsyncIterable<BlobEntry>
  /**
   * Sets `writtenAt` to now. An absent blob is not an error. Only stores for the stateless mode implement it.
   */
  touch?(key: string): Promise<void>
  /**
   * Renames a blob, replacing any under `to`. Uploads need this, because a key made of a hash is known only
   * at their end.
   */
  move(from: string, to: string): Promise<void>
}

export interface BlobEntry {
  readonly key: string
  readonly size: number // bytes
  readonly writtenAt: number // ms since the epoch
}

/**
 * Segments of letters, digits, `_`, `-` and `.`, separated by `/`. No segment starts with a dot or a dash, so
 * no key can leave the folder of a store.
 */
const keyForm = /^[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/
/**
 * Characters. R2 allows 1024 bytes and file systems 255 bytes in a segment; keys of ids stay far below both.
 */
const maxKeyLength = 512

/**
 * Returns the key if its form is allowed. Every store calls it as a last defence: a key of another form is a
 * defect of this program and must not reach the storage. Throws 'storage.blobs'.
 */
export function checkKey(text: string): string {
  if (text.length > maxKeyLength || !keyForm.test(text)) {
    throw new AppError(
      'storage.blobs',
      {},
      { cause: new Error('A blob key has a form that is not allowed.') },
    )
  }
  return text
}
