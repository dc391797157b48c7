import { describe, expect, test } from 'vitest'
import { shadowOf } from '../../../../../../plugins/engines/instant/layout/drawing/shadow.ts'
import type { Path, Placed } from '../../../../../../plugins/engines/instant/layout/frame.ts'

const box = { commands: [['R', 0, 0, 100, 50]] as const, filled: true, width: 100, height: 50 }
const shadow = { x: 3, y: 4, blur: 0, color: 'FF0000', opacity: 0.5 }
const pathOf = ({ item }: Placed): Path => {
  if (item.kind !== 'shape') throw new Error('not a shape')
  return item.path
}

describe('the shadow of an outline', () => {
  test('is the outline, moved', () => {
    const [one, ...more] = shadowOf(shadow, box)
    expect(more).toEqual([])
    expect(one).toMatchObject({ x: 3, y: 4 })
    expect(pathOf(one!)).toEqual({
      commands: [['R', 0, 0, 100, 50]],
      fill: { kind: 'solid', colour: 0xff0000, opacity: 0.5 },
    })
  })
  test('is as large as the line around it', () => {
    const [one] = shadowOf(shadow, { ...box, stroke: { colour: 0, width: 2 } })
    expect(pathOf(one!).commands).toEqual([['R', -1, -1, 102, 52]])
  })
  test('is that of the line where nothing is filled', () => {
    const [one] = shadowOf(shadow, { ...box, filled: false, stroke: { colour: 0, width: 2 } })
    expect(pathOf(one!)).toMatchObject({ stroke: { colour: 0xff0000, width: 2, opacity: 0.5 } })
    expect(pathOf(one!).fill).toBeUndefined()
  })
  test('a blurred shadow fades from outside to inside, with the requested opacity in total', () => {
    const layers = shadowOf({ ...shadow, blur: 8 }, box).map(pathOf)
    const widths = layers.map(({ commands }) => (commands[0]![0] === 'R' ? commands[0]![3] : 0))
    expect(widths).toEqual([...widths].sort((a, b) => b - a))
    expect(widths[0]).toBeGreaterThan(106)
    expect(widths.at(-1)).toBeLessThan(94)
    const clear = layers.reduce((left, { fill }) => left * (1 - (fill?.opacity ?? 0)), 1)
    expect(1 - clear).toBeCloseTo(0.5)
  })
  test.each([
    ['there is none', undefined, box],
    ['it cannot be seen', { ...shadow, opacity: 0 }, box],
    ['nothing throws one', shadow, { ...box, commands: [] }],
  ])('is nothing where %s', (_, given, outline) => expect(shadowOf(given, outline)).toEqual([]))
})
