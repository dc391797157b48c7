import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { odtReader } from '../../../../../plugins/formats/odt/reader/open.ts'
import { addLetters, createLetterCounts } from '../../../../../shared/document/letters.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import { unreadLetters } from '../../../../../shared/office/opendocument/text/source-letters.ts'
import { openFile, par } from '../../../../cases/reference/open.ts'
import { lay } from '../../../../helpers/laid-out.ts'

/** The letters of the content that are missed where `read` was read of it. */
function missed(content: string, read: string): number {
  const counts = createLetterCounts()
  addLetters(counts, read)
  return unreadLetters(
    `<office:body><office:text>${content}</office:text></office:body>`,
    'office:text',
    counts,
  )
}
const p = (content: string): string => `<text:p>${content}</text:p>`

describe('letters of a text', () => {
  test.each<[string, string, string]>([
    ['spaces and references to characters', p('a &amp; b&#233;'), 'a&bé'],
    ['a comment', p('a<office:annotation><text:p>never</text:p></office:annotation>b'), 'ab'],
    ['deleted text', `<text:tracked-changes>${p('gone')}</text:tracked-changes>${p('here')}`, 'here'],
    [
      'the number of a note',
      p(
        'a<text:note><text:note-citation>17</text:note-citation><text:note-body><text:p>note</text:p></text:note-body></text:note>b',
      ),
      'abnote',
    ],
    [
      'the description of an index',
      `<text:table-of-content><text:table-of-content-source>${p('x')}</text:table-of-content-source></text:table-of-content>${p('y')}`,
      'y',
    ],
    [
      'a hidden section',
      `<text:section text:display="none">${p('never')}</text:section>${p('here')}`,
      'here',
    ],
    [
      'a paragraph that a field hides',
      p('never<text:hidden-paragraph text:is-hidden="true"/>') + p('here'),
      'here',
    ],
    [
      'a cell that another covers',
      `<table:covered-table-cell>${p('never')}</table:covered-table-cell>${p('here')}`,
      'here',
    ],
    [
      'white space between elements, and names of styles',
      `\n <text:list text:style-name="L">\n${p('a')}</text:list>`,
      'a',
    ],
  ])('%s: none is missed', (_, content, read) => expect(missed(content, read)).toBe(0))

  test.each<[string, string, string, number]>([
    ['a paragraph', p('first') + p('second'), 'first', 6],
    ['one of two equal letters', p('aa'), 'a', 1],
    ['a paragraph that a field would hide', p('kept<text:hidden-paragraph text:is-hidden="false"/>'), '', 4],
    [
      'a table in a shape, in the namespace of an office',
      p(`<draw:custom-shape><loext:table>${p('A1')}</loext:table></draw:custom-shape>`),
      '',
      2,
    ],
  ])('%s is missed', (_, content, read, letters) => expect(missed(content, read)).toBe(letters))
})

describe('headers and footers', () => {
  const loext = 'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
  const read = async (master: string) =>
    odtReader.read(await openFile({ body: par('body'), master }), { codec: nodeCodec, limits: defaultLimits })
      .value
  test('that of the first page, as LibreOffice wrote it before ODF 1.3, is drawn', async () => {
    const document = await read(
      `<style:header><text:p>others</text:p></style:header><loext:header-first ${loext}><text:p>first</text:p></loext:header-first>`,
    )
    expect(document.unread).toBeUndefined()
    expect(lay(document).lines.map(({ text }) => text)).toEqual(expect.arrayContaining(['first', 'body']))
  })
  test('reports the text of an unknown element as missing', async () => {
    const document = await read('<style:header-last><text:p>last</text:p></style:header-last>')
    expect(document.unread).toEqual([{ part: 'styles.xml', letters: 4 }])
  })
})
