import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readSheets } from '../../../plugins/engines/tables/read-sheets.ts'
import { readDocbook } from '../../../plugins/engines/web/read-docbook.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { scanIncoming } from '../../../shared/office/incoming/scan.ts'
import { codecNode } from '../../helpers/codec-node.ts'
import { canonicalPackage, rewritePackage, rewritings } from '../../helpers/rewrite-xml.ts'
import { expectSameRewritten } from '../../helpers/rewritten.ts'

const open = 'urn:oasis:names:tc:opendocument:xmlns:'
const namespaces = [
  ...['office', 'table', 'text', 'style', 'form'].map((name) => `xmlns:${name}="${open}${name}:1.0"`),
  `xmlns:draw="${open}drawing:1.0"`,
  `xmlns:svg="${open}svg-compatible:1.0"`,
  `xmlns:fo="${open}xsl-fo-compatible:1.0"`,
  `xmlns:of="${open}of:1.2"`,
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
].join(' ')
/** A document of OpenDocument in one XML file (ODF 1.3 part 3, 3.1.2). */
const flat = (kind: string, content: string, styles = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${namespaces} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:automatic-styles>${styles}</office:automatic-styles><office:body>${content}</office:body></office:document>`

describe('a flat OpenDocument template that a producer wrote in another form of XML merges to the same', () => {
  const text = (content: string, styles?: string) =>
    flat('text', `<office:text>${content}</office:text>`, styles)
  const templates: readonly (readonly [name: string, format: string, template: string])[] = [
    [
      'a loop, a condition and a link',
      'odt',
      text(
        '<table:table table:name="T"><table:table-column/><table:table-row><table:table-cell><text:p>{d.rows[i].name}</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>{d.rows[i+1].name}</text:p></table:table-cell></table:table-row></table:table><text:p>{d.on:ifEQ(true):show(yes):elseShow(no)} <text:a xlink:href="{d.address}">here</text:a></text:p>',
      ),
    ],
    [
      'HTML, in the style of its paragraph',
      'odt',
      text(
        '<text:p text:style-name="P1">{d.page:html}</text:p>',
        '<style:style style:name="P1" style:family="paragraph"><style:paragraph-properties fo:margin-left="1cm"/><style:text-properties fo:color="#ff0000"/></style:style>',
      ),
    ],
    [
      'a check box',
      'odt',
      text(
        '<office:forms><form:form form:name="F"><form:checkbox form:id="c" form:name="{d.on}" form:state="unchecked"/></form:form></office:forms><text:p>x</text:p>',
      ),
    ],
    [
      'cells that repeat',
      'ods',
      flat(
        'spreadsheet',
        '<office:spreadsheet><table:table table:name="S"><table:table-column/><table:table-row><table:table-cell office:value-type="string"><text:p>{d.rows[i].count:formatN}</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell office:value-type="string"><text:p>{d.rows[i+1].count}</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>',
      ),
    ],
  ]
  const data = {
    rows: [
      { name: 'A & B', count: 1.5 },
      { name: '<C>', count: 2 },
    ],
    on: true,
    address: 'https://example.org/?a=1&b=2',
    page: '<p>one <b>two</b></p><ul><li>three</li></ul>',
  }
  test.each(templates)('%s', async (_name, format, template) =>
    expectSameRewritten(strToU8(template), format, data),
  )
})

describe('a spreadsheet that a producer wrote in another form of XML has the same cells', () => {
  const folders = ['real', 'corpus'].map(
    (name) => new URL(`../../fixtures/${name}`, import.meta.url).pathname,
  )
  const templates = new URL('../../fixtures/templates', import.meta.url).pathname
  const files = [
    ...folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name))),
    ...readdirSync(templates).map((name) => join(templates, name, 'template.ods')),
  ].filter((file) => extname(file) === '.ods')
  const found = files.flatMap((file) => {
    try {
      return [[file.split('/').slice(-2).join('/'), new Uint8Array(readFileSync(file))] as const]
    } catch {
      return []
    }
  })
  const small = zipSync({
    mimetype: [strToU8('application/vnd.oasis.opendocument.spreadsheet'), { level: 0 }],
    'content.xml': strToU8(
      `<office:document-content ${namespaces}><office:body><office:spreadsheet><table:table table:name="A &amp; B"><table:table-row><table:table-cell office:value-type="float" office:value="1.5"/><table:table-cell office:value-type="string"><text:p>x &lt; y</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`,
    ),
  })
  test.each([['numbers and texts', small] as const, ...found])('%s', (_name, bytes) => {
    const expected = readSheets(bytes, codecNode)
    expect(expected[0]?.rows.length).toBeGreaterThan(0)
    for (const rewriting of rewritings)
      expect(readSheets(rewritePackage(bytes, rewriting), codecNode), rewriting).toEqual(expected)
  })
})

describe('a document whose links are dropped, however they are written', () => {
  const schemas = 'http://schemas.openxmlformats.org/'
  const relations = (...all: readonly (readonly [id: string, type: string, target: string])[]) =>
    `<Relationships xmlns="${schemas}package/2006/relationships">${all
      .map(
        ([id, type, target]) =>
          `<Relationship Id="${id}" Type="${schemas}officeDocument/2006/relationships/${type}" Target="${target}" TargetMode="External"/>`,
      )
      .join('')}</Relationships>`
  const packed = (parts: Readonly<Record<string, string>>) =>
    zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))
  const types = `<Types xmlns="${schemas}package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`
  const documents: readonly (readonly [name: string, from: string, bytes: Uint8Array])[] = [
    [
      'a workbook: formulas, names, conditions, a connection, a linked book',
      'xlsx',
      packed({
        '[Content_Types].xml': types,
        'xl/workbook.xml': `<workbook xmlns="${schemas}spreadsheetml/2006/main"><definedNames><definedName name="N">WEBSERVICE("http://10.0.0.1/a")</definedName></definedNames></workbook>`,
        'xl/connections.xml': `<connections xmlns="${schemas}spreadsheetml/2006/main"><connection id="1" sourceFile="file:///etc/passwd"><webPr url="http://10.0.0.1/b"/></connection></connections>`,
        'xl/externalLinks/_rels/externalLink1.xml.rels': relations(['r1', 'externalLinkPath', 'c.xlsx']),
        'xl/worksheets/sheet1.xml': `<worksheet xmlns="${schemas}spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"><f>WEBSERVICE("http://10.0.0.1/d")</f><v>1</v></c><c r="B1"><f>1+1</f><v>2</v></c></row></sheetData><conditionalFormatting sqref="A1"><cfRule type="expression"><formula>WEBSERVICE("http://10.0.0.1/e")=1</formula></cfRule></conditionalFormatting></worksheet>`,
      }),
    ],
    [
      'a presentation: a linked picture, a film, an address to click',
      'pptx',
      packed({
        '[Content_Types].xml': types,
        'ppt/presentation.xml': `<p:presentation xmlns:p="${schemas}presentationml/2006/main"/>`,
        'ppt/slides/_rels/slide1.xml.rels': relations(
          ['r1', 'image', 'http://10.0.0.1/a.png'],
          ['r2', 'video', 'file:///etc/passwd'],
          ['r3', 'hyperlink', 'https://example.org/'],
        ),
      }),
    ],
    [
      'a flat text: a picture and a section from another file',
      'fodt',
      strToU8(
        flat(
          'text',
          '<office:text><text:p><draw:frame><draw:image xlink:href="http://10.0.0.1/a.png" xlink:type="simple"/></draw:frame></text:p><text:section text:name="S"><text:section-source xlink:href="file:///etc/passwd"/><text:p>x</text:p></text:section></office:text>',
        ),
      ),
    ],
    [
      'a flat spreadsheet: formulas',
      'fods',
      strToU8(
        flat(
          'spreadsheet',
          `<office:spreadsheet><table:table table:name="S"><table:table-row><table:table-cell table:formula="of:=WEBSERVICE(&quot;http://10.0.0.1/a&quot;)" office:value-type="string"/><table:table-cell table:formula="of:=1+1" office:value-type="float" office:value="2"/></table:table-row></table:table></office:spreadsheet>`,
        ),
      ),
    ],
  ]
  const scan = (bytes: Uint8Array, from: string) =>
    scanIncoming(bytes, from, { codec: codecNode, limits: defaultLimits })
  test.each(documents)('%s', (_name, from, bytes) => {
    const expected = scan(bytes, from)
    expect(expected.warnings).not.toEqual([])
    for (const rewriting of rewritings) {
      const found = scan(rewritePackage(bytes, rewriting), from)
      expect(found.warnings, rewriting).toEqual(expected.warnings)
      const isChosen = rewriting.startsWith('alternate')
      expect(canonicalPackage(found.bytes, isChosen), rewriting).toEqual(
        canonicalPackage(expected.bytes, isChosen),
      )
    }
  })
})

test('DocBook that a producer wrote in another form of XML reads to the same flow', () => {
  const source = `<article xmlns="http://docbook.org/ns/docbook" xmlns:xlink="http://www.w3.org/1999/xlink"><title>Title &amp; more</title><para>One <emphasis role="bold">two</emphasis> <link xlink:href="https://example.org/?a=1&amp;b=2">three</link></para><itemizedlist><listitem><para>four</para></listitem></itemizedlist></article>`
  const read = (bytes: Uint8Array) => readDocbook(new TextDecoder().decode(bytes))
  const expected = read(strToU8(source))
  // Its reader is given text: what its bytes were is known to those who decode them.
  for (const rewriting of rewritings.filter((each) => each !== 'utf-16'))
    expect(read(rewritePackage(strToU8(source), rewriting)), rewriting).toEqual(expected)
})
