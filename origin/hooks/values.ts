import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { concatBytes } from '../../shared/bytes.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import { fromBytes } from '../../shared/plugin/byte-source.ts'
import type { ByteSource } from '../../shared/plugin/values.ts'
import { fileSource } from '../storage/file-source.ts'
import type { HookName } from './call-hook.ts'

/** The maximum size of a stream, which is read into memory. Larger results must be files. */
const maxStreamBytes = 256 * 1024 * 1024

/** Writes a source to a temporary file that exists while `work` runs. */
export async function asFile<T>(
  source: ByteSource,
  { folder, extension = '' }: { readonly folder: string; readonly extension?: string },
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(folder, randomUUID() + (extension === '' ? '' : `.${extension}`))
  try {
    await pipeline(Readable.fromWeb(source.stream() as never), createWriteStream(path, { mode: 0o600 }))
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}

/**
 * The result of a hook that reads as a source: it may be the path of a file, bytes, or a stream. Undefined
 * for no value and for a missing file. Throws 'hook.failed' for any other value, for a stream that fails and
 * for one that is too long.
 */
export async function sourceOf(value: unknown, hook: HookName): Promise<ByteSource | undefined> {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return fileOf(value, hook)
  if (value instanceof Uint8Array) return fromBytes(value)
  if (value instanceof ReadableStream || value instanceof Readable)
    return fromBytes(await readStream(value as AsyncIterable<unknown>, hook))
  throw failed(hook, 'It returned neither a path nor bytes nor a stream.')
}

async function fileOf(path: string, hook: HookName): Promise<ByteSource | undefined> {
  const stats = await stat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw failed(hook, error)
  })
  if (stats !== undefined && !stats.isFile()) throw failed(hook, 'It returned a path that is not a file.')
  return stats && fileSource(path, stats.size)
}

async function readStream(stream: AsyncIterable<unknown>, hook: HookName): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array)
      size += bytes.byteLength
      if (size > maxStreamBytes) throw new Error('Its stream is too long: return the path of a file.')
      chunks.push(bytes)
    }
  } catch (error) {
    throw failed(hook, error)
  }
  return concatBytes(chunks, size)
}

/** Whether an error means that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ENOENT'
}

function failed(hook: HookName, because: unknown): AppError {
  const cause = typeof because === 'string' ? new Error(because) : because
  return new AppError('hook.failed', { ...hook }, { cause })
}
