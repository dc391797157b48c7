import { chunksOf, streamOf } from '../../shared/byte-reader.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import { inParts } from '../../shared/parts.ts'
import { fromBytes } from '../../shared/plugin/byte-source.ts'
import type { ByteSource } from '../../shared/plugin/values.ts'
import { type BlobEntry, type Blobs, checkKey } from '../../shared/ports/blobs.ts'

/**
 * The size of the parts of a multipart upload. R2 requires equal parts of at least 5 MiB; an isolate has 128
 * MB in total.
 */
const partBytes = 8 * 1024 * 1024
/**
 * Objects up to this size are read at once. A typical letter is smaller, and a few of them fit into an
 * isolate.
 */
const maxSingleUpload = 1024 * 1024

/**
 * Stores blobs as objects of an R2 bucket. R2 requires the length of a stream in advance, so a stream of
 * unknown length is collected into parts. A single part is stored directly; several become a multipart
 * upload, which is not visible until it is complete. R2 cannot rename objects, so a move copies and then
 * deletes. A crash in between leaves the source to the sweep.
 */
export function openR2Blobs(bucket: R2Bucket): Blobs {
  async function putStream(key: string, body: ReadableStream<Uint8Array>): Promise<number> {
    const parts = inParts(body, partBytes)
    const first = await parts.next()
    const head = first.done ? new Uint8Array(0) : first.value
    if (head.byteLength < partBytes) {
      await guarded(() => bucket.put(key, head))
      return head.byteLength
    }
    const upload = await guarded(() => bucket.createMultipartUpload(key))
    try {
      const uploaded: R2UploadedPart[] = []
      let size = 0
      for (let next = first; !next.done; next = await parts.next()) {
        const part = next.value
        uploaded.push(await guarded(() => upload.uploadPart(uploaded.length + 1, part)))
        size += part.byteLength
      }
      await guarded(() => upload.complete(uploaded))
      return size
    } catch (error) {
      // A failure to abort can be ignored, since R2 removes unfinished uploads after a week.
      await upload.abort().catch(() => undefined)
      throw error
    }
  }

  async function copy(from: string, to: string): Promise<boolean> {
    const stored = await guarded(() => bucket.get(from))
    if (stored === null) return false
    // The length is known, so the bytes can be streamed without being collected.
    const { body, size } = stored
    await guarded(() => (size === 0 ? bucket.put(to, new Uint8Array(0)) : bucket.put(to, sized(body, size))))
    return true
  }

  return {
    async put(key, body) {
      checkKey(key)
      if (body instanceof ReadableStream) return putStream(key, body)
      if (body.view === undefined) return putStream(key, body.stream())
      const view = body.view
      await guarded(() => bucket.put(key, view))
      return body.size
    },
    async get(key) {
      checkKey(key)
      const stored = await guarded(() => bucket.get(key))
      if (stored === null) return undefined
      // Most templates and renders are small, and the request that finds an object also delivers its bytes.
      if (stored.size <= maxSingleUpload)
        return fromBytes(new Uint8Array(await guarded(() => stored.arrayBuffer())))
      await stored.body.cancel()
      return objectSource(bucket, stored, 0, stored.size)
    },
    async delete(key) {
      checkKey(key)
      await guarded(() => bucket.delete(key))
    },
    async deleteMany(keys) {
      keys.forEach(checkKey)
      await guarded(() => bucket.delete([...keys]))
    },
    async touch(key) {
      checkKey(key)
      // The time of an object can only be changed by writing it again.
      await copy(key, key)
    },
    async move(from, to) {
      checkKey(from)
      checkKey(to)
      if (!(await copy(from, to))) throw missing()
      await guarded(() => bucket.delete(from))
    },
    list: (prefix, after) => list(bucket, prefix, after),
  }
}

async function* list(bucket: R2Bucket, prefix: string, after?: string): AsyncGenerator<BlobEntry> {
  let cursor: string | undefined
  do {
    const page: R2Objects = await guarded(() =>
      bucket.list(
        cursor === undefined ? { prefix, ...(after && { startAfter: after }) } : { prefix, cursor },
      ),
    )
    for (const { key, size, uploaded } of page.objects) yield { key, size, writtenAt: uploaded.getTime() }
    cursor = page.truncated ? page.cursor : undefined
  } while (cursor !== undefined)
}

/**
 * A range of an object. Each read requests the version that was found first, so that reading an object that
 * was replaced meanwhile fails rather than mix two versions.
 */
function objectSource(bucket: R2Bucket, stored: R2Object, start: number, end: number): ByteSource {
  const size = Math.max(0, end - start)
  const clamp = (offset: number) => start + Math.min(Math.max(offset, 0), size)

  async function open(): Promise<R2ObjectBody> {
    const object = await guarded(() =>
      bucket.get(stored.key, {
        range: { offset: start, length: size },
        onlyIf: { etagMatches: stored.etag },
      }),
    )
    if (object === null || !('body' in object)) throw missing()
    return object
  }

  return {
    size,
    slice: (from, to) => objectSource(bucket, stored, clamp(from), Math.max(clamp(from), clamp(to))),
    arrayBuffer: async () => {
      if (size === 0) return new ArrayBuffer(0)
      const object = await open()
      return guarded(() => object.arrayBuffer())
    },
    stream: () => streamOf(chunksOfObject(open)),
  }
}

async function* chunksOfObject(
  open: () => Promise<R2ObjectBody>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { body } = await open()
  yield* chunksOf(body)
}

/** Gives a stream a known length, which R2 requires. */
function sized(body: ReadableStream, size: number): ReadableStream {
  const { readable, writable } = new FixedLengthStream(size)
  // An error also aborts `readable`, so R2 fails to read it and the caller gets the error from there.
  body.pipeTo(writable).catch(() => undefined)
  return readable
}

function missing(): AppError {
  return new AppError('storage.blobs', {}, { cause: new Error('The blob is not there any more.') })
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new AppError('storage.blobs', {}, { cause })
  }
}
