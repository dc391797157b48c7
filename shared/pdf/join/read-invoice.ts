/**
 * Reads the electronic invoice that is embedded in a PDF, and checks the metadata of the PDF about it. Source: Factur-X 1.0,
 * 6.
 */
import { type CheckedInvoice, checkInvoice } from '../../invoice/check-invoice.ts'
import type { InvoiceProblem } from '../../invoice/problem.ts'
import { isInvoiceFile, type ProfileName } from '../../invoice/profiles.ts'
import type { Codec } from '../../plugin/values.ts'
import type { PdfDocument } from '../model/document.ts'
import { pdfLimits, readable } from '../model/limits.ts'
import { archivePart, invoiceNamespace, propertyOf, readMetadata } from '../model/metadata.ts'
import { nameTreeEntries } from '../model/name-tree.ts'
import { textOfString } from '../model/text-string.ts'
import { PdfDict, PdfName, PdfStream, PdfString } from '../model/values.ts'
import { openPdf } from '../read/open.ts'
import { attachmentProblems } from './invoice.ts'

export interface InvoiceOfPdf extends CheckedInvoice {
  /** 'factur-x.xml' */
  readonly name: string
  readonly bytes: Uint8Array
}

/** Returns undefined if the PDF does not embed a file with the name of an invoice. Throws 'pdf.broken', 'pdf.encrypted'. */
export function readInvoiceOfPdf(
  bytes: Uint8Array,
  codec: Codec,
  profile?: ProfileName,
): InvoiceOfPdf | undefined {
  const document = openPdf(bytes, codec, pdfLimits)
  const names = document.dictAt(document.catalog, 'Names')
  for (const [, value] of nameTreeEntries(document, names?.get('EmbeddedFiles') ?? null)) {
    const file = embeddedFile(document, document.resolve(value))
    if (file === undefined) continue
    const checked = checkInvoice(file.bytes, profile)
    const problems = [...checked.problems, ...pdfProblems(document, file, checked)]
    return { ...checked, problems, name: file.name, bytes: file.bytes }
  }
  return undefined
}

interface EmbeddedFile {
  readonly name: string
  readonly bytes: Uint8Array
  readonly relationship: string
}

function embeddedFile(document: PdfDocument, spec: unknown): EmbeddedFile | undefined {
  if (!(spec instanceof PdfDict)) return undefined
  const name = document.resolve(spec.get('UF') ?? spec.get('F'))
  const text = name instanceof PdfString ? textOfString(name) : ''
  const stream = document.resolve(document.dictAt(spec, 'EF')?.get('F') ?? null)
  if (!isInvoiceFile(text) || !(stream instanceof PdfStream)) return undefined
  const bytes = readable(() => document.inflater.content(stream, document.resolve))
  const relationship = document.resolve(spec.get('AFRelationship'))
  return bytes === undefined
    ? undefined
    : { name: text, bytes, relationship: relationship instanceof PdfName ? relationship.text : '' }
}

/** Checks the metadata and the attachment of the PDF against its invoice. */
function pdfProblems(
  document: PdfDocument,
  { name, relationship }: EmbeddedFile,
  { profile, syntax }: CheckedInvoice,
): readonly InvoiceProblem[] {
  const metadata = readMetadata(document)
  const declared = (property: string) => propertyOf(metadata, invoiceNamespace, property)
  const messages = [
    archivePart(metadata) !== 3 && 'The file must be PDF/A-3.',
    syntax === 'UBL' && 'The invoice in a PDF is a CrossIndustryInvoice; send UBL as XML.',
    declared('DocumentType') !== 'INVOICE' && 'The metadata must have fx:DocumentType INVOICE.',
    declared('DocumentFileName') !== name && `The metadata must have fx:DocumentFileName ${name}.`,
    declared('Version') === undefined && 'The metadata must have fx:Version.',
    profile !== undefined &&
      declared('ConformanceLevel') !== profile.name &&
      `The metadata must have fx:ConformanceLevel ${profile.name}, the profile of the XML.`,
  ]
  const problems = messages.flatMap((message): readonly InvoiceProblem[] =>
    message === false ? [] : [{ rule: 'PDF', severity: 'error', field: '', path: '/', message }],
  )
  const file = { name, relationship } as Parameters<typeof attachmentProblems>[0]
  return [...problems, ...(profile === undefined ? [] : attachmentProblems(file, profile))]
}
