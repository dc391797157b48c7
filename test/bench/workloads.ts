import { readFile } from 'node:fs/promises'
import JSZip from 'jszip'

/** Tag style of a peer: `paths` is {d.lines[i].x} with an {d.lines[i+1].x} row, `sections` is {#lines}{x}{/lines}. */
export type Style = 'paths' | 'sections'

export interface Workload {
  readonly name: string
  readonly extension: 'docx' | 'xlsx' | 'pptx'
  readonly rounds: number
  readonly perRound: number
  template(style: Style): Promise<Uint8Array>
  data(): unknown
}

export const workloads: readonly Workload[] = [
  { name: 'letter', extension: 'docx', rounds: 12, perRound: 40, template: letter, data: letterData },
  {
    name: 'invoice 10 rows',
    extension: 'docx',
    rounds: 12,
    perRound: 30,
    template: invoice,
    data: () => invoiceData(10),
  },
  {
    name: 'invoice 100 rows',
    extension: 'docx',
    rounds: 12,
    perRound: 15,
    template: invoice,
    data: () => invoiceData(100),
  },
  {
    name: 'invoice 1,000 rows',
    extension: 'docx',
    rounds: 9,
    perRound: 4,
    template: invoice,
    data: () => invoiceData(1_000),
  },
  {
    name: 'invoice 10,000 rows',
    extension: 'docx',
    rounds: 5,
    perRound: 1,
    template: invoice,
    data: () => invoiceData(10_000),
  },
  { name: 'nested 50 × 20', extension: 'docx', rounds: 9, perRound: 5, template: nested, data: nestedData },
  {
    name: 'XLSX 10,000 × 8',
    extension: 'xlsx',
    rounds: 5,
    perRound: 1,
    template: sheet,
    data: () => sheetData(10_000),
  },
  {
    name: 'sheet 100 rows',
    extension: 'xlsx',
    rounds: 9,
    perRound: 10,
    template: sheet,
    data: () => sheetData(100),
  },
  { name: 'slides', extension: 'pptx', rounds: 9, perRound: 10, template: slides, data: slidesData },
]

const field = (style: Style, path: string) => (style === 'paths' ? `{d.${path}}` : `{${path}}`)

// ---------------------------------------------------------------- DOCX: a letterhead with header, footer and picture

