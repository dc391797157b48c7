import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { loadWebpDecoder } from '../../../../../origin/webp.ts'
import { decodePng, readPng } from '../../../../../plugins/engines/instant/images/png.ts'
import { decodeWebp } from '../../../../../plugins/engines/instant/images/webp.ts'

const decode = await loadWebpDecoder()
const load = (name: string): Uint8Array => readFileSync(`test/fixtures/images/lossless/${name}`)

/** Each pair holds the same pixels: two decoders of different formats agree on every one. */
test.each(['photo', 'clear', 'few', 'four', 'two', 'many', 'flat'])(
  '%s has the pixels of its PNG',
  (name) => {
    const expected = decodePng(readPng(load(`${name}.png`)), nodeCodec)
    expect(decodeWebp(load(`${name}.webp`), decode)).toEqual(expected)
  },
)

const red = { r: 255, g: 0, b: 0, alpha: 1 }
const clear = { r: 0, g: 0, b: 255, alpha: 0.25 }
const still = (background: typeof red) => sharp({ create: { width: 7, height: 5, channels: 4, background } })

/** Frames below each other, the first red and the second of a clear blue. */
async function animation(options: { lossless: boolean }, first = red): Promise<Uint8Array> {
  const frames = await Promise.all([first, clear].map((colour) => still(colour).raw().toBuffer()))
  const raw = { width: 7, height: 10, channels: 4 as const, pageHeight: 5 }
  return sharp(Buffer.concat(frames), { raw }).webp(options).toBuffer()
}

test.each([
  ['lossless', { lossless: true }],
  ['lossy', { lossless: false }],
])('the first frame of an animation is what is drawn: %s', async (_, options) => {
  const bytes = await animation(options)
  expect(Buffer.from(bytes).includes('ANMF')).toBe(true)
  const { width, height, rgb, alpha } = decodeWebp(bytes, decode)
  expect([width, height, rgb.length, alpha]).toEqual([7, 5, 105, undefined])
  expect(rgb[0]).toBeGreaterThan(240)
  expect(rgb[2]).toBeLessThan(20)
})

test('the first frame keeps its transparency', async () => {
  const { alpha } = decodeWebp(await animation({ lossless: false }, clear), decode)
  expect(alpha?.every((value) => Math.abs(value - 64) < 4)).toBe(true)
})

/** The position of the bytes that hold the size, for each kind of chunk. */
test.each([
  ['lossless', { lossless: true }, 'VP8L', 9],
  ['lossy', { lossless: false }, 'VP8 ', 14],
])('sizes are checked before anything is decoded: %s', async (_, options, chunk, offset) => {
  const bytes = new Uint8Array(await still(red).removeAlpha().webp(options).toBuffer())
  const at = Buffer.from(bytes).indexOf(chunk)
  bytes.fill(0xff, at + offset, at + offset + 4)
  const never = () => {
    throw new Error('The picture was decoded.')
  }
  expect(() => decodeWebp(bytes, never)).toThrow(expect.objectContaining({ code: 'image.too-large' }))
})

test('a picture without data is damaged', () => {
  expect(() => decodeWebp(load('flat.webp').subarray(0, 20), decode)).toThrow()
})
