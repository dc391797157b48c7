import { deflateRawSync, deflateSync, inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../origin/codec.ts'

/** Around the pieces in which Node's zlib reserves its output. */
const sizes = [
  0, 1, 63, 64, 65, 250, 1000, 7930, 7931, 16_122, 16_383, 16_384, 16_385, 70_000, 1_048_576, 1_048_577,
]

/** Bytes of which `share` of 256 are not those of the period before. */
function bytesOf(size: number, share: number): Uint8Array {
  const bytes = new Uint8Array(size)
  for (let at = 0, seed = 1; at < size; at++) {
    seed = (seed * 69_069 + 1) >>> 0
    bytes[at] = seed >>> 24 < share ? seed >>> 16 : at % 97
  }
  return bytes
}

describe.each([
  ['repetitive', 4],
  ['incompressible', 256],
])('%s content', (_, share) => {
  test.each(sizes)('of %i bytes is compressed as by zlib with its own options, and comes back', (size) => {
    const bytes = bytesOf(size, share)
    const packed = nodeCodec.deflateRaw(bytes)
    expect(Buffer.compare(packed, deflateRawSync(bytes))).toBe(0)
    const stream = nodeCodec.zlib!(bytes, 'fast')
    // The header names the size of the window, which is smaller for short content.
    expect(Buffer.compare(stream.subarray(2), deflateSync(bytes, { level: 4 }).subarray(2))).toBe(0)
    expect(Buffer.compare(inflateSync(stream), bytes)).toBe(0)
    for (const maxBytes of [size, size + 1, 200_000_000])
      expect(Buffer.compare(nodeCodec.inflateRaw(packed, maxBytes), bytes)).toBe(0)
    if (size > 1) expect(() => nodeCodec.inflateRaw(packed, size - 1)).toThrow()
  })
  test('that is unpacked to its declared size reserves no more', () => {
    const bytes = bytesOf(300_000, share)
    expect(nodeCodec.inflateRaw(nodeCodec.deflateRaw(bytes), bytes.length).buffer.byteLength).toBe(300_000)
  })
})
