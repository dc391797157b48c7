/** Documents of every format that an office reads, each naming something outside of itself. */

import JSZip from 'jszip'
import type { FormatId } from '../../shared/plugin/values.ts'
import { docxOf, odtOf } from './docx.ts'
import { pptxOf } from './pptx.ts'
import { xlsxOf } from './xlsx.ts'

export interface LinkedDocument {
  readonly from: FormatId
  readonly bytes: Uint8Array
  /** The link is dropped before the office sees it; otherwise the office itself refuses or ignores it. */
  readonly warned: boolean
  /** What the document holds of the last time that the link was followed: it is printed. */
  readonly shows?: string
}

const urn = 'urn:oasis:names:tc:opendocument:xmlns:'
const prefixes = {
  office: 'office',
  text: 'text',
  table: 'table',
  draw: 'drawing',
  style: 'style',
  svg: 'svg-compatible',
  meta: 'meta',
}
const namespaces = `${Object.entries(prefixes)
  .map(([prefix, name]) => `xmlns:${prefix}="${urn}${name}:1.0"`)
  .join(' ')} xmlns:xlink="http://www.w3.org/1999/xlink"`
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

export function flat(kind: string, body: string, content: string, head = ''): Uint8Array {
  return utf8(
    `<?xml version="1.0"?><office:document ${namespaces} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}">${head}<office:body><office:${body}>${content}</office:${body}></office:body></office:document>`,
  )
}
const text = (content: string, head?: string) => flat('text', 'text', content, head)
const cell = (content: string, attributes = '') =>
  flat(
    'spreadsheet',
    'spreadsheet',
    `<table:table table:name="S">${content}<table:table-row><table:table-cell office:value-type="string"${attributes}><text:p>old</text:p></table:table-cell></table:table-row></table:table>`,
  )
const frame = (content: string) =>
  `<text:p><draw:frame svg:width="2cm" svg:height="2cm" text:anchor-type="as-char">${content}</draw:frame></text:p>`
const quoted = (formula: string) => ` table:formula="of:=${formula.replaceAll('"', '&quot;')}"`

const docx = (body: string, type: string, target: string) =>
  docxOf(body, {
    'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9" Type="${relation}/${type}" Target="${target}" TargetMode="External"/></Relationships>`,
  })
const picture =
  '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="rId9"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
const field = (code: string) =>
  `<w:p><w:fldSimple w:instr="${code.replaceAll('"', '&quot;')}"><w:r><w:t>old</w:t></w:r></w:fldSimple></w:p>`

export const complexField = (...code: readonly string[]) =>
  `<w:p>${mark('begin')}${code.map((text) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`).join('')}${mark('separate')}<w:r><w:t>old</w:t></w:r>${mark('end')}</w:p>`
const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`

type Relation = readonly [id: string, type: string, target: string]
const relationXml = ([id, type, target]: Relation) =>
  `<Relationship Id="${id}" Type="${relation}/${type}" Target="${target}"${/^\w+:/.test(target) ? ' TargetMode="External"' : ''}/>`

/** A package with relationships and parts added. */
async function withParts(
  bytes: Uint8Array,
  relations: Readonly<Record<string, readonly Relation[]>>,
  parts: Readonly<Record<string, string>> = {},
): Promise<Uint8Array> {
  const zip = await JSZip.loadAsync(bytes)
  for (const [part, added] of Object.entries(relations)) {
    const before =
      (await zip.file(part)?.async('string')) ??
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
    zip.file(part, before.replace('</Relationships>', `${added.map(relationXml).join('')}</Relationships>`))
  }
  for (const [name, content] of Object.entries(parts)) zip.file(name, content)
  return zip.generateAsync({ type: 'uint8array' })
}

const sheetMain = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const slidePicture =
  '<p:pic><p:nvPicPr><p:cNvPr id="2" name="p"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:link="rId9"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"/></p:spPr></p:pic>'

/** A table that is filled from a page, and a cell of another workbook. */
const workbookWithQuery = async (http: string) =>
  withParts(
    await xlsxOf({
      sheets: [{ name: 'S', cells: { A1: 'old' } }],
      names: '<definedName name="q">S!$A$1:$B$2</definedName>',
      types: {
        'xl/connections.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.connections+xml',
        'xl/queryTables/queryTable1.xml':
          'application/vnd.openxmlformats-officedocument.spreadsheetml.queryTable+xml',
      },
    }),
    {
      'xl/_rels/workbook.xml.rels': [['rId99', 'connections', 'connections.xml']],
      'xl/worksheets/_rels/sheet1.xml.rels': [['rId99', 'queryTable', '../queryTables/queryTable1.xml']],
    },
    {
      'xl/connections.xml': `<connections xmlns="${sheetMain}"><connection id="1" name="q" type="4" refreshedVersion="2" background="1" saveData="1" refreshOnLoad="1"><webPr sourceData="1" parsePre="1" consecutive="1" xl2000="1" url="${http}" htmlTables="1"/></connection></connections>`,
      'xl/queryTables/queryTable1.xml': `<queryTable xmlns="${sheetMain}" name="q" connectionId="1" refreshOnLoad="1"/>`,
    },
  )
