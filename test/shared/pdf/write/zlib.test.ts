import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { pureCodec } from '../../../../edge/codec.ts'
import { nodeCodec } from '../../../../origin/codec.ts'
import { zlib } from '../../../../shared/pdf/write/zlib.ts'
import type { Codec } from '../../../../shared/plugin/values.ts'

const samples: readonly [string, Uint8Array][] = [
  ['nothing', new Uint8Array()],
  [
    'a content stream',
    new TextEncoder().encode('BT /F1 12 Tf 1 0 0 1 72 720 Tm [(Hello)]TJ ET\n'.repeat(400)),
  ],
  ['rows of zeros', new Uint8Array(50_000)],
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
  for (const codec of [nodeCodec, pureCodec])
    expect(new Uint8Array(inflateSync(zlib(codec, bytes)))).toEqual(bytes)
})
