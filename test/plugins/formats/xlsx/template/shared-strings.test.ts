import { describe, expect, it } from 'vitest'
import {
  inlineSheet,
  readSharedStrings,
} from '../../../../../plugins/formats/xlsx/template/shared-strings.ts'
import { attributeOf, withoutAttribute } from '../../../../../shared/xml/elements.ts'

describe('shared strings', () => {
  it('with tags become inline, and keep their number in the list', () => {
    const { tagged, rest } = readSharedStrings(
      '<sst count="2" uniqueCount="2"><si><t>plain</t></si><si><t>{d.v}</t><rPh sb="0" eb="1"><t>x</t></rPh></si></sst>',
    )
    expect([...tagged]).toEqual([[1, '<t xml:space="preserve">{d.v}</t>']])
    expect(rest).toBe('<sst uniqueCount="2"><si><t>plain</t></si><si><t/></si></sst>')
  })

  /** Cells of a sheet before and behind, with string 1 being a tag. */
  const cells: Readonly<Record<string, readonly [before: string, behind: string]>> = {
    'a tagged string': [
      '<c r="A1" s="2" t="s"><v>1</v></c>',
      '<c r="A1" s="2" t="inlineStr"><is><t>{d.v}</t></is></c>',
    ],
    'another string': ['<c r="A1" t="s"><v>0</v></c>', '<c r="A1" t="s"><v>0</v></c>'],
    'a formula loses its result': ['<c r="A1" t="str"><f>B1</f><v>x</v></c>', '<c r="A1"><f>B1</f></c>'],
    'a shared formula is written out': [
      '<c r="A1"><f t="shared" si="0" ref="A1:A2">B1+$C$1</f><v>1</v></c><c r="A2"><f t="shared" si="0"/><v>2</v></c>',
      '<c r="A1"><f>B1+$C$1</f></c><c r="A2"><f>B2+$C$1</f></c>',
    ],
  }
  for (const [name, [before, behind]] of Object.entries(cells))
    it(name, () => expect(inlineSheet(before, new Map([[1, '<t>{d.v}</t>']]))).toBe(behind))

  it('attributes are found and removed, whatever their quotes', () => {
    expect([
      attributeOf(` a="1" bc='2'`, 'bc'),
      attributeOf(' bc="2"', 'c'),
      withoutAttribute(` a = '1' b="2"`, 'a'),
    ]).toEqual(['2', undefined, ' b="2"'])
  })
})
