import { expect, it } from 'vitest'
import { cornerRadiiOf, cornersOf } from '../../../../../../plugins/engines/instant/layout/web/corners.ts'
import { longhands } from '../../../../../../shared/css/declarations.ts'
import { ComputedStyle } from '../../../../../../shared/css/style.ts'

/** The radii of a box of 100 pt by 50 pt, clockwise from the top left corner. */
const corners = (value: string) => {
  const style = new ComputedStyle(new Map(longhands('border-radius', value)), new Map(), undefined)
  const radii = cornerRadiiOf(style)
  return (
    radii && cornersOf(radii, 100, 50).map(({ x, y }) => [x, y].map((one) => Math.round(one * 100) / 100))
  )
}

it.each([
  ['0', undefined],
  [
    '8px',
    [
      [6, 6],
      [6, 6],
      [6, 6],
      [6, 6],
    ],
  ],
  [
    '8px 8px 0 0',
    [
      [6, 6],
      [6, 6],
      [0, 0],
      [0, 0],
    ],
  ],
  [
    '50%',
    [
      [50, 25],
      [50, 25],
      [50, 25],
      [50, 25],
    ],
  ],
  [
    '4pt 8pt / 2pt 1pt',
    [
      [4, 2],
      [8, 1],
      [4, 2],
      [8, 1],
    ],
  ],
  [
    '999px',
    [
      [25, 25],
      [25, 25],
      [25, 25],
      [25, 25],
    ],
  ],
])('border-radius: %s', (value, expected) => {
  expect(corners(value)).toEqual(expected)
})
