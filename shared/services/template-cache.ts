import { AppError } from '../errors/app-error.ts'

/**
 * Template bytes in memory, the most recently used ones up to a number of bytes. Blob keys never change their content,
 * so nothing here is ever stale. `allocate` lets a side choose memory that its merge workers can see without a copy.
 */
export interface TemplateCache {
  /** The bytes under a key; `load` gives them when they are not here. One load serves all who ask meanwhile. */
  get(key: string, load: () => Promise<CacheSource>): Promise<Uint8Array>
  forget(key: string): void
  readonly bytes: () => number
}
export interface CacheSource {
  readonly size: number
  stream(): ReadableStream<Uint8Array>
  readInto?(target: Uint8Array): Promise<void>
}

export function createTemplateCache(options: {
  readonly maxBytes: number
  readonly allocate?: (size: number) => Uint8Array
  /** False where a request must not wait for what another one reads: in a Worker that ends with the other request. */
  readonly shareLoads?: boolean
}): TemplateCache {
  const { maxBytes, allocate = (size) => new Uint8Array(size), shareLoads = true } = options
  const kept = new Map<string, Uint8Array>()
  const loading = new Map<string, Promise<Uint8Array>>()
  let used = 0

  return { get, forget, bytes: () => used }

  async function get(key: string, load: () => Promise<CacheSource>): Promise<Uint8Array> {
    const known = kept.get(key)
    if (known !== undefined) {
      kept.delete(key)
      kept.set(key, known)
      return known
    }
    const under = loading.get(key)
    if (under !== undefined) return under
    const started = read(load).finally(() => loading.delete(key))
    if (shareLoads) loading.set(key, started)
    const bytes = await started
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
    let at = 0
    for await (const chunk of source.stream()) {
      if (at + chunk.length <= bytes.length) bytes.set(chunk, at)
      at += chunk.length
    }
    // Half a template must not be kept as a whole one.
    if (at !== bytes.length) throw new AppError('storage.blobs')
    return bytes
  }

  function keep(key: string, bytes: Uint8Array): void {
    if (bytes.length > maxBytes || kept.has(key)) return
    kept.set(key, bytes)
    used += bytes.length
    for (const oldest of kept.keys()) {
      if (used <= maxBytes) break
      forget(oldest)
    }
  }

  function forget(key: string): void {
    used -= kept.get(key)?.length ?? 0
    kept.delete(key)
  }
}
