import { describe, expect, it } from 'vitest'
import { ScannedContent } from '../../../../shared/office/incoming/findings.ts'
import { editOfficeXml } from '../../../../shared/office/incoming/office-xml.ts'
import { XmlFault } from '../../../../shared/xml/cursor.ts'

function edited(content: string, uri = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main') {
  const findings = new ScannedContent()
  const text = editOfficeXml(`<q:document xmlns:q="${uri}">${content}</q:document>`, findings)
  return { text, warnings: findings.warnings().map(({ message }) => message) }
}
const url = 'http://10.0.0.1/a'
const mark = (type: string) => `<q:r><q:fldChar q:fldCharType="${type}"/></q:r>`
const code = (text: string) => `<q:r><q:instrText xml:space="preserve">${text}</q:instrText></q:r>`
const result = '<q:r><q:t>old</q:t></q:r>'
const field = (...codes: string[]) =>
  `${mark('begin')}${codes.map((text) => (text.startsWith('<') ? text : code(text))).join('')}${mark('separate')}${result}${mark('end')}`

describe('fields of WordprocessingML that load something', () => {
  it.each([
    ['a simple field', `<q:fldSimple q:instr=" INCLUDEPICTURE ${url}">${result}</q:fldSimple>`, 'picture'],
    ['INCLUDETEXT', field(`INCLUDETEXT "${url}"`), 'text'],
    ['LINK', field(`LINK Excel.Sheet.8 "${url}"`), 'object'],
    ['DDE', field(`DDE soffice "${url}" a`), 'data source'],
    ['DDEAUTO', field(`DDEAUTO soffice "${url}" a`), 'data source'],
    ['IMPORT', field(`IMPORT "${url}"`), 'picture'],
    ['DATABASE', field(`DATABASE \\d "${url}"`), 'data source'],
    ['a name cut into runs', field('INCL', 'UDEPIC', 'TURE "http://', '10.0.0.1/a"'), 'picture'],
    ['small letters and quotes', field(`"includepicture" "${url}"`), 'picture'],
    ['references', field(`&#73;NCLUDEPICTURE "${url}"`), 'picture'],
    ['character data', field(`INCLU<![CDATA[DEPICTURE "${url}"]]>`), 'picture'],
    ['a comment', field(`INCLU<!-- > -->DEPICTURE "${url}"`), 'picture'],
    ['an element inside', field(`INCLU<q:x a=">"/>DEPICTURE "${url}"`), 'picture'],
    ['a field in a field', field('IF 1', field(`INCLUDEPICTURE "${url}"`)), 'picture'],
    ['a field behind one in its code', field('INCLUDETEXT ', field('PAGE'), `"${url}"`), 'text'],
    [
      'a name that a field results in',
      field(field('QUOTE').replace('old', 'INCLUDEPICTURE'), `"${url}"`),
      'picture',
    ],
    ['a field that is never closed', `${mark('begin')}${code(`INCLUDETEXT "${url}"`)}`, 'text'],
    [
      'a code that was deleted',
      `${mark('begin')}<q:delInstrText>INCLUDETEXT "${url}"</q:delInstrText>${mark('end')}`,
      'text',
    ],
  ])('are emptied: %s', (_name, content, kind) => {
    const { text, warnings } = edited(content)
    expect(text).not.toContain('10.0.0.1')
    expect(text?.match(/<q:t>/g)).toEqual(content.match(/<q:t>/g))
    expect(warnings).toEqual([
      `One link of the document to ${kind === 'object' ? 'an' : 'a'} ${kind} outside of it was not followed.`,
    ])
  })

  it('are emptied as Word 2003 writes them', () => {
    const { text } = edited(
      field(`INCLUDETEXT "${url}"`),
      'http://schemas.microsoft.com/office/word/2003/wordml',
    )
    expect(text).not.toContain('10.0.0.1')
  })

  it.each([
    ['a link that people click', field(`HYPERLINK "${url}"`)],
    ['other fields', `${field('PAGE')}${field('LINKED x')}<q:fldSimple q:instr="AUTHOR"/>`],
    ['the words in a result', field('QUOTE').replace('old', 'INCLUDEPICTURE')],
  ])('stay: %s', (_name, content) => {
    expect(edited(content)).toEqual({ text: undefined, warnings: [] })
  })

  it('are read in linear time, whatever is open', () => {
    expect(() => edited(`${'<q:instrText>'.repeat(2_000)}x`)).toThrow(XmlFault)
    const cpu = (count: number) => {
      const content = `${mark('begin').repeat(count)}${mark('separate')}${result.repeat(count)}`
      const from = process.cpuUsage()
      edited(content)
      const { user, system } = process.cpuUsage(from)
      return user + system + 5_000 // Short work may be counted as none at all.
    }
    cpu(20_000)
    expect(cpu(20_000) / cpu(2_000)).toBeLessThan(50)
  })
})
