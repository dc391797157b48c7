/** The implementation of `operations.ts`, which imports it at its first use. */
import { AppError } from '../errors/app-error.ts'
import { checkInvoice } from '../invoice/check-invoice.ts'
import { type InvoiceRequest, reportProblems } from '../invoice/report.ts'
import type { Codec, Warning } from '../plugin/values.ts'
import { pdfLimits } from './model/limits.ts'
import type { StageOutcome } from './operations.ts'
import { openPdf } from './read/open.ts'
import { Unconformable } from './stage/conform/conform.ts'
import { lossesBetween, unknownLosses } from './stage/losses.ts'
import type { PdfStageOptions } from './stage/options.ts'
import { applyPdfStage, type PdfStageContext } from './stage/stage.ts'

export { amendPdf, describePdf } from './amend/amend.ts'
export { attachManifest } from './join/attach-manifest.ts'
export { composePdf, joinPdfs } from './join/compose.ts'
export { prepareSignature } from './sign/sign-pdf.ts'
export { deriveKeys } from './stage/security/encryption.ts'
export { readPdfText } from './text/read-text.ts'

/** Applies the stage of `applyPdfStage` and returns obstacles to a conformance as a result instead of an exception. */
export async function applyStage(
  bytes: Uint8Array,
  options: PdfStageOptions,
  context: PdfStageContext,
): Promise<StageOutcome> {
  try {
    return await applyPdfStage(bytes, options, context)
  } catch (error) {
    if (error instanceof Unconformable) return { obstacles: error.because }
    throw error
  }
}

/** Checks an invoice that is XML, in CII or UBL. Throws 'invoice.rules'. */
export const checkInvoiceXml = (
  bytes: Uint8Array,
  { profile, check = 'errors' }: InvoiceRequest,
  name: string,
): readonly Warning[] => reportProblems(checkInvoice(bytes, profile).problems, name, check)

/** Compares two files. Losses are unknown if one of them cannot be read. */
export async function lossesOfFiles(
  before: Uint8Array,
  after: Uint8Array,
  codec: Codec,
): Promise<readonly Warning[]> {
  try {
    return lossesBetween(openPdf(before, codec, pdfLimits), openPdf(after, codec, pdfLimits))
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('pdf.')) return [unknownLosses]
    throw error
  }
}
