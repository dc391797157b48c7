import { describe, expect, it } from 'vitest'
import { bodyOf, docxOf, entryText, odtOf } from '../../../helpers/docx.ts'
import { failure, mergeBytes, mergeText } from '../../../helpers/merge.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../../../helpers/pptx.ts'
import { problemsOf } from '../../../helpers/structure.ts'

async function merge(format: string, template: Promise<Uint8Array>, data: unknown) {
  const { value, warnings } = await mergeBytes(await template, format, data)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect([await problemsOf(out), warnings]).toEqual([[], []])
  return out
}
const word = (tag: string, more = '') =>
  docxOf(
    `<w:p><w:pPr><w:shd w:fill="FF0000"/></w:pPr><w:r><w:rPr><w:color w:val="ff0000"/>${more}</w:rPr><w:t>x${tag}</w:t></w:r></w:p>`,
  )

describe('formats of the data', () => {
  const rows: readonly (readonly [format: string, value: unknown, expected: string])[] = [
    ['#hexa', '#00ff7f', '00FF7F'],
    ['#hexa', '00FF7F', '00FF7F'],
    ['hexa', '00ff7f', '00FF7F'],
    ['color', 'SteelBlue', '4682B4'],
    ['rgb', { r: 1, g: 128, b: 255 }, '0180FF'],
    ['hsl', { h: 120, s: 100, l: 50 }, '00FF00'],
    ['hsl', { h: 0, s: 0, l: 0.5 }, '808080'],
    ['hsl', { h: -60, s: 1, l: 0.5 }, 'FF00FF'],
    // What is no colour leaves the colour of the template.
    ['#hexa', 'red', 'ff0000'],
    ['color', 'nothing', 'ff0000'],
    ['rgb', { r: 300, g: 0, b: 0 }, 'ff0000'],
    ['rgb', '1,2,3', 'ff0000'],
    ['hsl', null, 'ff0000'],
  ]
  it.each(rows)('%s of %j', async (format, value, expected) => {
    const body = await bodyOf(await merge('docx', word(`{bindColor(ff0000, ${format}) = d.c}`), { c: value }))
    expect(/<w:color w:val="(\w+)"/.exec(body)?.[1]).toBe(expected)
    expect(/<w:shd w:fill="(\w+)"/.exec(body)?.[1]?.toLowerCase()).toBe(expected.toLowerCase())
    expect(body).toContain('>x</w:t>')
  })
})

it('highlights of Word, by name', async () => {
  const template = (value: string) =>
    merge('docx', word('{bindColor(yellow, color) = d.c}', '<w:highlight w:val="yellow"/>'), { c: value })
  expect(await bodyOf(await template('DARKBLUE'))).toContain('<w:highlight w:val="darkBlue"/>')
  expect(await bodyOf(await template('salmon'))).toContain('<w:highlight w:val="yellow"/>')
})

it('tags cut by an editor; formatters; other parts', async () => {
  const header =
    '<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:p><w:r><w:rPr><w:color w:val="FF0000"/></w:rPr><w:t>h</w:t></w:r></w:p></w:hdr>'
  const body =
    "<w:p><w:r><w:t>{bind</w:t></w:r><w:r><w:t>Color(FF0000, #hexa) = d.n:ifGT(1):show('00aa00'):elseShow('aa0000')}</w:t></w:r></w:p>"
  const out = await merge('docx', docxOf(body, { 'word/header1.xml': header }), { n: 2 })
  expect(await entryText(out, 'word/header1.xml')).toContain('w:val="00AA00"')
})

it('styles of Writer, which stand before the tag; slides; pages', async () => {
  const plain = await entryText(
    await odtOf('<text:p text:style-name="P1">x{bindColor(ff0000, #hexa) = d.c}</text:p>'),
    'content.xml',
  )
  const styles =
    '<office:automatic-styles><style:style style:name="P1" style:family="paragraph"><style:text-properties xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" fo:color="#ff0000"/></style:style></office:automatic-styles>'
  const writer = odtOf('', { 'content.xml': plain.replace('<office:body>', `${styles}<office:body>`) })
  expect(await entryText(await merge('odt', writer, { c: '#0000ff' }), 'content.xml')).toContain(
    'fo:color="#0000FF"',
  )
  const shape = pptxShape(
    4,
    pptxParagraph('x{bindColor(ff0000, #hexa) = d.c}').replace(
      '<a:rPr lang="en-US"/>',
      '<a:rPr lang="en-US"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></a:rPr>',
    ),
  )
  expect(
    await entryText(await merge('pptx', pptxOf([shape]), { c: '#0000ff' }), 'ppt/slides/slide1.xml'),
  ).toContain('<a:srgbClr val="0000FF"/>')
  const page =
    '<style>p{color:#ff0000}</style><p style="color:#FF0000;margin:0" bgcolor="ff0000">ff0000{bindColor(ff0000, #hexa) = d.c}</p>'
  expect(await mergeText(page, { c: '0000ff' }, { format: 'html' })).toBe(
    '<style>p{color:#0000FF}</style><p style="color:#0000FF;margin:0" bgcolor="0000FF">ff0000</p>',
  )
})

it.each([
  ['{bindColor(ff0000) = d.c}', 'it must be written like'],
  ['{bindColor(ff0000, #hexa)}', 'it must be written like'],
  ['{bindColor(ff0000, hex) = d.c}', 'the format is one of'],
  ['{bindColor(reddish, hexa) = d.c}', 'the colour is six'],
  ['{bindColor(ff0000, hexa) = d.c}{bindColor(#FF0000, hexa) = d.e}', 'bound already'],
])('%s', async (tag, because) => {
  const error = await failure(mergeBytes(await word(tag), 'docx', {}))
  expect([error.code, error.message.includes(because)]).toEqual(['template.color.binding', true])
})
