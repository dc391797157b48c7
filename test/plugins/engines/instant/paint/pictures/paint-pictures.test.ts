import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../../origin/codec.ts'
import { loadWebpEncoder } from '../../../../../../origin/webp.ts'
import { filledBox, type Page, straightLine } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import {
  type PagePictureFormat,
  type PagePictureOptions,
  picturePainter,
} from '../../../../../../plugins/engines/instant/paint/pictures/paint-pictures.ts'
import { loadJpegCodec } from '../../../../../../shared/images/jpeg-codec.ts'
import type { Warning } from '../../../../../../shared/plugin/values.ts'
import { pageOf, textAt } from '../../../../../helpers/instant-fonts.ts'

const [jpeg, encodeWebp] = await Promise.all([loadJpegCodec(), loadWebpEncoder()])
const plain = pageOf([textAt(10, 40, 'In black', { size: 20 })], 200, 100)
const coloured = pageOf([filledBox(20, 20, 100, 50, 0xcc2200), textAt(30, 50, 'In red')], 200, 100)
const wide = pageOf([straightLine(10, 10, 380, 0, { colour: 0, width: 2 })], 400, 100)
const pages: readonly Page[] = [plain, coloured, wide]

function draw(
  to: PagePictureFormat,
  options: PagePictureOptions = {},
  of = pages,
  warnings: Warning[] = [],
  maxPixels = 32_000_000,
) {
  const paint = picturePainter({
    ...{ to, options, from: 'docx', title: 'The engine', jpeg, encodeWebp, maxPixels },
    check: () => undefined,
  })
  return paint(of, { codec: nodeCodec, warn: (warning) => void warnings.push(warning) })
}
const facts = async (file: Uint8Array | undefined) => {
  const { format, width, height, channels, density, isProgressive, hasAlpha } = await sharp(file).metadata()
  return { format, width, height, channels, density, isProgressive, hasAlpha }
}
const pixels = (file: Uint8Array | undefined) =>
  sharp(file).toColourspace('srgb').removeAlpha().raw().toBuffer()

describe('sizes', () => {
  test.each<[string, PagePictureOptions, readonly [number, number][]]>([
    [
      '150 dots an inch',
      {},
      [
        [417, 208],
        [417, 208],
        [833, 208],
      ],
    ],
    [
      'a resolution',
      { Resolution: 72 },
      [
        [200, 100],
        [200, 100],
        [400, 100],
      ],
    ],
    [
      'a width',
      { PixelWidth: 100 },
      [
        [100, 50],
        [100, 50],
        [100, 25],
      ],
    ],
    [
      'a height',
      { PixelHeight: 100 },
      [
        [200, 100],
        [200, 100],
        [400, 100],
      ],
    ],
    [
      'both',
      { PixelWidth: 30, PixelHeight: 70 },
      [
        [30, 70],
        [30, 70],
        [30, 70],
      ],
    ],
    [
      'chosen pages, in their order',
      { Resolution: 72, PageRange: '3,1' },
      [
        [400, 100],
        [200, 100],
      ],
    ],
  ])('%s', async (_name, options, expected) => {
    const files = draw('png', options)
    const sizes = await Promise.all(files.map(facts))
    expect(sizes.map(({ width, height }) => [width, height])).toEqual(expected)
  })
  test('the resolution is recorded', async () => {
    expect((await facts(draw('png', { Resolution: 200 })[0])).density).toBe(200)
  })
  test('a page that would be too large is drawn smaller, with a warning', async () => {
    const warnings: Warning[] = []
    const huge = pageOf([], 20_000, 20_000)
    const [file] = draw('png', { Resolution: 300 }, [huge], warnings)
    const { width = 0, height = 0 } = await facts(file)
    expect(width * height).toBeLessThanOrEqual(32_000_000)
    expect(warnings.map(({ code }) => code)).toEqual(['convert.picture-reduced'])
  })
  test.each<PagePictureFormat>(['png', 'svg'])(
    'pictures that are too large together are refused: %s',
    (to) => {
      const many = Array.from({ length: 400 }, () => coloured)
      expect(() => draw(to, { Resolution: 72 }, many, [], 21_000)).toThrow(
        expect.objectContaining({ code: 'convert.document', message: expect.stringContaining('PageRange') }),
      )
    },
  )
  test.each<[string, PagePictureOptions]>([
    ['no such page', { PageRange: '7' }],
    ['too many pixels', { PixelWidth: 20_000, PixelHeight: 20_000 }],
  ])('%s is refused', (_name, options) =>
    expect(() => draw('png', options)).toThrow(expect.objectContaining({ code: 'convert.options' })),
  )
})

