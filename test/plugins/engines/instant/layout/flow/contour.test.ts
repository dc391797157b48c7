import { describe, expect, test } from 'vitest'
import {
  atHeight,
  contourOf,
  coversBox,
  nextBelow,
} from '../../../../../../plugins/engines/instant/layout/flow/contour.ts'

const diamond = [0.5, 0, 0, 0.5, 0.5, 1, 1, 0.5]
const distance = { top: 0, right: 5, bottom: 0, left: 10 }
const box = {
  left: 90,
  right: 205,
  top: 0,
  bottom: 100,
  side: 'both' as const,
  contour: contourOf(diamond, { x: 100, y: 0, width: 100, height: 100 }, distance),
}

describe('the outline that text follows', () => {
  test.each([
    ['at its tip', 0, 10, 130, 165],
    ['above the middle', 20, 30, 110, 185],
    ['in the middle', 40, 60, 90, 205],
    ['at its foot', 90, 100, 130, 165],
  ])('%s', (_, top, bottom, left, right) => {
    const at = atHeight(box, { top, bottom })
    expect([at?.left, at?.right]).toEqual([left, right])
  })
  test('leaves the height above and below free, also where the outline is smaller than the box', () => {
    expect(atHeight(box, { top: 100, bottom: 110 })).toBeUndefined()
    const low = contourOf([0, 0.5, 1, 0.5, 1, 1, 0, 1], { x: 0, y: 0, width: 100, height: 100 }, distance)
    expect(atHeight({ ...box, contour: low }, { top: 0, bottom: 20 })).toBeUndefined()
  })
  test('a box without one is as wide everywhere', () => {
    const { contour: _contour, ...plain } = box
    expect(atHeight(plain, { top: 0, bottom: 10 })).toBe(plain)
    expect(nextBelow(plain, { top: 0, bottom: 10 })).toBe(100)
    expect(nextBelow(box, { top: 0, bottom: 12 })).toBe(4)
  })
  test('an outline equal to the box has no effect', () => {
    expect(coversBox([0, 0, 0, 1, 1, 1, 1, 0])).toBe(true)
    expect(coversBox([0, 0, 0, 0.995, 1, 1, 1.01, 0])).toBe(true)
    expect(coversBox(diamond)).toBe(false)
    expect(coversBox([0, 0, 0, 1])).toBe(false)
  })
})
