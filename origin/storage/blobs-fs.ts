import { randomUUID } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../../shared/errors/app-error.ts'
import type { ByteSource } from '../../shared/plugin/contract.ts'
import { type BlobEntry, type Blobs, checkKey } from '../../shared/ports/blobs.ts'
import { fileSource } from './file-source.ts'

/** Writes in progress. Starts with a dot, which no key may, so it is never listed nor reached. */
const workFolder = '.incoming'
/** What a crash left behind. No upload takes a day. */
const abandonedAfterMs = 24 * 3600 * 1000

/**
 * Blobs as files below one folder, a key's segments being its path. A blob is written beside the others, brought to
 * the disk and renamed into place, so that a reader, or a restart after a crash, finds all of it or nothing.
 */
export async function openFsBlobs(folder: string): Promise<Blobs> {
  const incoming = join(folder, workFolder)
  await guarded(() => mkdir(incoming, { recursive: true }))
  await sweep(incoming)
  const pathOf = (key: string) => join(folder, checkKey(key))

  return {
    async put(key, body) {
      const target = pathOf(key)
      const part = join(incoming, randomUUID())
      try {
        const size = await write(part, body)
        await guarded(() => place(part, target))
        return size
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async get(key) {
      const path = pathOf(key)
      const found = await guarded(() => ifThere(stat(path)))
      return found?.isFile() ? fileSource(path, found.size) : undefined
    },
    async delete(key) {
      const path = pathOf(key)
      await guarded(() => ifThere(unlink(path)))
    },
    async touch(key) {
      const path = pathOf(key)
      const now = new Date()
      await guarded(() => ifThere(utimes(path, now, now)))
    },
    async move(from, to) {
      const [source, target] = [pathOf(from), pathOf(to)]
      await guarded(async () => {
        await place(source, target)
        await syncFolder(dirname(source))
      })
    },
    list: (prefix, after = '') => walk(folder, '', prefix, after),
  }
}

/** Stream errors pass unchanged: they are the caller's (a body too large, a client gone), not the store's. */
async function write(path: string, body: ByteSource | ReadableStream<Uint8Array>): Promise<number> {
  const file = await guarded(() => open(path, 'wx', 0o600))
  let size = 0
  try {
    const chunks =
      body instanceof ReadableStream ? body : body.view !== undefined ? [body.view] : body.stream()
    for await (const chunk of chunks) {
      await guarded(() => writeAll(file, chunk))
      size += chunk.byteLength
    }
    await guarded(() => file.sync())
  } finally {
    await file.close()
  }
  return size
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0
  while (written < chunk.byteLength) {
    written += (await file.write(chunk, written, chunk.byteLength - written)).bytesWritten
  }
}

/** Renames into place and brings the new name to the disk. */
async function place(from: string, target: string): Promise<void> {
  const parent = dirname(target)
  const made = await mkdir(parent, { recursive: true })
  await rename(from, target)
  await syncFolder(parent)
  // Folders made on the way are names too, up to the one that was there before.
  for (let folder = parent; made !== undefined && folder.length >= made.length; ) {
    folder = dirname(folder)
    await syncFolder(folder)
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } catch (error) {
    // Some systems do not sync folders; their renames are as durable as they get.
    if (!['EINVAL', 'EISDIR', 'EPERM'].includes(codeOf(error))) throw error
  } finally {
    await folder.close()
  }
}

/** Depth first, in the order of keys: a folder sorts with its slash, as the store of objects it stands for would. */
async function* walk(root: string, path: string, prefix: string, after: string): AsyncGenerator<BlobEntry> {
  const entries = (await guarded(() => ifThere(readdir(join(root, path), { withFileTypes: true })))) ?? []
  const named = entries
    .filter((entry) => !entry.name.startsWith('.'))
    .map((entry) => ({ entry, key: path + entry.name + (entry.isDirectory() ? '/' : '') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  for (const { entry, key } of named) {
    if (entry.isDirectory()) {
      const wanted = key.startsWith(prefix) || prefix.startsWith(key)
      // All keys of this folder start with `key`: they are behind `after` unless they come before it as a whole.
      const ahead = key > after || after.startsWith(key)
      if (wanted && ahead) yield* walk(root, key, prefix, after)
    } else if (key.startsWith(prefix) && key > after) {
      const blob = await entryOf(root, key, entry)
      if (blob !== undefined) yield blob
    }
  }
}

async function entryOf(root: string, key: string, entry: Dirent): Promise<BlobEntry | undefined> {
  if (!entry.isFile()) return undefined
  const found = await guarded(() => ifThere(stat(join(root, key))))
  return found && { key, size: found.size, writtenAt: Math.round(found.mtimeMs) }
}

async function sweep(incoming: string): Promise<void> {
  const before = Date.now() - abandonedAfterMs
  for (const name of await guarded(() => readdir(incoming))) {
    const path = join(incoming, name)
    const found = await guarded(() => ifThere(stat(path)))
    if (found !== undefined && found.mtimeMs < before) await guarded(() => rm(path, { force: true }))
  }
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code)
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('storage.blobs', {}, { cause })
  }
}
