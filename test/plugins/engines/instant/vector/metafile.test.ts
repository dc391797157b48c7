import { describe, expect, it } from 'vitest'
import { readVector } from '../../../../../plugins/engines/instant/vector/read-vector.ts'
import type { VectorTools } from '../../../../../plugins/engines/instant/vector/vector.ts'
import { shippedBook } from '../../../../helpers/instant-fonts.ts'
import { pixels } from '../../../../helpers/vector-pixels.ts'

const tools: VectorTools = { fonts: shippedBook.forDocument(), check() {} }
type Points = readonly (readonly [x: number, y: number, colour: number])[]

const words = (...values: number[]): number[] => values.flatMap((value) => [value & 255, (value >> 8) & 255])
const longs = (...values: number[]): number[] =>
  values.flatMap((value) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >>> 24) & 255])

/** A placeable metafile of 100 by 100 pixels at 96 dpi, of records of 16-bit words. */
function wmf(...records: (readonly [type: number, ...bytes: number[]])[]): Uint8Array {
  const body = [...records, [0] as const].flatMap(([type, ...bytes]) => [
    ...longs(3 + Math.ceil(bytes.length / 2)),
    ...words(type),
    ...bytes,
    ...(bytes.length % 2 === 1 ? [0] : []),
  ])
  const head = [...longs(0x9ac6cdd7), ...words(0, 0, 0, 100, 100, 96), ...longs(0), ...words(0)]
  return new Uint8Array([
    ...head,
    ...words(1, 9, 0x300),
    ...longs(0),
    ...words(10),
    ...longs(0),
    ...words(0),
    ...body,
  ])
}

/** The same as an enhanced metafile, of records of 32-bit words. */
function emf(...records: (readonly [type: number, ...bytes: number[]])[]): Uint8Array {
  const body = [...records, [14, ...longs(0, 0, 20)] as const].flatMap(([type, ...bytes]) => [
    ...longs(type, 8 + 4 * Math.ceil(bytes.length / 4)),
    ...bytes,
    ...Array(-bytes.length & 3).fill(0),
  ])
  // A device of 96 dots an inch: 960 of 254 millimetres.
  const head = longs(
    1,
    88,
    0,
    0,
    99,
    99,
    0,
    0,
    2646,
    2646,
    0x464d4520,
    0x10000,
    88 + body.length,
    9,
    1,
    0,
    0,
    0,
  )
  return new Uint8Array([...head, ...longs(960, 960, 254, 254), ...body])
}

/** A bitmap of 24 bits a pixel, rows from the top, colours as 0xRRGGBB. */
function dib(rows: readonly (readonly number[])[]): number[] {
  const width = rows[0]!.length
  const bits = [...rows].reverse().flatMap((row) => {
    const line = row.flatMap((colour) => [colour & 255, (colour >> 8) & 255, colour >> 16])
    return [...line, ...Array(-line.length & 3).fill(0)]
  })
  return [...longs(40, width, rows.length), ...words(1, 24), ...longs(0, bits.length, 0, 0, 0, 0), ...bits]
}

const [red, green, blue, white, black] = [0xff0000, 0x00ff00, 0x0000ff, 0xffffff, 0]
/** Colours in these files are blue, green, red. */
const bgr = (colour: number) => ((colour & 255) << 16) | (colour & 0xff00) | (colour >> 16)
const wmfBrush = (number: number, colour: number, style = 0, hatch = 0) =>
  [
    [0x02fc, ...words(style), ...longs(bgr(colour)), ...words(hatch)],
    [0x012d, ...words(number)],
  ] as const
const emfBrush = (number: number, colour: number, style = 0, hatch = 0) =>
  [
    [39, ...longs(number, style, bgr(colour), hatch)],
    [37, ...longs(number)],
  ] as const
const noPen = [37, ...longs(0x80000008)] as const
const box = (left: number, top: number, right: number, bottom: number) =>
  [43, ...longs(left, top, right, bottom)] as const
const patBlt = (operation: number, x: number, y: number, width: number, height: number) =>
  [0x061d, ...longs(operation), ...words(height, width, y, x)] as const
const dibBlt = (operation: number, source: readonly [number, number], bits: readonly number[], size = 2) =>
  [0x0940, ...longs(operation), ...words(source[1], source[0], size, size, 10, 10), ...bits] as const
const region = (mode: number, ...boxes: number[][]) =>
  [
    75,
    ...longs(
      32 + 16 * boxes.length,
      mode,
      32,
      1,
      boxes.length,
      16 * boxes.length,
      0,
      0,
      100,
      100,
      ...boxes.flat(),
    ),
  ] as const
