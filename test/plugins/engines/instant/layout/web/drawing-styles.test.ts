import { expect, it } from 'vitest'
import { layPage, smallPage } from '../../../../../helpers/web-layout.ts'

const drawing = (body: string, styles: string) =>
  [...layPage(smallPage(body, styles)).boxes.media.values()]
    .map((bytes) => new TextDecoder().decode(bytes))
    .join('')

it.each([
  ['the colour of the text around it', '<p style="color: red"><svg></svg>', '', 'color:#ff0000'],
  ['the font of the text around it', '<p><svg></svg>', '', 'font-family:Arial;font-size:10px'],
  [
    'what rules say about its parts',
    '<svg><g class="k"><rect/></g></svg>',
    '.k > rect { fill: #0f0; stroke-width: 2 }',
    '<rect style="fill:#0f0;stroke-width:2"',
  ],
  ['what rules say about itself', '<svg class="k"></svg>', '.k { fill: #0f0 }', 'fill:#0f0'],
  [
    'its own styles above all',
    '<svg><rect style="fill: red"/></svg>',
    'rect { fill: #0f0 }',
    'fill:red;fill: red',
  ],
])('a drawing in a page has %s', (_, body, styles, expected) => {
  expect(drawing(body, styles)).toContain(expected)
})

it('the colour of an attribute is kept', () => {
  expect(drawing('<svg color="blue"></svg>', '')).not.toContain('color:#')
})
