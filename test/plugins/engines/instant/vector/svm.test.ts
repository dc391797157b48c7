import { describe, expect, it } from 'vitest'
import type { Placed } from '../../../../../plugins/engines/instant/layout/frame.ts'
import { readVector } from '../../../../../plugins/engines/instant/vector/read-vector.ts'
import type { VectorTools } from '../../../../../plugins/engines/instant/vector/vector.ts'
import { shippedBook } from '../../../../helpers/instant-fonts.ts'
import { pixels } from '../../../../helpers/vector-pixels.ts'

const tools: VectorTools = { fonts: shippedBook.forDocument(), check() {} }

const words = (...values: number[]): number[] => values.flatMap((value) => [value & 255, (value >> 8) & 255])
const longs = (...values: number[]): number[] => values.flatMap((value) => words(value, value >>> 16))
const letters = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0))
const structure = (version: number, bytes: readonly number[]): number[] => [
  ...words(version),
  ...longs(bytes.length),
  ...bytes,
]
/** Units of 1/100 mm, 8 in, scaled by `scale`. */
const mapping = (unit: number, scale = 1): number[] =>
  structure(1, [...words(unit), ...longs(0, 0, scale, 1, scale, 1), 1])

type RecordBytes = readonly [type: number, version: number, ...bytes: number[]]

/** A picture of 100 by 100 points. */
function svm(...records: RecordBytes[]): number[] {
  const body = records.flatMap(([type, version, ...bytes]) => [...words(type), ...structure(version, bytes)])
  const head = structure(1, [...longs(0), ...mapping(8), ...longs(100, 100), ...longs(records.length)])
  return [...letters('VCLMTF'), ...head, ...body]
}
const read = (...records: RecordBytes[]) => readVector(new Uint8Array(svm(...records)), tools)

const [red, blue, white] = [0xff0000, 0x0000ff, 0xffffff]
const fill = (colour: number): RecordBytes => [133, 1, ...longs(colour), 1]
const noLine: RecordBytes = [132, 1, ...longs(0), 0]
const box = (...edges: number[]): RecordBytes => [103, 1, ...longs(...edges)]
const polygon = (...points: number[]): number[] => [...words(points.length / 2), ...longs(...points)]
const font: RecordBytes = [
  138,
  3,
  ...structure(3, [
    ...words(4),
    ...letters('Lato'),
    ...words(0),
    ...longs(0, 20),
    ...words(1, 0, 0, 8, 0, 0, 0, 0, 0, 0),
    ...[0, 0, 0, 0],
  ]),
]
const text = (at: readonly [number, number], wide: string, ends: readonly number[] = []): RecordBytes => [
  ends.length === 0 ? 112 : 113,
  2,
  ...longs(...at),
  ...words(1),
  63,
  ...words(0, wide.length),
  ...(ends.length === 0 ? [] : longs(ends.length, ...ends)),
  ...words(wide.length, ...letters(wide)),
]

