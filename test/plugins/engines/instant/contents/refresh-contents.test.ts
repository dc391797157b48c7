import { describe, expect, test } from 'vitest'
import { refreshContents } from '../../../../../plugins/engines/instant/contents/refresh-contents.ts'
import { readOdt } from '../../../../../plugins/formats/odt/reader/index.ts'
import type { Document } from '../../../../../shared/document/document.ts'
import { lay, readWord } from '../../../../helpers/laid-out.ts'

/** The lines of the pages after the tables of contents were made anew, each as 'page: text'. */
function linesOf(document: Document): string[] {
  const { value, warnings } = refreshContents(document)
  const { lines } = lay(value)
  const texts = lines.map(({ page, text }) => `${page}: ${plain(text)}`)
  return [...texts, ...warnings.map(({ code }) => code)]
}

/** The text of a line without the marks between its items. */
const plain = (text = ''): string =>
  text
    .replace(/[|]|[.]{4,}/g, '')
    .replace(/\s+/g, ' ')
    .trim()

const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const instruction = (text: string): string => `<w:r><w:instrText>${text}</w:instrText></w:r>`
const text = (words: string): string => `<w:r><w:t>${words}</w:t></w:r>`
const tab = '<w:r><w:tab/></w:r>'
const styled = (style: string, inner: string): string =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${inner}</w:p>`
const heading = (level: number, words: string): string =>
  styled(
    `Heading${level}`,
    `<w:bookmarkStart w:id="1" w:name="_Toc${words}"/>${text(words)}<w:bookmarkEnd w:id="1"/>`,
  )
const newPage = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
const numbers =
  '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Heading1"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
const styles = (more = ''): string =>
  [1, 2, 3]
    .map(
      (level) =>
        `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/><w:pPr>${level === 1 ? more : ''}<w:outlineLvl w:val="${level - 1}"/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="TOC${level}"><w:name w:val="toc ${level}"/><w:pPr><w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9000"/></w:tabs></w:pPr></w:style>`,
    )
    .join('')
/** A table of contents with one entry of which nothing is true any more. */
const stale = (switches: string): string =>
  `${styled(
    'TOC1',
    `${mark('begin')}${instruction(`TOC ${switches}`)}${mark('separate')}${text('Old')}${tab}${text('77')}`,
  )}<w:p>${mark('end')}</w:p>`
const chapters = `${heading(1, 'Alpha')}${newPage}${heading(2, 'Beta')}${newPage}${heading(3, 'Gamma')}`

