import { describe, expect, it } from 'vitest'
import { schemaProblems } from './schema.ts'

const word = (body: string) => `<w:document><w:body>${body}</w:body></w:document>`

describe('the check of content models finds', () => {
  const rows: [string, string, string, readonly string[]][] = [
    [
      'nothing wrong',
      'word/document.xml',
      word('<w:p><w:pPr><w:jc/></w:pPr><w:r><w:t/></w:r></w:p><w:sectPr/>'),
      [],
    ],
    ['a section before text', 'word/document.xml', word('<w:sectPr/><w:p/>'), ['w:p out of order in w:body']],
    [
      'properties behind text',
      'word/document.xml',
      word('<w:p><w:r/><w:pPr/></w:p>'),
      ['w:pPr out of order in w:p'],
    ],
    [
      'swapped properties',
      'word/document.xml',
      word('<w:p><w:pPr><w:jc/><w:ind/></w:pPr></w:p>'),
      ['w:ind out of order in w:pPr'],
    ],
    ['a paragraph in a paragraph', 'word/document.xml', word('<w:p><w:p/></w:p>'), ['w:p in w:p']],
    [
      'a cell in a cell',
      'word/document.xml',
      word('<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc><w:tc/></w:tc></w:tr></w:tbl>'),
      ['w:tc in w:tc'],
    ],
    [
      'extensions are no mistake',
      'word/document.xml',
      word(
        '<w:p><w:pPr><x:new/></w:pPr><mc:AlternateContent><mc:Choice><w:r/></mc:Choice></mc:AlternateContent></w:p>',
      ),
      [],
    ],
    [
      'runs behind the end of a paragraph',
      'ppt/slides/slide1.xml',
      '<a:p><a:endParaRPr/><a:r><a:t/></a:r></a:p>',
      ['a:r out of order in a:p'],
    ],
    [
      'a fill behind a font',
      'ppt/slides/slide1.xml',
      '<a:rPr><a:latin/><a:solidFill/></a:rPr>',
      ['a:solidFill out of order in a:rPr'],
    ],
    [
      'lists of a workbook',
      'xl/workbook.xml',
      '<workbook><definedNames/><sheets/></workbook>',
      ['sheets out of order in workbook'],
    ],
    ['names of others', 'docProps/app.xml', '<r><t/><rPr/></r>', []],
    [
      'a table in an item',
      'content.xml',
      '<text:list><text:list-item><table:table/></text:list-item></text:list>',
      ['table:table in text:list-item'],
    ],
  ]
  it.each(rows)('%s', (_name, part, xml, expected) => {
    expect(schemaProblems(part, xml)).toEqual(expected.map((what) => `${part}: ${what}`))
  })
})
