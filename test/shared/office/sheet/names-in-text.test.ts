import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { endsInNameOfText } from '../../../../shared/office/sheet/names.ts'
import { mergeBytes } from '../../../helpers/merge.ts'
import { xlsxOf } from '../../../helpers/xlsx.ts'

test.each([
  [`SUM(INDIRECT("'`, true],
  [`indirect( "'Old `, true],
  [`INDIRECT("$'`, true],
  [`INDIRECT("'A'!B1")&"it's `, false],
  [`INDIRECT("'A'!B`, false],
  [`INDIRECT("`, false],
  [`"it's `, false],
])('a formula that breaks off behind %s is in the name of a sheet: %s', (before, expected) => {
  expect(endsInNameOfText(before)).toBe(expected)
})

test('an apostrophe in the name of a sheet is doubled in a formula of Excel that holds the name as text, and in no other text', async () => {
  const template = await xlsxOf({
    sheets: [
      {
        name: '{d.s}',
        cells: { A1: '{d.s}', B1: `<f>INDIRECT("'{d.s}'!A1")</f>`, C1: `<f>"it's {d.s}"</f>` },
      },
    ],
  })
  const { value } = await mergeBytes(template, 'xlsx', { s: "Q's" })
  const parts = unzipSync(new Uint8Array(await value.document.arrayBuffer()))
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  expect(sheet.match(/<f>.*?<\/f>/g)).toEqual([`<f>INDIRECT("'Q''s'!A1")</f>`, `<f>"it's Q's"</f>`])
})
