import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { defaultLimits } from '../../../../shared/limits.ts'
import { scanIncoming } from '../../../../shared/office/incoming/scan.ts'
import { XmlFault } from '../../../../shared/xml/cursor.ts'
import { docxOf, entryText, odtOf, zipOf } from '../../../helpers/docx.ts'
import {
  docxWithFont,
  flatWithFont,
  htmlWithFont,
  invoice,
  odtWithFont,
  odtWithFormula,
  rtfWithFont,
} from '../../../helpers/embedded-fonts.ts'

const scan = (source: Uint8Array | string, from: string) =>
  scanIncoming(typeof source === 'string' ? new TextEncoder().encode(source) : source, from, {
    codec: nodeCodec,
    limits: defaultLimits,
  })
const textOf = (source: string, from: string) => new TextDecoder().decode(scan(source, from).bytes)
const office = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
const xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
const relation = (type: string, target: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" TargetMode="External"/></Relationships>`
const linked = (type: string, target: string) =>
  docxOf('<w:p/>', { 'word/_rels/document.xml.rels': relation(type, target) })

describe('documents that leave something behind', () => {
  it.each([
    ['docx', () => docxWithFont('Any')],
    ['odt', () => odtWithFont('Any')],
    ['fodt', () => flatWithFont('Any')],
    ['rtf', () => rtfWithFont('Any')],
    ['html', () => htmlWithFont('Any')],
    ['odt', () => odtWithFormula('%own', 'own')],
    ['docx', async () => docxOf('<w:p/>', { 'word/embeddings/a.odt': await odtWithFont('Any') })],
  ] as const)('are known: %s', async (from, make) => {
    expect(scan(await make(), from).leavesTraces).toBe(true)
  })

  it('are not those that do not', async () => {
    const plain = await invoice()
    expect(scan(plain, 'docx')).toEqual({ bytes: plain, warnings: [], leavesTraces: false })
    expect(scan(await odtWithFormula('a over b'), 'odt').leavesTraces).toBe(false)
  })
})

describe('links of Office Open XML', () => {
  it.each([
    ['image', 'http://10.0.0.1/a.png', 'picture'],
    ['image', 'file:///etc/passwd', 'picture'],
    ['attachedTemplate', '\\\\server\\share\\a.dotx', 'template'],
    ['oleObject', 'file:///etc/passwd', 'object'],
    ['externalLinkPath', 'book.xlsx', 'table'],
    ['anything', 'http://10.0.0.1/', 'file'],
  ])('of type %s are dropped: %s', async (type, target, kind) => {
    const { bytes, warnings } = scan(await linked(type, target), 'docx')
    expect(await entryText(bytes, 'word/_rels/document.xml.rels')).toContain('Target="about:invalid"')
    expect(warnings).toEqual([
      {
        code: 'office.link-dropped',
        message: `One link of the document to ${kind === 'object' ? 'an' : 'a'} ${kind} outside of it was not followed.`,
      },
    ])
  })

  it('are kept where people click them', async () => {
    const document = await linked('hyperlink', 'https://example.org/')
    expect(scan(document, 'docx').bytes).toBe(document)
  })

  it('are dropped in the connections of a workbook', async () => {
    const book = await zipOf({
      'xl/_rels/workbook.xml.rels': relation('connections', 'any.xml').replace(' TargetMode="External"', ''),
      'xl/any.xml':
        '<connections xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><connection id="1" name="n" sourceFile="file:///a"><webPr url="http://10.0.0.1/"/></connection></connections>',
    })
    const { bytes, warnings } = scan(book, 'xlsx')
    expect(await entryText(bytes, 'xl/any.xml')).not.toMatch(/file:|10\.0\.0\.1/)
    expect(await entryText(bytes, 'xl/_rels/workbook.xml.rels')).toContain('Target="any.xml"')
    expect(warnings.map(({ message }) => message)).toEqual([
      '2 links of the document to a data source outside of it were not followed.',
    ])
  })

  it('are dropped in a part that has the name of a picture', async () => {
    const instruction = '<w:p><w:fldSimple w:instr="INCLUDETEXT file:///a"/></w:p>'
    const document = await docxOf('<w:p/>', {
      'word/_rels/document.xml.rels': relation('header', 'header.png').replace(' TargetMode="External"', ''),
      'word/header.png': `<w:hdr xmlns:w="urn:any">${instruction}</w:hdr>`,
    })
    expect(await entryText(scan(document, 'docx').bytes, 'word/header.png')).not.toContain('INCLUDETEXT')
  })

  it('are dropped in documents inside the document', async () => {
    const inner = await linked('image', 'http://10.0.0.1/')
    const { bytes, warnings } = scan(await docxOf('<w:p/>', { 'word/embeddings/a.docx': inner }), 'docx')
    expect(warnings).toHaveLength(1)
    expect(new TextDecoder('latin1').decode(bytes)).not.toContain('10.0.0.1')
  })
})

describe('links of OpenDocument', () => {
  const chart = (href: string) =>
    zipOf({
      'Object 1/content.xml': `<office:document-content ${office} ${xlink} xmlns:chart="urn:oasis:names:tc:opendocument:xmlns:chart:1.0"><office:body><office:chart><chart:chart xlink:href="${href}"/></office:chart></office:body></office:document-content>`,
    })

  it('are kept where a chart names the document around it', async () => {
    const document = await chart('..')
    expect(scan(document, 'ods')).toMatchObject({ bytes: document, warnings: [] })
  })

  it('are dropped where a chart names a document elsewhere', async () => {
    const { bytes, warnings } = scan(await chart('../../a.ods'), 'ods')
    expect(await entryText(bytes, 'Object 1/content.xml')).toContain('xlink:href="about:invalid"')
    expect(warnings).toHaveLength(1)
  })

  it.each([
    [
      'another prefix',
      `<o:document xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:q="http://www.w3.org/1999/xlink"><o:x q:href="file:///a"/></o:document>`,
    ],
    [
      'a prefix that is bound again',
      `<o:document xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:q="urn:a"><o:x xmlns:q="http://www.w3.org/1999/xlink" q:href="file:///a"/></o:document>`,
    ],
    [
      'a URI with a reference',
      `<office:document ${office} xmlns:q="http://www.w3.org/1999/&#120;link"><office:x q:href="fil&#101;:///a"/></office:document>`,
    ],
    [
      'an entity',
      `<!DOCTYPE x [<!ENTITY u "file:///a">]><office:document ${office} ${xlink}><office:x xlink:href="&u;"/></office:document>`,
    ],
    [
      'a comment before it',
      `<!-- ${'x'.repeat(100_000)} --><office:document ${office} ${xlink}><office:x xlink:href="file:///a"/></office:document>`,
    ],
    [
      'UTF-16',
      `\ufeff<office:document ${office} ${xlink}><office:x xlink:href="file:///a"/></office:document>`,
    ],
  ])('are found behind %s', (name, source) => {
    const bytes =
      name === 'UTF-16' ? new Uint8Array(Buffer.from(source, 'utf16le')) : new TextEncoder().encode(source)
    const made = new TextDecoder().decode(scan(bytes, 'fodt').bytes)
    expect(made).not.toContain('file:')
    expect(made).not.toContain('ENTITY')
  })

  it.each([
    ['a function', `COM.MICROSOFT.WEBSERVICE("http://10.0.0.1/")`],
    ['a program', 'DDE("soffice";"/etc/passwd";"A1")'],
    ['another file', "['file:///etc/passwd'#$Sheet1.A1]"],
    ['another file without quotes', '[file:///etc/passwd#$Sheet1.A1]'],
    ['another file in text', `INDIRECT("'file:///etc/passwd'#$Sheet1.A1")`],
  ])('are dropped with the formula that names %s', async (_name, formula) => {
    const escaped = formula.replaceAll('"', '&quot;').replaceAll('S', '&#83;')
    const source = `<o:document xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:q="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><q:table-cell q:formula = 'any:=${escaped.replaceAll("'", '&apos;')}' o:value="7"/><q:named-expression q:expression="of:=${escaped}"/></o:document>`
    const { bytes, warnings } = scan(source, 'fods')
    const made = new TextDecoder().decode(bytes)
    expect(made).not.toMatch(/formula|expression=|10\.0\.0\.1|passwd/)
    expect(made).toContain('o:value="7"')
    expect(warnings.map(({ code }) => code)).toEqual(['office.link-dropped'])
  })

  it('are dropped in declarations of programs', () => {
    const source = `<office:document ${office} xmlns:t="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><t:dde-connection-decl office:dde-application="soffice" office:dde-topic="/etc/passwd" office:dde-item="a"/></office:document>`
    expect(textOf(source, 'fodt')).not.toMatch(/soffice|passwd/)
  })

  it('are dropped in drawings inside', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:q="http://www.w3.org/1999/xlink"><image q:href="file:///a"/><image q:href="data:image/png;base64,AA"/></svg>`
    const made = await entryText(
      scan(await odtOf('<text:p/>', { 'Pictures/a.svg': svg }), 'odt').bytes,
      'Pictures/a.svg',
    )
    expect(made).not.toContain('file:')
    expect(made).toContain('data:image/png')
  })

  it('stay where they lead into the package or where people click', async () => {
    const text = await odtOf(
      '<text:p><text:a xlink:href="https://example.org/">x</text:a><draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame></text:p>',
    )
    expect(scan(text, 'odt').bytes).toBe(text)
  })

  it('are dropped where they leave the package', async () => {
    const text = await odtOf(
      '<text:p><draw:frame><draw:image xlink:href="../../a.png"/></draw:frame></text:p>',
    )
    expect(await entryText(scan(text, 'odt').bytes, 'content.xml')).toContain('xlink:href="about:invalid"')
  })
})

describe('links of pages', () => {
  it.each([
    ['<img src="http://10.0.0.1/a.png">'],
    ['<img src=file:///etc/passwd>'],
    ['<body background="file:///a.png">'],
    ['<link rel=stylesheet href=http://10.0.0.1/>'],
    ['<p style="background:url(file:///a.png)">'],
    ['<p style="background:u\\72l(file:///a.png)">'],
    ['<style>@import "http://10.0.0.1/";</style>'],
    ['<textarea><img src="http://10.0.0.1/"></textarea>'],
    ['<!-- <img src="http://10.0.0.1/"> -->'],
    ['<meta http-equiv=refresh content="0;url=http://10.0.0.1/">'],
    ['<iframe src="http://10.0.0.1/"></iframe>'],
  ])('are dropped: %s', (source) => {
    expect(textOf(`<html><body>${source}x</body></html>`, 'html').replaceAll('&lt;img src', '')).not.toMatch(
      /(?:src|background|href)="?(?:http|file)|url\(file|@import|refresh/,
    )
  })

  it('stay where people click them, and in pages without any', () => {
    const page = '<p><a href="http://example.org/">x</a><img src="data:image/png;base64,AAAA"></p>'
    expect(textOf(page, 'html')).toBe(page)
    expect(textOf(`${page}<img src="a.png">`, 'html')).toContain('href="http://example.org/"')
  })

  it('are dropped under the name of a document of another kind', () => {
    expect(textOf('<html><img src="http://10.0.0.1/"></html>', 'doc')).not.toContain('10.0.0.1')
  })
})

describe('documents made to keep a parser busy', () => {
  const flat = (content: string) => `<office:document ${office}>${content}</office:document>`
  it.each([
    ['nested too deeply', () => flat('<office:a>'.repeat(200_000))],
    [
      'an element with too many attributes',
      () => flat(`<office:a ${Array.from({ length: 500_000 }, (_, n) => `a${n}=""`).join(' ')}/>`),
    ],
    ['an encoding that is not known', () => '<?xml version="1.0" encoding="utf-7"?><a/>'],
    ['no markup', () => 'text'],
  ])('are refused: %s', (_name, make) => {
    expect(() => scan(make(), 'fodt')).toThrow(XmlFault)
  })

  const attributes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}="1"`).join(' ')
  it.each([
    ['levels', '<w:p>'.repeat(200_000)],
    ['levels whose attributes look like the end of an empty element', '<w:p a="/>">'.repeat(200_000)],
    ['tags without an end', '<w:p '.repeat(200_000)],
    ['attributes', `<w:p ${attributes(300_000)}/>`],
    ['attributes behind a closing bracket', `<w:p a=">" ${attributes(300_000)}></w:p>`],
  ])('are refused where nothing in them is a link: %s', async (_name, body) => {
    const bytes = await zipOf({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': '<a/>',
      'word/document.xml': body,
    })
    expect(() => scan(bytes, 'docx')).toThrow(XmlFault)
  })

  it.each([
    ['many empty elements', '<w:p a="/>"/>'.repeat(5_000)],
    ['many elements', '<w:p a=">"></w:p>'.repeat(5_000)],
    ['long texts', `<w:p>${'a="1" '.repeat(50_000)}</w:p>`],
  ])('are not recognised as one: %s', async (_name, body) => {
    const bytes = await zipOf({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': '<a/>',
      'word/document.xml': body,
    })
    expect(() => scan(bytes, 'docx')).not.toThrow()
  })

  it('are refused as packages within packages within packages', async () => {
    let inner = await zipOf({ 'a.txt': 'x' })
    for (let depth = 0; depth < 5; depth++) inner = await zipOf({ 'word/embeddings/a.docx': inner })
    expect(() => scan(inner, 'docx')).toThrow(expect.objectContaining({ code: 'package.unsupported' }))
  })
})
