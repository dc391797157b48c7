import { AppError } from '../errors/app-error.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { ByteSource } from '../plugin/contract.ts'
import type { Hasher } from '../ports/hasher.ts'

/** What was written when a file was stored. */
export interface Written {
  readonly size: number // bytes
  readonly digest: string // SHA-256, lower-case hex; '': not known
}

/** Files up to this size are held in memory to be checked before any of them is handed out. */
export const checkedWhole = 4 * 1024 * 1024

/**
 * A stored file as it was written: its size is checked at once, its digest before anything is handed out, or for a large
 * file at the end of a stream of all of it, which then fails. Throws 'storage.damaged'.
 */
export async function asWritten(
  hasher: Hasher,
  source: ByteSource,
  { size, digest }: Written,
): Promise<ByteSource> {
  if (source.size !== size) throw damaged(`It has ${source.size} bytes instead of ${size}.`)
  if (digest === '') return source
  if (size > checkedWhole) return checkedAtEnd(hasher, source, digest)
  const bytes = await bytesOf(source)
  if (digestOf(hasher, bytes) !== digest) throw damaged('Its digest is another.')
  return source.view === undefined ? fromBytes(bytes) : source
}

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

function damaged(why: string): AppError {
  return new AppError(
    'storage.damaged',
    {},
    { cause: new Error(`A stored file is not what was written. ${why}`) },
  )
}
