import { type FileHandle, open } from 'node:fs/promises'
import { AppError } from '../../shared/errors/app-error.ts'
import type { ByteSource } from '../../shared/plugin/values.ts'

/** Large enough that the cost of a system call is negligible, small enough for many concurrent streams. */
const chunkBytes = 128 * 1024

/**
 * A range of a file as a ByteSource. The file is opened for each read and must not change, which blobs do
 * not. Reading throws 'storage.blobs' when the file is missing and 'storage.damaged' when it is shorter than
 * expected; it never returns less.
 */
export function fileSource(path: string, end: number, start = 0): ByteSource {
  const size = Math.max(0, end - start)
  return {
    size,
    slice: (from, to) => {
      const [low, high] = [clamp(from, size), clamp(to, size)]
      return fileSource(path, start + Math.max(low, high), start + low)
    },
    stream: () => streamOf(path, start, start + size),
    async arrayBuffer() {
      const buffer = new ArrayBuffer(size)
      await readAll(path, start, new Uint8Array(buffer))
      return buffer
    },
    readInto: (target) => readAll(path, start, target.subarray(0, size)),
  }
}

function clamp(offset: number, size: number): number {
  return Math.min(Math.max(offset, 0), size)
}

async function readAll(path: string, start: number, target: Uint8Array): Promise<void> {
  const size = target.byteLength
  if (size === 0) return
  const file = await guarded(() => open(path, 'r'))
  try {
    for (let bytesDone = 0; bytesDone < size; )
      bytesDone += await readSome(file, target.subarray(bytesDone), start + bytesDone)
  } finally {
    await file.close()
  }
}

function streamOf(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  let file: FileHandle | undefined
  let position = start
  const close = async () => {
    await file?.close()
    file = undefined
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (position >= end) {
          await close()
          return controller.close()
        }
        try {
          file ??= await guarded(() => open(path, 'r'))
          const chunk = new Uint8Array(Math.min(chunkBytes, end - position))
          const count = await readSome(file, chunk, position)
          position += count
          controller.enqueue(chunk.subarray(0, count))
        } catch (error) {
          await close()
          throw error
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  )
}

async function readSome(file: FileHandle, target: Uint8Array, position: number): Promise<number> {
  const { bytesRead } = await guarded(() => file.read(target, 0, target.byteLength, position))
  if (bytesRead === 0)
    throw new AppError('storage.damaged', {}, { cause: new Error('A blob was cut short.') })
  return bytesRead
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new AppError('storage.blobs', {}, { cause })
  }
}
