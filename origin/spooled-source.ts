import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../shared/errors/app-error.ts'
import { fromBytes } from '../shared/plugin/byte-source.ts'
import type { ByteSource } from '../shared/plugin/values.ts'

/** Sources up to this size are kept in memory, larger ones in a temporary file. */
const maxMemoryBytes = 4 * 1024 * 1024
const chunkBytes = 256 * 1024

export interface Spooled {
  readonly source: ByteSource
  /** Releases the temporary file. Call it when reading has ended. */
  close(): Promise<void>
}

/**
 * Receives exactly `size` bytes and calls `onChunk` with each chunk. Large sources go to a file that is
 * unlinked as soon as it is open, so nothing remains on disk even if this process crashes. Throws
 * 'origin.invalid' for fewer or more bytes.
 */
export async function spool(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
  onChunk: (chunk: Uint8Array) => void,
  folder = tmpdir(),
): Promise<Spooled> {
  if (size <= maxMemoryBytes)
    return { source: fromBytes(await inMemory(chunks, size, onChunk)), close: async () => {} }
  const file = await unlinkedFile(folder)
  try {
    let receivedBytes = 0
    for await (const chunk of chunks) {
      receivedBytes += chunk.byteLength
      if (receivedBytes > size) throw new AppError('origin.invalid')
      onChunk(chunk)
      await file.write(chunk)
    }
    if (receivedBytes !== size) throw new AppError('origin.invalid')
    return { source: handleSource(file, 0, size), close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function inMemory(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
  onChunk: (chunk: Uint8Array) => void,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  let offset = 0
  for await (const chunk of chunks) {
    if (offset + chunk.byteLength > size) throw new AppError('origin.invalid')
    onChunk(chunk)
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  if (offset !== size) throw new AppError('origin.invalid')
  return bytes
}

async function unlinkedFile(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `platen-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

/**
 * The bytes of an open file from `start` to before `end`. Throws 'storage.blobs' when the file is shorter.
 */
function handleSource(file: FileHandle, start: number, end: number): ByteSource {
  const size = Math.max(0, end - start)
  const clamp = (offset: number) => start + Math.min(Math.max(offset, 0), size)
  const read = async (target: Uint8Array, position: number) => {
    for (let bytesDone = 0; bytesDone < target.byteLength; ) {
      const { bytesRead } = await file.read(
        target,
        bytesDone,
        target.byteLength - bytesDone,
        position + bytesDone,
      )
      if (bytesRead === 0) throw new AppError('storage.blobs')
      bytesDone += bytesRead
    }
    return target
  }
  return {
    size,
    slice: (from, to) => handleSource(file, clamp(from), Math.max(clamp(from), clamp(to))),
    arrayBuffer: async () => (await read(new Uint8Array(size), start)).buffer as ArrayBuffer,
    stream: () => {
      let position = start
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            if (position >= end) return controller.close()
            const chunk = await read(new Uint8Array(Math.min(chunkBytes, end - position)), position)
            position += chunk.byteLength
            controller.enqueue(chunk)
          },
        },
        { highWaterMark: 0 },
      )
    },
  }
}
