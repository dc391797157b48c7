import sharp, { type CreateRaw } from 'sharp'
import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../../origin/codec.ts'
import { readImage } from '../../../../../../plugins/engines/instant/images/read-image.ts'
import {
  type Frame,
  filledBox,
  type GradientFill,
  type GroupItem,
  type Path,
  type PathCommand,
  type Placed,
  straightLine,
} from '../../../../../../plugins/engines/instant/layout/frame.ts'
import { createRasterPainter } from '../../../../../../plugins/engines/instant/paint/raster/paint-raster.ts'
import { paintSvg } from '../../../../../../plugins/engines/instant/paint/svg/paint-svg.ts'
import type { AppError } from '../../../../../../shared/errors/app-error.ts'
import { loadJpegCodec } from '../../../../../../shared/images/jpeg-codec.ts'
import { pageOf, paint, rasterisePng, shippedFace, textAt } from '../../../../../helpers/instant-fonts.ts'

const jpeg = await loadJpegCodec()
const tools = (errors: AppError[] = []) => ({
  decoders: { codec: nodeCodec, jpeg },
  check: () => undefined,
  warnPicture: (error: AppError) => void errors.push(error),
})
const [width, height, dpi] = [200, 150, 144]
const size = { width: (width * dpi) / 72, height: (height * dpi) / 72 }

/** The pixels of a page, softened so that one pixel more or less does not count. */
const soft = async (input: Buffer, raw?: CreateRaw): Promise<Uint8Array> =>
  sharp(input, raw === undefined ? {} : { raw })
    .flatten({ background: '#fff' })
    .resize(size.width, size.height, { fit: 'fill' })
    .removeAlpha()
    .toColourspace('srgb')
    .blur(2)
    .raw()
    .toBuffer()

/** The mean and the greatest difference of two pictures, of 255. */
function difference(a: Uint8Array, b: Uint8Array): { mean: number; greatest: number } {
  let [sum, greatest] = [0, 0]
  for (const [at, value] of a.entries()) {
    const distance = Math.abs(value - b[at]!)
    sum += distance
    if (distance > greatest) greatest = distance
  }
  return { mean: sum / a.length, greatest }
}

const path = (commands: readonly PathCommand[], rest: Omit<Path, 'commands'>): Placed => ({
  x: 20,
  y: 20,
  item: { kind: 'shape', path: { commands, ...rest } },
})
const group = (items: readonly Placed[], rest: Partial<GroupItem>): Placed => ({
  x: 30,
  y: 20,
  item: { kind: 'group', frame: { width: 100, height: 80, items }, clip: false, ...rest },
})
const star: readonly PathCommand[] = [
  ['M', 60, 0],
  ['L', 96, 110],
  ['L', 2, 42],
  ['L', 118, 42],
  ['L', 24, 110],
  ['Z'],
]
const circle: readonly PathCommand[] = [
  ['M', 100, 50],
  ['C', 100, 77.6, 77.6, 100, 50, 100],
  ['C', 22.4, 100, 0, 77.6, 0, 50],
  ['C', 0, 22.4, 22.4, 0, 50, 0],
  ['C', 77.6, 0, 100, 22.4, 100, 50],
  ['Z'],
]
const solid = (colour: number, opacity?: number) =>
  ({ kind: 'solid', colour, ...(opacity !== undefined && { opacity }) }) as const
const gradient = (kind: GradientFill['kind']): GradientFill => ({
  kind,
  ...{ x1: 20, y1: 50, x2: 100, y2: 60 },
  stops: [
    { at: 0, colour: 0xff0000 },
    { at: 0.4, colour: 0xffff00 },
    { at: 1, colour: 0x0000ff },
  ],
})
const photo = async (format: 'png' | 'jpeg' | 'gif', alpha = false) => {
  const channels = alpha ? 4 : 3
  const [wide, high] = [640, 480]
  const pixels = new Uint8Array(wide * high * channels)
  for (let at = 0; at < pixels.length; at++) {
    const [x, y] = [Math.floor(at / channels) % wide, Math.floor(at / channels / wide)]
    const red = (x * 255) / wide
    pixels[at] = [red, (y * 255) / high, 255 - red, x < wide / 2 ? 255 : 128][at % channels]!
  }
  const raw = { raw: { width: wide, height: high, channels } } as const
  return readImage(await sharp(pixels, raw).toFormat(format).toBuffer())!
}
const picture = async (...args: Parameters<typeof photo>): Promise<Placed> => ({
  x: 25,
  y: 20,
  item: { kind: 'image', image: await photo(...args), width: 150, height: 100 },
})

