import { expect, it } from 'vitest'
import { docxOf, entryText, odtOf } from '../../helpers/docx.ts'
import { mergeBytes, mergeText } from '../../helpers/merge.ts'
import { odpOf, odsOf, odsRow, odsTable } from '../../helpers/ods.ts'
import { pptxOf, pptxShape } from '../../helpers/pptx.ts'
import { problemsOf } from '../../helpers/structure.ts'

/** What `convCRLF` writes, by the place of its tag. Source: template language 13.2. */
const tag = '{d.v:convCRLF}'
const data = { v: 'a\nb <"' }
const looks = '<a:rPr lang="en" b="1"/>'
const core = (title: string) =>
  `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></cp:coreProperties>`
const slide = (text: string) => pptxOf([pptxShape(2, text)])
const page = (text: string) =>
  odpOf(
    `<draw:page draw:name="p"><draw:frame draw:name="F"><draw:text-box>${text}</draw:text-box></draw:frame></draw:page>`,
  )

const rows: readonly (readonly [
  place: string,
  format: string,
  template: Promise<Uint8Array>,
  part: string,
  expected: string,
])[] = [
  [
    'a run of Word',
    'docx',
    docxOf(`<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>${tag}</w:t></w:r></w:p>`),
    'word/document.xml',
    '<w:rPr><w:b/></w:rPr><w:t xml:space="preserve">a</w:t><w:br/><w:t xml:space="preserve">b &lt;"</w:t></w:r>',
  ],
  [
    'a property of Word',
    'docx',
    docxOf('<w:p/>', { 'docProps/core.xml': core(tag) }),
    'docProps/core.xml',
    '<dc:title>a\nb &lt;"</dc:title>',
  ],
  [
    'an attribute',
    'docx',
    docxOf(
      `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="${tag}"/></wp:inline></w:drawing></w:r></w:p>`,
    ),
    'word/document.xml',
    'descr="a&#10;b &lt;&quot;"',
  ],
  [
    'a run of PowerPoint',
    'pptx',
    slide(`<a:p><a:r>${looks}<a:t>x ${tag}</a:t></a:r></a:p>`),
    'ppt/slides/slide1.xml',
    `<a:r>${looks}<a:t>x a</a:t></a:r><a:br>${looks}</a:br><a:r>${looks}<a:t>b &lt;"</a:t></a:r>`,
  ],
  [
    'a run of PowerPoint without looks',
    'pptx',
    slide(`<a:p><a:r><a:t>${tag}</a:t></a:r></a:p>`),
    'ppt/slides/slide1.xml',
    '<a:r><a:t>a</a:t></a:r><a:br></a:br><a:r><a:t>b &lt;"</a:t></a:r>',
  ],
  [
    'a field of PowerPoint',
    'pptx',
    slide(
      `<a:p><a:fld id="{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}" type="slidenum"><a:t>${tag}</a:t></a:fld></a:p>`,
    ),
    'ppt/slides/slide1.xml',
    '<a:t>a\nb &lt;"</a:t>',
  ],
  [
    'a paragraph of Writer',
    'odt',
    odtOf(`<text:p>${tag}</text:p>`),
    'content.xml',
    '<text:p>a<text:line-break/>b &lt;"</text:p>',
  ],
  [
    'a page of Impress',
    'odp',
    page(`<text:p>${tag}</text:p>`),
    'content.xml',
    '<text:p>a<text:line-break/>b &lt;"</text:p>',
  ],
  [
    'a cell of Calc',
    'ods',
    odsOf(odsTable('S', odsRow([`x ${tag}`]))),
    'content.xml',
    '<text:p>x a</text:p><text:p>b &lt;"</text:p>',
  ],
  [
    'a style in a cell of Calc',
    'ods',
    odsOf(
      odsTable(
        'S',
        odsRow([
          `<table:table-cell office:value-type="string"><text:p text:style-name="P1">x <text:span text:style-name="T1">${tag}</text:span></text:p></table:table-cell>`,
        ]),
      ),
    ),
    'content.xml',
    '<text:p text:style-name="P1">x <text:span text:style-name="T1">a</text:span></text:p><text:p text:style-name="P1"><text:span text:style-name="T1">b &lt;"</text:span></text:p>',
  ],
]

it.each(rows)('%s', async (_place, format, template, part, expected) => {
  const { value } = await mergeBytes(await template, format, data)
  const bytes = new Uint8Array(await value.document.arrayBuffer())
  expect(await entryText(bytes, part)).toContain(expected)
  if (part !== 'docProps/core.xml') expect(await problemsOf(bytes)).toEqual([])
})

it('HTML: text, attributes, and elements that hold text alone', async () => {
  const template = `<title>${tag}</title><p title="${tag}">${tag}</p><textarea>${tag}</textarea>`
  expect(await mergeText(template, data, { format: 'html' })).toBe(
    '<title>a\nb &lt;"</title><p title="a&#10;b &lt;&quot;">a<br>b &lt;"</p><textarea>a\nb &lt;"</textarea>',
  )
})
