import { expect, it } from 'vitest'
import { fillOf, gradientOf } from '../../../../../../plugins/engines/instant/layout/web/gradient.ts'
import { longhands } from '../../../../../../shared/css/declarations.ts'
import { ComputedStyle } from '../../../../../../shared/css/style.ts'
import { layPage } from '../../../../../helpers/web-layout.ts'

const gradient = (background: string) => {
  const style = new ComputedStyle(new Map(longhands('background', background)), new Map(), undefined)
  const found = gradientOf(style)
  if (found === undefined) return undefined
  const { x1, y1, x2, y2, stops } = fillOf(found, 200, 100).fill
  return {
    line: [x1, y1, x2, y2].map((one) => Math.round(one) + 0),
    stops: stops.map(({ at, colour }) => `${at} ${colour.toString(16).padStart(6, '0')}`),
  }
}

it.each([
  ['red, blue', [100, 0, 100, 100]],
  ['to right, red, blue', [0, 50, 200, 50]],
  ['90deg, red, blue', [0, 50, 200, 50]],
  ['0.5turn, red, blue', [100, 0, 100, 100]],
  ['to bottom right, red, blue', [60, -30, 140, 130]],
])('linear-gradient(%s) has its line', (text, line) => {
  expect(gradient(`linear-gradient(${text})`)).toEqual({ line, stops: ['0 ff0000', '1 0000ff'] })
})
it.each([
  ['red, blue', [100, 50, 141, 71]],
  ['circle, red, blue', [100, 50, 112, 112]],
  ['closest-side, red, blue', [100, 50, 100, 50]],
  ['circle closest-side at left 25%, red, blue', [0, 25, 0, 0]],
  ['circle at top right, red, blue', [200, 0, 224, 224]],
  ['20pt 10pt at 10pt 20pt, red, blue', [10, 20, 20, 10]],
  ['30pt, red, blue', [100, 50, 30, 30]],
])('radial-gradient(%s) has its centre and radii', (text, expected) => {
  const style = new ComputedStyle(
    new Map(longhands('background', `radial-gradient(${text})`)),
    new Map(),
    undefined,
  )
  const { fill, scaleY } = fillOf(gradientOf(style)!, 200, 100)
  const radius = fill.x2 - fill.x1
  const ellipse = [fill.x1, fill.y1 * scaleY, radius, radius * scaleY]
  expect(ellipse.map((one) => Math.round(one) + 0)).toEqual(expected)
})
it('has stops at lengths', () => {
  expect(gradient('linear-gradient(90deg, red 50pt, blue 150pt)')?.stops).toEqual([
    '0 ff0000',
    '0.25 ff0000',
    '0.75 0000ff',
    '1 0000ff',
  ])
})
it('spreads stops without a place', () => {
  expect(gradient('linear-gradient(#111, #222, #333 60%, #444 50%)')?.stops).toEqual([
    '0 111111',
    '0.3 222222',
    '0.6 333333',
    '0.6 444444',
    '1 444444',
  ])
})
it.each([
  'conic-gradient(red, blue)',
  'radial-gradient(heart, red, blue)',
  'linear-gradient(red)',
  'linear-gradient(red, 3px, blue)',
  'linear-gradient(red, blue), linear-gradient(red, blue)',
])('%s is not drawn', (background) => {
  expect(gradient(background)).toBeUndefined()
})
it('draws many stops, and reports a gradient with more than anybody sees instead of cutting it', () => {
  const stops = (count: number) => Array(count).fill('red').join(', ')
  expect(gradient(`linear-gradient(${stops(200)})`)?.stops.length).toBe(200)
  expect(gradient(`linear-gradient(${stops(10_000)})`)).toBe(undefined)
  const { boxes } = layPage(`<div style="background: linear-gradient(${stops(10_000)})">a</div>`)
  expect([...boxes.undrawn]).toEqual(['gradients'])
})
