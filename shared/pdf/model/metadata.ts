/** The XMP packet of a PDF, read and written as text. ISO 16684-1; ISO 19005-3, 6.6; Factur-X 1.0, 6.2. */
import { entryOf } from '../../entry-of.ts'
import { type Profile, profileOf } from '../../invoice/profiles.ts'
import { XmlFault } from '../../xml/cursor.ts'
import { editXml, type StartTag } from '../../xml/edit-tags.ts'
import type { PdfDocument } from './document.ts'
import { readable } from './limits.ts'
import { textOfString } from './text-string.ts'
import { dict, name, PdfStream, PdfString } from './values.ts'

const largest = 1024 * 1024

/** Returns the XMP packet, '' when there is none that can be read. */
export function readMetadata(document: PdfDocument): string {
  const stream = document.resolve(document.catalog.get('Metadata'))
  if (!(stream instanceof PdfStream) || stream.bytes.length > largest) return ''
  const content = readable(() => document.inflater.content(stream, document.resolve))
  return content === undefined ? '' : new TextDecoder().decode(content)
}

export function writeMetadata(document: PdfDocument, text: string): void {
  // PDF/A requires a packet that can be read without a filter.
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
 * LibreOffice 7.4 escapes text in the packet twice: `Ampersand &amp;amp; Sons`. In PDF/A, the packet must agree
 * with the document information. ISO 19005-2, 6.6.3.
 */
export function mendMetadata(document: PdfDocument): void {
  const metadata = readMetadata(document)
  const information = document.dictAt(document.trailer, 'Info')
  if (information === undefined || !metadata.includes('&amp;')) return
  let mended = metadata
  for (const key of ['Title', 'Author', 'Subject', 'Keywords', 'Creator', 'Producer']) {
    const value = document.resolve(information.get(key))
    if (!(value instanceof PdfString)) continue
    const escaped = textOfString(value).replace(/[&<>"']/g, (sign) => entryOf(entities, sign)!)
    if (escaped.includes('&'))
      mended = mended.replaceAll(`>${escaped.replaceAll('&', '&amp;')}<`, () => `>${escaped}<`)
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

const archiveUri = 'http://www.aiim.org/pdfa/ns/id/'
const accessibleUri = 'http://www.aiim.org/pdfua/ns/id/'
const rdfUri = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const extensionUri = 'http://www.aiim.org/pdfa/ns/extension/'

/** Applies changes to the packet. Returns it unchanged if there are none, or if it is nested too deeply for a packet. */
function edited(packet: string, visit: (tag: StartTag) => void): string {
  try {
    return editXml(packet, visit) ?? packet
  } catch (error) {
    if (error instanceof XmlFault) return packet
    throw error
  }
}

/**
 * The value of a property, which is an attribute of rdf:Description or an element (ISO 16684-1, 7); undefined if it is
 * missing.
 */
export function propertyOf(packet: string, uri: string, name: string): string | undefined {
  let propertyValue: string | undefined
  edited(packet, (tag) => {
    propertyValue ??= tag.attribute(uri, name)?.value.trim()
    if (tag.uri === uri && tag.name === name) tag.onContent(({ value }) => (propertyValue ??= value.trim()))
  })
  return propertyValue
}

/** The part of PDF/A that the packet declares, 0 for none. */
export const archivePart = (packet: string): number =>
  Number.parseInt(propertyOf(packet, archiveUri, 'part') ?? '', 10) || 0

/** Whether the packet declares PDF/UA. */
export const declaresAccessibility = (packet: string): boolean =>
  /^\d/.test(propertyOf(packet, accessibleUri, 'part') ?? '')

const conformanceProperties = ['part', 'conformance', 'rev', 'amd', 'corr']

/** Removes the declarations of standards that the file no longer conforms to. */
export function withoutConformance(
  packet: string,
  { archive, accessible }: { readonly archive: boolean; readonly accessible: boolean },
): string {
  const uris = [...(archive ? [archiveUri] : []), ...(accessible ? [accessibleUri] : [])]
  return edited(packet, (tag) => {
    for (const uri of uris) for (const name of conformanceProperties) tag.attribute(uri, name)?.remove()
    if (uris.includes(tag.uri) && conformanceProperties.includes(tag.name))
      tag.onContent(({ removeElement }) => removeElement())
  })
}

/** Converts the packet of a file of an earlier part to part 4, which without attachments has no level. ISO 19005-4, 6.7.3. */
export const declaringFourth = (packet: string): string =>
  withDescription(
    withoutConformance(packet, { archive: true, accessible: false }),
    `<rdf:Description rdf:about="" xmlns:rdf="${rdfUri}" xmlns:pdfaid="${archiveUri}"><pdfaid:part>4</pdfaid:part><pdfaid:rev>2020</pdfaid:rev></rdf:Description>`,
  )

/**
 * Declares a part of PDF/A, level B, and PDF/UA-1. The packet must not declare either yet. ISO 19005-2, 6.6.4; ISO 14289-1,
 * 5.
 */
export function declaring(
  packet: string,
  { archive, accessible }: { readonly archive: number; readonly accessible: boolean },
): string {
  const declarations = [
    archive > 0 &&
      `<rdf:Description rdf:about="" xmlns:rdf="${rdfUri}" xmlns:pdfaid="${archiveUri}"><pdfaid:part>${archive}</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>`,
    accessible &&
      `<rdf:Description rdf:about="" xmlns:rdf="${rdfUri}" xmlns:pdfuaid="${accessibleUri}"><pdfuaid:part>1</pdfuaid:part></rdf:Description>`,
  ]
  return declarations.reduce<string>(
    (text, declaration) => (declaration ? withDescription(text, declaration) : text),
    packet,
  )
}

const propertyUris: Readonly<Record<string, string>> = {
  dc: 'http://purl.org/dc/elements/1.1/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  xmpRights: 'http://ns.adobe.com/xap/1.0/rights/',
}

/** The text of a property such as 'dc:title'; of a list its first entry. Undefined where it is missing or empty. */
export function textProperty(packet: string, property: string): string | undefined {
  const [prefix = '', local = ''] = property.split(':')
  const uri = entryOf(propertyUris, prefix) ?? ''
  let propertyValue: string | undefined
  edited(packet, (tag) => {
    const isInside = tag.parents.some((parent) => parent.uri === uri && parent.name === local)
    if (isInside && tag.uri === rdfUri && tag.name === 'li')
      tag.onContent(({ value }) => (propertyValue ??= value.trim()))
  })
  return propertyValue || propertyOf(packet, uri, local) || undefined
}

/** The packet with other properties: the markup of each by its name, such as 'dc:title', in place of what is there. */
export function withProperties(packet: string, properties: ReadonlyMap<string, string>): string {
  const named = [...properties.keys()].map((property) => {
    const [prefix = '', local = ''] = property.split(':')
    return { uri: entryOf(propertyUris, prefix) ?? '', local }
  })
  const remaining = edited(packet, (tag) => {
    for (const { uri, local } of named) {
      tag.attribute(uri, local)?.remove()
      if (tag.uri === uri && tag.name === local) tag.onContent(({ removeElement }) => removeElement())
    }
  })
  const prefixes = Object.entries(propertyUris).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
  return withDescription(
    remaining,
    `<rdf:Description rdf:about="" xmlns:rdf="${rdfUri}"${prefixes.join('')}>${[...properties.values()].join('')}</rdf:Description>`,
  )
}

/** Namespaces whose properties PDF/A defines, or that a new packet writes by itself. ISO 19005-2, 6.6.2.3. */
const commonUris = new Set([
  ...Object.values(propertyUris),
  rdfUri,
  archiveUri,
  accessibleUri,
  'http://ns.adobe.com/xap/1.0/mm/',
  'http://ns.adobe.com/pdfx/1.3/',
])

/** The properties of the packet that a new one would not have, by their local names. */
export function foreignProperties(packet: string): ReadonlySet<string> {
  const prefixes = new Set<string>()
  edited(packet, (tag) => {
    const parent = tag.parents.at(-1)
    const isProperty = parent?.uri === rdfUri && parent.name === 'Description'
    if (isProperty && tag.parents.length < 5 && !commonUris.has(tag.uri)) prefixes.add(tag.name)
  })
  return prefixes
}

/** Whether the packet has a title that is not empty. */
export const hasTitle = (packet: string): boolean =>
  (propertyOf(packet, 'http://purl.org/dc/elements/1.1/', 'title') ?? '') !== ''

/** Adds an rdf:Description after the existing ones. */
const withDescription = (packet: string, description: string): string =>
  edited(packet, (tag) => {
    if (tag.uri === rdfUri && tag.name === 'RDF') tag.onContent(({ append }) => append(description))
  })

/** The profile that an invoice in XML declares. */
export function invoiceProfile(xml: string): Profile | undefined {
  let context = ''
  edited(xml, (tag) => {
    const parent = tag.parents.at(-1)
    if (tag.name === 'ID' && parent?.name === 'GuidelineSpecifiedDocumentContextParameter')
      tag.onContent(({ value }) => (context ||= value))
  })
  return profileOf(context)
}

export const invoiceNamespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'

/** Adds the properties that identify an electronic invoice. Creates a new packet if there is none. */
export function withInvoice(
  metadata: string,
  { name: profile, version }: Pick<Profile, 'name' | 'version'>,
  fileName: string,
): string {
  const property = (propertyName: string, description: string) =>
    `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${propertyName}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`
  const schema = `<rdf:li ${schemaPrefixes} rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${invoiceNamespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>${[
    property('DocumentFileName', 'The name of the embedded XML document'),
    property('DocumentType', 'The type of the hybrid document, INVOICE'),
    property('Version', 'The version of the standard of the embedded XML document'),
    property('ConformanceLevel', 'The profile of the embedded XML document'),
  ].join('')}</rdf:Seq></pdfaSchema:property></rdf:li>`
  const invoice = `<rdf:Description rdf:about="" xmlns:rdf="${rdfUri}" xmlns:fx="${invoiceNamespace}"><fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>${fileName}</fx:DocumentFileName><fx:Version>${version}</fx:Version><fx:ConformanceLevel>${profile}</fx:ConformanceLevel></rdf:Description>`
  let hasDescriptions = false
  edited(metadata, (tag) => void (hasDescriptions ||= tag.uri === rdfUri && tag.name === 'RDF'))
  return withDescription(withSchema(hasDescriptions ? metadata : emptyPacket, schema), invoice)
}

/** Adds an extension schema for the PDF/UA identifier: PDF/A-1 to 3 require one for properties that they do not define. */
export function withMarkDescribed(metadata: string): string {
  if (!declaresAccessibility(metadata) || describedUris(metadata).has(accessibleUri)) return metadata
  return withSchema(
    metadata,
    `<rdf:li ${schemaPrefixes} rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA Universal Accessibility Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${accessibleUri}</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part of ISO 14289 that the file follows</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li>`,
  )
}

const schemaUri = 'http://www.aiim.org/pdfa/ns/schema#'
/** The packet may bind other prefixes, so the added elements declare their own. */
const schemaPrefixes = `xmlns:rdf="${rdfUri}" xmlns:pdfaSchema="${schemaUri}" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"`

/** The namespaces whose schemas the packet describes. */
function describedUris(packet: string): ReadonlySet<string> {
  const names = new Set<string>()
  edited(packet, (tag) => {
    if (tag.uri === schemaUri && tag.name === 'namespaceURI')
      tag.onContent(({ value }) => void names.add(value.trim()))
  })
  return names
}

/** Adds an extension schema to the list of schemas, of which a packet has at most one. ISO 19005-2, 6.6.2.3. */
function withSchema(packet: string, schema: string): string {
  let isListed = false
  const extended = edited(packet, (tag) => {
    const parent = tag.parents.at(-1)
    const isList = parent?.uri === extensionUri && parent.name === 'schemas'
    if (!isList || tag.uri !== rdfUri || tag.name !== 'Bag') return
    isListed = true
    tag.onContent(({ append }) => append(schema))
  })
  return isListed
    ? extended
    : withDescription(
        packet,
        `<rdf:Description rdf:about="" xmlns:rdf="${rdfUri}" xmlns:pdfaExtension="${extensionUri}"><pdfaExtension:schemas><rdf:Bag>${schema}</rdf:Bag></pdfaExtension:schemas></rdf:Description>`,
      )
}

const emptyPacket =
  '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"></rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
