import { describe, expect, it } from 'vitest'
import { changedAreas, type Pixels } from '../../../shared/images/changed-areas.ts'

/** A white picture with black rectangles: left, top, width, height in pixels. */
function picture(...boxes: readonly (readonly [number, number, number, number])[]): Pixels {
  const [width, height] = [80, 160]
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (const [left, top, wide, high] of boxes)
    for (let y = top; y < top + high; y++)
      for (let x = left; x < left + wide; x++) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
  return { data, width, height }
}

describe('changed places of a page', () => {
  it.each([
    ['nothing', picture([8, 8, 8, 8]), picture([8, 8, 8, 8]), []],
    ['a word', picture(), picture([8, 16, 14, 6]), [{ left: 0.1, top: 0.1, width: 0.2, height: 0.05 }]],
    ['a word that goes', picture([0, 0, 3, 3]), picture(), [{ left: 0, top: 0, width: 0.1, height: 0.05 }]],
    [
      'words close to each other are one place',
      picture(),
      picture([0, 0, 8, 8], [16, 0, 8, 8]),
      [{ left: 0, top: 0, width: 0.3, height: 0.05 }],
    ],
    [
      'words far from each other are two',
      picture(),
      picture([0, 0, 8, 8], [72, 152, 8, 8]),
      [
        { left: 0, top: 0, width: 0.1, height: 0.05 },
        { left: 0.9, top: 0.95, width: 0.1, height: 0.05 },
      ],
    ],
    ['most of the page is no place', picture(), picture([0, 0, 80, 120]), []],
    ['another size', { ...picture(), width: 40, height: 320 }, picture([0, 0, 8, 8]), []],
  ])('%s', (_, before, after, areas) => {
    const round = (value: number) => Math.round(value * 1000) / 1000
    expect(
      changedAreas(before, after).map(({ left, top, width, height }) => ({
        ...{ left: round(left), top: round(top), width: round(width), height: round(height) },
      })),
    ).toEqual(areas)
  })
})
