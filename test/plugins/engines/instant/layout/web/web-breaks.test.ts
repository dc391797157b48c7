import { expect, it } from 'vitest'
import { webBreaks } from '../../../../../../plugins/engines/instant/layout/web/web-breaks.ts'

it.each([
  ['https://example.com/a/b', 'https://example.com/a/b'],
  ['page?query=1&more=2', 'page?|query=1&more=2'],
  ['well-known', 'well-|known'],
  ['call(one)[two]', 'call(one)|[two]'],
  ['a-1', 'a-|1'],
  ['(-1', '(-1'],
  ['why?!', 'why?!'],
  ['a/ b', 'a/ |b'],
  ['.a / .b !', '.a |/ |.b |!'],
  ['日本', '日|本'],
])('a line breaks in %j as browsers break it', (text, expected) => {
  const breaks = webBreaks(text)
  const parts = [...text].map((character, at) => (at > 0 && breaks[at] === 1 ? `|${character}` : character))
  expect(parts.join('')).toBe(expected)
})
