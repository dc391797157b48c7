import { expect, it } from 'vitest'
import { plainContents } from '../../../../../shared/pdf/stage/watermark/plain-contents.ts'
import { latin1, textOf } from '../../../../helpers/pdf.ts'

/** What a stream becomes; `Do` stands for an inline image of these entries and bytes. */
const cases: readonly (readonly [what: string, content: string, expected: string])[] = [
  [
    'complete contents',
    'q 1 0 0 1 5 .5 cm /A gs BT (a\\)b) Tj ET Q',
    'q|1 0 0 1 5 .5 cm|/A gs|BT|(a\\)b) Tj|ET|Q|',
  ],
  [
    'every kind of operand',
    '[(a) -1 <4 1>] TJ /P <</A [true null]>> BDC EMC',
    '[ (a) -1 <41> ] TJ|/P << /A [ true null ] >> BDC|EMC|',
  ],
  ['states that it leaves open', 'q q 1 w Q', 'q|q|1 w|Q|Q|'],
  ['states that it did not open', 'Q Q 1 w', '1 w|'],
  ['marked content that it leaves open', '/OC /O BDC /A BMC', '/OC /O BDC|/A BMC|EMC|EMC|'],
  ['marked content that it did not open', 'EMC 1 w', '1 w|'],
  ['a text object without an end, and one in it', 'BT BT (a) Tj', 'BT|(a) Tj|ET|'],
  ['a string without an end', '1 w (a (b) Q', '1 w|'],
  ['a string that ends in a backslash', '1 w (\\', '1 w|'],
  ['an array without an end', '1 w [ Q Q', '1 w|'],
  ['a dictionary without an end', '1 w /A <</B ] Q', '1 w|'],
  ['operators in an array', '[ q 1 ] 0 d', '[ null 1 ] 0 d|'],
  ['brackets that close nothing', '1 ] >> w', '1 w|'],
  ['an operator that is glued to a number', '1Q 2w', '2 w|'],
  ['words that are no operators', '1 2 abc 3 w BX', '3 w|'],
  ['comments and white space', '1 % Q (\n\0\f w', '1 w|'],
  ['an inline image', 'BI /W 1 /H 1 ID \u00ff\nEI 1 w', 'image(/W 1 /H 1, ff)|1 w|'],
  ['an inline image with its end in its data', 'BI ID aEIb EI Q', 'image(, 61454962)|'],
  ['an inline image without an end', '1 w BI /W 1 ID abc', '1 w|'],
  ['an inline image without data', '1 w BI /W 1 Q Q', '1 w|'],
  ['data of no image', '1 w ID [ EI', '1 w|'],
]

it.each(cases)('%s', (_, content, expected) => {
  const images: string[] = []
  const written = plainContents(latin1(content), ({ entries, data }) => {
    images.push(`image(${entries}, ${Buffer.from(data).toString('hex')})`)
    return 'I'
  })
  const shown = textOf(written).replaceAll('/I Do', () => images.shift() ?? '')
  expect(shown.replaceAll('\n', '|')).toBe(expected)
  // A stream that is plain stays as it is.
  if (images.length === 0 && !expected.includes('image'))
    expect(textOf(plainContents(written, () => undefined))).toBe(textOf(written))
})

it('an inline image that cannot be an XObject is left out', () => {
  expect(textOf(plainContents(latin1('1 w BI ID x\nEI 2 w'), () => undefined))).toBe('1 w\n2 w\n')
})

it('deep nesting and long streams take time in proportion to their length', () => {
  for (const unit of ['[', '<<', '(', 'q ', '/A BMC ', '<', 'BI ID '])
    expect(() => plainContents(latin1(unit.repeat(1_000_000)), () => undefined)).not.toThrow()
})
