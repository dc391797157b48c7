import { describe, expect, test } from 'vitest'
import type { Contour } from '../../../../../../plugins/engines/instant/paint/raster/polygons.ts'
import { strokePolygons } from '../../../../../../plugins/engines/instant/paint/raster/stroke.ts'

const line: Contour = { points: [0, 0, 10, 0], closed: false }
const corner: Contour = { points: [0, 0, 10, 0, 10, 10], closed: false }
const square: Contour = { points: [0, 0, 10, 0, 10, 10, 0, 10], closed: true }

const areaOf = ({ points }: Contour): number => {
  let area = 0
  for (let at = 0; at < points.length; at += 2) {
    const next = (at + 2) % points.length
    area += points[at]! * points[next + 1]! - points[next]! * points[at + 1]!
  }
  return area / 2
}
const extentOf = (contours: readonly Contour[]): number[] => {
  const xs = contours.flatMap(({ points }) => points.filter((_, at) => at % 2 === 0))
  const ys = contours.flatMap(({ points }) => points.filter((_, at) => at % 2 === 1))
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].map(
    (value) => Math.round(value * 1000) / 1000,
  )
}

describe('strokes', () => {
  test.each<[string, Contour, Parameters<typeof strokePolygons>[1], number[]]>([
    ['a line', line, { width: 2 }, [0, -1, 10, 1]],
    ['square caps', line, { width: 2, cap: 'square' }, [-1, -1, 11, 1]],
    ['round caps', line, { width: 2, cap: 'round' }, [-1, -1, 11, 1]],
    ['a miter', corner, { width: 2 }, [0, -1, 11, 10]],
    ['a bevel', corner, { width: 2, join: 'bevel' }, [0, -1, 11, 10]],
    ['a closed path', square, { width: 2 }, [-1, -1, 11, 11]],
    ['a point with round caps', { points: [5, 5], closed: false }, { width: 2, cap: 'round' }, [4, 4, 6, 6]],
    [
      'a sharp corner, whose miter is cut',
      { points: [0, 0, 10, 0, 0, 0.5], closed: false },
      { width: 1 },
      [-0.025, -0.5, 10.025, 0.999],
    ],
  ])('%s reaches as far as it should', (_name, contour, stroke, expected) => {
    const polygons = strokePolygons([contour], stroke, 0.01)
    for (const [side, value] of extentOf(polygons).entries()) expect(value).toBeCloseTo(expected[side]!, 1)
    for (const polygon of polygons) expect(areaOf(polygon)).toBeGreaterThanOrEqual(0)
  })
  test('the miter of a right angle reaches the corner, a bevel does not', () => {
    const tip = (join: 'miter' | 'bevel'): boolean =>
      strokePolygons([corner], { width: 2, join }, 0.01).some(({ points }) =>
        points.some(
          (x, at) => at % 2 === 0 && Math.abs(x - 11) < 1e-9 && Math.abs(points[at + 1]! + 1) < 1e-9,
        ),
      )
    expect([tip('miter'), tip('bevel')]).toEqual([true, false])
  })
  test.each<[string, number[], number, number[][]]>([
    [
      'from the start',
      [2, 3],
      0,
      [
        [0, 2],
        [5, 7],
      ],
    ],
    [
      'with a phase',
      [2, 3],
      1,
      [
        [0, 1],
        [4, 6],
        [9, 10],
      ],
    ],
    [
      'of odd length, used twice',
      [4],
      0,
      [
        [0, 4],
        [8, 10],
      ],
    ],
    [
      'with a gap of nothing',
      [2, 0, 1, 4],
      0,
      [
        [0, 3],
        [7, 10],
      ],
    ],
  ])('a dash pattern %s', (_name, dash, dashPhase, expected) => {
    const pieces = strokePolygons([line], { width: 1, dash, dashPhase }, 0.01).map((piece) => {
      const [left = 0, , right = 0] = extentOf([piece])
      return [left, right]
    })
    const joined: number[][] = []
    for (const [left = 0, right = 0] of pieces) {
      const last = joined.at(-1)
      if (last !== undefined && last[1] === left) last[1] = right
      else joined.push([left, right])
    }
    expect(joined).toEqual(expected)
  })
  test.each([
    ['negative', [-1, 2]],
    ['nothing', [0, 0]],
    ['endless', [Number.POSITIVE_INFINITY]],
    ['too fine', [1e-9, 1e-9]],
  ])('a dash pattern that is %s is a solid line', (_name, dash) =>
    expect(strokePolygons([line], { width: 1, dash }, 0.01)).toHaveLength(1),
  )
})
