/**
 * What a render asked to be done to its PDF: other files before and behind its pages, files inside of it, and the
 * places of its signatures. Done before pages are chosen, marked and protected. Source: template language 22.11, 22.12.
 */
import { AppError } from '../errors/app-error.ts'
import type { Codec, Outcome, Warning } from '../plugin/contract.ts'
import { type Attachment, attachFiles } from './attach.ts'
import { openPdf } from './document.ts'
import { joinPdf } from './join.ts'
import { type PdfLimits, pdfLimits } from './limits.ts'
import { type MarkPlace, takeMarks } from './marks.ts'
import { archivePart, invoiceProfile, readMetadata, withInvoice, writeMetadata } from './metadata.ts'
import type { Random } from './security/encryption.ts'
import { writePdf } from './writer.ts'

export interface PdfComposition {
  readonly before: readonly Uint8Array[]
  readonly behind: readonly Uint8Array[]
  readonly attachments: readonly Attachment[]
  /** How the addresses of marks begin; absent: there are none. */
  readonly marks?: string
}

export interface ComposedPdf {
  readonly bytes: Uint8Array
  readonly marks: ReadonlyMap<string, MarkPlace>
}

export interface ComposeContext {
  readonly codec: Codec
  readonly random: Random
  readonly signal: AbortSignal
  readonly now: number // ms since the epoch
  readonly limits?: PdfLimits
}

const invoiceFile = /^(?:factur-x|zugferd-invoice|xrechnung)\.xml$/i

/** Whether a file of this name makes the PDF an electronic invoice, which is a PDF/A-3. */
export const isInvoiceFile = (name: string): boolean => invoiceFile.test(name)

/** Throws 'pdf.broken', 'pdf.encrypted', 'pdf.too-large', 'pdf.invoice'. */
export async function composePdf(
  bytes: Uint8Array,
  { before, behind, attachments, marks: prefix }: PdfComposition,
  { codec, random, signal, now, limits = pdfLimits }: ComposeContext,
): Promise<Outcome<ComposedPdf>> {
  const document = openPdf(bytes, codec, limits)
  const warnings: Warning[] = []
  const wasArchive = archivePart(readMetadata(document))
  for (const file of behind) {
    signal.throwIfAborted()
    joinPdf(document, openPdf(file, codec, limits), 'end')
  }
  // The first that was named comes first.
  for (const file of [...before].reverse()) {
    signal.throwIfAborted()
    joinPdf(document, openPdf(file, codec, limits), 'start')
  }
  // Their pages count in the whole file.
  const marks = prefix === undefined ? new Map<string, MarkPlace>() : takeMarks(document, prefix)
  const joined = before.length + behind.length > 0
  if (attachments.length > 0) attachFiles(document, attachments, { codec, modified: now })
  const invoice = attachments.find(({ name }) => isInvoiceFile(name))
  if (invoice !== undefined) {
    const profile = invoiceProfile(new TextDecoder().decode(invoice.bytes))
    if (profile === undefined) throw new AppError('pdf.invoice', { name: invoice.name.slice(0, 60) })
    writeMetadata(document, withInvoice(readMetadata(document), profile, invoice.name))
    if (wasArchive !== 3)
      warnings.push({
        code: 'pdf.invoice-archive',
        message: 'The electronic invoice is no PDF/A-3: the engine that made the PDF cannot write one.',
      })
  }
  if (joined && wasArchive > 0)
    warnings.push({
      code: 'pdf.archive-joined',
      message: 'Files were joined to a PDF/A; whether the whole is one depends on them.',
    })
  return { value: { bytes: await writePdf(document, { codec, random, signal }), marks }, warnings }
}
