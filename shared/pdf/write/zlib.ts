import type { Codec } from '../../plugin/values.ts'

/** Compresses bytes to a zlib stream (RFC 1950), the format of FlateDecode. */
export function zlib(codec: Codec, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const body = codec.deflateRaw(bytes, 'fast')
  const out = new Uint8Array(body.length + 6)
  out[0] = 0x78
  out[1] = 0x9c
  out.set(body, 2)
  new DataView(out.buffer).setUint32(body.length + 2, adler32(bytes))
  return out
}

/** The checksum of RFC 1950. Sums are reduced before they could leave 32 bits. */
function adler32(bytes: Uint8Array): number {
  let a = 1
  let b = 0
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(at + 3800, bytes.length)
    for (; at < end; at++) {
      a += bytes[at] ?? 0
      b += a
    }
    a %= 65521
    b %= 65521
  }
  return ((b << 16) | a) >>> 0
}
