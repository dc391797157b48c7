import { concatBytes } from '../bytes.ts'
import { AppError } from '../errors/app-error.ts'
import type { RunningHash } from '../ports/hasher.ts'
import type { Call } from './call.ts'
import { parseMediaType } from './multipart/head.ts'

/** The body of a call, and its digest once it has ended. */
export interface HashedBody {
  readonly stream: ReadableStream<Uint8Array> | undefined
  /** Reads what is left of the body. Returns its SHA-256 in hex, without the boundaries of a form. */
  digest(): Promise<string>
}

/**
 * Hashes a body while it is read. A client that repeats a form chooses a new boundary, so boundaries do not count. `digest`
 * throws 'api.key.reused' for a body of more than `maxBytes`, which no call can have had that succeeded.
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

  async function next(): Promise<Uint8Array | undefined> {
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
                const chunk = await next()
                if (chunk === undefined) controller.close()
                else controller.enqueue(chunk)
              },
              cancel: (reason) => reader.cancel(reason),
            },
            { highWaterMark: 0 },
          ),
    async digest() {
      while (!ended && size <= maxBytes) await next()
      if (size > maxBytes) throw new AppError('api.key.reused')
      digest ??= hash.hex()
      return digest
    },
  }
}

/**
 * Leaves the boundary out where it begins a line; elsewhere it is data (RFC 2046 5.1.1). Only line ends are compared with the
 * boundary, which has none, so that the work grows with the body however the boundary looks.
 */
function createSkipper(boundary: string) {
  const word = new TextEncoder().encode(`\n--${boundary}`)
  let waiting: Uint8Array = word.slice(0, 1) // may be the start of the word; a body begins as if after a line end
  return {
    *push(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
      const all = concatBytes([waiting, chunk], waiting.length + chunk.length)
      const last = all.length - word.length // the last place where the word fits
      let from = 0
      for (let at = all.indexOf(word[0]!); at !== -1 && at <= last; at = all.indexOf(word[0]!, at + 1)) {
        if (!hasAt(all, word, at)) continue
        yield all.subarray(from, at)
        from = at + word.length
      }
      const end = Math.max(from, last + 1, 0)
      yield all.subarray(from, end)
      waiting = all.slice(end)
    },
    rest: (): Uint8Array => waiting,
  }
}

function hasAt(bytes: Uint8Array, word: Uint8Array, at: number): boolean {
  for (let index = 0; index < word.length; index++) if (bytes[at + index] !== word[index]) return false
  return true
}
