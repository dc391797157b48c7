import { describe, expect, it } from 'vitest'
import { pureCodec } from '../../edge/codec.ts'

const megabyte = 1024 * 1024
const noise = Uint8Array.from({ length: 300_000 }, (_, n) => (Math.imul(n, 2654435761) >>> 13) & 255)

/** Packed by the runtime's own DEFLATE. */
async function packed(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
const same = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, at) => byte === b[at])

describe('codec of the Worker', () => {
  const contents: readonly (readonly [string, Uint8Array])[] = [
    ['nothing', new Uint8Array(0)],
    ['one byte', new Uint8Array([7])],
    ['noise', noise],
    ['6 MB of zeros', new Uint8Array(6 * megabyte)],
  ]
  for (const [name, bytes] of contents) {
    it(`unpacks ${name}, also when the limit is far away or met exactly`, async () => {
      const small = await packed(bytes)
      for (const limit of [bytes.length, bytes.length + 1, 64 * megabyte]) {
        expect(same(pureCodec.inflateRaw(small, limit), bytes)).toBe(true)
      }
    })
    it(`packs ${name} so that others can read it`, async () => {
      expect(same(await unpacked(pureCodec.deflateRaw(bytes)), bytes)).toBe(true)
    })
  }

  it.each([0, 1, 1000, 4 * megabyte, 5 * megabyte, 6 * megabyte - 1])(
    'ends at a limit of %i bytes',
    async (limit) => {
      const bomb = await packed(new Uint8Array(6 * megabyte))
      expect(() => pureCodec.inflateRaw(bomb, limit)).toThrow(
        expect.objectContaining({ code: 'package.too-large' }),
      )
    },
  )

  it.each([1000, 64 * megabyte])(
    'throws for what is no DEFLATE or ends too early (limit %i)',
    async (limit) => {
      expect(() => pureCodec.inflateRaw(new Uint8Array([255, 255, 255, 255]), limit)).toThrow()
      const whole = await packed(noise)
      expect(() => pureCodec.inflateRaw(whole.subarray(0, 500), limit)).toThrow()
    },
  )

  it('knows the checksum of ZIP', () => {
    expect(pureCodec.crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
  })
})
