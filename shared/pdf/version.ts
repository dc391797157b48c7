import type { PdfDocument } from './document.ts'
import { archivePart, escapedText, readMetadata, writeMetadata } from './metadata.ts'
import { textOfString } from './text-string.ts'
import { PdfString } from './values.ts'

/** What a finished file is made into. */
export type VersionWish = '1.5' | '1.6' | '1.7' | '2.0' | 'PDF/A-4'

/** `SelectPdfVersion` of the versions that every earlier file is one of: engines write them, or the header says so. */
export const plainVersions: ReadonlyMap<number, VersionWish> = new Map([
  [15, '1.5'],
  [16, '1.6'],
])

/** `SelectPdfVersion` (specification 4.9) of the versions that are made behind an engine, and what engines are told instead. */
export const laterVersions: ReadonlyMap<number, { readonly wish: VersionWish; readonly from: number }> =
  new Map([
    [4, { wish: 'PDF/A-4', from: 2 }],
    [17, { wish: '1.7', from: 16 }],
    [20, { wish: '2.0', from: 16 }],
  ])

/**
 * The same document as a file of a later version.
 *
 * 2.0: the properties also stand in metadata, where that version wants them. PDF/A-4: takes a file of PDF/A-2 and
 * changes what part 4 asks for otherwise: its mark in the metadata, no properties outside of them. Undefined when there
 * is no such mark to change, which means that the engine did not make PDF/A.
 * ISO 32000-2, 14.3; ISO 19005-4, 6.1.3, 6.7.3.
 */
export function asVersion(document: PdfDocument, wish: VersionWish): PdfDocument | undefined {
  if (wish === '1.5' || wish === '1.6' || wish === '1.7') return later(document, Number(wish))
  const metadata = readMetadata(document)
  if (wish === '2.0') {
    if (metadata === '') writeMetadata(document, metadataFrom(document))
    return later(document, 2)
  }
  if (archivePart(metadata) === 0) return undefined
  writeMetadata(document, markedFourth(metadata))
  document.trailer.delete('Info')
  return later(document, 2)
}

function later(document: PdfDocument, version: number): PdfDocument {
  // A version in the catalogue counts where it is the later one.
  document.catalog.delete('Version')
  return { ...document, version: Math.max(version, document.version) }
}

/** Part 4 names its year and, without attachments, no level. */
function markedFourth(metadata: string): string {
  return metadata
    .replace(/\s*<pdfaid:conformance>[^<]*<\/pdfaid:conformance>/g, '')
    .replace(/\s+pdfaid:conformance="[^"]*"/g, '')
    .replace(/<pdfaid:part>[^<]*<\/pdfaid:part>/, '<pdfaid:part>4</pdfaid:part><pdfaid:rev>2020</pdfaid:rev>')
    .replace(/pdfaid:part="[^"]*"/, 'pdfaid:part="4" pdfaid:rev="2020"')
}

/** The document information as XMP. ISO 16684-1; the properties are those of ISO 32000-2, table 349. */
function metadataFrom(document: PdfDocument): string {
  const information = document.dictAt(document.trailer, 'Info')
  const text = (key: string): string | undefined => {
    const value = document.resolve(information?.get(key) ?? null)
    return value instanceof PdfString ? escapedText(textOfString(value)) : undefined
  }
  const date = (key: string) => isoDate(text(key))
  const lines = [
    element(
      'dc:title',
      text('Title'),
      (value) => `<rdf:Alt><rdf:li xml:lang="x-default">${value}</rdf:li></rdf:Alt>`,
    ),
    element('dc:creator', text('Author'), (value) => `<rdf:Seq><rdf:li>${value}</rdf:li></rdf:Seq>`),
    element(
      'dc:description',
      text('Subject'),
      (value) => `<rdf:Alt><rdf:li xml:lang="x-default">${value}</rdf:li></rdf:Alt>`,
    ),
    element('pdf:Keywords', text('Keywords')),
    element('pdf:Producer', text('Producer')),
    element('xmp:CreatorTool', text('Creator')),
    element('xmp:CreateDate', date('CreationDate')),
    element('xmp:ModifyDate', date('ModDate')),
  ]
  return [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">',
    ...lines.filter((line) => line !== ''),
    '</rdf:Description></rdf:RDF></x:xmpmeta>',
    '<?xpacket end="w"?>',
  ].join('\n')
}

function element(tag: string, value: string | undefined, wrap = (text: string) => text): string {
  return value === undefined || value === '' ? '' : `<${tag}>${wrap(value)}</${tag}>`
}

/** D:20261121103000+01'00' as 2026-11-21T10:30:00+01:00. */
function isoDate(value: string | undefined): string | undefined {
  const found = /^D:(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(Z|[+-]\d{2})?'?(\d{2})?/.exec(value ?? '')
  if (found === null) return undefined
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    zone = 'Z',
    more = '00',
  ] = found
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone === 'Z' ? 'Z' : `${zone}:${more}`}`
}
