import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { defaultLimits } from '../../../../shared/limits.ts'
import { readBook } from '../../../../shared/office/charts/book.ts'
import { codecNode } from '../../../helpers/codec-node.ts'

const sheetMl = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const documentRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook whose names have prefixes, with this first sheet and these shared strings. */
const book = (rows: string, strings: string) =>
  zipSync({
    'xl/workbook.xml': strToU8(
      `<x:workbook xmlns:x="${sheetMl}" xmlns:q="${documentRelations}"><x:sheets><x:sheet name="A &amp; B" sheetId="1" q:id="rId1"/></x:sheets></x:workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${documentRelations}/worksheet" Target="/xl/one.xml"/></Relationships>`,
    ),
    'xl/one.xml': strToU8(
      `<x:worksheet xmlns:x="${sheetMl}"><x:sheetData>${rows}</x:sheetData></x:worksheet>`,
    ),
    'xl/sharedStrings.xml': strToU8(`<x:sst xmlns:x="${sheetMl}">${strings}</x:sst>`),
  })

const area = (rows: string, reference: string, strings = '') =>
  readBook(book(rows, strings), { codec: codecNode, limits: defaultLimits }).area(reference)

test('texts are read without their phonetic readings, numbers and formulas by their values', () =>
  expect(
    area(
      '<x:row><x:c t="s"><x:v>0</x:v></x:c><x:c><x:v>2.5</x:v></x:c><x:c r="D1"><x:f>B1*2</x:f></x:c></x:row>',
      "'A & B'!$A$1:$D$1",
      '<x:si><x:r><x:t>東</x:t></x:r><x:r><x:t>京</x:t></x:r><x:rPh sb="0" eb="2"><x:t>トウキョウ</x:t></x:rPh></x:si>',
    ),
  ).toEqual([[{ text: '東京' }, { text: '2.5', number: 2.5 }, undefined, { text: '5', number: 5 }]]))

test('an area of another sheet is none', () => expect(area('', 'Other!A1')).toBeUndefined())
