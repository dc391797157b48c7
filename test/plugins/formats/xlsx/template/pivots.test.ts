import { expect, it } from 'vitest'
import { emptyPivots } from '../../../../../plugins/formats/xlsx/template/pivots.ts'

const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const rels = (kind: string, target: string) =>
  `<Relationships><Relationship Id="rId1" Type="${type}/${kind}" Target="${target}"/></Relationships>`

const cache = 'xl/pivotCache/pivotCacheDefinition1.xml'
const records = 'xl/pivotCache/pivotCacheRecords1.xml'
const sheet = 'xl/worksheets/sheet1.xml'

/** A workbook whose sheet `S` has a text in A2 and a pivot table over A1:B3 in A5:B6. */
function book(name: string): Map<string, string> {
  return new Map([
    [
      sheet,
      `<sheetData><row r="2"><c r="A2" t="s"><v>0</v></c></row><row r="6"><c r="A6" t="s"><v>0</v></c></row></sheetData>`,
    ],
    ['xl/worksheets/_rels/sheet1.xml.rels', rels('pivotTable', '../pivotTables/pivotTable1.xml')],
    [
      cache,
      `<pivotCacheDefinition r:id="rId1" recordCount="1"><cacheSource type="worksheet"><worksheetSource ref="A1:B3" sheet="S"/></cacheSource><cacheFields count="1"><cacheField name="N" numFmtId="0"><sharedItems count="1"><s v="${name}"/></sharedItems></cacheField></cacheFields></pivotCacheDefinition>`,
    ],
    [
      'xl/pivotCache/_rels/pivotCacheDefinition1.xml.rels',
      rels('pivotCacheRecords', 'pivotCacheRecords1.xml'),
    ],
    [records, `<pivotCacheRecords count="1"><r><x v="0"/></r></pivotCacheRecords>`],
    [
      'xl/pivotTables/_rels/pivotTable1.xml.rels',
      rels('pivotCacheDefinition', '../pivotCache/pivotCacheDefinition1.xml'),
    ],
    [
      'xl/pivotTables/pivotTable1.xml',
      `<pivotTableDefinition name="P"><location ref="A5:B6"/><pivotFields count="1"><pivotField axis="axisRow"><items count="1"><item x="0"/></items></pivotField></pivotFields></pivotTableDefinition>`,
    ],
  ])
}
const sheets = new Map([['s', sheet]])

it('a cache that holds a tag is emptied and is read again when the file opens; labels in cells go, other cells stay', () => {
  const texts = book('{d.l[i].n}')
  const changed = emptyPivots(texts, { sheets, tagged: new Set([0]) })
  expect([...changed.keys()].toSorted()).toEqual([cache, records, 'xl/pivotTables/pivotTable1.xml', sheet])
  expect(texts.get(cache)).toContain('refreshOnLoad="1"')
  expect(texts.get(cache)).not.toContain('{d.l')
  expect(texts.get(records)).not.toContain('<r>')
  expect(texts.get(sheet)).toContain('r="A2"')
  expect(texts.get(sheet)).not.toMatch(/r="A6"[^>]*t="s"/)
})

it('a cache without tags over cells without tags is unchanged', () => {
  const texts = book('x')
  expect(emptyPivots(texts, { sheets, tagged: new Set() }).size).toBe(0)
  expect(texts).toEqual(book('x'))
})
