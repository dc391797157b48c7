import { concatBytes } from '../bytes.ts'
import { AppError } from '../errors/app-error.ts'
import type { RunningHash } from '../ports/hasher.ts'
import type { Call } from './call.ts'
import { parseMediaType } from './multipart/head.ts'

/** The body of a call, and its digest once it has ended. */
export interface HashedBody {
  readonly stream: ReadableStream<Uint8Array> | undefined
  /** Reads the rest of the body. Returns the SHA-256 of the body in hex, without the boundaries of a form. */
  digest(): Promise<string>
}

/**
 * Hashes a body while it is read. A client that repeats a form chooses a new boundary, so boundaries are not hashed.
 * `digest` throws 'api.key.reused' for a body of more than `maxBytes`, because no successful call can have had one.
 */
export function hashedBody(
  { body, headers }: Pick<Call, 'body' | 'headers'>,
  hash: RunningHash,
  maxBytes: number,
): HashedBody {
  const media = parseMediaType(headers.get('content-type') ?? '')
  const boundary = media?.type === 'multipart/form-data' ? (media.parameters.get('boundary') ?? '') : ''
  const skip = boundary === '' ? undefined : createSkipper(boundary)
  const reader = body?.getReader()
  let ended = reader === undefined
  let size = 0 // bytes that were read
  let digest: string | undefined

  async function readChunk(): Promise<Uint8Array | undefined> {
    const { value, done } = await reader!.read()
    if (done) {
      ended = true
      if (skip !== undefined) hash.update(skip.rest())
      return undefined
    }
    size += value.length
    if (skip === undefined) hash.update(value)
    else for (const part of skip.push(value)) hash.update(part)
    return value
  }

  return {
    stream:
      reader === undefined
        ? undefined
        : new ReadableStream<Uint8Array>(
            {
              async pull(controller) {
                const chunk = await readChunk()
                if (chunk === undefined) controller.close()
                else controller.enqueue(chunk)
              },
              cancel: (reason) => reader.cancel(reason),
            },
            { highWaterMark: 0 },
          ),
    async digest() {
      while (!ended && size <= maxBytes) await readChunk()
      if (size > maxBytes) throw new AppError('api.key.reused')
      digest ??= hash.hex()
      return digest
    },
  }
}

/**
 * Skips the boundary at the beginning of a line; elsewhere it is data (RFC 2046 5.1.1). A comparison starts only at line
 * ends, which a boundary does not contain, so that the work is linear in the size of the body for every boundary.
 */
function createSkipper(boundary: string) {
  const delimiter = new TextEncoder().encode(`\n--${boundary}`)
  let pending: Uint8Array = delimiter.slice(0, 1) // may be the start of the delimiter; a body begins as if after a line end
  return {
    *push(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
      const bytes = concatBytes([pending, chunk], pending.length + chunk.length)
      const lastStart = bytes.length - delimiter.length // the last offset where the delimiter fits
      let from = 0
      for (
        let index = bytes.indexOf(delimiter[0]!);
        index !== -1 && index <= lastStart;
        index = bytes.indexOf(delimiter[0]!, index + 1)
      ) {
        if (!hasAt(bytes, delimiter, index)) continue
        yield bytes.subarray(from, index)
        from = index + delimiter.length
      }
      const end = Math.max(from, lastStart + 1, 0)
      yield bytes.subarray(from, end)
      pending = bytes.slice(end)
    },
    rest: (): Uint8Array => pending,
  }
}

function hasAt(bytes: Uint8Array, pattern: Uint8Array, offset: number): boolean {
  for (let index = 0; index < pattern.length; index++)
    if (bytes[offset + index] !== pattern[index]) return false
  return true
}