const pictures: readonly (readonly [
  name: string,
  records: readonly RecordBytes[],
  points: readonly (readonly [x: number, y: number, colour: number])[],
])[] = [
  [
    'boxes have the fill that was set, and none after it was unset',
    [noLine, fill(red), box(0, 0, 50, 50), [133, 1, ...longs(blue), 0], box(50, 50, 100, 100)],
    [
      [30, 30, red],
      [100, 100, white],
    ],
  ],
  [
    'a state that is restored brings back what its flags name',
    [
      noLine,
      fill(red),
      [139, 1, ...words(2)],
      fill(blue),
      [140, 1],
      box(0, 0, 50, 100),
      [139, 1, ...words(1)],
      fill(blue),
      [140, 1],
      box(50, 0, 100, 100),
    ],
    [
      [30, 30, red],
      [100, 30, blue],
    ],
  ],
  [
    'a later mapping scales what follows',
    [noLine, fill(red), [137, 1, ...mapping(8, 2)], box(25, 25, 50, 50)],
    [
      [40, 40, white],
      [80, 80, red],
      [120, 120, red],
    ],
  ],
  [
    'a mapping relative to the one before multiplies with it',
    [noLine, fill(red), [137, 1, ...mapping(8, 2)], [137, 1, ...mapping(13, 2)], box(12, 12, 25, 25)],
    [
      [40, 40, white],
      [120, 120, red],
    ],
  ],
  [
    'the overlap of polygons is empty',
    [
      noLine,
      fill(blue),
      [
        111,
        1,
        ...words(2),
        ...polygon(0, 0, 100, 0, 100, 100, 0, 100),
        ...polygon(25, 25, 75, 25, 75, 75, 25, 75),
      ],
    ],
    [
      [10, 10, blue],
      [66, 66, white],
    ],
  ],
  [
    'curves replace the straight lines of a polygon',
    [
      noLine,
      fill(red),
      [
        110,
        2,
        ...polygon(0, 100, 100, 100),
        1,
        ...structure(1, [...polygon(0, 100, 0, 0, 100, 0, 100, 100), 1, 0, 2, 2, 0]),
      ],
    ],
    [
      [66, 50, red],
      [10, 20, white],
    ],
  ],
  [
    'a clip hides what is outside of it until it is removed',
    [
      noLine,
      [139, 1, ...words(0x20)],
      [129, 1, ...longs(0, 0, 49, 100)],
      fill(red),
      box(0, 0, 100, 50),
      [140, 1],
      fill(blue),
      box(50, 50, 100, 100),
    ],
    [
      [30, 30, red],
      [100, 30, white],
      [100, 100, blue],
    ],
  ],
  [
    'transparent polygons let the paper through',
    [noLine, fill(blue), [142, 1, ...words(1), ...polygon(0, 0, 100, 0, 100, 100, 0, 100), ...words(50)]],
    [[50, 50, 0x7f7fff]],
  ],
]

describe('StarView metafiles', () => {
  it.each(pictures)('%s', (_, records, points) => {
    const picture = read(...records)!
    expect([...picture.ignored]).toEqual([])
    expect([picture.width, picture.height]).toEqual([100, 100])
    const drawn = pixels(picture)
    expect(points.map(([x, y]) => [x, y, drawn.at(x, y)])).toEqual(points)
  })

  it('have text in the font that was selected, with the places of its letters', () => {
    const { items, ignored } = read(font, [136, 1, ...words(1)], text([10, 50], 'Tail', [20, 30, 40, 50]))!
    expect([...ignored]).toEqual([])
    const runs = runsOf(items)
    expect(runs.map((run) => run.text).join('')).toBe('Tail')
    expect(runs.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(50, 3)
  })

  it('say what is not drawn, and go on behind a record that is cut off', () => {
    const picture = read(
      font,
      [113, 2, ...longs(0, 0)],
      [126, 1],
      [141, 1, ...words(4)],
      text([0, 0], 'End'),
    )!
    expect([...picture.ignored].sort()).toEqual(['hatch', 'raster operation', 'record'])
    expect(runsOf(picture.items).map((run) => run.text)).toEqual(['End'])
  })

  it('draw a picture within a picture in its box', () => {
    const inner = svm(noLine, fill(red), box(0, 0, 100, 100))
    const picture = read([147, 1, ...inner, ...longs(50, 50, 25, 25)])!
    expect([...picture.ignored]).toEqual(['transparency'])
    const drawn = pixels(picture)
    expect([drawn.at(60, 60), drawn.at(70, 70), drawn.at(98, 98), drawn.at(104, 104)]).toEqual([
      white,
      red,
      red,
      white,
    ])
  })

  it.each([
    ['cut off in its header', svm().slice(0, 30)],
    ['without a size', svm().map((byte, at) => (at >= 49 && at < 57 ? 0 : byte))],
  ])('that are %s are no pictures', (_, bytes) => {
    expect(readVector(new Uint8Array(bytes), tools)).toBeUndefined()
  })

  it('that declare more points and records than they hold are read to their end', () => {
    const bytes = svm(
      [111, 2, ...words(65_535, 65_535)],
      [110, 1, ...words(65_535)],
      [113, 1, ...longs(0, 0)],
    )
    const picture = readVector(
      new Uint8Array([...bytes.slice(0, 57), ...longs(0x7fffffff), ...bytes.slice(61)]),
      tools,
    )
    expect([picture?.items.length, ...(picture?.ignored ?? [])]).toEqual([0, 'record'])
  })
})

/** The runs of glyphs of all groups. */
function runsOf(items: readonly Placed[]): { readonly text: string; readonly width: number }[] {
  return items.flatMap(({ item }) =>
    item.kind === 'glyphs' ? [item.run] : item.kind === 'group' ? runsOf(item.frame.items) : [],
  )
}
