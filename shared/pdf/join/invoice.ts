/**
 * An electronic invoice in a PDF: the required metadata and properties of its attachment. Source: Factur-X 1.0, 6; ISO
 * 19005-3.
 */
import { AppError } from '../../errors/app-error.ts'
import { checkInvoice } from '../../invoice/check-invoice.ts'
import type { InvoiceProblem } from '../../invoice/problem.ts'
import { fileNameOf, type Profile, relationshipsOf } from '../../invoice/profiles.ts'
import { type InvoiceRequest, reportProblems } from '../../invoice/report.ts'
import type { Warning } from '../../plugin/values.ts'
import type { PdfDocument } from '../model/document.ts'
import { invoiceProfile, readMetadata, withInvoice, writeMetadata } from '../model/metadata.ts'
import type { Attachment } from './attach.ts'

/**
 * Writes the metadata for an attached invoice and checks it. If the request does not require an invoice, violations are only
 * warnings. `part` is the part of PDF/A that the document declares. Throws 'pdf.invoice', 'invoice.rules', 'invoice.archive'.
 */
export function markInvoice(
  document: PdfDocument,
  attachment: Attachment,
  { request, part }: { readonly request: InvoiceRequest | undefined; readonly part: number },
): readonly Warning[] {
  const { name, bytes } = attachment
  const checked = checkInvoice(bytes, request?.profile)
  const problems = [
    ...checked.problems,
    ...(checked.syntax === 'UBL' ? [inUbl] : []),
    ...(checked.profile === undefined ? [] : attachmentProblems(attachment, checked.profile)),
  ]
  const warnings = reportProblems(
    problems,
    name,
    request === undefined ? 'warnings' : (request.check ?? 'errors'),
  )
  const profile = checked.profile ?? invoiceProfile(new TextDecoder().decode(bytes))
  if (profile === undefined) throw new AppError('pdf.invoice', { name: name.slice(0, 60) })
  writeMetadata(document, withInvoice(readMetadata(document), profile, name))
  if (part === 3) return warnings
  if (request !== undefined) throw new AppError('invoice.archive')
  return [...warnings, noArchive]
}

const noArchive: Warning = {
  code: 'pdf.invoice-archive',
  message: 'The electronic invoice is not PDF/A-3, because the engine that made the PDF cannot write it.',
}

const problem = (rule: string, path: string, message: string): InvoiceProblem => ({
  rule,
  severity: 'error',
  field: '',
  path,
  message,
})

const inUbl = problem('PDF', '/', 'The invoice in a PDF is a CrossIndustryInvoice; send UBL as XML.')

/** Checks that the attached file has the name and the relationship that the profile requires. */
export function attachmentProblems(
  { name, relationship }: Pick<Attachment, 'name' | 'relationship'>,
  profile: Profile,
): readonly InvoiceProblem[] {
  const fileName = fileNameOf(profile.name)
  const relationships: readonly string[] = relationshipsOf(profile)
  return [
    ...(name === fileName
      ? []
      : [problem('PDF', '/', `The file of the profile ${profile.name} must have the name ${fileName}.`)]),
    ...(relationships.includes(relationship)
      ? []
      : [
          problem(
            'PDF',
            '/',
            `The relationship of the file must be ${relationships.join(' or ')} in the profile ${profile.name}.`,
          ),
        ]),
  ]
}
