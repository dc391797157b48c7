/** Small ODF texts whose layout is compared with LibreOffice's: Arial 10 on A4 with an inch around. */
import { zipOf } from '../../helpers/docx.ts'
import { plainPng } from '../../helpers/png.ts'

const odf = 'urn:oasis:names:tc:opendocument:xmlns'
const namespaces = [
  ...['office', 'style', 'text', 'table', 'config'].map((name) => `xmlns:${name}="${odf}:${name}:1.0"`),
  'xmlns:field="urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0"',
  `xmlns:draw="${odf}:drawing:1.0"`,
  `xmlns:fo="${odf}:xsl-fo-compatible:1.0"`,
  `xmlns:svg="${odf}:svg-compatible:1.0"`,
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
].join(' ')

export interface OpenSample {
  readonly body: string
  /** Instead of the default styles and the style of text. */
  readonly defaults?: string
  readonly automatic?: string // automatic styles of the body
  readonly layout?: string // inside style:page-layout
  readonly master?: string // inside the standard master page
  readonly layouts?: string
  readonly masters?: string
  readonly outline?: string // among the named styles
  readonly masterStyles?: string // automatic styles of headers and footers
  /** Switches of LibreOffice's layout by name; what is not named is as in a document of an older office. */
  readonly switches?: Readonly<Record<string, boolean>>
}

export const par = (text = '', style = 'Standard'): string =>
  `<text:p text:style-name="${style}">${text}</text:p>`
export const parStyle = (name: string, attributes: string, content = '', more = ''): string =>
  `<style:style style:name="${name}" style:family="paragraph" style:parent-style-name="Standard" ${more}><style:paragraph-properties ${attributes}>${content}</style:paragraph-properties></style:style>`
export const style = (family: string, name: string, attributes: string): string => {
  const kind = family.startsWith('table') ? family : 'graphic'
  return `<style:style style:name="${name}" style:family="${family}"${family === 'graphic' ? ' style:parent-style-name="Graphics"' : ''}><style:${kind}-properties ${attributes}/></style:style>`
}
/** A picture of 100 by 60 pt in the style `g`. */
export const picture = (anchor: string, place = ''): string =>
  `<draw:frame draw:style-name="g" draw:name="p" text:anchor-type="${anchor}" svg:width="100pt" svg:height="60pt" draw:z-index="0" ${place}><draw:image xlink:href="Pictures/img1.png" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame>`
export const cell = (content: string, name = 'C', more = ''): string =>
  `<table:table-cell table:style-name="${name}" office:value-type="string" ${more}>${content}</table:table-cell>`
export const row = (cells: string, name = ''): string =>
  `<table:table-row${name === '' ? '' : ` table:style-name="${name}"`}>${cells}</table:table-row>`
export const table = (rows: string): string =>
  `<table:table table:name="t" table:style-name="T"><table:table-column table:style-name="A"/><table:table-column table:style-name="B"/>${rows}</table:table>`
/** Two columns of 150 and 250 pt, ruled cells with 3 pt around. */
export const tableStyles = (attributes = 'style:width="400pt" table:align="left"'): string =>
  style('table', 'T', attributes) +
  style('table-column', 'A', 'style:column-width="150pt"') +
  style('table-column', 'B', 'style:column-width="250pt"') +
  style('table-cell', 'C', 'fo:padding="3pt" fo:border="0.5pt solid #000000"')
export const band = (kind: 'header' | 'footer', least: number, gap: number, more = ''): string =>
  `<style:${kind}-style><style:header-footer-properties fo:min-height="${least}pt" fo:margin-${kind === 'header' ? 'bottom' : 'top'}="${gap}pt" ${more}/></style:${kind}-style>`
export const paper = (margins: string): string =>
  `<style:page-layout-properties fo:page-width="595.3pt" fo:page-height="841.9pt" ${margins}/>`

const defaults =
  '<style:default-style style:family="graphic"/><style:default-style style:family="paragraph"><style:paragraph-properties style:tab-stop-distance="36pt" fo:orphans="2" fo:widows="2"/><style:text-properties fo:font-family="Arial" fo:font-size="10pt" fo:language="en" fo:country="US"/></style:default-style><style:default-style style:family="table"><style:table-properties table:border-model="collapsing"/></style:default-style><style:style style:name="Standard" style:family="paragraph" style:class="text"/><style:style style:name="Graphics" style:family="graphic"><style:graphic-properties text:anchor-type="paragraph" svg:x="0pt" svg:y="0pt" style:wrap="dynamic" style:vertical-pos="top" style:vertical-rel="paragraph" style:horizontal-pos="center" style:horizontal-rel="paragraph"/></style:style>'
const root = (name: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document-${name} ${namespaces} office:version="1.3">${content}</office:document-${name}>`
const entry = (path: string, type: string): string =>
  `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`

/** The bytes of an ODT. */
export function openFile(sample: OpenSample): Promise<Uint8Array> {
  const layout =
    sample.layout ??
    paper('fo:margin-top="72pt" fo:margin-bottom="72pt" fo:margin-left="72pt" fo:margin-right="72pt"')
  const items = Object.entries(sample.switches ?? {}).map(
    ([name, on]) =>
      `<config:config-item config:name="${name}" config:type="boolean">${on}</config:config-item>`,
  )
  const settings = sample.switches === undefined ? [] : ['settings']
  return zipOf(
    {
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': root(
        'content',
        `<office:automatic-styles>${sample.automatic ?? ''}</office:automatic-styles><office:body><office:text>${sample.body}</office:text></office:body>`,
      ),
      'styles.xml': root(
        'styles',
        `<office:styles>${sample.defaults ?? defaults}${sample.outline ?? ''}</office:styles><office:automatic-styles>${sample.masterStyles ?? ''}<style:page-layout style:name="L">${layout}</style:page-layout>${sample.layouts ?? ''}</office:automatic-styles><office:master-styles><style:master-page style:name="Standard" style:page-layout-name="L">${sample.master ?? ''}</style:master-page>${sample.masters ?? ''}</office:master-styles>`,
      ),
      ...Object.fromEntries(
        settings.map((name) => [
          `${name}.xml`,
          root(
            name,
            `<office:settings xmlns:ooo="http://openoffice.org/2004/office"><config:config-item-set config:name="ooo:configuration-settings">${items.join('')}</config:config-item-set></office:settings>`,
          ),
        ]),
      ),
      'Pictures/img1.png': plainPng(60, 40),
      'META-INF/manifest.xml': `<?xml version="1.0" encoding="UTF-8"?><manifest:manifest xmlns:manifest="${odf}:manifest:1.0" manifest:version="1.3">${[
        entry('/', 'application/vnd.oasis.opendocument.text'),
        ...['content', 'styles', ...settings].map((name) => entry(`${name}.xml`, 'text/xml')),
        entry('Pictures/img1.png', 'image/png'),
      ].join('')}</manifest:manifest>`,
    },
    ['mimetype'],
  )
}
