import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../shared/errors/app-error.ts'
import { fromBytes } from '../shared/plugin/byte-source.ts'
import type { ByteSource } from '../shared/plugin/contract.ts'

/** Up to here what arrives is kept in memory. */
const heldBytes = 4 * 1024 * 1024
const chunkBytes = 256 * 1024

export interface Spooled {
  readonly source: ByteSource
  /** To be called once nobody reads any more. */
  close(): Promise<void>
}

/**
 * Takes in `size` bytes that arrive, each chunk shown to `look`. Much of it goes to a file that has no name: whatever
 * happens to this process, nothing is left behind. Throws 'origin.invalid' when fewer arrive, or more.
 */
export async function spool(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
  look: (chunk: Uint8Array) => void,
  folder = tmpdir(),
): Promise<Spooled> {
  if (size <= heldBytes) return { source: fromBytes(await held(chunks, size, look)), close: async () => {} }
  const file = await nameless(folder)
  try {
    let written = 0
    for await (const chunk of chunks) {
      written += chunk.byteLength
      if (written > size) throw new AppError('origin.invalid')
      look(chunk)
      await file.write(chunk)
    }
    if (written !== size) throw new AppError('origin.invalid')
    return { source: handleSource(file, 0, size), close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function held(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
  look: (chunk: Uint8Array) => void,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const chunk of chunks) {
    if (at + chunk.byteLength > size) throw new AppError('origin.invalid')
    look(chunk)
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  if (at !== size) throw new AppError('origin.invalid')
  return bytes
}

async function nameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, `platen-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

function handleSource(file: FileHandle, start: number, end: number): ByteSource {
  const size = Math.max(0, end - start)
  const clamp = (offset: number) => start + Math.min(Math.max(offset, 0), size)
  const read = async (target: Uint8Array, position: number) => {
    for (let done = 0; done < target.byteLength; ) {
      const { bytesRead } = await file.read(target, done, target.byteLength - done, position + done)
      if (bytesRead === 0) throw new AppError('storage.blobs')
      done += bytesRead
    }
    return target
  }
  return {
    size,
    slice: (from, to) => handleSource(file, clamp(from), Math.max(clamp(from), clamp(to))),
    arrayBuffer: async () => (await read(new Uint8Array(size), start)).buffer as ArrayBuffer,
    stream: () => {
      let at = start
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            if (at >= end) return controller.close()
            const chunk = await read(new Uint8Array(Math.min(chunkBytes, end - at)), at)
            at += chunk.byteLength
            controller.enqueue(chunk)
          },
        },
        { highWaterMark: 0 },
      )
    },
  }
}
