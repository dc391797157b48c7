import { expect, it } from 'vitest'
import {
  type GlyphRun,
  type Placed,
  respaced,
} from '../../../../../../plugins/engines/instant/layout/frame.ts'
import { visibleIn } from '../../../../../../plugins/engines/instant/layout/sheet/visible.ts'
import { PlainRun } from '../../../../../../plugins/engines/instant/text/plain-text.ts'
import { shape } from '../../../../../../plugins/engines/instant/text/shape.ts'
import { shippedFace } from '../../../../../helpers/instant-fonts.ts'

const run = shape('Customer 1234', { face: shippedFace('Liberation Sans'), size: 10, kerning: false })

/** The text that is left of a run between two distances from its start, its place and its width. */
function cut(whole: GlyphRun, left: number, right: number) {
  const placed: Placed = { x: 0, y: 20, item: { kind: 'glyphs', run: whole, colour: 0 } }
  return visibleIn([placed], { left, right, top: 0, bottom: 100 }).map(({ x, item }) => {
    if (item.kind !== 'glyphs') throw new Error('A run became something else.')
    const { text, width, glyphs, advances, clusters } = item.run
    return { x, text, width, lists: [glyphs, advances, clusters].map((list) => Array.from(list)) }
  })
}

it.each([
  [0, 1_000],
  [0, 40],
  [12, 40],
  [12, 1_000],
  [-50, -10],
  [200, 300],
  [30, 30.1],
])('cuts plain text to what lies between %d and %d points as it cuts shaped text', (left, right) => {
  const shaped = respaced(run, run.advances, run.width)
  expect(run).toBeInstanceOf(PlainRun)
  expect(shaped).not.toBeInstanceOf(PlainRun)
  expect(cut(run, left, right)).toEqual(cut(shaped, left, right))
})

it('keeps the letters that a range touches', () => {
  const [only, ...others] = cut(run, 0, 30)
  expect(others).toEqual([])
  expect(only?.text).toBe('Custom')
  expect(cut(run, 200, 300)).toEqual([])
})
