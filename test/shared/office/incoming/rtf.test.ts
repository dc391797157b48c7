import { describe, expect, it } from 'vitest'
import { ScannedContent } from '../../../../shared/office/incoming/findings.ts'
import { editRtf } from '../../../../shared/office/incoming/rtf.ts'
import { XmlFault } from '../../../../shared/xml/cursor.ts'

function edited(content: string) {
  const findings = new ScannedContent()
  const bytes = Buffer.from(`{\\rtf1\\ansi ${content}\\par}`, 'latin1')
  const made = editRtf(bytes, findings)
  return {
    text: made === undefined ? undefined : Buffer.from(made).toString('latin1'),
    warnings: findings.warnings().map(({ message }) => message),
  }
}
const url = 'http://10.0.0.1/a'
const field = (code: string) => `{\\field{\\*\\fldinst ${code}}{\\fldrslt old}}`
const property = (name: string, value: string) => `{\\sp{\\sn ${name}}{\\sv ${value}}}`

describe('links of RTF', () => {
  it.each([
    ['a picture of a field', field(`INCLUDEPICTURE "${url}" \\\\d`), 'picture'],
    ['a text of a field', field(`INCLUDETEXT "${url}"`), 'text'],
    ['a linked object of a field', field(`LINK Excel.Sheet.8 "${url}"`), 'object'],
    ['a program of a field', field(`DDEAUTO soffice "${url}" a`), 'data source'],
    ['a database of a field', field(`DATABASE \\\\d "${url}"`), 'data source'],
    ['a code in small letters', field(`includepicture "${url}"`), 'picture'],
    ['a code in groups of its own', field(`{\\b INCLUDE}{\\i\\fs20 PICTURE} "${url}"`), 'picture'],
    ['a code in escapes', field(`\\'49NCLUDE\\u80?ICTURE "${url}"`), 'picture'],
    ['a code in escapes without other letters', field(`{\\uc0\\u73 NCLUDEPICTURE "${url}"}`), 'picture'],
    ['a code over lines', field(`INCLUDE\r\nPICTURE "${url}"`), 'picture'],
    [
      'a code behind a group that is passed over',
      field(`{\\*\\any PAGE }INCLUDEPICTURE "${url}"`),
      'picture',
    ],
    ['a code behind a table of fonts', field(`{\\fonttbl PAGE }INCLUDEPICTURE "${url}"`), 'picture'],
    ['a field in a field', field(`IF 1 ${field(`INCLUDEPICTURE "${url}"`)}`), 'picture'],
    [
      'a code that a field results in',
      field(`{\\field{\\*\\fldinst QUOTE}{\\fldrslt INCLUDEPICTURE}} "${url}"`),
      'picture',
    ],
    ['bytes before it', `{\\pict\\bin4 }}}}}${field(`INCLUDEPICTURE "${url}"`)}`, 'picture'],
    ['a template', `{\\*\\template ${url}}`, 'template'],
    ['a picture of a shape', `{\\shp{\\*\\shpinst${property('pibName', url)}}}`, 'picture'],
    [
      'a picture of the background',
      `{\\*\\background{\\shp{\\*\\shpinst${property('fillBlipName', url)}}}}`,
      'picture',
    ],
    ['a table of files', `{\\*\\filetbl{\\file\\fid0 ${url}}}`, 'text'],
    ['a database of letters', `{\\*\\mailmerge{\\*\\mmconnectstr ${url}}}`, 'data source'],
    [
      'a linked object',
      `{\\object\\objautlink{\\*\\objdata 010500000200000008000000${Buffer.from(url).toString('hex')}}{\\result y}}`,
      'object',
    ],
    [
      'data of a linked object',
      `{\\object\\objemb{\\*\\objdata 0105 0000\r\n01000000${Buffer.from(url).toString('hex')}}{\\result y}}`,
      'object',
    ],
  ])('are dropped: %s', (_name, content, kind) => {
    const { text, warnings } = edited(content)
    expect(text).not.toContain(url)
    expect(text).not.toContain(Buffer.from(url).toString('hex'))
    expect(warnings).toEqual([
      `One link of the document to ${kind === 'object' ? 'an' : 'a'} ${kind} outside of it was not followed.`,
    ])
    expect(text?.endsWith('\\par}')).toBe(true)
  })

  it.each([
    ['a link that people click', field(`HYPERLINK "${url}"`)],
    ['a page number', field('PAGE')],
    ['an embedded object', '{\\object\\objemb{\\*\\objdata 010500000200000008000000}{\\result y}}'],
    ['the words as text', 'INCLUDEPICTURE "a"'],
    ['a name like one of them', field('LINKED x')],
    ['an address as the name of no picture', `{\\shp{\\*\\shpinst${property('wzName', url)}}}`],
  ])('stay: %s', (_name, content) => {
    expect(edited(content)).toEqual({ text: undefined, warnings: [] })
  })

  it('are not reported where a program only left a name', () => {
    const { text, warnings } = edited('{\\*\\template C:\\\\Normal.dot}')
    expect(text).not.toContain('Normal')
    expect(warnings).toEqual([])
  })
})

describe('RTF made to keep a reader busy', () => {
  it('is refused where it is nested too deeply', () => {
    expect(() => edited('{'.repeat(100_000))).toThrow(XmlFault)
  })

  it.each([
    ['fields', (count: number) => field('LINK a').repeat(count)],
    ['words deep inside', (count: number) => `${'{'.repeat(9_000)}${'\\objlink'.repeat(count)}`],
  ])('is read in one pass, ten times as much in no fifty times the time: %s', (_name, make) => {
    const cpu = (count: number) => {
      const content = make(count)
      const from = process.cpuUsage()
      edited(content)
      const { user, system } = process.cpuUsage(from)
      return user + system + 5_000 // Short work may be counted as none at all.
    }
    cpu(40_000)
    expect(cpu(40_000) / cpu(4_000)).toBeLessThan(50)
  })
})
