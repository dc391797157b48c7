import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { nodeCodec } from '../../../origin/codec.ts'
import { type PngSamples, writePng } from '../../../shared/images/png.ts'
import { readPng } from '../../../shared/images/read-png.ts'

const [width, height] = [5, 4]
const data = Uint8Array.from({ length: width * height * 4 }, (_, at) =>
  at % 4 === 3 ? 255 : (at * 37) % 256,
)

it.each(['grey', 'grey-alpha', 'rgb', 'rgba'] as const)(
  'reads what is written: %s',
  (samples: PngSamples) => {
    const read = readPng(writePng(width, height, { kind: 'rgba', data, samples }), nodeCodec, 100)
    const expected = data.map((value, at) =>
      samples.startsWith('grey') && at % 4 < 3 ? (data[at - (at % 4)] ?? 0) : value,
    )
    expect([read?.width, read?.height, [...(read?.data ?? [])]]).toEqual([width, height, [...expected]])
  },
)
it('reads all filters, as another program writes them', async () => {
  const noise = Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, at) => (at * at + (at >> 3)) % 256))
  const raw = { width: 64, height: 64, channels: 3 } as const
  const file = await sharp(noise, { raw }).png({ adaptiveFiltering: true, palette: false }).toBuffer()
  const read = readPng(file, nodeCodec, 10_000)
  const colors = [...(read?.data ?? [])].filter((_, at) => at % 4 < 3)
  expect(colors).toEqual([...noise])
})
it.each([
  ['no PNG', new Uint8Array(40)],
  ['too short', new Uint8Array(3)],
  ['a palette', writePng(2, 2, { kind: 'palette', colors: [0, 1], data: new Uint8Array(4) })],
  ['interlaced', writePng(width, height, { kind: 'rgba', data }, { interlaced: true })],
  ['a size that lies', withSize(writePng(2, 2, { kind: 'rgba', data: data.subarray(0, 16) }), 4_000_000_000)],
  ['fewer rows than it says', withSize(writePng(2, 2, { kind: 'rgba', data: data.subarray(0, 16) }), 9)],
])('refuses %s', (_, file) => {
  expect(readPng(file, { ...nodeCodec, deflateRaw: (bytes) => deflateSync(bytes) }, 100)).toBeUndefined()
})

/** The same file, with another height in its header. */
function withSize(file: Uint8Array, high: number): Uint8Array {
  const changed = Uint8Array.from(file)
  new DataView(changed.buffer).setUint32(20, high)
  return changed
}
