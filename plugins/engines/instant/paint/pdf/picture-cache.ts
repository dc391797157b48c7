import type { EncodedPicture } from './encode-picture.ts'

/**
 * Encoded pictures, kept for the next document that contains the same ones: the logo of a letterhead is in
 * every letter. The cache is bounded by bytes and drops the least recently used picture first. Complete sources
 * are compared, so one picture is never taken for another.
 */
export interface PictureCache {
  get(source: Uint8Array): EncodedPicture | undefined
  set(source: Uint8Array, picture: EncodedPicture): void
  readonly bytes: number
}

interface CachedPicture {
  readonly source: Uint8Array
  readonly picture: EncodedPicture
  readonly weight: number
}

/**
 * The fraction of the cache that one picture may occupy. A larger one is probably a photograph of one document
 * rather than a logo of many.
 */
const maxFraction = 0.25

export function createPictureCache(maxBytes = 8_000_000): PictureCache {
  const cache = new Map<string, CachedPicture>()
  let bytes = 0
  return {
    get(source) {
      const key = keyOf(source)
      const cached = cache.get(key)
      if (cached === undefined || !sameBytes(cached.source, source)) return undefined
      cache.delete(key)
      cache.set(key, cached)
      return cached.picture
    },
    set(source, picture) {
      const weight = source.length + picture.bytes.length + (picture.mask?.bytes.length ?? 0)
      if (weight > maxBytes * maxFraction) return
      const key = keyOf(source)
      bytes -= cache.get(key)?.weight ?? 0
      cache.delete(key)
      // Copy the source, since it may be a view into the bytes of the document.
      cache.set(key, { source: source.slice(), picture, weight })
      bytes += weight
      for (const [oldest, old] of cache) {
        if (bytes <= maxBytes) break
        cache.delete(oldest)
        bytes -= old.weight
      }
    },
    get bytes() {
      return bytes
    },
  }
}

const samples = 64

/** A key from the length and a sample of the bytes. Two different pictures with the same key replace each other. */
function keyOf(source: Uint8Array): string {
  let hash = 0
  const step = Math.max(1, Math.floor(source.length / samples))
  for (let at = source.length - 1; at >= 0; at -= step) hash = (Math.imul(hash, 31) + (source[at] ?? 0)) | 0
  return `${source.length} ${hash}`
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}