describe('files', () => {
  test.each<[PagePictureFormat, PagePictureOptions, object]>([
    ['png', {}, { format: 'png', channels: 1, hasAlpha: false, isProgressive: false }],
    ['png', { Translucent: 1 }, { format: 'png', channels: 2, hasAlpha: true }],
    ['png', { Interlaced: 1 }, { format: 'png', channels: 1, isProgressive: true }],
    ['jpg', { Quality: 80 }, { format: 'jpeg', channels: 3 }],
    ['webp', {}, { format: 'webp', channels: 3, hasAlpha: false }],
    ['webp', { Translucent: 1 }, { format: 'webp', channels: 4, hasAlpha: true }],
    ['svg', {}, { format: 'svg' }],
  ])('%s with %j', async (to, options, expected) => {
    expect(await facts(draw(to, options)[0])).toMatchObject(expected)
  })
  test.each<[string, PagePictureOptions]>([
    ['interlaced', { Interlaced: 1 }],
    ['compressed well', { Compression: 9 }],
  ])('a PNG that is %s has the same pixels', async (_name, options) => {
    const usual = draw('png', { Resolution: 71 })
    const other = draw('png', { Resolution: 71, ...options })
    expect(other).toHaveLength(3)
    for (const [index, file] of other.entries())
      expect((await pixels(file)).equals(await pixels(usual[index]))).toBe(true)
  })
  test.each<PagePictureFormat>(['jpg', 'webp'])('%s shows what PNG shows', async (to) => {
    const [png, other] = [await pixels(draw('png')[1]), await pixels(draw(to)[1])]
    const sum = png.reduce((total, value, at) => total + Math.abs(value - other[at]!), 0)
    expect(sum / png.length).toBeLessThan(4)
  })
  test('a lower quality makes a smaller JPEG', () => {
    expect(draw('jpg', { Quality: 20 })[1]!.length).toBeLessThan(draw('jpg', { Quality: 95 })[1]!.length)
  })
  test('grey', async () => {
    const { channels } = await facts(draw('png', { ColorMode: 1 })[1])
    expect(channels).toBe(1)
    const rgb = await pixels(draw('jpg', { ColorMode: 1 })[1])
    for (let at = 0; at < rgb.length; at += 999)
      expect(Math.abs(rgb[at]! - rgb[at + (at % 3 === 2 ? -1 : 1)]!)).toBeLessThan(3)
  })
  test('a translucent page keeps the colour of what is drawn', async () => {
    const raw = await sharp(draw('png', { Translucent: 1, Resolution: 72 })[1])
      .ensureAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer()
    const at = (x: number, y: number): number[] => [...raw.subarray((y * 200 + x) * 4, (y * 200 + x) * 4 + 4)]
    expect([at(5, 5)[3], at(110, 60)]).toEqual([0, [0xcc, 0x22, 0, 255]])
  })
  test('without an encoder WebP is refused with the reason', () => {
    const paint = picturePainter({
      to: 'webp',
      options: {},
      from: 'docx',
      title: 'The engine',
      maxPixels: 1_000_000,
      check: () => undefined,
    })
    expect(() => paint(pages, { codec: nodeCodec })).toThrow(
      expect.objectContaining({ code: 'convert.engine-off' }),
    )
  })
})
