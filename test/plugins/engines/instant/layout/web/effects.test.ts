import { expect, it } from 'vitest'
import { transformOf } from '../../../../../../plugins/engines/instant/layout/web/effects.ts'
import { ComputedStyle } from '../../../../../../shared/css/style.ts'
import { layPage, smallPage } from '../../../../../helpers/web-layout.ts'

const transform = (value: string, origin?: string) => {
  const values = new Map([
    ['transform', value],
    ...(origin === undefined ? [] : [['transform-origin', origin] as const]),
  ])
  const matrix = transformOf(new ComputedStyle(values, new Map(), undefined), { width: 100, height: 50 })
  return typeof matrix === 'object' ? matrix.map((one) => Math.round(one * 100) / 100 + 0) : matrix
}

it.each([
  ['none', undefined],
  ['translate(20px, 50%)', [1, 0, 0, 1, 15, 25]],
  ['translateX(-50%)', [1, 0, 0, 1, -50, 0]],
  ['scale(2)', [2, 0, 0, 2, -50, -25]],
  ['rotate(90deg)', [0, 1, -1, 0, 75, -25]],
  ['rotate(0.25turn) scale(2, 1)', [0, 2, -1, 0, 75, -75]],
  ['skewX(45deg)', [1, 0, 1, 1, -25, 0]],
  ['matrix(1, 0, 0, 1, 20, 40)', [1, 0, 0, 1, 15, 30]],
  ['perspective(3px)', 'unknown'],
])('%s is a matrix around the middle of a box', (value, expected) => {
  expect(transform(value)).toEqual(expected)
})
it('the properties of their own come before the transformation', () => {
  const values = new Map([
    ['translate', '20px 40px'],
    ['rotate', '90deg'],
    ['scale', '2'],
    ['transform', 'none'],
  ])
  const matrix = transformOf(new ComputedStyle(values, new Map(), undefined), { width: 0, height: 0 })
  expect(typeof matrix === 'object' && matrix.map(Math.round)).toEqual([0, 2, -2, 0, 15, 30])
})
it('has an origin', () => {
  expect(transform('scale(2)', 'top left')).toEqual([2, 0, 0, 2, 0, 0])
})
it('a translucent box is composited as a group, on each of its pages', () => {
  const { pages, boxes } = layPage(smallPage(`<div style="opacity: 40%">${'<p>x'.repeat(20)}</div>`))
  const groups = pages.map(({ frame }) =>
    frame.items.map(({ item }) => item.kind === 'group' && [item.opacity, item.frame.items.length]),
  )
  expect(groups).toEqual([[[0.4, 15]], [[0.4, 5]]])
  expect([...boxes.undrawn]).toEqual([])
})
it('the transparency of a part of a line is not drawn', () => {
  expect([...layPage(smallPage('<span style="opacity: 0.5">a</span>')).boxes.undrawn]).toEqual([
    'transparency',
  ])
})
