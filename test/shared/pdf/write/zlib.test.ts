import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { pureCodec } from '../../../../edge/codec.ts'
import { nodeCodec } from '../../../../origin/codec.ts'
import { zlib } from '../../../../shared/pdf/write/zlib.ts'
import type { Codec } from '../../../../shared/plugin/values.ts'

/** Long runs of zeros between other bytes, of which the checksum takes a short way. */
const picture = Uint8Array.from({ length: 40_000 }, (_, at) =>
  at < 500 || (at > 20_000 && at < 21_000) ? at % 251 : 0,
)

const samples: readonly [string, Uint8Array][] = [
  ['nothing', new Uint8Array()],
  [
    'a content stream',
    new TextEncoder().encode('BT /F1 12 Tf 1 0 0 1 72 720 Tm [(Hello)]TJ ET\n'.repeat(400)),
  ],
  ['rows of zeros', new Uint8Array(50_000)],
  ['rows of zeros between others', picture],
  ['rows of zeros that begin at an odd address', picture.slice().subarray(1)],
  ['one byte among zeros', Uint8Array.from({ length: 7_600 }, (_, at) => (at === 5_001 ? 1 : 0))],
  ['bytes of the highest value', new Uint8Array(70_000).fill(255)],
  ['bytes of all kinds', Uint8Array.from({ length: 70_000 }, (_, at) => (at * at * 31) >> 3)],
]

/** The codec of the origin without what only it has. */
const { zlib: _, ...withoutZlib }: Codec = nodeCodec

it.each(samples)(
  'writes the same stream with and without a codec that makes it at once: %s',
  (_name, bytes) => {
    for (const effort of ['fast', 'best'] as const) {
      const stream = zlib(nodeCodec, bytes, effort)
      expect(stream).toEqual(zlib(withoutZlib, bytes, effort))
      // Streams are kept, so they must not hold on to the larger chunks of memory that Node writes into.
      expect(stream.buffer.byteLength).toBe(stream.byteLength)
    }
  },
)

it.each(samples)('writes a stream that zlib reads: %s', (_name, bytes) => {
  for (const codec of [nodeCodec, withoutZlib, pureCodec])
    expect(new Uint8Array(inflateSync(zlib(codec, bytes)))).toEqual(new Uint8Array(bytes))
})
