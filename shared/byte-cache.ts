import { AppError } from './errors/app-error.ts'

/**
 * An in-memory cache of files, such as templates, that keeps the most recently used ones up to a number of bytes. What a
 * key names must never change, so that no entry can be stale.
 */
export interface ByteCache {
  /**
   * The bytes under a key, loaded with `load` if they are not cached. Concurrent calls for a key share one
   * load.
   */
  get(key: string, load: () => Promise<CacheSource>): Promise<Uint8Array>
  /** Removes a key whose blob was moved or deleted. */
  forget(key: string): void
  readonly bytes: () => number // used at present
}
export interface CacheSource {
  readonly size: number
  stream(): ReadableStream<Uint8Array>
  /** Writes all bytes into `target`, where the source can do so without a copy in between. */
  readInto?(target: Uint8Array): Promise<void>
}

export function createByteCache(options: {
  readonly maxBytes: number
  /**
   * Allocates the memory of an entry. A host can choose memory that its merge workers read without a copy.
   */
  readonly allocate?: (size: number) => Uint8Array
  /** False in a Worker, where a load that belongs to another request is cancelled when that request ends. */
  readonly shareLoads?: boolean
}): ByteCache {
  const { maxBytes, allocate = (size) => new Uint8Array(size), shareLoads = true } = options
  const entries = new Map<string, Uint8Array>() // the least recently used entry first
  const loading = new Map<string, Promise<Uint8Array>>() // loads that have not ended
  let usedBytes = 0 // of all entries

  return { get, forget, bytes: () => usedBytes }

  async function get(key: string, load: () => Promise<CacheSource>): Promise<Uint8Array> {
    const cached = entries.get(key)
    if (cached !== undefined) {
      entries.delete(key)
      entries.set(key, cached)
      return cached
    }
    const sharedLoad = loading.get(key)
    if (sharedLoad !== undefined) return sharedLoad
    const ownLoad = read(load).finally(() => loading.delete(key))
    if (shareLoads) loading.set(key, ownLoad)
    const bytes = await ownLoad
    keep(key, bytes)
    return bytes
  }

  async function read(load: () => Promise<CacheSource>): Promise<Uint8Array> {
    const source = await load()
    const bytes = allocate(source.size)
    if (source.readInto !== undefined) {
      await source.readInto(bytes)
      return bytes
    }
    let offset = 0
    for await (const chunk of source.stream()) {
      if (offset + chunk.length <= bytes.length) bytes.set(chunk, offset)
      offset += chunk.length
    }
    // A truncated file must not be cached as a complete one.
    if (offset !== bytes.length) throw new AppError('storage.blobs')
    return bytes
  }

  function keep(key: string, bytes: Uint8Array): void {
    if (bytes.length > maxBytes || entries.has(key)) return
    entries.set(key, bytes)
    usedBytes += bytes.length
    for (const oldest of entries.keys()) {
      if (usedBytes <= maxBytes) break
      forget(oldest)
    }
  }

  function forget(key: string): void {
    usedBytes -= entries.get(key)?.length ?? 0
    entries.delete(key)
  }
}