const run = (text: string) =>
  `<w:r><w:rPr><w:sz w:val="22"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (...runs: readonly string[]) =>
  `<w:p><w:pPr><w:spacing w:after="120"/></w:pPr>${runs.map(run).join('')}</w:p>`
const cell = (text: string) =>
  `<w:tc><w:tcPr><w:tcW w:w="1500" w:type="dxa"/></w:tcPr><w:p><w:pPr><w:jc w:val="left"/></w:pPr>${run(text)}</w:p></w:tc>`
const row = (cells: readonly string[]) =>
  `<w:tr><w:trPr><w:cantSplit/></w:trPr>${cells.map(cell).join('')}</w:tr>`
const table = (columns: number, rows: readonly string[]) =>
  `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/><w:tblBorders><w:insideH w:val="single" w:sz="4" w:space="0" w:color="auto"/></w:tblBorders></w:tblPr>` +
  `<w:tblGrid>${'<w:gridCol w:w="1500"/>'.repeat(columns)}</w:tblGrid>${rows.join('')}</w:tbl>`

async function withBody(body: string): Promise<Uint8Array> {
  const zip = await JSZip.loadAsync(await readFile(new URL('./templates/letterhead.docx', import.meta.url)))
  const xml = (await zip.file('word/document.xml')?.async('string')) ?? ''
  const start = xml.indexOf('<w:body>') + '<w:body>'.length
  const section = xml.slice(xml.lastIndexOf('<w:sectPr'), xml.indexOf('</w:body>'))
  zip.file('word/document.xml', `${xml.slice(0, start)}${body}${section}</w:body></w:document>`)
  return zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' })
}

function letter(style: Style): Promise<Uint8Array> {
  const t = (path: string) => field(style, path)
  const filler =
    'We write to you about the agreement that both sides signed last year and that ends with this month. '
  return withBody(
    [
      paragraph(t('company')),
      paragraph(t('street')),
      paragraph(t('zip'), ' ', t('city')),
      paragraph(t('date')),
      paragraph('Dear ', t('salutation'), ' ', t('name'), ','),
      paragraph(filler.repeat(3)),
      paragraph('Your reference is ', t('reference'), '. ', filler.repeat(2)),
      paragraph(filler.repeat(4)),
      paragraph('Kind regards,'),
      paragraph(t('sender')),
    ].join(''),
  )
}

function letterData(): unknown {
  return {
    company: 'Nordwind & Söhne GmbH',
    street: 'Am Hafen 12',
    zip: '20457',
    city: 'Hamburg',
    date: '2026-11-21',
    salutation: 'Ms',
    name: 'Adler',
    reference: 'NW-2026-00417',
    sender: 'Jo Berg',
  }
}

const columns = ['ref', 'title', 'qty', 'unit', 'price', 'total'] as const

function invoice(style: Style): Promise<Uint8Array> {
  const head = row(['Reference', 'Title', 'Quantity', 'Unit', 'Price', 'Total'])
  const lines =
    style === 'paths'
      ? [
          row(columns.map((name) => `{d.lines[i].${name}}`)),
          row(columns.map((name) => `{d.lines[i+1].${name}}`)),
        ]
      : [
          row(
            columns.map(
              (name, n) =>
                `${n === 0 ? '{#lines}' : ''}{${name}}${n === columns.length - 1 ? '{/lines}' : ''}`,
            ),
          ),
        ]
  return withBody(
    [
      paragraph('Invoice ', field(style, 'number')),
      paragraph(field(style, 'customer')),
      table(columns.length, [head, ...lines]),
      paragraph('Total ', field(style, 'total')),
    ].join(''),
  )
}

function invoiceData(rows: number): unknown {
  const lines = Array.from({ length: rows }, (_, n) => ({
    ref: `A-${1000 + n}`,
    title: `Article ${n} <small & light>`,
    qty: (n % 9) + 1,
    unit: 'pcs',
    price: ((n * 37) % 10_000) / 100,
    total: (((n * 37) % 10_000) * ((n % 9) + 1)) / 100,
  }))
  return { number: '2026-0815', customer: 'Nordwind & Söhne GmbH', total: 4711.5, lines }
}

function nested(style: Style): Promise<Uint8Array> {
  const rows =
    style === 'paths'
      ? [
          row(['{d.groups[i].name}', '{d.groups[i].city}', '']),
          row(['{d.groups[i].items[i].ref}', '{d.groups[i].items[i].title}', '{d.groups[i].items[i].price}']),
          row(['{d.groups[i].items[i+1].ref}', '', '']),
          row(['{d.groups[i+1].name}', '', '']),
        ]
      : [
          row(['{#groups}{name}', '{city}', '']),
          row(['{#items}{ref}', '{title}', '{price}{/items}']),
          row(['', '', '{/groups}']),
        ]
  return withBody(table(3, rows))
}

function nestedData(): unknown {
  return {
    groups: Array.from({ length: 50 }, (_, g) => ({
      name: `Group ${g}`,
      city: 'Hamburg',
      items: Array.from({ length: 20 }, (_, n) => ({
        ref: `R-${g}-${n}`,
        title: `Item ${n}`,
        price: n * 1.5,
      })),
    })),
  }
}

// ---------------------------------------------------------------- XLSX

const sheetColumns = ['id', 'name', 'city', 'country', 'qty', 'price', 'total', 'note'] as const

async function sheet(style: Style): Promise<Uint8Array> {
  if (style !== 'paths') throw new Error('Only peers with path tags fill spreadsheets.')
  const cellsOf = (tags: readonly string[], rowNumber: number) =>
    tags
      .map(
        (tag, n) =>
          `<c r="${String.fromCharCode(65 + n)}${rowNumber}" t="inlineStr"><is><t>${tag}</t></is></c>`,
      )
      .join('')
  const tags = (index: string) =>
    sheetColumns.map(
      (name) => `{d.rows[${index}].${name}${['qty', 'price', 'total'].includes(name) ? ':formatN' : ''}}`,
    )
  const rows = [[...sheetColumns], tags('i'), tags('i+1')].map(
    (cells, n) => `<row r="${n + 1}">${cellsOf(cells, n + 1)}</row>`,
  )
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  return pack({
    '[Content_Types].xml': contentTypes({
      '/xl/workbook.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
      '/xl/worksheets/sheet1.xml':
        'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml',
    }),
    '_rels/.rels': relations({ rId1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({ rId1: ['worksheet', 'worksheets/sheet1.xml'] }),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
  })
}

function sheetData(rows: number): unknown {
  return {
    rows: Array.from({ length: rows }, (_, n) => ({
      id: `N${n}`,
      name: `Customer ${n}`,
      city: 'Hamburg',
      country: 'DE',
      qty: n % 12,
      price: n / 8,
      total: ((n % 12) * n) / 8,
      note: 'none',
    })),
  }
}

// ---------------------------------------------------------------- PPTX

async function slides(style: Style): Promise<Uint8Array> {
  const a = 'http://schemas.openxmlformats.org/drawingml/2006/main'
  const p = 'http://schemas.openxmlformats.org/presentationml/2006/main'
  const r = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const shape = (id: number, paragraphs: string) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Text ${id}"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="500000" y="${id * 700000}"/><a:ext cx="8000000" cy="600000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>${paragraphs}</p:txBody></p:sp>`
  const line = (text: string) => `<a:p><a:r><a:rPr lang="en-US" sz="1800"/><a:t>${text}</a:t></a:r></a:p>`
  const bullets =
    style === 'paths'
      ? line('{d.points[i].title}: {d.points[i].text}') + line('{d.points[i+1].title}')
      : `${line('{#points}')}${line('{title}: {text}')}${line('{/points}')}`
  const tree = (shapes: string) =>
    `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes}</p:spTree></p:cSld>`
  const slide = (n: number) =>
    `<p:sld xmlns:a="${a}" xmlns:p="${p}" xmlns:r="${r}">${tree(shape(2, line(`${n}. ${field(style, 'title')}`)) + shape(3, bullets) + shape(4, line(field(style, 'author'))))}</p:sld>`
  const numbers = Array.from({ length: 12 }, (_, n) => n + 1)
  const type = (name: string) => `application/vnd.openxmlformats-officedocument.presentationml.${name}+xml`
  return pack({
    '[Content_Types].xml': contentTypes({
      '/ppt/presentation.xml': type('presentation.main'),
      '/ppt/slideMasters/slideMaster1.xml': type('slideMaster'),
      '/ppt/slideLayouts/slideLayout1.xml': type('slideLayout'),
      ...Object.fromEntries(numbers.map((n) => [`/ppt/slides/slide${n}.xml`, type('slide')])),
    }),
    '_rels/.rels': relations({ rId1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `<p:presentation xmlns:a="${a}" xmlns:p="${p}" xmlns:r="${r}"><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId100"/></p:sldMasterIdLst><p:sldIdLst>${numbers.map((n) => `<p:sldId id="${255 + n}" r:id="rId${n}"/>`).join('')}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations({
      rId100: ['slideMaster', 'slideMasters/slideMaster1.xml'],
      ...Object.fromEntries(numbers.map((n) => [`rId${n}`, ['slide', `slides/slide${n}.xml`] as const])),
    }),
    'ppt/slideMasters/slideMaster1.xml': `<p:sldMaster xmlns:a="${a}" xmlns:p="${p}" xmlns:r="${r}">${tree('')}<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`,
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': relations({
      rId1: ['slideLayout', '../slideLayouts/slideLayout1.xml'],
    }),
    'ppt/slideLayouts/slideLayout1.xml': `<p:sldLayout xmlns:a="${a}" xmlns:p="${p}" xmlns:r="${r}">${tree('')}</p:sldLayout>`,
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relations({
      rId1: ['slideMaster', '../slideMasters/slideMaster1.xml'],
    }),
    ...Object.fromEntries(numbers.map((n) => [`ppt/slides/slide${n}.xml`, slide(n)])),
    ...Object.fromEntries(
      numbers.map((n) => [
        `ppt/slides/_rels/slide${n}.xml.rels`,
        relations({ rId1: ['slideLayout', '../slideLayouts/slideLayout1.xml'] }),
      ]),
    ),
  })
}

function slidesData(): unknown {
  const points = Array.from({ length: 8 }, (_, n) => ({
    title: `Point ${n + 1}`,
    text: 'what there is to say about it',
  }))
  return { title: 'Quarterly review', author: 'Jo Berg', points }
}

// ---------------------------------------------------------------- packages

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

function contentTypes(overrides: Readonly<Record<string, string>>): string {
  const parts = Object.entries(overrides).map(
    ([part, type]) => `<Override PartName="${part}" ContentType="${type}"/>`,
  )
  return `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts.join('')}</Types>`
}

function relations(targets: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const base = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const rows = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${base}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows.join('')}</Relationships>`
}

function pack(parts: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const zip = new JSZip()
  for (const [name, xml] of Object.entries(parts)) zip.file(name, declaration + xml)
  return zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' })
}
