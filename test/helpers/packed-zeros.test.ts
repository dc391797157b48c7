import { deflateSync, inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { packedZeros } from './packed-zeros.ts'

it.each([0, 1, 70_000, 4_000_000, 9_000_001])(
  '%i bytes come out again, and the checksum is right',
  (length) => {
    const packed = packedZeros(length)
    expect(inflateSync(packed)).toEqual(Buffer.alloc(length))
    expect(packed.length).toBeLessThan(deflateSync(new Uint8Array(length), { level: 9 }).length * 1.1 + 20)
  },
)