const pages: readonly (readonly [string, readonly Placed[]])[] = [
  ['text', [textAt(10, 40, 'Hamburgefonts', { size: 24 }), textAt(10, 80, 'Ærøskøbing, 5 €', { size: 14 })]],
  [
    'synthetic styles',
    [
      textAt(10, 60, 'Both', {
        size: 40,
        face: { ...shippedFace('Arial'), synthetic: { bold: true, slant: true, scaleX: 1 } },
      }),
    ],
  ],
  [
    'contours of text',
    [
      {
        ...textAt(10, 60, 'Line', { size: 40 }),
        item: { ...(textAt(0, 0, 'Line', { size: 40 }).item as object), outline: true } as Placed['item'],
      },
    ],
  ],
  [
    'boxes and rules',
    [
      filledBox(20, 20, 60.3, 40.7, 0x336699),
      straightLine(10, 100, 180, 0, { colour: 0xff0000, width: 0.25 }),
      straightLine(150, 10, 0, 130, { colour: 0, width: 3 }),
    ],
  ],
  ['a star by the nonzero rule', [path(star, { fill: solid(0x228833) })]],
  ['a star by the even-odd rule', [path(star, { fill: solid(0x228833), evenOdd: true })]],
  [
    'a stroke with round joins',
    [path(star, { stroke: { colour: 0x112233, width: 5, join: 'round', cap: 'round' } })],
  ],
  ['dashes', [path(circle, { stroke: { colour: 0, width: 4, dash: [12, 6], dashPhase: 5 } })]],
  ['opacity', [filledBox(10, 10, 100, 100, 0x0000ff, 0.5), path(circle, { fill: solid(0xff0000, 0.5) })]],
  ['a linear gradient', [path(circle, { fill: gradient('linear') })]],
  ['a radial gradient', [path(star, { fill: gradient('radial') })]],
  [
    'tiles',
    [
      path(circle, {
        fill: {
          kind: 'tiles',
          x: 3,
          y: 5,
          tile: { width: 12, height: 10, items: [filledBox(0, 0, 6, 5, 0x994400)] },
        },
      }),
    ],
  ],
  [
    'a transform',
    [
      group([filledBox(0, 0, 60, 30, 0xaa0000), textAt(5, 20, 'Turned')], {
        transform: [0.866, 0.5, -0.5, 0.866, 40, 0],
      }),
    ],
  ],
  [
    'a mirrored stroke',
    [group([path(star, { stroke: { colour: 0, width: 6 } })], { transform: [-1, 0, 0, 1, 140, -20] })],
  ],
  ['a clip', [group([path(star, { fill: solid(0x550055) })], { clip: true })]],
  [
    'a clip by a path, within a clip',
    [
      group([group([filledBox(-50, -50, 300, 300, 0x005500)], { clip: true, clipPath: circle })], {
        clip: true,
      }),
    ],
  ],
  ['a group of half opacity', [group([filledBox(0, 0, 80, 60, 0x000000)], { opacity: 0.5 })]],
  [
    'a mask',
    [
      group([filledBox(0, 0, 100, 80, 0xcc0000)], {
        mask: [path(circle, { fill: solid(0xffffff) }), filledBox(0, 0, 40, 80, 0x808080)],
      }),
    ],
  ],
  ['a PNG', [await picture('png')]],
  ['a PNG with alpha', [filledBox(60, 40, 60, 60, 0), await picture('png', true)]],
  ['a JPEG', [await picture('jpeg')]],
  ['a GIF', [await picture('gif')]],
]

describe('a page of pixels looks like the page of a PDF', () => {
  test.each(pages)('%s', async (name, items) => {
    const frame: Frame = { width, height, items }
    const viewer = await soft(rasterisePng(paint([pageOf(items, width, height)]), dpi))
    const { pixels } = createRasterPainter(tools())(frame, size)
    const drawn = await soft(Buffer.from(pixels.buffer), { ...size, channels: 4 })
    const { mean, greatest } = difference(drawn, viewer)
    // Poppler draws tiles and pictures up to a pixel larger.
    const isTiled = name === 'tiles'
    expect(mean).toBeLessThan(isTiled ? 3 : 1.5)
    expect(greatest).toBeLessThan(isTiled ? 150 : /^a (?:PNG|JPEG|GIF)/.test(name) ? 90 : 60)
    const svg = await soft(Buffer.from(paintSvg(frame, tools())))
    expect(difference(svg, viewer).mean).toBeLessThan(isTiled ? 3 : 1.5)
  })
})

