import { randomUUID } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../../shared/errors/app-error.ts'
import type { ByteSource } from '../../shared/plugin/values.ts'
import { type BlobEntry, type Blobs, checkKey } from '../../shared/ports/blobs.ts'
import { fileSource } from './file-source.ts'

/**
 * The folder of writes in progress. Keys cannot start with a dot, so it is neither listed nor reachable by a
 * key.
 */
const workFolder = '.incoming'
/** Files of writes that are older than this were left by a crash, because no upload takes a day. */
const abandonedAfterMs = 24 * 3600 * 1000

/**
 * Opens a folder as a blob store. The segments of a key are the path of its file. A blob is written to a
 * temporary file, synced to disk and renamed, so that readers find the complete blob or none, also after a
 * crash.
 */
export async function openFsBlobs(folder: string): Promise<Blobs> {
  const incoming = join(folder, workFolder)
  await guarded(() => mkdir(incoming, { recursive: true, mode: 0o700 }))
  await removeAbandoned(incoming)
  const pathOf = (key: string) => join(folder, checkKey(key))

  return {
    async put(key, body) {
      const target = pathOf(key)
      const part = join(incoming, randomUUID())
      try {
        const size = await write(part, body)
        await guarded(() => renameSynced(part, target))
        return size
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async get(key) {
      const path = pathOf(key)
      const stats = await guarded(() => ifExists(stat(path)))
      return stats?.isFile() ? fileSource(path, stats.size) : undefined
    },
    async delete(key) {
      const path = pathOf(key)
      await guarded(() => ifExists(unlink(path)))
    },
    async touch(key) {
      const path = pathOf(key)
      const now = new Date()
      await guarded(() => ifExists(utimes(path, now, now)))
    },
    async move(from, to) {
      const [source, target] = [pathOf(from), pathOf(to)]
      await guarded(async () => {
        await renameSynced(source, target)
        await syncFolder(dirname(source))
      })
    },
    list: (prefix, after = '') => walk(folder, '', prefix, after),
  }
}

/**
 * Writes and syncs a new file and returns its size. Errors of the body's stream are thrown unchanged, because
 * they are the caller's (a body that is too large, a disconnected client). Errors of the file become
 * 'storage.blobs'.
 */
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
  let bytesWritten = 0
  while (bytesWritten < chunk.byteLength) {
    bytesWritten += (await file.write(chunk, bytesWritten, chunk.byteLength - bytesWritten)).bytesWritten
  }
}

/** Renames a file and syncs its new name to disk. */
async function renameSynced(from: string, target: string): Promise<void> {
  const parent = dirname(target)
  const firstCreated = await mkdir(parent, { recursive: true, mode: 0o700 })
  await rename(from, target)
  await syncFolder(parent)
  // The names of newly created folders must reach the disk too, so sync their parents up to the first
  // existing folder.
  for (let folder = parent; firstCreated !== undefined && folder.length >= firstCreated.length; ) {
    folder = dirname(folder)
    await syncFolder(folder)
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } catch (error) {
    // Some systems cannot sync folders. Then the durability of renames is up to the file system.
    if (!['EINVAL', 'EISDIR', 'EPERM'].includes(codeOf(error))) throw error
  } finally {
    await folder.close()
  }
}

/**
 * Lists blobs depth first, in the order of their keys. A folder is sorted by its name with a slash, which
 * gives the order in which an object store lists the same keys.
 */
async function* walk(root: string, path: string, prefix: string, after: string): AsyncGenerator<BlobEntry> {
  const entries = (await guarded(() => ifExists(readdir(join(root, path), { withFileTypes: true })))) ?? []
  const named = entries
    .filter((entry) => !entry.name.startsWith('.'))
    .map((entry) => ({ entry, key: path + entry.name + (entry.isDirectory() ? '/' : '') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  for (const { entry, key } of named) {
    if (entry.isDirectory()) {
      const mayMatch = key.startsWith(prefix) || prefix.startsWith(key)
      // All keys in this folder start with `key`. Some come after `after` if `key` does, or if `after` is in
      // this folder.
      const mayFollow = key > after || after.startsWith(key)
      if (mayMatch && mayFollow) yield* walk(root, key, prefix, after)
    } else if (key.startsWith(prefix) && key > after) {
      const blob = await entryOf(root, key, entry)
      if (blob !== undefined) yield blob
    }
  }
}

async function entryOf(root: string, key: string, entry: Dirent): Promise<BlobEntry | undefined> {
  if (!entry.isFile()) return undefined
  const stats = await guarded(() => ifExists(stat(join(root, key))))
  return stats && { key, size: stats.size, writtenAt: Math.round(stats.mtimeMs) }
}

async function removeAbandoned(incoming: string): Promise<void> {
  const before = Date.now() - abandonedAfterMs
  for (const name of await guarded(() => readdir(incoming))) {
    const path = join(incoming, name)
    const stats = await guarded(() => ifExists(stat(path)))
    if (stats !== undefined && stats.mtimeMs < before) await guarded(() => rm(path, { force: true }))
  }
}

/** Resolves to undefined for a path that does not exist. */
async function ifExists<T>(work: Promise<T>): Promise<T | undefined> {
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
