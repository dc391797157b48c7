import { describe, expect, it } from 'vitest'
import { Findings } from '../../../../shared/office/incoming/findings.ts'
import { editOfficeTag } from '../../../../shared/office/incoming/office-xml.ts'
import { editXml } from '../../../../shared/office/incoming/xml-edits.ts'

function edited(content: string) {
  const findings = new Findings()
  const names = [
    'q="http://schemas.microsoft.com/office/word/2003/wordml"',
    'x="urn:schemas-microsoft-com:office:excel"',
    'v="urn:schemas-microsoft-com:vml"',
    'o="urn:schemas-microsoft-com:office:office"',
    'pkg="http://schemas.microsoft.com/office/2006/xmlPackage"',
  ]
  const text = `<q:any ${names.map((name) => `xmlns:${name}`).join(' ')}>${content}</q:any>`
  return {
    text: editXml(text, (tag) => editOfficeTag(tag, findings)),
    warnings: findings.warnings().map(({ message }) => message),
  }
}
const url = 'http://10.0.0.1/a'

describe('links of flat XML of Word and Excel', () => {
  it.each([
    ['a picture', `<v:shape><v:imagedata src="${url}"/></v:shape>`, 'picture'],
    ['a picture of a file', '<v:imagedata src="http.png"/>', 'picture'],
    ['a picture and where it came from', `<v:imagedata src="${url}" o:href="${url}"/>`, 'picture'],
    ['a filling', `<v:fill src="${url}"/>`, 'picture'],
    ['a template', `<q:attachedTemplate q:val="${url}"/>`, 'template'],
    ['a part', `<q:subDoc q:link="${url}"/>`, 'text'],
    ['a source of letters', `<q:mailMerge><q:dataSource q:val="${url}"/></q:mailMerge>`, 'data source'],
    ['another workbook', `<x:SupBook><x:Path>${url}</x:Path></x:SupBook>`, 'table'],
    [
      'a query',
      `<x:QueryTable><x:QuerySource><x:Connection>${url}</x:Connection></x:QuerySource></x:QueryTable>`,
      'data source',
    ],
    [
      'a package as one file',
      `<pkg:part><Relationships xmlns="urn:any"><Relationship Type="a/image" TargetMode="External" Target="${url}"/></Relationships></pkg:part>`,
      'picture',
    ],
  ])('are dropped: %s', (_name, content, kind) => {
    const { text, warnings } = edited(content)
    expect(text).not.toMatch(/10\.0\.0\.1|http\.png/)
    expect(warnings).toEqual([`One link of the document to a ${kind} outside of it was not followed.`])
  })

  it.each([
    ['a picture of its own', '<v:imagedata src="wordml://02000001.png"/>'],
    ['links that people click', `<q:hlink q:dest="${url}"/><v:shape href="${url}"/>`],
  ])('stay: %s', (_name, content) => {
    expect(edited(content)).toEqual({ text: undefined, warnings: [] })
  })

  it('are not told of where Word only left a name', () => {
    const { text, warnings } = edited('<q:attachedTemplate q:val="Normal.dot"/>')
    expect(text).not.toContain('Normal')
    expect(warnings).toEqual([])
  })
})