const emfBlt = (operation: number, x: number, y: number, width: number, height: number) =>
  [
    76,
    ...longs(0, 0, 0, 0, x, y, width, height, operation, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  ] as const

/** Twenty dots by twenty: red and blue, blue and red. */
const checkered = dib(
  Array.from({ length: 20 }, (_, y) =>
    Array.from({ length: 20 }, (_, x) => (x < 10 === y < 10 ? red : blue)),
  ),
)

const half = (colour: number): number =>
  [16, 8, 0].reduce((sum, shift) => sum | (((((colour >> shift) & 255) + 255) >> 1) << shift), 0)

const pictures: readonly (readonly [string, Uint8Array, Points])[] = [
  [
    'a blit of the brush alone fills its box',
    wmf(...wmfBrush(0, red), patBlt(0xf00021, 10, 20, 30, 40), patBlt(0x42, 60, 20, 20, 20)),
    [
      [12, 22, red],
      [38, 58, red],
      [45, 40, white],
      [70, 30, black],
    ],
  ],
  [
    'a mask and what it leaves are one picture',
    // Magnified: two dots are 20 by 20 of the window.
    wmf(
      ...wmfBrush(0, green),
      patBlt(0xf00021, 0, 0, 100, 100),
      [0x020c, ...words(20, 20)],
      dibBlt(
        0x8800c6,
        [0, 0],
        dib([
          [black, white],
          [white, black],
        ]),
      ),
      dibBlt(
        0x660046,
        [0, 0],
        dib([
          [red, black],
          [black, blue],
        ]),
      ),
    ),
    [
      [52, 52, red],
      [57, 52, green],
      [52, 57, green],
      [57, 57, blue],
    ],
  ],
  [
    'a blit shows the part of the bitmap it begins at',
    wmf(
      [0x020c, ...words(20, 20)],
      dibBlt(
        0xcc0020,
        [1, 1],
        dib([
          [red, red, red],
          [red, green, blue],
          [red, blue, green],
        ]),
      ),
    ),
    [
      [52, 52, green],
      [58, 52, blue],
      [58, 58, green],
    ],
  ],
  [
    'letters of a Cyrillic font, and the colour behind them',
    wmf(
      [
        0x02fb,
        ...words(-40, 0, 0, 0, 400),
        0,
        0,
        0,
        204,
        0,
        0,
        0,
        0,
        ...[...'Arial\0'].map((letter) => letter.charCodeAt(0)),
      ],
      [0x012d, ...words(0)],
      [0x0201, ...longs(bgr(green))],
      [0x0102, ...words(2)],
      [0x0a32, ...words(20, 10, 2, 0), 0xcf, 0xcf],
    ),
    [
      // П is two posts and a bar.
      [15, 45, black],
      [24, 45, green],
      [24, 29, black],
      [90, 45, white],
    ],
  ],
  [
    'clips meet, and a box is left out',
    emf(
      noPen,
      ...emfBrush(1, red),
      [30, ...longs(0, 0, 60, 100)],
      [30, ...longs(20, 0, 100, 100)],
      [29, ...longs(30, 30, 50, 50)],
      box(0, 0, 100, 100),
    ),
    [
      [10, 50, white],
      [25, 50, red],
      [40, 40, white],
      [55, 80, red],
      [80, 50, white],
    ],
  ],
  [
    'a region of two boxes clips, and is forgotten with the state',
    emf(
      noPen,
      ...emfBrush(1, red),
      [33],
      region(5, [0, 0, 20, 20], [40, 40, 60, 60]),
      box(0, 0, 100, 100),
      [34, ...longs(-1)],
      ...emfBrush(2, blue),
      box(80, 80, 100, 100),
    ),
    [
      [10, 10, red],
      [30, 30, white],
      [50, 50, red],
      [90, 90, blue],
    ],
  ],
  [
    'hatches are lines on the colour behind',
    emf(noPen, [25, ...longs(bgr(green))], [18, ...longs(2)], ...emfBrush(1, red, 2, 0), box(0, 0, 100, 100)),
    [
      [50, 53, red],
      [50, 57, green],
      [50, 61, red],
    ],
  ],
  [
    'a brush of a bitmap is laid side by side',
    emf(
      noPen,
      [94, ...longs(1, 0, 32, 40, 72, 1200), ...checkered],
      [37, ...longs(1)],
      // Dots of the brush are dots of the device.
      [17, ...longs(1)],
      box(0, 0, 100, 100),
    ),
    [
      [5, 45, red],
      [15, 45, blue],
      [5, 55, blue],
    ],
  ],
  [
    'colours turned over twice show in what lies between',
    emf(
      noPen,
      ...emfBrush(1, red),
      emfBlt(0x5a0049, 10, 10, 60, 60),
      [20, ...longs(9)],
      [
        94,
        ...longs(2, 0, 32, 40, 72, 16),
        ...dib([
          [black, white],
          [white, black],
        ]),
      ],
      [37, ...longs(2)],
      box(20, 20, 50, 50),
      [20, ...longs(13)],
      [37, ...longs(1)],
      emfBlt(0x5a0049, 10, 10, 60, 60),
    ),
    [
      [15, 15, white],
      [35, 35, half(red)],
    ],
  ],
  [
    'colours pass over from side to side',
    emf([
      118,
      ...longs(0, 0, 99, 99, 2, 1, 1, 0, 0),
      ...words(0xff00, 0, 0, 0),
      ...longs(100, 100),
      ...words(0, 0, 0xff00, 0),
      ...longs(0, 1),
    ]),
    [
      [50, 3, 0xf70007],
      [50, 97, 0x0700f7],
    ],
  ],
  ['a lone dot', emf([15, ...longs(40, 40, bgr(red))]), [[40, 40, red]]],
]

describe('records of metafiles', () => {
  for (const [name, bytes, points] of pictures)
    it(name, () => {
      const picture = readVector(bytes, tools)!
      expect([...picture.ignored]).toEqual([])
      const page = pixels(picture)
      for (const [x, y, wanted] of points) {
        const found = page.at(x, y)
        const off = [16, 8, 0].map((shift) => Math.abs(((found >> shift) & 255) - ((wanted >> shift) & 255)))
        expect(Math.max(...off), `${x},${y} is ${found.toString(16)}`).toBeLessThan(40)
      }
    })

  it('a metafile within a metafile is the picture', () => {
    const inner = emf(noPen, ...emfBrush(1, blue), box(0, 0, 100, 100))
    const head = (size: number, rest: number) => [
      ...words(15, 34 + size),
      ...longs(0x43464d57, 1, 0x10000),
      ...words(0),
      ...longs(0, 2, size, rest, inner.length),
    ]
    const cut = 60
    const first = [0x0626, ...head(cut, inner.length - cut), ...inner.subarray(0, cut)] as const
    const second = [0x0626, ...head(inner.length - cut, 0), ...inner.subarray(cut)] as const
    const page = pixels(
      readVector(wmf(...wmfBrush(0, red), patBlt(0xf00021, 0, 0, 50, 50), first, second), tools)!,
    )
    expect(page.at(50, 50)).toBe(blue)
    // A piece is missing: the plain records are what there is.
    const plain = pixels(readVector(wmf(...wmfBrush(0, red), patBlt(0xf00021, 0, 0, 50, 50), first), tools)!)
    expect([plain.at(20, 20), plain.at(80, 80)]).toEqual([red, white])
  })

  it('letters are at the positions of the record', () => {
    const runs = (advances: number[]) => {
      const text = [...'AAAA'].flatMap((letter) => words(letter.charCodeAt(0)))
      const font = [
        82,
        ...longs(1, -20, 0, 0, 0, 400, 0, 0),
        ...[...'Arial'].flatMap((letter) => words(letter.charCodeAt(0))),
        ...Array(54).fill(0),
      ] as const
      const record = [
        84,
        ...longs(0, 0, 0, 0, 1, 0, 0, 10, 50, 4, 76, 0x100, 0, 0, 0, 0, 84),
        ...text,
        ...longs(...advances),
      ] as const
      const [item] = readVector(emf([font[0], ...font.slice(1)], [37, ...longs(1)], record), tools)!.items
      if (item?.item.kind !== 'group') throw new Error('no text')
      const shown = item.item.frame.items.flatMap(({ item: one }) =>
        one.kind === 'glyphs' ? [...Array.from(one.run.advances)] : [],
      )
      return shown.map((advance) => Math.round(10 * advance) / 10)
    }
    expect(runs([13, 14, 13, 14])).toEqual([13, 14, 13, 14])
    // Widths of a face that is twice as wide are spread evenly over these letters.
    expect(runs([20, 30, 20, 30])).toEqual([25, 25, 25, 25])
  })

  it('a record that ends too early costs itself alone', () => {
    const picture = readVector(
      emf(noPen, ...emfBrush(1, red), [81, ...longs(0, 0, 0)], box(0, 0, 100, 100)),
      tools,
    )!
    expect(pixels(picture).at(50, 50)).toBe(red)
    expect([...picture.ignored]).toEqual(['record'])
  })
})