/** A cell that shows its last value. */
export async function workbookWithFormula(formula: string): Promise<Uint8Array> {
  const zip = await JSZip.loadAsync(await xlsxOf({ sheets: [{ name: 'S', cells: { A1: '=1' } }] }))
  const part = 'xl/worksheets/sheet1.xml'
  const before = (await zip.file(part)?.async('string')) ?? ''
  const cell = `<c r="A1" t="str"><f>${formula}</f><v>old</v></c>`
  zip.file(part, before.replace(/<c r="A1"[^>]*>.*?<\/c>/, cell))
  return zip.generateAsync({ type: 'uint8array' })
}
export const workbookWithCell = async (file: string) =>
  withParts(
    await xlsxOf({
      sheets: [{ name: 'S', cells: { A1: '=[1]T!A1' } }],
      types: {
        'xl/externalLinks/externalLink1.xml':
          'application/vnd.openxmlformats-officedocument.spreadsheetml.externalLink+xml',
      },
    }),
    {
      'xl/_rels/workbook.xml.rels': [['rId99', 'externalLink', 'externalLinks/externalLink1.xml']],
      'xl/externalLinks/_rels/externalLink1.xml.rels': [['rId1', 'externalLinkPath', file]],
    },
    {
      'xl/externalLinks/externalLink1.xml': `<externalLink xmlns="${sheetMain}" xmlns:r="${relation}"><externalBook r:id="rId1"><sheetNames><sheetName val="T"/></sheetNames></externalBook></externalLink>`,
    },
  )