describe('pictures', () => {
  const paintOne = (items: readonly Placed[], errors: AppError[] = []) =>
    createRasterPainter(tools(errors))({ width, height, items }, size).pixels
  const at = (pixels: Uint8ClampedArray, x: number, y: number): number[] => [
    ...pixels.subarray((Math.round(y * 2) * size.width + Math.round(x * 2)) * 4).subarray(0, 3),
  ]
  test('a crop shows its part of the picture in the box', async () => {
    const image = await photo('png')
    const crop = { left: 0.5, top: 0, right: 0, bottom: 0 }
    const pixels = paintOne([{ x: 0, y: 0, item: { kind: 'image', image, width: 100, height: 100, crop } }])
    const [red = 0] = at(pixels, 2, 50)
    expect(red).toBeGreaterThan(120)
    expect(red).toBeLessThan(140)
    expect(at(pixels, 110, 50)).toEqual([255, 255, 255])
  })
  test('a damaged picture is a crossed box, reported once', async () => {
    const image = await photo('jpeg')
    const broken = { ...image, bytes: image.bytes.subarray(0, 200) }
    const item = { kind: 'image', image: broken, width: 50, height: 50 } as const
    const errors: AppError[] = []
    const pixels = paintOne(
      [
        { x: 10, y: 10, item },
        { x: 80, y: 10, item },
      ],
      errors,
    )
    expect(errors.map(({ code }) => code)).toEqual(['image.damaged'])
    expect(at(pixels, 35, 35)[0]).toBeLessThan(250)
  })
  test.each<[string, object, readonly number[]]>([
    ['grey', { kind: 'grey' }, [151, 151, 151]],
    ['inverted', { kind: 'inverted' }, [155, 105, 55]],
    ['two tones', { kind: 'two-tone', threshold: 0.6 }, [0, 0, 0]],
    ['two colours', { kind: 'duotone', dark: '000000', light: '00FF00' }, [0, 151, 0]],
    ['brighter', { brightness: 0.2 }, [151, 201, 251]],
  ])('colours can be changed: %s', async (_name, adjust, expected) => {
    const one = sharp({
      create: { width: 4, height: 4, channels: 3, background: { r: 100, g: 150, b: 200 } },
    })
    const image = readImage(await one.png().toBuffer())!
    const adjusted = { ...image, adjust: { brightness: 0, contrast: 0, ...adjust } }
    const pixels = paintOne([{ x: 0, y: 0, item: { kind: 'image', image: adjusted, width: 50, height: 50 } }])
    for (const [channel, value] of at(pixels, 20, 20).entries())
      expect(Math.abs(value - expected[channel]!)).toBeLessThanOrEqual(12)
  })
})

describe('hostile pages', () => {
  const nested = (levels: number): Placed => {
    let item: Placed = filledBox(0, 0, 10, 10, 0)
    for (let level = 0; level < levels; level++) item = group([item], { clip: true, clipPath: circle })
    return item
  }
  test.each<[string, readonly Placed[]]>([
    ['groups nested deeper than any layout', [nested(1000)]],
    ['a stroke of no size', [path([['M', 0, 0]], { stroke: { colour: 0, width: 0 } })]],
    [
      'numbers that are none',
      [
        path(
          [
            ['M', Number.NaN, 0],
            ['L', 1, Number.NaN],
            ['C', 1, 2, Number.NaN, 4, 5, 6],
          ],
          { fill: solid(0), stroke: { colour: 0, width: Number.NaN } },
        ),
      ],
    ],
    ['a shape as large as can be', [path([['R', -1e300, -1e300, 2e300, 2e300]], { fill: solid(0) })]],
    [
      'a tile of no size',
      [path(star, { fill: { kind: 'tiles', x: 0, y: 0, tile: { width: 1e-9, height: 1e-9, items: [] } } })],
    ],
    [
      'a gradient of 10,000 stops',
      [
        path(star, {
          fill: {
            ...gradient('linear'),
            stops: Array.from({ length: 10_000 }, (_, at) => ({ at: at / 10_000, colour: at })),
          },
        }),
      ],
    ],
    [
      'a matrix without an inverse',
      [group([path(star, { fill: gradient('linear') })], { transform: [0, 0, 0, 0, 0, 0] })],
    ],
  ])('%s ends', (_name, items) => {
    const { pixels } = createRasterPainter(tools())({ width, height, items }, size)
    expect(pixels.length).toBe(size.width * size.height * 4)
    expect(paintSvg({ width, height, items }, tools()).length).toBeGreaterThan(0)
  })
  test('the time limit is checked while a page is painted', () => {
    const check = (): void => {
      throw new Error('late')
    }
    const items = [filledBox(0, 0, 10, 10, 0)]
    expect(() => createRasterPainter({ ...tools(), check })({ width, height, items }, size)).toThrow('late')
    expect(() => paintSvg({ width, height, items }, { ...tools(), check })).toThrow('late')
  })
})
