import { expect, test } from 'vitest'
import markdown from '../../../../plugins/formats/md/index.ts'
import { fromBytes } from '../../../../shared/plugin/byte-source.ts'

test.each([
  ['a picture whose address is a tag', '![a]({d.u})', 'maybe'],
  ['a picture in a line of text', 'Dear Ann,\n\nsee ![a](https://example.com/b) here', 'maybe'],
  ['a link', 'See [the page]({d.url:defaultURL(x)}).', 'maybe'],
  ['a link to a path', 'See [the page](/help).', 'maybe'],
  ['a heading', 'Text\n\n## Heading', 'maybe'],
  ['plain text', 'Dear {d.name}, see [1] (page 2)', 'no'],
  ['a filter of a tag', '{d.l[n=1]} (see {d.x})', 'no'],
  ['brackets and words', 'Choose [yes](no)', 'no'],
  ['a page of HTML', '<html><body><p>[a](https://example.com)</p></body></html>', 'no'],
])('%s', async (_, text, expected) => {
  expect(await markdown.sniff?.(fromBytes(new TextEncoder().encode(text)))).toBe(expected)
})
