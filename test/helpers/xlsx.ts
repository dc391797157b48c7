import JSZip from 'jszip'
import { zipOf } from './docx.ts'

/** Workbooks made from their cells; texts go into shared strings, as spreadsheet programs write them. */

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const office = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Text, a number, a formula ('=…'), or the XML of a shared string. */
export type CellValue =
  | string
  | number
  | { readonly rich: string }
  | { readonly style: number; readonly value: CellValue | undefined }

export interface SheetSpec {
  readonly name: string
  readonly cells: Readonly<Record<string, CellValue>>
  /** Between the sheet's start and its cells. */
  readonly before?: string
  /** Behind the cells. */
  readonly after?: string
  readonly relationships?: readonly { readonly id: string; readonly type: string; readonly target: string }[]
}

export interface WorkbookSpec {
  readonly sheets: readonly SheetSpec[]
  readonly names?: string // <definedName> elements
  readonly extra?: Readonly<Record<string, string>>
  readonly types?: Readonly<Record<string, string>> // part -> content type
  readonly chain?: boolean // a calculation chain
  readonly differentials?: string // <dxf> elements
}

const xmlEscape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export async function xlsxOf({
  sheets,
  names = '',
  extra = {},
  types = {},
  chain = false,
  differentials = '<dxf><font><b/></font></dxf>',
}: WorkbookSpec): Promise<Uint8Array> {
  const strings: string[] = []
  const parts: Record<string, string> = {}
  sheets.forEach((sheet, at) => {
    parts[`xl/worksheets/sheet${at + 1}.xml`] = sheetXml(sheet, strings)
    if (sheet.relationships === undefined) return
    parts[`xl/worksheets/_rels/sheet${at + 1}.xml.rels`] = relationships(sheet.relationships)
  })
  const overrides = [
    ['/xl/workbook.xml', `${office}.sheet.main+xml`],
    ...sheets.map((_, at) => [`/xl/worksheets/sheet${at + 1}.xml`, `${office}.worksheet+xml`]),
    ['/xl/styles.xml', `${office}.styles+xml`],
    ['/xl/sharedStrings.xml', `${office}.sharedStrings+xml`],
    ...(chain ? [['/xl/calcChain.xml', `${office}.calcChain+xml`]] : []),
    ...Object.entries(types).map(([part, type]) => [`/${part}`, type]),
  ]
  const links = [
    ...sheets.map((_, at) => ({
      id: `rId${at + 1}`,
      type: 'worksheet',
      target: `worksheets/sheet${at + 1}.xml`,
    })),
    { id: 'rId101', type: 'styles', target: 'styles.xml' },
    { id: 'rId102', type: 'sharedStrings', target: 'sharedStrings.xml' },
    ...(chain ? [{ id: 'rId103', type: 'calcChain', target: 'calcChain.xml' }] : []),
  ]
  return zipOf({
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>${overrides.map(([part, type]) => `<Override PartName="${part}" ContentType="${type}"/>`).join('')}</Types>`,
    '_rels/.rels': relationships([{ id: 'rId1', type: 'officeDocument', target: 'xl/workbook.xml' }]),
    'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets.map(({ name }, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets>${names === '' ? '' : `<definedNames>${names}</definedNames>`}</workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(links),
    ...parts,
    'xl/styles.xml': `${declaration}<styleSheet xmlns="${main}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="2" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><dxfs>${differentials}</dxfs></styleSheet>`,
    'xl/sharedStrings.xml': `${declaration}<sst xmlns="${main}" count="${strings.length}" uniqueCount="${strings.length}">${strings.map((content) => `<si>${content}</si>`).join('')}</sst>`,
    ...(chain
      ? { 'xl/calcChain.xml': `${declaration}<calcChain xmlns="${main}"><c r="A1" i="1"/></calcChain>` }
      : {}),
    ...extra,
  })
}

function relationships(
  list: readonly { readonly id: string; readonly type: string; readonly target: string }[],
): string {
  const each = list.map(
    ({ id, type, target }) => `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`,
  )
  return `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`
}

const column = (letters: string) =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

function sheetXml({ cells, before = '', after = '' }: SheetSpec, strings: string[]): string {
  const rows = new Map<number, [string, CellValue][]>()
  for (const [address, value] of Object.entries(cells)) {
    const row = Number(/\d+$/.exec(address)![0])
    rows.set(row, [...(rows.get(row) ?? []), [address, value]])
  }
  const lines = [...rows]
    .sort(([a], [b]) => a - b)
    .map(([row, list]) => {
      const ordered = list.sort(([a], [b]) => column(a.replace(/\d/g, '')) - column(b.replace(/\d/g, '')))
      return `<row r="${row}" spans="1:${ordered.length}">${ordered.map(([address, value]) => cellXml(address, value, strings)).join('')}</row>`
    })
  return `${declaration}<worksheet xmlns="${main}" xmlns:r="${relations}">${before}<sheetData>${lines.join('')}</sheetData>${after}</worksheet>`
}

function cellXml(address: string, value: CellValue, strings: string[], style = ''): string {
  if (typeof value === 'number') return `<c r="${address}"${style}><v>${value}</v></c>`
  if (typeof value === 'object' && 'style' in value) {
    const attribute = ` s="${value.style}"`
    return value.value === undefined
      ? `<c r="${address}"${attribute}/>`
      : cellXml(address, value.value, strings, attribute)
  }
  if (typeof value === 'string' && value.startsWith('='))
    return `<c r="${address}"${style}><f>${xmlEscape(value.slice(1))}</f><v>0</v></c>`
  if (typeof value === 'string' && value.startsWith('<f')) return `<c r="${address}"${style}>${value}</c>`
  strings.push(typeof value === 'string' ? `<t>${xmlEscape(value)}</t>` : value.rich)
  return `<c r="${address}"${style} t="s"><v>${strings.length - 1}</v></c>`
}

// ------------------------------------------------------------------------------------------------- reading it again

/** Cells of a sheet by address: numbers, texts in quotes, formulas with '='. */
export async function readCells(bytes: Uint8Array, sheet = 1): Promise<Record<string, string>> {
  const zip = await JSZip.loadAsync(bytes)
  const xml = (await zip.file(`xl/worksheets/sheet${sheet}.xml`)?.async('string')) ?? ''
  const sst = (await zip.file('xl/sharedStrings.xml')?.async('string')) ?? ''
  const strings = [...sst.matchAll(/<si>(.*?)<\/si>/gs)].map(([, content = '']) => plain(content))
  const cells: Record<string, string> = {}
  for (const [, attributes = '', content = ''] of xml.matchAll(/<c\b([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
    const address = /r="([^"]*)"/.exec(attributes)?.[1] ?? '?'
    const formula = /<f\b[^>]*>(.*?)<\/f>/s.exec(content)?.[1]
    const value = /<v>(.*?)<\/v>/s.exec(content)?.[1]
    if (formula !== undefined) cells[address] = `=${xmlUnescape(formula)}`
    else if (/t="s"/.test(attributes)) cells[address] = `'${strings[Number(value)]}'`
    else if (/t="inlineStr"/.test(attributes)) cells[address] = `'${plain(content)}'`
    else if (value !== undefined) cells[address] = value
  }
  return cells
}

const xmlUnescape = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
const plain = (xml: string) =>
  xmlUnescape([...xml.matchAll(/<t\b[^>]*>([^<]*)</g)].map(([, text]) => text).join(''))
