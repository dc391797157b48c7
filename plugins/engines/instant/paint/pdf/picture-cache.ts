import type { Codec } from '../../../../../shared/plugin/contract.ts'
import type { EncodedPicture } from './encode-picture.ts'

/**
 * Pictures that were decoded and deflated, for the next document with the same ones: the logo of a letterhead comes with
 * every letter. Long-lived, bounded by bytes, least recently used first out. The whole source is compared, so that no
 * picture can pass for another.
 */
export interface PictureCache {
  get(source: Uint8Array, codec: Codec): EncodedPicture | undefined
  set(source: Uint8Array, codec: Codec, picture: EncodedPicture): void
  readonly bytes: number
}

interface Held {
  readonly source: Uint8Array
  readonly picture: EncodedPicture
  readonly weight: number
}

/** A picture larger than this is a photo of one document, not a logo of many. */
const maxShare = 0.25

export function createPictureCache(maxBytes = 8_000_000): PictureCache {
  const held = new Map<string, Held>()
  let bytes = 0
  const keyOf = (source: Uint8Array, codec: Codec) => `${source.length} ${codec.crc32(source)}`
  return {
    get(source, codec) {
      const key = keyOf(source, codec)
      const found = held.get(key)
      if (found === undefined || !sameBytes(found.source, source)) return undefined
      held.delete(key)
      held.set(key, found)
      return found.picture
    },
    set(source, codec, picture) {
      const weight = source.length + picture.bytes.length + (picture.mask?.bytes.length ?? 0)
      if (weight > maxBytes * maxShare) return
      const key = keyOf(source, codec)
      bytes -= held.get(key)?.weight ?? 0
      held.delete(key)
      // A copy: the source may be a view into a whole document.
      held.set(key, { source: source.slice(), picture, weight })
      bytes += weight
      for (const [oldest, old] of held) {
        if (bytes <= maxBytes) break
        held.delete(oldest)
        bytes -= old.weight
      }
    },
    get bytes() {
      return bytes
    },
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}
