import type { PdfDocument } from '../model/document.ts'
import { archivePart, declaringFourth, escapedText, readMetadata, writeMetadata } from '../model/metadata.ts'
import { textOfString } from '../model/text-string.ts'
import { PdfString } from '../model/values.ts'

/** The version that a finished file is converted to. */
export type TargetVersion = '1.5' | '1.6' | '1.7' | '2.0' | 'PDF/A-4'

/**
 * Values of `SelectPdfVersion` for versions that every earlier file conforms to: engines write them, or the header
 * declares them.
 */
export const versions: ReadonlyMap<number, TargetVersion> = new Map([
  [15, '1.5'],
  [16, '1.6'],
])

/** `SelectPdfVersion` of the versions that are made from the output of an engine, and the value that the engine gets instead. */
export const laterVersions: ReadonlyMap<number, { readonly target: TargetVersion; readonly from: number }> =
  new Map([
    [4, { target: 'PDF/A-4', from: 2 }],
    [17, { target: '1.7', from: 16 }],
    [20, { target: '2.0', from: 16 }],
  ])

/**
 * Converts a document to a later version.
 *
 * 2.0: the properties are also written to the metadata, where that version requires them.
 * PDF/A-4: converts a PDF/A-2 file by changing its declaration in the metadata and removing properties outside of them.
 * Undefined if there is no such declaration, which means that the engine did not write PDF/A.
 *
 * ISO 32000-2, 14.3; ISO 19005-4, 6.1.3, 6.7.3.
 */
export function asVersion(document: PdfDocument, target: TargetVersion): PdfDocument | undefined {
  if (target === '1.5' || target === '1.6' || target === '1.7') return later(document, Number(target))
  const metadata = readMetadata(document)
  if (target === '2.0') {
    if (metadata === '') writeMetadata(document, metadataFrom(document))
    return later(document, 2)
  }
  if (archivePart(metadata) === 0) return undefined
  writeMetadata(document, declaringFourth(metadata))
  document.trailer.delete('Info')
  return later(document, 2)
}

function later(document: PdfDocument, version: number): PdfDocument {
  // The version in the catalogue applies only if it is later than that of the header.
  document.catalog.delete('Version')
  return { ...document, version: Math.max(version, document.version) }
}

/** The document information as XMP. ISO 16684-1; the properties are those of ISO 32000-2, table 349. */
export function metadataFrom(document: PdfDocument): string {
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
export function isoDate(value: string | undefined): string | undefined {
  const match = /^D:(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(Z|[+-]\d{2})?'?(\d{2})?/.exec(value ?? '')
  if (match === null) return undefined
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
  ] = match
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone === 'Z' ? 'Z' : `${zone}:${more}`}`
}