/** `http` and `file` are addresses that must not be followed. */
export async function documentsWithLinks({
  http,
  file,
}: {
  readonly http: string
  readonly file: string
}): Promise<[string, LinkedDocument][]> {
  const path = file.slice('file://'.length)
  const dropped = (from: FormatId, bytes: Uint8Array): LinkedDocument => ({ from, bytes, warned: true })
  const shown = (from: FormatId, bytes: Uint8Array): LinkedDocument => ({
    ...dropped(from, bytes),
    shows: 'old',
  })
  const refused = (from: FormatId, bytes: Uint8Array): LinkedDocument => ({ from, bytes, warned: false })
  return Object.entries({
    'a picture of a DOCX': dropped('docx', await docx(picture, 'image', http)),
    'an embedded object of a DOCX': dropped('docx', await docx('<w:p/>', 'oleObject', file)),
    'a template of a DOCX': dropped('docx', await docx('<w:p/>', 'attachedTemplate', http)),
    'INCLUDEPICTURE in a DOCX': shown('docx', await docxOf(field(`INCLUDEPICTURE "${http}" \\d`))),
    'INCLUDETEXT in a DOCX': shown('docx', await docxOf(field(`INCLUDETEXT "${path}"`))),
    'DDEAUTO in a DOCX': shown('docx', await docxOf(field(`DDEAUTO soffice "${path}" "A1"`))),
    'a field of a DOCX that is cut into runs': shown(
      'docx',
      await docxOf(complexField('INCLUDE', 'TEXT', ` "${path}"`)),
    ),
    'WEBSERVICE in an XLSX': shown('xlsx', await workbookWithFormula(`_xlfn.WEBSERVICE("${http}")`)),
    'a cell of a named file in an XLSX': shown(
      'xlsx',
      await workbookWithFormula(`'${path.slice(0, path.lastIndexOf('/') + 1)}[secret.txt]S'!A1`),
    ),
    'a picture of a PPTX': dropped(
      'pptx',
      await withParts(await pptxOf([slidePicture]), {
        'ppt/slides/_rels/slide1.xml.rels': [['rId9', 'image', http]],
      }),
    ),
    'a query of an XLSX': dropped('xlsx', await workbookWithQuery(http)),
    'a cell of another file in an XLSX': dropped('xlsx', await workbookWithCell(file)),
    'a query of SpreadsheetML 2003': dropped(
      'xmlss',
      utf8(
        `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet" xmlns:x="urn:schemas-microsoft-com:office:excel"><Worksheet ss:Name="S"><Table><Row><Cell><Data ss:Type="String">old</Data></Cell></Row></Table><x:QueryTable><x:Name>q</x:Name><x:QuerySource><x:URLString>${http}</x:URLString></x:QuerySource></x:QueryTable></Worksheet></Workbook>`,
      ),
    ),
    'a linked object of an RTF file': dropped(
      'rtf',
      utf8(
        `{\\rtf1\\ansi{\\object\\objautlink\\objw900\\objh900{\\*\\objclass Excel.Sheet.8}{\\*\\objdata 010500000100000000000000${Buffer.from(file).toString('hex')}}{\\result x}}\\par}`,
      ),
    ),
    'a picture of an ODT': dropped('odt', await odtOf(frame(`<draw:image xlink:href="${http}"/>`))),
    'a section of a flat ODT from a file': dropped(
      'fodt',
      text(
        `<text:section text:name="s"><text:section-source xlink:href="${file}"/><text:p>old</text:p></text:section>`,
      ),
    ),
    'a section of a flat ODT from a server': dropped(
      'fodt',
      text(
        `<text:section text:name="s"><text:section-source xlink:href="${http}"/><text:p>old</text:p></text:section>`,
      ),
    ),
    'an object of a flat ODT from a file': dropped(
      'fodt',
      text(frame(`<draw:object xlink:href="${file}"/>`)),
    ),
    'an object of a flat ODT from a server': dropped(
      'fodt',
      text(frame(`<draw:object xlink:href="${http}"/>`)),
    ),
    'a background of a flat ODT': dropped(
      'fodt',
      text(
        '<text:p text:style-name="P">x</text:p>',
        `<office:automatic-styles><style:style style:name="P" style:family="paragraph"><style:paragraph-properties><style:background-image xlink:href="${http}"/></style:paragraph-properties></style:style></office:automatic-styles>`,
      ),
    ),
    'a template of a flat ODT': dropped(
      'fodt',
      text(
        '<text:p>x</text:p>',
        `<office:meta><meta:template xlink:href="${http}" meta:date="2001-01-01T00:00:00"/></office:meta>`,
      ),
    ),
    'a program asked by a flat ODT': dropped(
      'fodt',
      text(
        `<text:section text:name="s"><office:dde-source office:dde-application="soffice" office:dde-topic="${path}" office:dde-item="a"/><text:p>old</text:p></text:section>`,
      ),
    ),
    'a flat ODT under the name of a DOC': dropped(
      'doc',
      text(
        `<text:section text:name="s"><text:section-source xlink:href="${file}"/><text:p>old</text:p></text:section>`,
      ),
    ),
    'a table of a flat ODS': dropped(
      'fods',
      cell(`<table:table-source xlink:href="${file}" table:filter-name="Text - txt - csv (StarCalc)"/>`),
    ),
    'WEBSERVICE in a flat ODS': shown('fods', cell('', quoted(`WEBSERVICE("${http}")`))),
    'a cell of another file in a flat ODS': shown('fods', cell('', quoted(`['${file}'#$Sheet1.A1]`))),
    'DDE in a flat ODS': shown('fods', cell('', quoted(`DDE("soffice";"${path}";"A1")`))),
    'WEBSERVICE in a CSV file': refused('csv', utf8(`a,=WEBSERVICE("${http}")\n`)),
    'a cell of another file in a CSV file': refused('csv', utf8(`a,='${file}'#$Sheet1.A1\n`)),
    'WEBSERVICE in SpreadsheetML 2003': shown(
      'xmlss',
      utf8(
        `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table><Row><Cell ss:Formula="=WEBSERVICE(&quot;${http}&quot;)"><Data ss:Type="String">old</Data></Cell></Row></Table></Worksheet></Workbook>`,
      ),
    ),
    'a picture of a flat ODP': dropped(
      'fodp',
      flat(
        'presentation',
        'presentation',
        `<draw:page draw:name="1"><draw:frame svg:x="2cm" svg:y="2cm" svg:width="5cm" svg:height="5cm"><draw:image xlink:href="${http}"/></draw:frame></draw:page>`,
      ),
    ),
    'a picture of WordprocessingML 2003': dropped(
      'ooxml',
      utf8(
        `<?xml version="1.0"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" xmlns:v="urn:schemas-microsoft-com:vml"><w:body><w:p><w:r><w:pict><v:shape style="width:50pt;height:50pt"><v:imagedata src="${http}"/></v:shape></w:pict></w:r></w:p></w:body></w:wordDocument>`,
      ),
    ),
    'fields of an RTF file': dropped(
      'rtf',
      utf8(
        `{\\rtf1\\ansi{\\*\\template ${http}}{\\field{\\*\\fldinst INCLUDEPICTURE "${http}" \\\\d}{\\fldrslt y}}{\\field{\\*\\fldinst INCLUDETEXT "${path}"}{\\fldrslt y}}\\par}`,
      ),
    ),
    'a picture of an RTF file': dropped(
      'rtf',
      utf8(
        `{\\rtf1\\ansi x{\\shp{\\*\\shpinst\\shpleft0\\shptop0\\shpright2000\\shpbottom2000{\\sp{\\sn shapeType}{\\sv 75}}{\\sp{\\sn pibName}{\\sv ${http}}}{\\sp{\\sn pibFlags}{\\sv 10}}}}\\par}`,
      ),
    ),
    'files of a page': dropped(
      'html',
      utf8(
        `<html><head><link rel=stylesheet href="${http}"><style>body{background:url(${http})}</style></head><body background="${http}"><img src="${http}"><iframe src="${file}"></iframe><object data="${http}"></object><embed src="${http}"></body></html>`,
      ),
    ),
    'a page under the name of a DOC': dropped('doc', utf8(`<html><body><img src="${http}">x</body></html>`)),
  })
}
