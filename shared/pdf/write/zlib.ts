import type { Codec } from '../../plugin/values.ts'

/** Deflate with a window of 32 KB, of the default level. */
const header = [0x78, 0x9c]

/** Compresses bytes to a zlib stream (RFC 1950), the format of FlateDecode. */
export function zlib(
  codec: Codec,
  bytes: Uint8Array,
  effort: 'fast' | 'best' = 'fast',
): Uint8Array<ArrayBuffer> {
  const codecEffort = effort === 'fast' ? effort : undefined
  if (codec.zlib !== undefined) {
    const stream = codec.zlib(bytes, codecEffort)
    // The header names the level, which has no effect on reading. With one header for all, every host writes the same bytes.
    stream.set(header)
    return stream
  }
  const body = codec.deflateRaw(bytes, codecEffort)
  const out = new Uint8Array(body.length + 6)
  out.set(header)
  out.set(body, 2)
  new DataView(out.buffer).setUint32(body.length + 2, adler32(bytes))
  return out
}

/** The checksum of RFC 1950. The sums are reduced before they exceed 32 bits. */
function adler32(bytes: Uint8Array): number {
  let a = 1
  let b = 0
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(at + 3800, bytes.length)
    const isZero = end - at === 3800 && bytes[at] === 0 && isAllZero(bytes, at)
    if (isZero) {
      // Pictures contain long runs of zeros, which do not change the first sum.
      b += 3800 * a
      at = end
    }
    for (; at < end; at++) {
      a += bytes[at] ?? 0
      b += a
    }
    a %= 65521
    b %= 65521
  }
  return ((b << 16) | a) >>> 0
}

/** Whether the 3,800 bytes from `from` on are zero. Reads words if the bytes are aligned. */
function isAllZero(bytes: Uint8Array, from: number): boolean {
  let at = from
  const end = from + 3800
  for (; (bytes.byteOffset + at) % 4 !== 0; at++) if (bytes[at] !== 0) return false
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + at, Math.floor((end - at) / 4))
  for (const word of words) if (word !== 0) return false
  for (at += words.byteLength; at < end; at++) if (bytes[at] !== 0) return false
  return true
}
