import { expect, it } from 'vitest'
import { layPage, smallPage, textsOf } from '../../../../../helpers/web-layout.ts'

// Positions were compared with the PDF of Chromium.
it.each([
  [
    'as a float that lines go around',
    '<p>Once upon a time there was a text that goes on and on over several lines',
    'p::first-letter { float: left; font-size: 48px; line-height: 40px; padding-right: 6px }',
    [
      ['nce upon a time there was a text that goes on and on', 43, 13],
      ['over several lines', 43, 33],
      ['O', 0, 36],
    ],
  ],
  [
    'with the marks of quotation around it',
    '<p>“Q”uoted',
    'p::first-letter { font-weight: bold }',
    [
      ['“Q”', 0, 13],
      ['uoted', 18, 13],
    ],
  ],
  [
    'within an inline element, with the properties of both',
    '<p><em style="text-transform: uppercase">some</em>',
    'p::first-letter { font-size: 20px }',
    [
      ['S', 0, 17],
      ['OME', 13, 17],
    ],
  ],
  [
    'in the first block of a block',
    '<div><p>ab<p>cd</div>',
    'div::first-letter { text-transform: uppercase }',
    [
      ['A', 0, 13],
      ['b', 7, 13],
      ['cd', 0, 33],
    ],
  ],
  [
    'of the inner block where rules style both',
    '<div><p>ab</div>',
    'div::first-letter { float: right } p::first-letter { text-transform: uppercase }',
    [
      ['A', 0, 13],
      ['b', 7, 13],
    ],
  ],
  [
    'unless a picture is before it',
    '<p><img width=10 height=10 alt="">ab',
    'p::first-letter { float: right }',
    [['ab', 10, 13]],
  ],
  ['unless there are marks alone', '<p>…', 'p::first-letter { float: right }', [['…', 0, 13]]],
  ['unless its element is inline', '<b>ab</b>', 'b::first-letter { float: right }', [['ab', 0, 13]]],
] as const)('the first letter of a block is styled %s', (_, body, styles, expected) => {
  const { pages, boxes } = layPage(smallPage(body, styles))
  expect(textsOf(pages)[0]).toEqual(expected)
  expect([...boxes.undrawn]).toEqual([])
})
