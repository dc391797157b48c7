import { AppError } from '../errors/app-error.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { ByteSource } from '../plugin/values.ts'
import type { Hasher } from '../ports/hasher.ts'

/** Size and digest of a file as they were recorded when it was stored. */
export interface WrittenBytes {
  readonly size: number // bytes
  readonly digest: string // SHA-256, lower-case hex; '': not known
}

/**
 * Files up to this size, in bytes, are read into memory and checked before any of their bytes is delivered. A
 * larger value costs memory for each concurrent read; a smaller one lets damage of more files show only at
 * the end of a transfer.
 */
export const maxBufferedBytes = 4 * 1024 * 1024

/**
 * Returns a stored file with its integrity checked. The size is checked at once. The digest is checked before
 * any byte is delivered or, for a file above `maxBufferedBytes`, at the end of a complete read, whose stream then
 * fails; slices of such a file are not checked. Throws 'storage.damaged'.
 */
export async function asWritten(
  hasher: Hasher,
  source: ByteSource,
  { size, digest }: WrittenBytes,
): Promise<ByteSource> {
  if (source.size !== size) throw damaged(`It has ${source.size} bytes instead of ${size}.`)
  if (digest === '') return source
  if (size > maxBufferedBytes) return checkedAtEnd(hasher, source, digest)
  const bytes = await bytesOf(source)
  if (digestOf(hasher, bytes) !== digest) throw damaged('Its digest is another.')
  return source.view === undefined ? fromBytes(bytes) : source
}

/** SHA-256, in lower-case hex. */
export function digestOf(hasher: Hasher, bytes: Uint8Array): string {
  const running = hasher.sha256()
  running.update(bytes)
  return running.hex()
}

function checkedAtEnd(hasher: Hasher, source: ByteSource, digest: string): ByteSource {
  const { readInto } = source
  const check = (bytes: Uint8Array) => {
    if (digestOf(hasher, bytes) !== digest) throw damaged('Its digest is another.')
  }
  return {
    size: source.size,
    slice: (start, end) => source.slice(start, end),
    stream: () => {
      const running = hasher.sha256()
      return source.stream().pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            running.update(chunk)
            controller.enqueue(chunk)
          },
          flush() {
            if (running.hex() !== digest) throw damaged('Its digest is another.')
          },
        }),
      )
    },
    async arrayBuffer() {
      const buffer = await source.arrayBuffer()
      check(new Uint8Array(buffer))
      return buffer
    },
    ...(readInto !== undefined && {
      async readInto(target: Uint8Array) {
        await readInto(target)
        check(target.subarray(0, source.size))
      },
    }),
  }
}

function damaged(reason: string): AppError {
  return new AppError(
    'storage.damaged',
    {},
    { cause: new Error(`A stored file is not what was written. ${reason}`) },
  )
}
