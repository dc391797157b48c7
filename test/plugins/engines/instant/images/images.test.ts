import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadWebpDecoder } from '../../../../../origin/webp.ts'
import { readImage } from '../../../../../plugins/engines/instant/images/read-image.ts'
import {
  filledBox,
  type ImageItem,
  type Placed,
} from '../../../../../plugins/engines/instant/layout/frame.ts'
import { createPictureCache } from '../../../../../plugins/engines/instant/paint/pdf/paint-pdf.ts'
import type { DecodeWebp } from '../../../../../shared/plugin/contract.ts'
import type { Warning } from '../../../../../shared/plugin/values.ts'
import { inspect, pageOf, paint, rasterise } from '../../../../helpers/instant-fonts.ts'
import { processorTime } from '../../../../helpers/processor-time.ts'

/** All are 16 x 8: the left half red, then four columns of blue, then four of white or nothing. */
const folder = 'test/fixtures/images/'
const fixtures = readdirSync(folder).filter((file) => /\.(png|jpg|gif|bmp|webp)$/.test(file))
const load = (name: string): Uint8Array => readFileSync(folder + name)

const decodeWebp = await loadWebpDecoder()

const page = 204
const [red, blue, white] = [76, 29, 255]
const faintBlue = 117

/** Grey seen in the three parts on a page of grey 204. */
const seen: readonly [name: string, left: number, middle: number, right: number][] = [
  ['rgb.png', red, blue, white],
  ['rgba.png', red, faintBlue, page],
  ['interlaced.png', red, faintBlue, page],
  ['deep-alpha.png', red, faintBlue, page],
  ['keyed.png', red, blue, page],
  ['grey.png', red, blue, white],
  ['grey-alpha.png', red, faintBlue, page],
  ['palette.png', red, blue, white],
  ['palette-2-bit.png', red, blue, white],
  ['palette-clear.png', red, blue, page],
  ['rgb.jpg', red, blue, white],
  ['progressive.jpg', red, blue, white],
  ['grey.jpg', red, blue, white],
  ['plain.gif', red, blue, white],
  ['clear.gif', red, blue, page],
  ['rgb.bmp', red, blue, white],
  ['palette.bmp', red, blue, white],
  ['rle.bmp', red, blue, white],
  ['lossless.webp', red, faintBlue, page],
  ['lossy.webp', red, blue, white],
]

function drawn(
  bytes: Uint8Array,
  more: Partial<ImageItem> = {},
  decoder: DecodeWebp | 'none' = decodeWebp,
): { grey: (x: number, y: number) => number; warnings: Warning[]; pdf: Uint8Array } {
  const image = readImage(bytes)!
  const item: ImageItem = { kind: 'image', image, width: 160, height: 80, ...more }
  const items: Placed[] = [filledBox(0, 0, 200, 100, 0xcccccc), { x: 20, y: 10, item }]
  const warnings: Warning[] = []
  const pdf = paint([pageOf(items, 200, 100)], {
    ...(decoder !== 'none' && { decodeWebp: decoder }),
    warn: (warning) => warnings.push(warning),
  })
  const picture = rasterise(pdf)
  return { grey: (x, y) => picture.grey[y * picture.width + x]!, warnings, pdf }
}

