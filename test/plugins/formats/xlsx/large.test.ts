import { describe, expect, it } from 'vitest'
import { largeData, largeTemplate } from '../../../cases/office/large-sheet.ts'
import { entryText } from '../../../helpers/docx.ts'
import { mergeBytes } from '../../../helpers/merge.ts'

const sheetOf = async (rows: number) => {
  const { value } = await mergeBytes(await largeTemplate(), 'xlsx', largeData(rows))
  return new Uint8Array(await value.document.arrayBuffer())
}

describe('large sheets leave out the addresses that follow from what stands before', () => {
  it('but for cells and rows behind a gap', async () => {
    const text = await entryText(await sheetOf(6_000), 'xl/worksheets/sheet1.xml')
    expect(text).toContain(
      '<row><c t="inlineStr"><is><t xml:space="preserve">N5999</t></is></c><c><v>5999</v></c><c r="D6001"><f>B6001*2</f></c></row>',
    )
    expect(text).toContain('<c r="B6002"><f>SUM(B2:B6001)</f></c>')
  })
  it('small sheets have them all', async () => {
    const text = await entryText(await sheetOf(4_000), 'xl/worksheets/sheet1.xml')
    expect(text).toContain('<row r="4001"><c r="A4001" t="inlineStr">')
    expect(text).not.toContain('<c>')
  })
  it('an engine gets them all', async () => {
    const { value } = await mergeBytes(await largeTemplate(), 'xlsx', largeData(6_000), { addressed: true })
    const text = await entryText(
      new Uint8Array(await value.document.arrayBuffer()),
      'xl/worksheets/sheet1.xml',
    )
    expect(text).toContain('<row r="6001"><c r="A6001" t="inlineStr">')
    expect(text).not.toMatch(/<row>|<c>|<c t=/)
  })
})
