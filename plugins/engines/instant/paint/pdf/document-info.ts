import { ascii, dateString, textString, utf16Hex } from './syntax.ts'

/** The metadata of the document. Dates are in ms since the epoch; absent fields are omitted, never invented. */
export interface Metadata {
  readonly title?: string
  readonly author?: string
  readonly subject?: string
  readonly keywords?: string
  readonly creator?: string // the program that wrote the source document
  readonly created?: number
  readonly modified?: number
}

/** The conformance that a file declares: a part of PDF/A at level B, PDF/UA-1. */
export interface PdfConformance {
  readonly archive?: ArchivePart
  readonly accessible?: boolean
}
export type ArchivePart = 1 | 2 | 3

const producer = 'platen'

export function infoBody(metadata: Metadata): string {
  const entries: [string, string | undefined][] = [
    ['Title', text(metadata.title)],
    ['Author', text(metadata.author)],
    ['Subject', text(metadata.subject)],
    ['Keywords', text(metadata.keywords)],
    ['Creator', text(metadata.creator)],
    ['Producer', textString(producer)],
    ['CreationDate', date(metadata.created)],
    ['ModDate', date(metadata.modified)],
  ]
  return `<<${entries.map(([key, value]) => (value === undefined ? '' : `/${key}${value}`)).join('')}>>`
}

function text(value: string | undefined): string | undefined {
  return value ? textString(value) : undefined
}
function date(ms: number | undefined): string | undefined {
  return isDate(ms) ? dateString(ms) : undefined
}
/** The date format of PDF has four digits for the year. */
function isDate(ms: number | undefined): ms is number {
  return ms !== undefined && ms > -62_135_596_800_000 && ms < 253_402_300_800_000
}

/** The same metadata as XMP, which newer readers prefer (ISO 16684-1; properties of ISO 32000-2, 14.3.2). */
export function xmpPacket(metadata: Metadata, conformance: PdfConformance = {}): Uint8Array {
  const parts: string[] = ['<dc:format>application/pdf</dc:format>']
  if (metadata.title) parts.push(`<dc:title>${alternatives(metadata.title)}</dc:title>`)
  if (metadata.author)
    parts.push(`<dc:creator><rdf:Seq><rdf:li>${xml(metadata.author)}</rdf:li></rdf:Seq></dc:creator>`)
  if (metadata.subject) parts.push(`<dc:description>${alternatives(metadata.subject)}</dc:description>`)
  if (metadata.keywords) parts.push(`<pdf:Keywords>${xml(metadata.keywords)}</pdf:Keywords>`)
  parts.push(`<pdf:Producer>${producer}</pdf:Producer>`)
  if (metadata.creator) parts.push(`<xmp:CreatorTool>${xml(metadata.creator)}</xmp:CreatorTool>`)
  if (isDate(metadata.created)) parts.push(`<xmp:CreateDate>${iso(metadata.created)}</xmp:CreateDate>`)
  if (isDate(metadata.modified)) parts.push(`<xmp:ModifyDate>${iso(metadata.modified)}</xmp:ModifyDate>`)
  if (conformance.archive !== undefined)
    parts.push(`<pdfaid:part>${conformance.archive}</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>`)
  if (conformance.accessible === true) parts.push('<pdfuaid:part>1</pdfuaid:part>')
  const more =
    (conformance.archive === undefined ? '' : ' xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"') +
    (conformance.accessible === true ? ' xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"' : '')
  return ascii(
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n' +
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
      '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"' +
      `${more}>${parts.join('')}</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end="r"?>`,
  )
}

function alternatives(value: string): string {
  return `<rdf:Alt><rdf:li xml:lang="x-default">${xml(value)}</rdf:li></rdf:Alt>`
}
function xml(value: string): string {
  const clean = value.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
  return clean.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
function iso(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

/** A destination name as a byte string, so that any bookmark name can be used. */
export function destinationName(bookmark: string): string {
  return /^[!-'*-[\]-~]{1,100}$/.test(bookmark) ? `(${bookmark})` : `<feff${utf16Hex(bookmark)}>`
}
