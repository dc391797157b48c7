import { describe, expect, test } from 'vitest'
import { textRectangle } from '../../../../../../plugins/engines/instant/layout/drawing/text-rectangle.ts'

const insetsOf = (name: string, adjust: Readonly<Record<string, number>> = {}) =>
  textRectangle({ kind: 'preset', name, adjust: new Map(Object.entries(adjust)) }, 150, 90)

describe('where text stands in a shape of 150 by 90 pt', () => {
  // Left and top as measured in LibreOffice 7.4 on the same shapes.
  for (const [name, left, top] of [
    ['ellipse', 22, 13.2],
    ['diamond', 37.5, 22.5],
    ['roundRect', 4.4, 4.4],
    ['triangle', 37.5, 45],
    ['ribbon', 37.5, 15],
    ['ribbon2', 37.5, 0],
    ['horizontalScroll', 11.3, 11.3],
    ['verticalScroll', 11.3, 11.3],
    ['octagon', 13.2, 13.2],
    ['plus', 0, 22.5],
    ['parallelogram', 21.9, 13.1],
    ['trapezoid', 15, 9],
    ['flowChartTerminator', 7.1, 13.2],
  ] as const)
    test(name, () => {
      const insets = insetsOf(name)!
      expect(Math.abs(insets.left - left)).toBeLessThan(0.1)
      expect(Math.abs(insets.top - top)).toBeLessThan(0.1)
    })
  test('a rectangle and an outline that is drawn have all of their box', () => {
    expect(insetsOf('rect')).toBeUndefined()
    expect(textRectangle({ kind: 'path', segments: [] }, 150, 90)).toBeUndefined()
  })
  test('adjustments move it, absurd ones as far as they go', () => {
    expect(insetsOf('roundRect', { adj: 0 })).toEqual({ left: 0, top: 0, right: 0, bottom: 0 })
    expect(insetsOf('ribbon', { adj1: 1e9, adj2: -1e9 })).toMatchObject({
      left: 56.25,
      right: 56.25,
      bottom: 0,
    })
    expect(insetsOf('horizontalScroll', { adj: 1e9 })!.left).toBe(22.5)
  })
})
