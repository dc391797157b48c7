import { expect, it } from 'vitest'
import { fillsOf, layPage, smallPage, textsOf } from '../../../../../helpers/web-layout.ts'

const laid = (body: string, styles = '') => {
  const { pages, boxes } = layPage(smallPage(`<div dir="rtl">${body}</div>`, styles))
  return {
    texts: textsOf(pages)[0]?.map(([text, x]) => [text, x]),
    fills: fillsOf(pages[0]!),
    undrawn: [...boxes.undrawn],
  }
}

// The expected positions are those of Chromium's print output of the same pages.
it.each([
  [
    'the items of a flex row begin at the right',
    '<div style="display: flex; gap: 20px"><b style="width: 50px">a</b><b style="width: 50px">b</b></div>',
    'b { text-align: left }',
    [
      ['a', 250],
      ['b', 180],
    ],
  ],
  [
    'the columns of a grid begin at the right',
    '<div style="display: grid; grid-template-columns: 50px 100px"><b>a</b><b>b</b></div>',
    'b { text-align: left }',
    [
      ['a', 250],
      ['b', 150],
    ],
  ],
  [
    'the columns of a table begin at the right',
    '<table style="border-spacing: 0"><tr><td>a<td>b</table>',
    'td { width: 50px; padding: 0; text-align: left }',
    [
      ['a', 250],
      ['b', 200],
    ],
  ],
  [
    'a block with a width stands at the right',
    '<p style="width: 100px; text-align: left">a',
    '',
    [['a', 200]],
  ],
  [
    'the start of a line is at the right',
    '<p style="margin-inline: 20px 40px; text-align: left">a<p style="padding-inline-start: 30px">bb',
    '',
    [
      ['a', 40],
      ['bb', 259],
    ],
  ],
  [
    'floats at the start are at the right',
    '<b style="float: inline-start; width: 50px; text-align: left">a</b><i style="float: inline-end; clear: inline-end">b</i>',
    '',
    [
      ['a', 250],
      ['b', 0],
    ],
  ],
])('from right to left, %s', (_, body, styles, expected) => {
  expect(laid(body, styles)).toMatchObject({ texts: expected, undrawn: [] })
})

it('from right to left, the markers of lists are at the right of their texts', () => {
  const { texts } = laid('<ol style="margin: 0"><li>ab</ol>')
  const [marker, text] = texts?.toSorted(([a], [b]) => (a === 'ab' ? 1 : b === 'ab' ? -1 : 0)) ?? []
  expect(marker?.[0]).toBe('.1')
  expect(Number(marker?.[1])).toBeGreaterThan(Number(text?.[1]))
  expect(Number(text?.[1])).toBeLessThan(260)
})

it('from right to left, collapsed borders are at the sides of their cells', () => {
  const body =
    '<table style="border-collapse: collapse"><tr><td style="border-right: 4px solid #f00">a<td>b</table>'
  const [line] = laid(body, 'td { width: 50px; padding: 0; border: 0 }').fills
  expect(line?.[0]).toBeGreaterThan(250)
})

it('from right to left, the items of a column are told', () => {
  expect(laid('<div style="display: flex; flex-direction: column"><b>a</b></div>').undrawn).toEqual([
    'boxes from right to left',
  ])
})
