import { describe, expect, it } from 'vitest'
import { layPage, smallPage } from '../../../../../helpers/web-layout.ts'

/** The outlines of shadows on the first page: left, top, width and height in pixels, and the opacity. */
const shadowsOf = (value: string, more = '') => {
  const { pages, boxes } = layPage(
    smallPage(
      '<div></div>',
      `div { margin: 50px; width: 100px; height: 40px; box-shadow: ${value}; ${more} }`,
    ),
  )
  const shadows = pages[0]?.frame.items.flatMap(({ x, y, item }) =>
    item.kind !== 'group' || item.clipEvenOdd !== true
      ? []
      : item.frame.items.flatMap(({ x: dx, y: dy, item: inner }) => {
          if (inner.kind !== 'shape' || inner.path.fill?.kind !== 'solid') return []
          const points = inner.path.commands.flatMap((one) =>
            one[0] === 'L' || one[0] === 'M' ? [[one[1], one[2]] as const] : [],
          )
          const [xs, ys] = [points.map(([px]) => px), points.map(([, py]) => py)]
          const box = [
            x + dx + Math.min(...xs),
            y + dy + Math.min(...ys),
            Math.max(...xs) - Math.min(...xs),
            Math.max(...ys) - Math.min(...ys),
          ]
          return [[...box.map((one) => Math.round(one / 0.75)), Number(inner.path.fill.opacity?.toFixed(3))]]
        }),
  )
  return { shadows, undrawn: [...boxes.undrawn] }
}

describe('shadows of boxes', () => {
  it.each([
    ['5px 10px #000', [[55, 60, 100, 40, 1]]],
    ['0 0 0 10px rgba(0, 0, 0, .25)', [[40, 40, 120, 60, 0.25]]],
    [
      '1px 2px red, 3px 4px rgb(0 0 0 / 50%)',
      [
        [53, 54, 100, 40, 0.5],
        [51, 52, 100, 40, 1],
      ],
    ],
    ['none', []],
    ['0 1px transparent', []],
  ])('%s are drawn around them', (value, shadows) => {
    expect(shadowsOf(value)).toEqual({ shadows, undrawn: [] })
  })
  it('that are blurred fade from the outside to the inside', () => {
    const { shadows = [] } = shadowsOf('0 0 16px rgba(0, 0, 0, .8)')
    expect(shadows.length).toBe(8)
    expect(shadows[0]).toEqual([43, 43, 114, 54, 0.1])
    expect(shadows.at(-1)).toEqual([57, 57, 86, 26, 0.1])
  })
  it.each([['inset 0 0 5px red'], ['0 0 x'], ['5px'], ['0 0 1px red, x']])(
    'that cannot be drawn are reported: %s',
    (value) => {
      expect(shadowsOf(value)).toEqual({ shadows: [], undrawn: ['shadows'] })
    },
  )
})

it('a sheet of 100,000 rules is read in part, and that is known', () => {
  const rules = Array.from({ length: 100_000 }, (_, at) => `.a${at}{color:red}`).join('')
  const before = process.cpuUsage()
  const { boxes } = layPage(`<style>${rules}</style><p class=a5>a`)
  expect(boxes.cascade.gaveUp).toBe(true)
  expect(process.cpuUsage(before).user).toBeLessThan(8_000_000)
})
