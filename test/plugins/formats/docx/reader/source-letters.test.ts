import { describe, expect, test } from 'vitest'
import { findUnread } from '../../../../../plugins/formats/docx/reader/source-letters.ts'
import { cell, p, readWord, row, table, type WordParts } from '../../../../helpers/laid-out.ts'

const run = (content: string): string => `<w:r>${content}</w:r>`
const text = (words: string): string => run(`<w:t>${words}</w:t>`)
const paragraph = (...runs: readonly string[]): string => `<w:p>${runs.join('')}</w:p>`
const mark = (type: string): string => run(`<w:fldChar w:fldCharType="${type}"/>`)
const instruction = (words: string): string => run(`<w:instrText>${words}</w:instrText>`)
const field = (words: string, result: string): string =>
  mark('begin') + instruction(words) + mark('separate') + text(result) + mark('end')
const box = (words: string): string =>
  `<w:pict><v:rect xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent>${p(words)}</w:txbxContent></v:textbox></v:rect></w:pict>`
const alternates = (choice: string, fallback: string): string =>
  `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps">${choice}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`
const control = (properties: string, words: string): string =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${text(words)}</w:sdtContent></w:sdt>`

describe('text that no page shows as it is written is not missed', () => {
  test.each<[string, WordParts]>([
    ['words with references to characters', { body: p('a &amp; b &#233; &lt;c&gt;') }],
    [
      'tracked changes',
      { body: `<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>${text('here')}</w:p>` },
    ],
    ['hidden words', { body: p('hidden', '', '<w:vanish/>') }],
    ['a number of a page', { body: paragraph(field(' PAGE ', '17')) }],
    ['a sequence that is counted anew', { body: paragraph(field(' SEQ Figure ', '17')) }],
    [
      'a reference whose bookmark has other words',
      {
        body:
          paragraph('<w:bookmarkStart w:id="1" w:name="b"/>', text('new'), '<w:bookmarkEnd w:id="1"/>') +
          paragraph(field(' REF b ', 'words of before')),
      },
    ],
    [
      'a field in the instruction of another',
      {
        body: paragraph(
          mark('begin'),
          instruction(' IF '),
          field(' DOCPROPERTY x ', 'xyz'),
          text('q'),
          mark('separate'),
          text('shown'),
          mark('end'),
        ),
      },
    ],
    [
      'a simple field',
      { body: '<w:p><w:fldSimple w:instr=" SEQ Table "><w:r><w:t>9</w:t></w:r></w:fldSimple></w:p>' },
    ],
    ['two forms of one box', { body: paragraph(run(alternates(box('words'), box('words')))) }],
    [
      'notes between text and notes',
      {
        body: p('a'),
        footnotes: `<w:footnote w:id="0" w:type="separator">${p('never')}</w:footnote><w:footnote w:id="2">${p('note')}</w:footnote>`,
      },
    ],
    [
      'a header of two sections',
      {
        body: p('a'),
        header: p('head'),
        section:
          '<w:headerReference w:type="default" r:id="header"/><w:headerReference w:type="first" r:id="header"/>',
      },
    ],
  ])('%s', (_, parts) => expect(readWord(parts).unread).toBeUndefined())

  test('a control whose text comes from data', () => {
    const xml = paragraph(control('<w:dataBinding w:xpath="/a"/><w:text/>', 'words of before'), text('!'))
    expect(
      findUnread([{ part: 'a', xml, blocks: readWord({ body: p('value!') }).sections[0]!.blocks }]),
    ).toEqual([])
    const plain = paragraph(control('<w:text/>', 'kept'))
    expect(findUnread([{ part: 'a', xml: plain, blocks: [] }])).toEqual([{ part: 'a', letters: 4 }])
  })
})

describe('text that no block has is missed', () => {
  const rows = (wrapper: string): string =>
    table([`<w:${wrapper}>${row([cell(p('moved'))])}</w:${wrapper}>`, row([cell(p('stays'))])], [3000])
  test.each<[string, WordParts, string, number]>([
    [
      'a row in an element that readers of tables do not know',
      { body: rows('moveTo') },
      'word/document.xml',
      5,
    ],
    [
      'everything behind a field that has no end',
      { body: paragraph(text('a'), mark('begin'), text('bcd')) + p('efg') },
      'word/document.xml',
      6,
    ],
    ['a text of the body itself', { body: `${p('a')}<w:t>loose</w:t>` }, 'word/document.xml', 5],
    [
      'a header',
      {
        body: p('a'),
        header: rows('moveTo'),
        section: '<w:headerReference w:type="default" r:id="header"/>',
      },
      'word/header1.xml',
      5,
    ],
    [
      'a note',
      { body: p('a'), footnotes: `<w:footnote w:id="2">${rows('moveTo')}</w:footnote>` },
      'word/footnotes.xml',
      5,
    ],
  ])('%s', (_, parts, part, letters) => expect(readWord(parts).unread).toEqual([{ part, letters }]))
})
