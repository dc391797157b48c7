/** The XMP packet of a PDF, read and written as text. ISO 16684-1; ISO 19005-3, 6.6; Factur-X 1.0, 6.2. */
import type { PdfDocument } from './document.ts'
import { readable } from './limits.ts'
import { textOfString } from './text-string.ts'
import { dict, name, PdfStream, PdfString } from './values.ts'

const largest = 1024 * 1024

/** '' where there is none that can be read. */
export function readMetadata(document: PdfDocument): string {
  const stream = document.resolve(document.catalog.get('Metadata'))
  if (!(stream instanceof PdfStream) || stream.bytes.length > largest) return ''
  const content = readable(() => document.inflater.content(stream, document.resolve))
  return content === undefined ? '' : new TextDecoder().decode(content)
}

export function writeMetadata(document: PdfDocument, text: string): void {
  // Archives ask for a packet that can be read without any filter.
  const stream = new PdfStream(
    dict({ Type: name('Metadata'), Subtype: name('XML') }),
    new TextEncoder().encode(text),
  )
  document.catalog.set('Metadata', document.put(stream))
}

export function escapedText(text: string): string {
  return text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
}

/**
 * LibreOffice 7.4 escapes what it writes into the packet twice: `Ampersand &amp;amp; Sons`. An archive must say there
 * what its properties say. ISO 19005-2, 6.6.3.
 */
export function mendMetadata(document: PdfDocument): void {
  const metadata = readMetadata(document)
  const information = document.dictAt(document.trailer, 'Info')
  if (information === undefined || !metadata.includes('&amp;')) return
  let mended = metadata
  for (const key of ['Title', 'Author', 'Subject', 'Keywords', 'Creator', 'Producer']) {
    const value = document.resolve(information.get(key))
    if (!(value instanceof PdfString)) continue
    const once = textOfString(value).replace(/[&<>"']/g, (sign) => entities[sign]!)
    if (once.includes('&'))
      mended = mended.replaceAll(`>${once.replaceAll('&', '&amp;')}<`, () => `>${once}<`)
  }
  if (mended !== metadata) writeMetadata(document, mended)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** 'PDF/A' part of the packet, 0 for none. */
export const archivePart = (metadata: string): number =>
  Number(/pdfaid:part(?:>|=["'])\s*(\d)/.exec(metadata)?.[1] ?? 0)

/** Electronic invoices: the profiles and how their documents call them. */
const profiles: readonly (readonly [pattern: RegExp, profile: string])[] = [
  [/factur-x\.eu:1p0:minimum|zugferd\.de:2p0:minimum/i, 'MINIMUM'],
  [/factur-x\.eu:1p0:basicwl|zugferd\.de:2p0:basicwl/i, 'BASIC WL'],
  [/factur-x\.eu:1p0:basic|zugferd\.de:2p0:basic/i, 'BASIC'],
  [/factur-x\.eu:1p0:extended|zugferd\.de:2p0:extended/i, 'EXTENDED'],
  [/xrechnung/i, 'XRECHNUNG'],
  [/cen\.eu:en16931/i, 'EN 16931'],
]

/** The profile that an invoice in XML says it follows. */
export function invoiceProfile(xml: string): string | undefined {
  const context =
    /GuidelineSpecifiedDocumentContextParameter\s*>\s*<[^>]*\bID\b[^>]*>([^<]*)</.exec(xml)?.[1] ?? ''
  return profiles.find(([pattern]) => pattern.test(context))?.[1]
}

const invoiceNamespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'

/** The packet with what readers of electronic invoices look for; a new one where there was none. */
export function withInvoice(metadata: string, profile: string, fileName: string): string {
  const property = (called: string, says: string) =>
    `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${called}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${says}</pdfaProperty:description></rdf:li>`
  const schema = `<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${invoiceNamespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>${[
    property('DocumentFileName', 'The name of the embedded XML document'),
    property('DocumentType', 'The type of the hybrid document, INVOICE'),
    property('Version', 'The version of the standard of the embedded XML document'),
    property('ConformanceLevel', 'The profile of the embedded XML document'),
  ].join('')}</rdf:Seq></pdfaSchema:property></rdf:li>`
  const invoice = `<rdf:Description rdf:about="" xmlns:fx="${invoiceNamespace}"><fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>${fileName}</fx:DocumentFileName><fx:Version>1.0</fx:Version><fx:ConformanceLevel>${profile}</fx:ConformanceLevel></rdf:Description>`
  const packet = metadata.includes('</rdf:RDF>') ? metadata : emptyPacket
  const extended = withSchema(packet, schema)
  return extended.replace('</rdf:RDF>', `${invoice}</rdf:RDF>`)
}

/** The packet of an archive with a description of the mark of PDF/UA, which archives of parts 1 to 3 want of what they do not know. */
export function withMarkDescribed(metadata: string): string {
  const namespace = 'http://www.aiim.org/pdfua/ns/id/'
  if (!metadata.includes(namespace) || metadata.includes(`<pdfaSchema:namespaceURI>${namespace}<`))
    return metadata
  return withSchema(
    metadata,
    `<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA Universal Accessibility Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part of ISO 14289 that the file follows</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li>`,
  )
}

/** A packet may list extension schemas once. */
function withSchema(packet: string, schema: string): string {
  const listed = /(<pdfaExtension:schemas\b[^>]*>\s*<rdf:Bag\b[^>]*>)/.exec(packet)
  return listed === null
    ? packet.replace(
        '</rdf:RDF>',
        () =>
          `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag>${schema}</rdf:Bag></pdfaExtension:schemas></rdf:Description></rdf:RDF>`,
      )
    : packet.replace(listed[0], () => `${listed[0]}${schema}`)
}

const emptyPacket =
  '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"></rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
