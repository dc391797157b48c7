import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { chunkText } from '../../../../../plugins/formats/docx/reader/chunk-text.ts'
import { docxReader } from '../../../../../plugins/formats/docx/reader/open.ts'
import type { Block } from '../../../../../shared/document/content.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import { zipOf } from '../../../../helpers/docx.ts'
import { type WordParts, wordParts } from '../../../../helpers/laid-out.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const paragraph = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`

/** A document that takes in `chunk` under the given name. */
async function read(name: string, chunk: Uint8Array, own: Partial<WordParts> = {}) {
  const body = `${paragraph('before')}<w:altChunk r:id="chunk"/>${paragraph('after')}`
  const files = wordParts({ body, ...own })
  const rels = 'word/_rels/document.xml.rels'
  const link = `<Relationship Id="chunk" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/aFChunk" Target="${name}"/></Relationships>`
  const text = new TextDecoder().decode(files.get(rels)).replace('</Relationships>', link)
  const all = { ...Object.fromEntries(files), [rels]: bytesOf(text), [`word/${name}`]: chunk }
  const { value, warnings } = docxReader.read(await zipOf(all), { codec: nodeCodec, limits: defaultLimits })
  const blocks = value.sections.flatMap((section) => section.blocks)
  return { value, blocks, lines: blocks.map(textOf), warnings: warnings.map(({ code }) => code) }
}

function textOf(block: Block): string {
  if (block.kind === 'table')
    return block.rows.flatMap((row) => row.cells.flatMap((cell) => cell.blocks.map(textOf))).join('|')
  return block.inlines
    .map((inline) => (inline.kind === 'text' ? inline.text : inline.kind === 'tab' ? '\t' : ''))
    .join('')
}

const inner = (parts: WordParts): Promise<Uint8Array> => zipOf(Object.fromEntries(wordParts(parts)))

describe('documents within a document', () => {
  test('are read where they stand, in the styles of the document around them', async () => {
    const list =
      '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="7"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1)"/></w:lvl></w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num>'
    const chunk = await inner({
      body: `${paragraph('heading', '<w:pStyle w:val="Known"/>')}${paragraph('new', '<w:pStyle w:val="New"/>')}${paragraph('item', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr>')}<w:tbl><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc>${paragraph('cell')}</w:tc></w:tr></w:tbl>`,
      styles:
        '<w:style w:type="paragraph" w:styleId="Known"><w:name w:val="known"/><w:rPr><w:sz w:val="80"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="New"><w:name w:val="new"/><w:rPr><w:sz w:val="60"/></w:rPr></w:style>',
      numbering: list,
    })
    const { value, lines, warnings, blocks } = await read('c.docx', chunk, {
      styles:
        '<w:style w:type="paragraph" w:styleId="Known"><w:name w:val="known"/><w:rPr><w:sz w:val="40"/></w:rPr></w:style>',
      numbering: list.replace('w:val="7"', 'w:val="1"'),
    })
    expect(lines).toEqual(['before', 'heading', 'new', 'item', 'cell', 'after'])
    expect(warnings).toEqual([])
    expect(value.styles.styles.get('Known')?.run.size).toBe(20)
    expect(value.styles.styles.get('New')?.run.size).toBe(30)
    const item = blocks[3]
    const id = item?.kind === 'paragraph' ? item.properties.list?.list : undefined
    expect(value.numbering.get(String(id))?.levels[0]?.start).toBe(7)
    expect(value.numbering.get('3')?.levels[0]?.start).toBe(1)
  })
  test('that hold themselves come to an end', async () => {
    let chunk = await inner({ body: paragraph('deepest') })
    for (let depth = 0; depth < 6; depth += 1) {
      const files = wordParts({ body: `${paragraph(`depth ${depth}`)}<w:altChunk r:id="chunk"/>` })
      const rels = 'word/_rels/document.xml.rels'
      const text = new TextDecoder()
        .decode(files.get(rels))
        .replace(
          '</Relationships>',
          '<Relationship Id="chunk" Type="aFChunk" Target="c.docx"/></Relationships>',
        )
      chunk = await zipOf({ ...Object.fromEntries(files), [rels]: bytesOf(text), 'word/c.docx': chunk })
    }
    const { lines, warnings } = await read('c.docx', chunk)
    expect(lines).toEqual(['before', 'depth 5', 'depth 4', 'depth 3', 'after'])
    expect(warnings).toEqual(['read.embedded-document'])
  })
  test.each([
    ['a package that is none', 'c.docx', bytesOf('PK\u0003\u0004 no more'), 'read.embedded-document'],
    ['a picture', 'c.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]), 'read.embedded-document'],
    ['a web page', 'c.html', bytesOf('<p>words</p>'), 'read.embedded-text'],
  ])('%s costs a warning', async (_, name, chunk, code) => {
    const { lines, warnings } = await read(name, chunk)
    expect(lines).toEqual(code === 'read.embedded-text' ? ['before', 'words', 'after'] : ['before', 'after'])
    expect(warnings).toEqual([code])
  })
  test('a broken body costs itself alone', async () => {
    const chunk = await zipOf({ 'word/document.xml': '<w:document><w:body><w:p' })
    expect((await read('c.docx', chunk)).lines).toEqual(['before', 'after'])
  })
})

describe('the words of other formats', () => {
  const mail = (encoding: string, body: string): string =>
    `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="B"\r\n\r\n--B\r\nContent-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n--B\r\nContent-Type: image/png\r\n\r\nxx\r\n--B--`
  test.each([
    [
      'a page',
      'c.html',
      '<html><head><title>t</title><style>p{}</style></head><body><h1>A &amp; B</h1><p>c<br>d&#233;&euro;</p><!-- no --></body></html>',
      ['A & B', 'c', 'dé€'],
    ],
    [
      'a list and a table',
      'c.html',
      '<ul><li>one<li>two</ul><table><tr><td>a</td><td>b</td></tr></table>',
      ['• one', '• two', 'a\tb'],
    ],
    ['what is never closed', 'c.html', '<p>seen</p><script>never', ['seen']],
    ['quoted-printable', 'c.mht', mail('quoted-printable', '<p>gr=C3=BC=\r\nn</p>'), ['grün']],
    ['base64', 'c.mht', mail('base64', btoa('<p>words</p>')), ['words']],
    [
      'RTF',
      'c.rtf',
      "{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}Gr\\'fc\\'df {\\b bold}\\par{\\*\\x hidden}\\u8364?\\tab end\\par}",
      ['Grüß bold', '€\tend'],
    ],
    [
      'RTF with control words that every object knows',
      'c.rtf',
      '{\\rtf1 a\\constructor b\\toString c}',
      ['abc'],
    ],
    ['plain text', 'c.txt', 'one\r\ntwo', ['one', 'two']],
    ['nothing known', 'c.bin', 'one', undefined],
  ] as const)('%s', (_, name, text, wanted) => {
    expect(chunkText(bytesOf(text), name)).toEqual(wanted)
  })
  test('as much as there may be takes no time', () => {
    for (const piece of ['<script', '<p', '<!--', '<li <', '{', '\\u1 ', '&#1'])
      chunkText(bytesOf(`<p>${piece.repeat(200_000)}`), 'c.html')
    chunkText(bytesOf(`{\\rtf1${'{'.repeat(500_000)}`), 'c.rtf')
  })
})