describe('pictures', () => {
  test.each(seen)('%s', (name, left, middle, right) => {
    const { grey, warnings, pdf } = drawn(load(name))
    expect(warnings).toEqual([])
    expect(inspect(pdf, 'qpdf', ['--check', '{}'])).toContain('No syntax or stream encoding errors')
    for (const [x, expected] of [
      [60, left],
      [120, middle],
      [165, right],
    ] as const) {
      expect(Math.abs(grey(x, 50) - expected)).toBeLessThan(14)
    }
    expect(grey(10, 50)).toBe(page)
  })
  test.each(['cmyk.jpg', 'rgba.bmp', 'one-bit.png', 'one-bit.bmp'])('%s is drawn', (name) => {
    const { grey, warnings } = drawn(load(name))
    expect(warnings).toEqual([])
    expect(Math.abs(grey(60, 50) - page)).toBeGreaterThan(10)
  })
  test.each(['lossy.webp', 'lossless.webp'])('%s is a crossed box where no decoder is loaded', (name) => {
    const { grey, warnings } = drawn(load(name), {}, 'none')
    expect(warnings).toMatchObject([{ code: 'image.unsupported' }])
    expect(grey(100, 50)).toBeLessThan(page)
  })
  test('reads the size of every fixture', () => {
    for (const name of fixtures) {
      expect(readImage(load(name))).toMatchObject({ width: 16, height: 8 })
    }
  })
  test.each([
    ['rgb.png', 150],
    ['rgb.jpg', 72],
    ['rgb.bmp', 96],
    ['plain.gif', 96],
  ])('%s has %d dots an inch', (name, dpi) => expect(readImage(load(name))!.dpiX).toBeCloseTo(dpi, 0))
  test('can be cut on each side', () => {
    const { grey } = drawn(load('rgb.png'), { crop: { left: 0.5, top: 0, right: 0.25, bottom: 0 } })
    for (const x of [30, 100, 170]) expect(Math.abs(grey(x, 50) - blue)).toBeLessThan(20)
    expect(grey(10, 50)).toBe(page)
    expect(grey(190, 50)).toBe(page)
  })
  test('can be faint', () => {
    expect(Math.abs(drawn(load('rgb.png'), { opacity: 0.5 }).grey(60, 50) - (red + page) / 2)).toBeLessThan(
      10,
    )
  })
  test('are encoded once for many documents, to the same bytes', () => {
    const pictures = createPictureCache()
    const sheet = (bytes: Uint8Array, settings = {}) => {
      const item: ImageItem = { kind: 'image', image: readImage(bytes)!, width: 16, height: 8 }
      return paint([pageOf([{ x: 0, y: 0, item }])], settings)
    }
    const plain = sheet(load('rgba.png'))
    expect(sheet(load('rgba.png'), { pictures })).toEqual(plain)
    const held = pictures.bytes
    expect(held).toBeGreaterThan(0)
    expect(sheet(Uint8Array.from(load('rgba.png')), { pictures })).toEqual(plain)
    expect(pictures.bytes).toBe(held)
    expect(sheet(load('interlaced.png'), { pictures })).toEqual(sheet(load('interlaced.png')))
    // Pictures that are passed on unchanged need no memory.
    const before = pictures.bytes
    sheet(load('rgb.png'), { pictures })
    expect(pictures.bytes).toBe(before)
  })
  test('the cache of pictures stays within its bounds', () => {
    const pictures = createPictureCache(4_000)
    const picture = { dictionary: '', bytes: new Uint8Array(400), how: 'deflated', costly: true } as const
    const source = (value: number) => new Uint8Array(400).fill(value)
    for (let value = 0; value < 20; value++) pictures.set(source(value), picture)
    expect(pictures.bytes).toBeLessThanOrEqual(4_000)
    expect(pictures.get(source(19))).toBe(picture)
    expect(pictures.get(source(0))).toBeUndefined()
    const twin = source(19)
    twin[398] = 0 // a byte that the key does not look at
    expect(pictures.get(twin)).toBeUndefined()
    pictures.set(new Uint8Array(5_000), picture)
    expect(pictures.get(new Uint8Array(5_000))).toBeUndefined()
  })
  test('are written once however often they are shown', () => {
    const image = readImage(load('rgb.png'))!
    const item: ImageItem = { kind: 'image', image, width: 16, height: 8 }
    const sheet = (count: number) =>
      paint(Array.from({ length: count }, () => pageOf([{ x: 0, y: 0, item }])))
    expect(inspect(sheet(3), 'qpdf', ['--qdf', '{}', '-']).match(/\/Subtype \/Image/g)).toHaveLength(1)
  })
})

describe('bad pictures', () => {
  test.each([
    ['nothing', new Uint8Array(0)],
    ['text', new TextEncoder().encode('no picture')],
    ['a head without a size', load('rgb.png').subarray(0, 20)],
    ['a JPEG without a frame', Uint8Array.of(0xff, 0xd8, 0xff, 0xd9)],
    ['no pixels', Uint8Array.from(load('rgb.png')).fill(0, 16, 20)],
  ])('%s is not a picture', (_name, bytes) => expect(readImage(bytes)).toBeUndefined())

  test('one that claims to be huge is refused with a warning, and a box is drawn', () => {
    for (const name of ['rgb.png', 'interlaced.png']) {
      const bytes = Uint8Array.from(load(name))
      new DataView(bytes.buffer).setUint32(16, 60_000)
      new DataView(bytes.buffer).setUint32(20, 60_000)
      const { warnings, grey } = drawn(bytes)
      expect(warnings).toMatchObject([{ code: 'image.too-large' }])
      expect(grey(100, 50)).toBeLessThan(page)
    }
  })
  test.each(fixtures)('%s cut or changed anywhere ends quietly', (name) => {
    const original = load(name)
    const begun = process.cpuUsage()
    for (let round = 0; round < 60; round++) {
      const bytes = Uint8Array.from(
        original.subarray(0, original.length - (round % 3 ? 0 : Math.floor((round * original.length) / 60))),
      )
      for (let change = 0; change < round % 7; change++) {
        bytes[(round * 7919 + change * 104_729) % bytes.length] = (round * 31 + change * 17) & 255
      }
      const image = readImage(bytes)
      if (image === undefined) continue
      const warnings: Warning[] = []
      paint([pageOf([{ x: 0, y: 0, item: { kind: 'image', image, width: 16, height: 8 } }])], {
        decodeWebp,
        warn: (warning) => warnings.push(warning),
      })
      for (const { code } of warnings) expect(code).toMatch(/^image\./)
    }
    expect(processorTime(begun)).toBeLessThan(20_000)
  })
})
