import { expect, it } from 'vitest'
import { fillsOf, layPage, smallPage, textsOf } from '../../../../../helpers/web-layout.ts'

const drawn = (body: string, styles: string) => {
  const { pages, boxes } = layPage(smallPage(body, styles))
  return { texts: textsOf(pages)[0], fills: fillsOf(pages[0]!), undrawn: [...boxes.undrawn] }
}

it.each([
  [
    'is positioned in the box around it',
    'p { position: relative; padding-left: 50px } p::before { content: "x"; position: absolute; left: 10px; top: 20px }',
    [
      ['a', 50, 13],
      ['x', 10, 33],
    ],
  ],
  [
    'floats',
    'p::before { content: "x"; float: left; width: 40px }',
    [
      ['a', 40, 13],
      ['x', 0, 13],
    ],
  ],
  [
    'is an item of a flex container',
    'p { display: flex } p::after { content: "x"; flex: 1; text-align: right }',
    [
      ['a', 0, 13],
      ['x', 295, 13],
    ],
  ],
  ['is not there without content', 'p::before { position: absolute }', [['a', 0, 13]]],
  ['is not displayed', 'p::before { content: "x"; display: none }', [['a', 0, 13]]],
  [
    'is not there where browsers do not know a function',
    'p::before { content: "x" leader(".") }',
    [['a', 0, 13]],
  ],
])('generated content %s', (_, styles, texts) => {
  expect(drawn('<p>a', styles)).toMatchObject({ texts, undrawn: [] })
})

it('a box without text is drawn where it has a background', () => {
  const styles =
    'p::before { content: ""; position: absolute; top: 30px; left: 40px; width: 50px; height: 10px; background: #f00 }'
  expect(drawn('<p>a', styles).fills).toEqual([[40, 30, 50, 10, 'ff0000']])
})
it('an empty table clears the floats of a box', () => {
  const styles = 'b { float: left; height: 60px } div::after { content: ""; display: table; clear: both }'
  expect(drawn('<div><b>x</b></div><p>a', styles).texts).toContainEqual(['a', 0, 73])
})
it('a generated box has no generated boxes of its own', () => {
  expect(
    drawn('<p>a', '*::before { content: "x" }').texts?.filter(([text]) => text === 'x').length,
  ).toBeLessThan(4)
})