describe('tables of contents of DOCX', () => {
  test('list the headings with the pages that they are on', () => {
    const document = readWord({ body: stale('\\o "1-2" \\h') + chapters, styles: styles() })
    expect(linesOf(document)).toEqual(['1: Alpha1', '1: Beta2', '1: Alpha', '2: Beta', '3: Gamma'])
  })
  test('stay as they are without a refresh', () => {
    const document = readWord({ body: stale('\\o "1-2"') + chapters, styles: styles() })
    expect(plain(lay(document).lines[0]?.text)).toBe('Old77')
  })
  test.each([
    ['\\o "2-3"', ['Beta2', 'Gamma3']],
    ['\\t "heading 3;1"', ['Gamma3']],
    ['\\u', ['Alpha1', 'Beta2', 'Gamma3']],
    ['', ['Alpha1', 'Beta2', 'Gamma3']],
    ['\\o "1-3" \\n 2-3', ['Alpha1', 'Beta', 'Gamma']],
    ['\\o "1-2" \\p " - "', ['Alpha - 1', 'Beta - 2']],
  ])('TOC %s', (switches, expected) => {
    const document = readWord({ body: stale(switches) + chapters, styles: styles() })
    const entries = linesOf(document).slice(0, expected.length)
    expect(entries).toEqual(expected.map((entry) => `1: ${entry}`))
  })
  test('show the numbers of headings, and page numbers as their pages do', () => {
    const roman =
      '<w:p><w:pPr><w:sectPr><w:pgNumType w:fmt="lowerRoman" w:start="4"/></w:sectPr></w:pPr></w:p>'
    const document = readWord({
      body: `${stale('\\o "1-3"')}${heading(1, 'Alpha')}${roman}${heading(1, 'Beta')}`,
      styles: styles('<w:numPr><w:numId w:val="1"/></w:numPr>'),
      numbering: numbers,
    })
    expect(linesOf(document).slice(0, 2)).toEqual(['1: 1.Alphaiv', '1: 2.Beta5'])
  })
  test('in a cell, in a content control, begun and never filled', () => {
    const empty = `<w:p>${mark('begin')}${instruction('TOC \\o "1-3"')}${mark('separate')}${mark('end')}</w:p>`
    const control = `<w:sdt><w:sdtPr><w:docPartObj/></w:sdtPr><w:sdtContent>${empty}</w:sdtContent></w:sdt>`
    const cell = `<w:tbl><w:tblGrid><w:gridCol w:w="5000"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w="5000" w:type="dxa"/></w:tcPr>${control}</w:tc></w:tr></w:tbl>`
    const document = readWord({ body: cell + heading(1, 'Alpha'), styles: styles() })
    expect(linesOf(document)).toEqual(['1: Alpha1', '1: Alpha'])
  })
  test('a table without headings is empty, with a warning', () =>
    expect(linesOf(readWord({ body: stale('\\o "1-2"'), styles: styles() }))).toEqual([
      'layout.contents-empty',
    ]))
  test('a list of figures keeps its entries and gets new page numbers, with a warning', () => {
    const entry = `${mark('begin')}${instruction('PAGEREF _TocAlpha \\h')}${mark('separate')}${text('77')}${mark('end')}`
    const body = `<w:p>${mark('begin')}${instruction('TOC \\c "Figure"')}${mark('separate')}${text('Figure 1:')}${entry}</w:p><w:p>${mark('end')}</w:p>${newPage}${heading(1, 'Alpha')}`
    const document = readWord({ body, styles: styles() })
    expect(plain(lay(document).lines[0]?.text)).toBe('Figure 1:77')
    expect(linesOf(document)).toEqual(['1: Figure 1:2', '2: Alpha', 'layout.contents-kept'])
  })
})

describe('tables of contents of ODT', () => {
  const namespaces = ['office', 'text', 'style', 'xlink']
    .map((prefix) =>
      prefix === 'xlink'
        ? 'xmlns:xlink="http://www.w3.org/1999/xlink"'
        : `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${prefix}:1.0"`,
    )
    .join(' ')
  const template =
    '<text:table-of-content-entry-template text:outline-level="1" text:style-name="Contents_20_1"><text:index-entry-chapter/><text:index-entry-text/><text:index-entry-span> at </text:index-entry-span><text:index-entry-page-number/></text:table-of-content-entry-template>'
  const odt = (source: string, entries: string, after = ''): Document => {
    const body = `<text:table-of-content><text:table-of-content-source ${source}>${template}</text:table-of-content-source><text:index-body><text:index-title><text:p>Contents</text:p></text:index-title>${entries}</text:index-body></text:table-of-content><text:h text:outline-level="1">Alpha</text:h><text:h text:outline-level="2">Beta</text:h>${after}`
    const content = `<office:document-content ${namespaces}><office:body><office:text>${body}</office:text></office:body></office:document-content>`
    const parts = new Map([['content.xml', new TextEncoder().encode(content)]])
    return readOdt((name) => parts.get(name)).value
  }
  const old = '<text:p text:style-name="Contents_20_1">Old 77</text:p>'
  test('follow the patterns of their entries', () => {
    const document = odt('text:outline-level="1"', old + old)
    expect(lay(document).lines[1]?.text).toBe('Old 77')
    expect(linesOf(document)).toEqual(['1: Contents', '1: Alpha at 1', '1: Alpha', '1: Beta'])
  })
  test('begin below their title where they have no entry yet', () => {
    const lines = linesOf(odt('text:outline-level="2"', '')).slice(0, 3)
    expect(lines).toEqual(['1: Contents', '1: Alpha at 1', '1: Beta1'])
  })
  test('keep their entries where marks in the text make them', () => {
    const marks = '<text:p><text:toc-mark text:string-value="x"/>y</text:p>'
    expect(linesOf(odt('text:outline-level="1"', old, marks))).toContain('layout.contents-kept')
    const unused = odt('text:outline-level="1" text:use-index-marks="false"', old, marks)
    expect(linesOf(unused)[1]).toBe('1: Alpha at 1')
  })
})
