/**
 * Assembles the PDF of a render: joins other files before and after its pages, embeds files, and finds the positions of its
 * signatures. This happens before page ranges, watermarks and encryption. Source: template language 22.11, 22.12.
 */

import { AppError } from '../../errors/app-error.ts'
import { isInvoiceFile } from '../../invoice/profiles.ts'
import type { InvoiceRequest } from '../../invoice/report.ts'
import type { Codec, Outcome, Warning } from '../../plugin/values.ts'
import { pushAll } from '../../push-all.ts'
import type { PdfDocument } from '../model/document.ts'
import { type PdfLimits, pdfLimits } from '../model/limits.ts'
import { archivePart, readMetadata } from '../model/metadata.ts'
import { readPages } from '../model/pages.ts'
import { openPdf } from '../read/open.ts'
import type { Random } from '../stage/security/encryption.ts'
import { writePdf } from '../write/writer.ts'
import { type Attachment, attachFiles } from './attach.ts'
import { markInvoice } from './invoice.ts'
import { createJoiner, type Joiner } from './join.ts'
import { type MarkerPosition, takeMarkers } from './link-targets.ts'

export interface PdfComposition {
  readonly before: readonly Uint8Array[]
  readonly after: readonly Uint8Array[]
  readonly attachments: readonly Attachment[]
  /** Set if the PDF must be an electronic invoice. The invoice is one of the attachments. */
  readonly invoice?: InvoiceRequest
  /** The prefix of the addresses of links that mark positions; absent when there are none. */
  readonly markerPrefix?: string
}

export interface ComposedPdf {
  readonly bytes: Uint8Array
  readonly markers: ReadonlyMap<string, MarkerPosition>
  readonly pageCount: number
}

export interface ComposeContext {
  readonly codec: Codec
  readonly random: Random
  readonly signal: AbortSignal
  readonly now: number // ms since the epoch
  readonly limits?: PdfLimits
}

/** Throws 'pdf.broken', 'pdf.encrypted', 'pdf.too-large', 'pdf.invoice', 'invoice.*'. */
export async function composePdf(
  bytes: Uint8Array,
  { before, after, attachments, invoice: request, markerPrefix: prefix }: PdfComposition,
  { codec, random, signal, now, limits = pdfLimits }: ComposeContext,
): Promise<Outcome<ComposedPdf>> {
  const first = openPdf(bytes, codec, limits)
  const wasArchive = archivePart(readMetadata(first))
  const { document, warnings } = joined(first, { before, after }, (file) => {
    signal.throwIfAborted()
    return openPdf(file, codec, limits)
  })
  // Page numbers are those of the joined file.
  const markers = prefix === undefined ? new Map<string, MarkerPosition>() : takeMarkers(document, prefix)
  if (attachments.length > 0) attachFiles(document, attachments, { codec, modified: now })
  const invoice = attachments.find(({ name }) => isInvoiceFile(name))
  if (invoice === undefined && request !== undefined) throw new AppError('invoice.missing')
  if (invoice !== undefined) pushAll(warnings, markInvoice(document, invoice, { request, part: wasArchive }))
  const pageCount = readPages(document).length
  return {
    value: { bytes: await writePdf(document, { codec, random, signal }), markers, pageCount },
    warnings,
  }
}

function joined(
  document: PdfDocument,
  { before, after }: Pick<PdfComposition, 'before' | 'after'>,
  open: (file: Uint8Array) => PdfDocument,
): { readonly document: PdfDocument; readonly warnings: Warning[] } {
  if (before.length + after.length === 0) return { document, warnings: [] }
  const joiner = createJoiner(document)
  for (const file of after) joiner.add(open(file), 'end')
  // Each file is inserted before all others, so the first one of the list is added last.
  for (const file of [...before].reverse()) joiner.add(open(file), 'start')
  const result = joiner.finish()
  return { document: result.document, warnings: result.lostConformance ? [lostConformance] : [] }
}

const lostConformance: Warning = {
  code: 'pdf.archive-joined',
  message: 'The result is not PDF/A or PDF/UA, because not all of the joined files are.',
}

export interface JoinContext {
  readonly codec: Codec
  readonly random: Random
  readonly signal: AbortSignal
  readonly limits?: PdfLimits
}

/**
 * Joins files in their order; the first one's properties are those of the result. Throws 'api.batch.pdf' with the index of a file that cannot be read, 'pdf.too-large'.
 */
export async function joinPdfs(
  files: readonly Uint8Array[],
  { codec, random, signal, limits = pdfLimits }: JoinContext,
): Promise<Outcome<Uint8Array>> {
  let joiner: Joiner | undefined
  for (const [index, bytes] of files.entries()) {
    signal.throwIfAborted()
    try {
      const document = openPdf(bytes, codec, limits)
      if (joiner === undefined) joiner = createJoiner(document)
      else joiner.add(document, 'end')
    } catch (cause) {
      throw new AppError('api.batch.pdf', { index }, { cause })
    }
  }
  if (joiner === undefined) throw new AppError('pdf.broken', { because: 'there is no file to join' })
  const { document, lostConformance: isLost } = joiner.finish()
  const value = await writePdf(document, { codec, random, signal })
  return { value, warnings: isLost ? [lostConformance] : [] }
}
