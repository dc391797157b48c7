import { constants, deflateRawSync } from 'node:zlib'

const chunkBytes = 4_000_000
let packedChunk: Uint8Array | undefined

/**
 * What `deflate` (RFC 1950) makes of so many zero bytes, without packing them all, which takes seconds for a gigabyte: bytes
 * that are packed up to a full flush can be repeated. The checksum of zeros follows from their number (RFC 1950, 9).
 */
export function packedZeros(length: number): Uint8Array {
  packedChunk ??= deflateRawSync(new Uint8Array(chunkBytes), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  })
  const chunks = Array<Uint8Array>(Math.floor(length / chunkBytes)).fill(packedChunk)
  const rest = deflateRawSync(new Uint8Array(length % chunkBytes), { level: 9 })
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE((length % 65_521) * 65_536 + 1)
  return new Uint8Array(Buffer.concat([Uint8Array.of(0x78, 0xda), ...chunks, rest, checksum]))
}
