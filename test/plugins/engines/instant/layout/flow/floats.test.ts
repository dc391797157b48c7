import { describe, expect, test } from 'vitest'
import { cell, layWord, p, row, table, type WordParts } from '../../../../../helpers/laid-out.ts'

/** What some editors write into the defaults of every document. */
const nothing =
  '<w:framePr w:anchorLock="0" w:w="0" w:h="0" w:vSpace="0" w:hSpace="0" w:xAlign="left" w:y="0" w:hRule="exact" w:vAnchor="margin"/>'
const beside =
  '<w:framePr w:w="2000" w:hSpace="180" w:wrap="around" w:vAnchor="text" w:hAnchor="text" w:x="5000" w:y="1"/>'
const inline =
  '<w:framePr w:hSpace="180" w:wrap="around" w:vAnchor="text" w:hAnchor="text" w:yAlign="inline"/>'
const styled = (properties: string): string =>
  `<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>` +
  `<w:style w:type="paragraph" w:styleId="Framed"><w:name w:val="Framed"/><w:basedOn w:val="Normal"/><w:pPr>${properties}</w:pPr></w:style>`
const framed = '<w:pStyle w:val="Framed"/>'
/** Two paragraphs of the properties and one without. */
const three = (properties = ''): string => p('one', properties) + p('two', properties) + p('three')

const places = (parts: WordParts) => layWord(parts).lines.map(({ page, x, y, text }) => [page, x, y, text])

describe('a frame without size and place is none', () => {
  const plain = places({ body: three() })
  for (const [name, parts] of [
    [
      'in the defaults of the document',
      { defaults: `<w:pPrDefault><w:pPr>${nothing}</w:pPr></w:pPrDefault>`, body: three() },
    ],
    ['in a style', { styles: styled(nothing), body: three(framed) }],
    ['of the paragraph itself', { body: three(nothing) }],
    ['placed inline', { body: three(inline) }],
    ['placed inline, over the frame of a style', { styles: styled(beside), body: three(framed + inline) }],
    ['undone by zeros, over the frame of a style', { styles: styled(beside), body: three(framed + nothing) }],
  ] as const) {
    test(name, () => {
      const lines = places(parts)
      expect(lines.map((line) => line[3])).toEqual(['one', 'two', 'three'])
      if (!name.includes('defaults')) expect(lines).toEqual(plain)
    })
  }
  test('inside a table cell', () => {
    const inCell = (properties: string) => places({ body: table([row([cell(three(properties))])], [4000]) })
    for (const properties of [nothing, inline, beside]) expect(inCell(properties)).toEqual(inCell(''))
  })
})

describe('a frame of which one side is zero', () => {
  for (const [name, size] of [
    ['height, exactly', 'w:w="2000" w:h="0" w:hRule="exact"'],
    ['height, at least', 'w:w="2000" w:h="0" w:hRule="atLeast"'],
    ['width', 'w:w="0" w:h="1000" w:hRule="exact"'],
    ['both', 'w:w="0" w:h="0" w:hRule="exact"'],
    ['negative ones', 'w:w="-200" w:h="-200" w:hRule="exact"'],
  ] as const) {
    test(`${name}: the text is seen, beside the text around it`, () => {
      const frame = `<w:framePr ${size} w:wrap="around" w:vAnchor="text" w:hAnchor="text" w:x="5000" w:y="1"/>`
      const { lines, pages } = layWord({ body: p('beside', frame) + p('text') })
      expect(lines.map(({ text }) => text).sort()).toEqual(['beside', 'text'])
      expect(pages[0]!.frame.items.some(({ item }) => item.kind === 'group' && item.clip)).toBe(false)
      expect(lines.find(({ text }) => text === 'beside')!.x).toBeGreaterThan(300)
    })
  }
})
