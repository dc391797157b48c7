import { describe, expect, test } from 'vitest'
import {
  CoverageBuffer,
  type PixelBox,
} from '../../../../../../plugins/engines/instant/paint/raster/coverage.ts'
import type { Contour } from '../../../../../../plugins/engines/instant/paint/raster/polygons.ts'

const buffer = new CoverageBuffer(() => undefined)

/** The coverage of polygons, row by row. */
function covered(
  polygons: readonly number[][],
  size: number,
  evenOdd = false,
  bounds?: PixelBox,
): number[][] {
  const rows = Array.from({ length: size }, () => Array<number>(size).fill(0))
  const contours: Contour[] = polygons.map((points) => ({ points, closed: true }))
  buffer.fill(
    contours,
    bounds ?? { left: 0, top: 0, right: size, bottom: size },
    evenOdd,
    (y, left, right, values) => {
      for (let x = left; x < right; x++) rows[y]![x] = values[x]!
    },
  )
  return rows
}
const box = (left: number, top: number, right: number, bottom: number): number[] => [
  ...[left, top, right, top],
  ...[right, bottom, left, bottom],
]
const reversed = (points: readonly number[]): number[] => {
  const out: number[] = []
  for (let at = points.length - 2; at >= 0; at -= 2) out.push(points[at]!, points[at + 1]!)
  return out
}

describe('coverage', () => {
  test.each<[string, number[][], number[][]]>([
    [
      'a whole pixel',
      [box(1, 1, 2, 2)],
      [
        [0, 0, 0],
        [0, 255, 0],
        [0, 0, 0],
      ],
    ],
    [
      'half a pixel on each side',
      [box(0.5, 1, 2.5, 2)],
      [
        [0, 0, 0],
        [128, 255, 128],
        [0, 0, 0],
      ],
    ],
    [
      'a quarter',
      [box(0.5, 0.5, 1, 1)],
      [
        [64, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
    ],
    [
      'half of it by a diagonal',
      [[0, 0, 1, 0, 0, 1]],
      [
        [128, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
    ],
    [
      'a diagonal over several pixels',
      [[0, 0, 3, 0, 3, 1]],
      [
        [43, 128, 213],
        [0, 0, 0],
        [0, 0, 0],
      ],
    ],
    [
      'what lies outside is cut off',
      [box(-5, -5, 1, 9)],
      [
        [255, 0, 0],
        [255, 0, 0],
        [255, 0, 0],
      ],
    ],
    [
      'overlaps count once',
      [box(0, 0, 2, 1), box(1, 0, 3, 1)],
      [
        [255, 255, 255],
        [0, 0, 0],
        [0, 0, 0],
      ],
    ],
    [
      'a hole that turns the other way',
      [box(0, 0, 3, 3), reversed(box(1, 1, 2, 2))],
      [
        [255, 255, 255],
        [255, 0, 255],
        [255, 255, 255],
      ],
    ],
    [
      'no area',
      [[0, 0, 3, 3]],
      [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
    ],
  ])('%s', (_name, polygons, expected) => {
    expect(covered(polygons, 3)).toEqual(expected)
    expect(covered(polygons.map(reversed), 3)).toEqual(expected)
  })
  test('even-odd', () => {
    expect(covered([box(0, 0, 3, 3), box(1, 1, 2, 2)], 3, true)).toEqual([
      [255, 255, 255],
      [255, 0, 255],
      [255, 255, 255],
    ])
  })
  test('the bounds cut, and what is left of them still counts', () => {
    const bounds = { left: 1, top: 1, right: 2, bottom: 3 }
    expect(covered([box(0, 0, 3, 3)], 3, false, bounds)).toEqual([
      [0, 0, 0],
      [0, 255, 0],
      [0, 255, 0],
    ])
  })
  test('a polygon with more cells than a strip is complete', () => {
    const size = 1500
    let [rows, sum] = [0, 0]
    const contours = [{ points: [0, 0, size, 0, size, size], closed: true }]
    buffer.fill(
      contours,
      { left: 0, top: 0, right: size, bottom: size },
      false,
      (_y, left, right, values) => {
        rows += 1
        for (let x = left; x < right; x++) sum += values[x]!
      },
    )
    expect(rows).toBe(size)
    expect(sum / 255 / (size * size)).toBeCloseTo(0.5, 4)
  })
  test.each([
    ['no numbers', [0, 0, Number.NaN, 1, 1, Number.NaN]],
    ['infinite', [0, 0, Number.POSITIVE_INFINITY, 0, 0, Number.NEGATIVE_INFINITY]],
    ['far away', [1e300, 1e300, -1e300, 1e300, 0, -1e300]],
  ])('coordinates that are %s end', (_name, points) => {
    for (const row of covered([points], 3)) for (const value of row) expect(value).toBeLessThanOrEqual(255)
  })
})

describe('work', () => {
  const stepsOf = (polygon: readonly number[], size: number): number => {
    let steps = 0
    const counted = new CoverageBuffer((more) => {
      steps += more
    })
    const bounds = { left: 0, top: 0, right: size, bottom: size }
    counted.fill([{ points: [...polygon], closed: true }], bounds, false, () => undefined)
    return steps
  }
  const zigzag = (edges: number, height: number): number[] =>
    Array.from({ length: edges }, (_, n) => [n % 100, n % 2 === 0 ? 0 : height]).flat()

  test('is counted for the pixels of a large area', () => {
    expect(stepsOf(box(0, 0, 2000, 2000), 2000)).toBeGreaterThanOrEqual(4000)
    expect(stepsOf(box(0, 0, 20, 20), 2000)).toBe(0)
  })

  test('is counted for the rows that edges cross', () => {
    expect(stepsOf(zigzag(20_000, 500), 500)).toBeGreaterThanOrEqual(10_000)
    expect(stepsOf(zigzag(20_000, 5), 500)).toBeLessThan(200)
  })

  test('ends where the deadline has passed', () => {
    const late = new CoverageBuffer(() => {
      throw new Error('late')
    })
    const contours = [{ points: zigzag(20_000, 500), closed: true }]
    const bounds = { left: 0, top: 0, right: 500, bottom: 500 }
    expect(() => late.fill(contours, bounds, false, () => undefined)).toThrow('late')
  })
})
