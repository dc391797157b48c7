/** Documents to convert, written as flat ODF; the other formats are made from these by the engine itself. */
import type { FormatId } from '../../../../shared/plugin/values.ts'

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC'

export const flatText = flat(
  'text',
  'text',
  `<text:h text:outline-level="1">Quarterly report</text:h><text:p>Grüße, naïve façade: 12 €.</text:p>
   <text:p>Link <text:a xlink:type="simple" xlink:href="https://example.org/">here</text:a></text:p>
   <table:table table:name="T"><table:table-column table:number-columns-repeated="2"/>
   <table:table-row><table:table-cell office:value-type="string"><text:p>Item</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>Price</text:p></table:table-cell></table:table-row></table:table>
   <text:p><draw:frame draw:name="I" text:anchor-type="as-char" svg:width="1cm" svg:height="1cm"><draw:image><office:binary-data>${pixel}</office:binary-data></draw:image></draw:frame></text:p>`,
)

export const flatSheet = flat(
  'spreadsheet',
  'spreadsheet',
  `<table:table table:name="Sales"><table:table-row>
   <table:table-cell office:value-type="string"><text:p>Größe</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="20"><text:p>20</text:p></table:table-cell>
   <table:table-cell table:formula="of:=[.B1]*2" office:value-type="float" office:value="40"><text:p>40</text:p></table:table-cell></table:table-row></table:table>`,
)

export const flatSlides = flat(
  'presentation',
  'presentation',
  `<draw:page draw:name="One"><draw:frame svg:x="2cm" svg:y="2cm" svg:width="10cm" svg:height="2cm"><draw:text-box><text:p>First slide</text:p></draw:text-box></draw:frame></draw:page>
   <draw:page draw:name="Two"><draw:rect svg:x="2cm" svg:y="2cm" svg:width="5cm" svg:height="3cm"/></draw:page>`,
)

export const flatDrawing = flat(
  'graphics',
  'drawing',
  '<draw:page draw:name="One"><draw:rect svg:x="2cm" svg:y="2cm" svg:width="5cm" svg:height="3cm"><text:p>Box</text:p></draw:rect></draw:page>',
)

const page =
  '<html><head><title>T</title></head><body><h1>Grüße</h1><table><tr><td>Item</td><td>12</td></tr></table></body></html>'

/** Written by hand; every other readable format is made from one of these. */
export const written: Readonly<Record<FormatId, string>> = {
  fodt: flatText,
  paged: flatText,
  fods: flatSheet,
  fodp: flatSlides,
  fodg: flatDrawing,
  txt: 'Grüße\nsecond line\n',
  html: page,
  xhtml: `<?xml version="1.0" encoding="UTF-8"?>\n${page.replace('<html>', '<html xmlns="http://www.w3.org/1999/xhtml">')}`,
  xmlss:
    '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Sales"><Table><Row><Cell><Data ss:Type="String">Größe</Data></Cell><Cell><Data ss:Type="Number">20</Data></Cell></Row></Table></Worksheet></Workbook>',
  csv: 'name;price\nGröße;12,5\n',
}

/** From which written sample a format is made. */
export const origins: Readonly<Record<FormatId, FormatId>> = {
  ...of('fodt', 'docx', 'docm', 'dotx', 'doc', 'odt', 'ott', 'rtf', 'ooxml', 'pdf'),
  ...of('fods', 'xlsx', 'xlsm', 'xltx', 'xls', 'ods', 'ots'),
  ...of('fodp', 'pptx', 'potx', 'ppt', 'pps', 'pot', 'odp', 'otp'),
  ...of('fodg', 'odg', 'otg'),
}

/** A slide show is a presentation under another name: the office reads it and does not write it. */
const sameAs: Readonly<Record<FormatId, FormatId>> = { ppsx: 'pptx' }

export type Make = (source: Uint8Array, from: FormatId, to: FormatId) => Promise<Uint8Array>

export async function sampleOf(format: FormatId, make: Make): Promise<Uint8Array> {
  const wanted = sameAs[format] ?? format
  const text = written[wanted]
  if (text !== undefined) return new TextEncoder().encode(text)
  const origin = origins[wanted]
  if (origin === undefined) throw new Error(`No sample of ${format}`)
  return make(await sampleOf(origin, make), origin, wanted)
}

/** A document that takes the office several seconds: text that must be broken and paged. */
export function longText(paragraphs: number): string {
  const line =
    '<text:p>The quick brown fox jumps over the lazy dog, again and again, until the page is full.</text:p>'
  return flat('text', 'text', line.repeat(paragraphs))
}

function of(origin: FormatId, ...formats: readonly FormatId[]): Record<FormatId, FormatId> {
  return Object.fromEntries(formats.map((format) => [format, origin]))
}

export function flat(kind: string, body: string, content: string, automatic = ''): string {
  const names = [
    'office',
    'text',
    'table',
    'style',
    'meta',
    'number',
    'presentation',
    'script',
    'form',
    'chart',
  ]
  const spaces = [
    ...names.map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`),
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
    'xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"',
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${spaces.join(' ')} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}">
${automatic}<office:body><office:${body}>${content}</office:${body}></office:body></office:document>`
}
