import { entryText, zipOf } from './docx.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const odf = (name: string) => `urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`
const namespaces = [
  ...['office', 'text', 'table', 'style'].map((name) => `xmlns:${name}="${odf(name)}"`),
  `xmlns:draw="${odf('drawing')}"`,
  `xmlns:presentation="${odf('presentation')}"`,
  `xmlns:svg="${odf('svg-compatible')}"`,
  'xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
  'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"',
].join(' ')

function odfOf(
  kind: 'spreadsheet' | 'presentation' | 'drawing',
  mime: string,
  body: string,
  styles = '',
): Promise<Uint8Array> {
  return zipOf(
    {
      mimetype: mime,
      'content.xml': `${declaration}<office:document-content ${namespaces} office:version="1.3"><office:automatic-styles/><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
      'styles.xml': `${declaration}<office:document-styles ${namespaces} office:version="1.3"><office:styles/>${styles}</office:document-styles>`,
      'META-INF/manifest.xml': `${declaration}<manifest:manifest xmlns:manifest="${odf('manifest')}" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${mime}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
    },
    ['mimetype'],
  )
}

/** A spreadsheet whose `office:spreadsheet` holds `body`. */
export const odsOf = (body: string): Promise<Uint8Array> =>
  odfOf('spreadsheet', 'application/vnd.oasis.opendocument.spreadsheet', body)

const mastersOf = (page: string) =>
  `<office:automatic-styles><style:page-layout style:name="P">${page}</style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="M" style:page-layout-name="P"/></office:master-styles>`

/** A presentation, or a drawing, whose pages are `body`; `page`: the properties of their layout. */
export const odpOf = (body: string, page = ''): Promise<Uint8Array> =>
  odfOf('presentation', 'application/vnd.oasis.opendocument.presentation', body, mastersOf(page))
export const odgOf = (body: string): Promise<Uint8Array> =>
  odfOf('drawing', 'application/vnd.oasis.opendocument.graphics', body, mastersOf(''))

export const odsTable = (name: string, ...rows: readonly string[]): string =>
  `<table:table table:name="${name}"><table:table-column table:number-columns-repeated="4"/>${rows.join('')}</table:table>`

/** Cells: text, numbers, formulas beginning with 'of:=', or their XML. */
export function odsRow(cells: readonly (string | number)[], attributes = ''): string {
  return `<table:table-row${attributes}>${cells.map(odsCell).join('')}</table:table-row>`
}

function odsCell(value: string | number): string {
  if (value === '') return '<table:table-cell/>'
  if (typeof value === 'number') {
    return `<table:table-cell office:value-type="float" office:value="${value}" calcext:value-type="float"><text:p>${value}</text:p></table:table-cell>`
  }
  if (value.startsWith('<')) return value
  if (value.startsWith('of:=')) {
    return `<table:table-cell table:formula="${value}" office:value-type="float" office:value="0" calcext:value-type="float"><text:p>0</text:p></table:table-cell>`
  }
  return `<table:table-cell office:value-type="string" calcext:value-type="string"><text:p>${value}</text:p></table:table-cell>`
}

/** What stands in the body of an OpenDocument file. */
export async function odfBody(bytes: Uint8Array): Promise<string> {
  const xml = await entryText(bytes, 'content.xml')
  return /<office:(spreadsheet|presentation|drawing)>(.*)<\/office:\1>/s.exec(xml)?.[2] ?? xml
}

/** Each sheet as its name and rows of cells: text, number or formula. */
export async function odsGrid(bytes: Uint8Array): Promise<Record<string, string[][]>> {
  const grid: Record<string, string[][]> = {}
  for (const [, name = '', table = ''] of (await odfBody(bytes)).matchAll(
    /<table:table table:name="([^"]*)"[^>]*>(.*?)<\/table:table>/gs,
  )) {
    grid[name] = [...table.matchAll(/<table:table-row\b[^>]*>(.*?)<\/table:table-row>/gs)].map(
      ([, row = '']) =>
        [...row.matchAll(/<table:table-cell\b([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].map(
          ([, attributes = '', content = '']) => {
            const formula = /table:formula="([^"]*)"/.exec(attributes)?.[1]
            if (formula !== undefined) return formula
            const number = /office:value="([^"]*)"/.exec(attributes)?.[1]
            return number ?? `'${content.replace(/<[^>]*>/g, '')}'`
          },
        ),
    )
  }
  return grid
}
