import { zipOf } from './docx.ts'

/** OpenDocument files with charts, as LibreOffice writes them. */

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const odf = (name: string) => `urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`
const namespaces = [
  ...['office', 'text', 'table', 'style', 'chart'].map((name) => `xmlns:${name}="${odf(name)}"`),
  `xmlns:draw="${odf('drawing')}"`,
  `xmlns:svg="${odf('svg-compatible')}"`,
  `xmlns:fo="${odf('xsl-fo-compatible')}"`,
  `xmlns:presentation="${odf('presentation')}"`,
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
  'xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"',
  'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"',
].join(' ')

export type OdfKind = 'text' | 'presentation' | 'spreadsheet'

export interface OdfChart {
  readonly kind?: 'bar' | 'line' | 'circle'
  readonly title?: string
  /** The chart's own table: header row first. Empty for a chart over the cells of the document. */
  readonly rows?: readonly (readonly (string | number)[])[]
  readonly series?: readonly { readonly values: string; readonly label: string }[]
  readonly categories?: string
}

const chartCell = (value: string | number) =>
  typeof value === 'number'
    ? `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${value}</text:p></table:table-cell>`
    : value === ''
      ? '<table:table-cell><text:p/></table:table-cell>'
      : `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`
const chartRow = (cells: readonly (string | number)[]) =>
  `<table:table-row>${cells.map(chartCell).join('')}</table:table-row>`

const colors = ['#1f4e79', '#c55a11', '#7f7f7f']

export function odfChartContent({ kind = 'bar', title, rows = [], series, categories }: OdfChart): string {
  const [header = [], ...data] = rows
  const last = rows.length
  const letter = (at: number) => String.fromCharCode(66 + at)
  const list =
    series ??
    header.slice(1).map((_, at) => ({
      values: `local-table.$${letter(at)}$2:.$${letter(at)}$${last}`,
      label: `local-table.$${letter(at)}$1`,
    }))
  const range = categories ?? `local-table.$A$2:.$A$${last}`
  const styles = list
    .map(
      (_, at) =>
        `<style:style style:name="s${at}" style:family="chart"><style:graphic-properties draw:fill-color="${colors[at % 3]}" svg:stroke-color="${colors[at % 3]}"/></style:style>`,
    )
    .join('')
  const table =
    rows.length === 0
      ? ''
      : `<table:table table:name="local-table"><table:table-header-columns><table:table-column/></table:table-header-columns><table:table-columns><table:table-column table:number-columns-repeated="${header.length - 1}"/></table:table-columns><table:table-header-rows>${chartRow(header)}</table:table-header-rows><table:table-rows>${data.map(chartRow).join('')}</table:table-rows></table:table>`
  const heading = title === undefined ? '' : `<chart:title><text:p>${title}</text:p></chart:title>`
  return `${declaration}<office:document-content ${namespaces} office:version="1.3"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:chart><chart:chart svg:width="12cm" svg:height="6cm" xlink:href="${rows.length === 0 ? '..' : '.'}" xlink:type="simple" chart:class="chart:${kind}">${heading}<chart:legend chart:legend-position="bottom"/><chart:plot-area chart:data-source-has-labels="both"${rows.length === 0 ? ` table:cell-range-address="${range}"` : ''}><chart:axis chart:dimension="x" chart:name="primary-x"><chart:categories table:cell-range-address="${range}"/></chart:axis><chart:axis chart:dimension="y" chart:name="primary-y"><chart:grid chart:class="major"/></chart:axis>${list
    .map(
      ({ values, label }, at) =>
        `<chart:series chart:style-name="s${at}" chart:values-cell-range-address="${values}" chart:label-cell-address="${label}" chart:class="chart:${kind}"><chart:data-point chart:repeated="${Math.max(1, last - 1)}"/></chart:series>`,
    )
    .join('')}</chart:plot-area>${table}</chart:chart></office:chart></office:body></office:document-content>`
}

export const odfFrame = (object: number): string =>
  `<draw:frame draw:name="Object${object}" text:anchor-type="as-char" svg:width="12cm" svg:height="6cm"><draw:object xlink:href="./Object ${object}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/><draw:image xlink:href="./ObjectReplacements/Object ${object}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame>`

const masters =
  '<office:automatic-styles><style:page-layout style:name="P"/></office:automatic-styles><office:master-styles><style:master-page style:name="M" style:page-layout-name="P"/></office:master-styles>'

/** A file whose body shows 'Object 1', 'Object 2', …. `more` are other entries, by path. */
export function odfWithCharts(
  kind: OdfKind,
  body: string,
  charts: readonly OdfChart[],
  more: Readonly<Record<string, string>> = {},
): Promise<Uint8Array> {
  const mime = `application/vnd.oasis.opendocument.${kind}`
  const entry = (path: string, type: string) =>
    `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`
  const objects: Record<string, string> = {}
  let listed = ''
  charts.forEach((chart, index) => {
    const folder = `Object ${index + 1}`
    objects[`${folder}/content.xml`] = odfChartContent(chart)
    objects[`ObjectReplacements/${folder}`] = 'a picture'
    listed +=
      entry(`${folder}/`, 'application/vnd.oasis.opendocument.chart') +
      entry(`${folder}/content.xml`, 'text/xml') +
      entry(`ObjectReplacements/${folder}`, '')
  })
  for (const path of Object.keys(more)) listed += entry(path, 'text/xml')
  return zipOf(
    {
      mimetype: mime,
      ...objects,
      'content.xml': `${declaration}<office:document-content ${namespaces} office:version="1.3"><office:automatic-styles/><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
      'styles.xml': `${declaration}<office:document-styles ${namespaces} office:version="1.3"><office:styles/>${masters}</office:document-styles>`,
      ...more,
      'META-INF/manifest.xml': `${declaration}<manifest:manifest xmlns:manifest="${odf('manifest')}" manifest:version="1.3">${entry('/', mime)}${entry('content.xml', 'text/xml')}${entry('styles.xml', 'text/xml')}${listed}</manifest:manifest>`,
    },
    ['mimetype'],
  )
}

// ------------------------------------------------------------------------------------------------- reading it again

/** The series of a chart as `label | values`, the categories, and the rows of its own table. */
export function odfChartOf(content: string) {
  const value = (element: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(element)?.[1] ?? ''
  return {
    series: [...content.matchAll(/<chart:series\b[^>]*>/g)].map(
      ([element]) =>
        `${value(element, 'chart:label-cell-address')} | ${value(element, 'chart:values-cell-range-address')}`,
    ),
    categories: value(/<chart:categories\b[^>]*>/.exec(content)?.[0] ?? '', 'table:cell-range-address'),
    rows: [...content.matchAll(/<table:table-row\b[^>]*>(.*?)<\/table:table-row>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<table:table-cell\b([^>]*)>(.*?)<\/table:table-cell>/gs)].map(
        ([, attributes = '', text = '']) =>
          /office:value="([^"]*)"/.exec(attributes)?.[1] ?? `'${text.replace(/<[^>]*>/g, '')}'`,
      ),
    ),
  }
}
