import { describe, expect, it } from 'vitest'
import { ScannedContent } from '../../../../shared/office/incoming/findings.ts'
import { editOfficeXml } from '../../../../shared/office/incoming/office-xml.ts'

function edited(content: string) {
  const findings = new ScannedContent()
  const names = [
    'q="http://schemas.microsoft.com/office/word/2003/wordml"',
    'x="urn:schemas-microsoft-com:office:excel"',
    's="urn:schemas-microsoft-com:office:spreadsheet"',
    'v="urn:schemas-microsoft-com:vml"',
    'o="urn:schemas-microsoft-com:office:office"',
    'pkg="http://schemas.microsoft.com/office/2006/xmlPackage"',
  ]
  const text = `<q:any ${names.map((name) => `xmlns:${name}`).join(' ')}>${content}</q:any>`
  return {
    text: editOfficeXml(text, findings),
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
    ['of a cell', '<q:c r="A1"><q:f>WEBSERVICE("http://10.0.0.1/")</q:f><q:v>7</q:v></q:c>'],
    [
      'that cells share',
      '<q:f t="shared" si="1" ref="A1:A2">WEBSERVICE("http://10.0.0.1/")</q:f><q:v>7</q:v><q:f t="shared" si="1"/>',
    ],
    ['in references', '<q:f>&#87;EBSERVICE("http://10.0.0.1/")</q:f>'],
    ['of a name', '<q:definedName name="n">WEBSERVICE("http://10.0.0.1/")</q:definedName>'],
    ['of a condition', '<q:formula>WEBSERVICE("http://10.0.0.1/")</q:formula>'],
    ['of a check', '<q:formula1>WEBSERVICE("http://10.0.0.1/")</q:formula1>'],
    ['of a cell in Excel 2003', `<s:Cell s:Formula="=WEBSERVICE(&quot;http://10.0.0.1/&quot;)"/>`],
    ['of a name in Excel 2003', `<s:NamedRange s:RefersTo="='C:\\a\\[b.xls]10.0.0.1'!A1"/>`],
    ['of a check in Excel 2003', '<x:Value>WEBSERVICE("http://10.0.0.1/")</x:Value>'],
    ['of a program', '<q:ddeLink ddeService="soffice" ddeTopic="10.0.0.1"/>'],
  ])('are dropped with a formula %s', (_name, content) => {
    const { text, warnings } = edited(content)
    expect(text).not.toMatch(/10\.0\.0\.1|<q:f[> ]/)
    expect(text?.includes('<q:v>7</q:v>')).toBe(content.includes('<q:v>7'))
    expect(warnings).toHaveLength(1)
  })

  it.each([
    ['a picture of its own', '<v:imagedata src="wordml://02000001.png"/>'],
    [
      'formulas of the document',
      '<q:f>SUM(A1)+[1]S!A1</q:f><q:f t="shared" si="2"/><s:Cell s:Formula="=R[1]C"/>',
    ],
    ['data of other kinds', '<q:Value>WEBSERVICE("http://10.0.0.1/")</q:Value>'],
    ['links that people click', `<q:hlink q:dest="${url}"/><v:shape href="${url}"/>`],
  ])('stay: %s', (_name, content) => {
    expect(edited(content)).toEqual({ text: undefined, warnings: [] })
  })

  it('are not reported where Word only left a name', () => {
    const { text, warnings } = edited('<q:attachedTemplate q:val="Normal.dot"/>')
    expect(text).not.toContain('Normal')
    expect(warnings).toEqual([])
  })
})
