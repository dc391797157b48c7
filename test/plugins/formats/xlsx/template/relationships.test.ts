import { expect, it } from 'vitest'
import { relationshipsOf } from '../../../../../plugins/formats/xlsx/template/relationships.ts'

it('relationships of a part: kind, target and id, without those that lead outside', () => {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const texts = new Map([
    [
      'xl/worksheets/_rels/sheet1.xml.rels',
      `<Relationships><Relationship Id="rId1" Type="${type}/drawing" Target="../drawings/drawing1.xml"/>` +
        `<Relationship Id="rId2" Type="${type}/hyperlink" Target="https://a.org" TargetMode="External"/>` +
        `<Relationship Id="rId3" Type="${type}/table" Target="/xl/tables/table1.xml"/></Relationships>`,
    ],
  ])
  expect(relationshipsOf(texts, 'xl/worksheets/sheet1.xml')).toEqual([
    ['drawing', 'xl/drawings/drawing1.xml', 'rId1'],
    ['table', 'xl/tables/table1.xml', 'rId3'],
  ])
  expect(relationshipsOf(texts, 'xl/worksheets/sheet2.xml')).toEqual([])
})
