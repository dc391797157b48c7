import { strFromU8, unzipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { docxOf, odtOf } from '../../../helpers/docx.ts'
import { odsOf, odsTable } from '../../../helpers/ods.ts'
import { textOf } from '../../../helpers/pdf.ts'
import { createOffice } from './office.ts'

const office = createOffice()
afterAll(() => office.engine.stop?.())

const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const linked = (target: string) =>
  docxOf(
    '<w:p><w:hyperlink r:id="rId9"><w:r><w:rPr><w:rStyle w:val="Hyperlink"/></w:rPr><w:t>x</w:t></w:r></w:hyperlink></w:p>',
    {
      'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relation}/styles" Target="styles.xml"/><Relationship Id="rId9" Type="${relation}/hyperlink" Target="${target}" TargetMode="External"/></Relationships>`,
      'word/styles.xml':
        '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/></w:style></w:styles>',
    },
  )
const linkTo = (address: string) =>
  `<text:p><text:a xlink:type="simple" xlink:href="${address}">x</text:a></text:p>`
const text = linkTo('sub/other.odt')
const sheetOf = (content: string) =>
  odsTable(
    'S',
    `<table:table-row><table:table-cell office:value-type="string">${content}</table:table-cell></table:table-row>`,
  )
const sheet = sheetOf(text)

/** All that a file says, whatever it is packed in. */
function contentOf(bytes: Uint8Array, to: string): string {
  if (to === 'pdf') return textOf(bytes)
  if (bytes[0] !== 0x50) return new TextDecoder().decode(bytes)
  return Object.values(unzipSync(bytes))
    .map((part) => strFromU8(part))
    .join('\n')
}

test.each([
  ['docx', 'odt', await linked('sub/other.odt'), 'xlink:href="sub/other.odt"'],
  ['docx', 'docx', await linked('sub/other.odt'), 'Target="sub/other.odt"'],
  ['docx', 'html', await linked('sub/other.odt'), 'href="sub/other.odt"'],
  ['docx', 'html', await linked('http://e.org/other.odt'), 'href="http://e.org/other.odt"'],
  ['docx', 'rtf', await linked('sub/other.odt'), 'HYPERLINK "sub/other.odt"'],
  ['docx', 'pdf', await linked('sub/other.odt'), '(sub/other.odt)'],
  ['docx', 'doc', await linked('sub/other.odt'), 'HYPERLINK "sub/other.odt"'],
  ['docx', 'doc', await linked('/root.odt'), 'HYPERLINK "/root.odt"'],
  ['docx', 'doc', await linked('https://e.org/other.odt'), 'HYPERLINK "https://e.org/other.odt"'],
  ['docx', 'doc', await linked('http://e.org/other.odt'), 'HYPERLINK "http://e.org/other.odt"'],
  ['docx', 'rtf', await linked('https://e.org/other.odt'), 'HYPERLINK "https://e.org/other.odt"'],
  ['docx', 'sxw', await linked('/root.odt'), 'xlink:href="/root.odt"'],
  ['docx', 'epub', await linked('https://e.org/other.odt'), 'href="https://e.org/other.odt"'],
  ['docx', 'epub', await linked('sub/other.odt'), '<p class="para0"><span class="span0">x</span></p>'],
  ['odt', 'epub', await odtOf(linkTo('/root.odt')), '<p class="para0"><span class="span0">x</span></p>'],
  ['odt', 'doc', await odtOf(linkTo('../up.odt')), 'HYPERLINK "../up.odt"'],
  ['odt', 'doc', await odtOf(linkTo('https://e.org/other.odt')), 'HYPERLINK "https://e.org/other.odt"'],
  ['odt', 'sxw', await odtOf(linkTo('../up.odt')), 'xlink:href="../up.odt"'],
  ['odt', 'fodt', await odtOf(text), 'xlink:href="sub/other.odt"'],
  ['odt', 'xhtml', await odtOf(text), 'href="sub/other.odt"'],
  ['odt', 'docbook', await odtOf(linkTo('../up.odt')), 'url="../up.odt"'],
  ['odt', 'ooxml', await odtOf(text), 'sub/other.odt'],
  ['odt', 'uot', await odtOf(text), 'sub/other.odt'],
  ['ods', 'sxc', await odsOf(sheet), 'xlink:href="sub/other.odt"'],
  ['ods', 'fods', await odsOf(sheet), 'xlink:href="sub/other.odt"'],
  ['ods', 'xhtml', await odsOf(sheet), 'href="sub/other.odt"'],
  ['odt', 'odt', await odtOf(text), 'xlink:href="sub/other.odt"'],
  ['odt', 'docx', await odtOf(text), 'Target="sub/other.odt"'],
  ['odt', 'html', await odtOf(text), 'href="sub/other.odt"'],
  ['ods', 'xlsx', await odsOf(sheet), 'Target="sub/other.odt"'],
  ['ods', 'ods', await odsOf(sheet), 'xlink:href="sub/other.odt"'],
  ['docx', 'odt', await linked('../../up.odt'), 'xlink:href="../../up.odt"'],
  ['docx', 'docx', await linked('../up.odt'), 'Target="../up.odt"'],
  ['docx', 'html', await linked('../up.odt'), 'href="../up.odt"'],
  ['docx', 'rtf', await linked('../up.odt'), 'HYPERLINK "../up.odt"'],
  ['docx', 'pdf', await linked('../up.odt'), '(../up.odt)'],
  ['docx', 'odt', await linked('/root.odt'), 'xlink:href="/root.odt"'],
  ['docx', 'pdf', await linked('/root.odt'), '(/root.odt)'],
  ['odt', 'docx', await odtOf(linkTo('/root.odt')), 'Target="/root.odt"'],
  ['odt', 'pdf', await odtOf(linkTo('/root.odt')), '(/root.odt)'],
  ['odt', 'pdf', await odtOf(linkTo('../up.odt')), '(../up.odt)'],
  ['ods', 'html', await odsOf(sheetOf(linkTo('/root.odt'))), 'href="/root.odt"'],
  ['ods', 'xlsx', await odsOf(sheetOf(linkTo('/root.odt'))), 'Target="/root.odt"'],
])('links of %s are unchanged in %s (%#)', async (from, to, bytes, expected) => {
  const made = await office.convert(bytes, from, to, { options: { hardRefresh: true } })
  // A binary file has some of its texts in UTF-16.
  const content = contentOf(made.bytes, to).replaceAll('\0', '')
  expect(content).toContain(expected)
  expect(content).not.toMatch(/document\.invalid|elsewhere|private:|~\//)
})

test('links of a text without a character style, as Google Docs writes them, are in the PDF', async () => {
  const link = (rest: string) => `<w:hyperlink r:id="rId9"><w:r>${rest}<w:t>x</w:t></w:r></w:hyperlink>`
  const blue = '<w:rPr><w:color w:val="1155CC"/><w:u w:val="single"/></w:rPr>'
  const field =
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://e.org/field" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>y</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
  const body = `<w:p>${link('')}</w:p><w:p><w:r><w:t>a </w:t></w:r>${link(blue)}</w:p><w:p>${field}</w:p><w:tbl><w:tblPr/><w:tr><w:tc><w:p>${link(blue)}</w:p></w:tc></w:tr></w:tbl><w:p/>`
  const document = await docxOf(body, {
    'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9" Type="${relation}/hyperlink" Target="https://e.org/plain" TargetMode="External"/></Relationships>`,
  })
  const made = await office.convert(document, 'docx', 'pdf')
  expect(textOf(made.bytes).match(/\(https:\/\/e\.org\/\w+\)/g)).toEqual([
    ...Array.from({ length: 2 }, () => '(https://e.org/plain)'),
    '(https://e.org/field)',
    '(https://e.org/plain)',
  ])
})
