import { expect, it } from 'vitest'
import { paperOf } from '../../../../../../plugins/engines/instant/layout/web/paper.ts'
import { declarationsOf } from '../../../../../../shared/css/declarations.ts'

// The sizes of the content were measured in Chromium, in pixels.
it.each([
  ['', 37, 721, 1049],
  ['margin: 1cm', 38, 720, 1048],
  ['size: A4; margin: 2cm', 76, 643, 972],
  ['size: A4; margin: 1cm', 38, 719, 1047],
  ['size: A4; margin: 0', 0, 794, 1123],
  ['size: letter', 37, 742, 982],
  ['size: letter; margin: 20px', 20, 776, 1016],
  ['size: A4 landscape; margin: 10mm', 38, 1047, 719],
  ['size: 600px 800px; margin: 0', 0, 600, 800],
])('the content of a page with "%s" has whole pixels', (rules, left, width, height) => {
  const { margin, content } = paperOf(declarationsOf(rules))
  expect([margin.left, content.width, content.height].map((length) => length / 0.75)).toEqual([
    left,
    width,
    height,
  ])
})

it.each([
  ['', { landscape: true }, [842, 595], 37],
  ['', { paper: { width: 400, height: 600 }, margin: { left: 75 } }, [400, 600], 100],
  ['size: A5; margin: 20px', { landscape: true, margin: { left: 75 } }, [420, 595], 20],
  ['size: landscape', { paper: { width: 400, height: 600 } }, [600, 400], 37],
])('"%s" comes before the options %j', (rules, print, size, left) => {
  const { width, height, margin } = paperOf(declarationsOf(rules), print)
  expect([width, height].map(Math.round)).toEqual(size)
  expect(margin.left / 0.75).toBe(left)
})
