import { AppError } from '../errors/app-error.ts'
import type { Codec, Outcome, Warning } from '../plugin/contract.ts'
import { completeAccessible } from './accessible.ts'
import { openPdf, type PdfDocument } from './document.ts'
import { type PdfLimits, pdfLimits } from './limits.ts'
import { archivePart, mendMetadata, readMetadata } from './metadata.ts'
import type { PdfStageOptions } from './options.ts'
import { pagesOf } from './page-range.ts'
import { readPages, selectPages } from './pages.ts'
import { createEncryption, type Encryption, type Random } from './security/encryption.ts'
import { dict, name, type PdfValue } from './values.ts'
import { asVersion } from './version.ts'
import { applyViewer } from './viewer.ts'
import { applyWatermarks } from './watermark/apply.ts'
import { writePdf } from './writer.ts'

export interface PdfStageContext {
  readonly codec: Codec
  /** n random bytes, for keys and identifiers. */
  readonly random: Random
  readonly signal: AbortSignal
  readonly limits?: PdfLimits
  /** The keys, where they were made ahead of the document. */
  readonly encryption?: Promise<Encryption>
}

/**
 * The last step of every PDF, whichever engine made it: choice of pages, watermarks, encryption. In this order, so that
 * page numbers are those of the result. Read `options.ts` for what can be asked, `document.ts` for how a file is read,
 * `watermark/apply.ts` and `security/encryption.ts` for the two large parts, `writer.ts` for what comes out.
 *
 * Throws 'pdf.encrypted', 'pdf.broken', 'pdf.too-large', 'pdf.archive', 'convert.options' (pages that do not exist).
 */
export async function applyPdfStage(
  bytes: Uint8Array,
  options: PdfStageOptions,
  context: PdfStageContext,
): Promise<Outcome<Uint8Array>> {
  const { codec, random, signal, limits = pdfLimits } = context
  signal.throwIfAborted()
  let document = openPdf(bytes, codec, limits)
  const warnings: Warning[] = [...options.warnings, ...warningsAbout(document)]
  if (options.security !== undefined || options.watermarks.length > 0) refuseArchive(document, options)
  let pages = readPages(document)
  if (options.pages !== undefined) {
    const numbers = pagesOf(options.pages, pages.length, limits.pages)
    if (numbers.length === 0) {
      const rule = `must name at least one of the ${pages.length} pages`
      throw new AppError('convert.options', { option: 'PageRange', rule })
    }
    if (numbers.length > limits.pages)
      throw new AppError('pdf.too-large', { what: 'pages', limit: limits.pages })
    pages = selectPages(document, pages, numbers)
  }
  if (options.watermarks.length > 0) {
    warnings.push(...applyWatermarks(document, pages, options.watermarks, codec))
  }
  if (options.archive === true) mendMetadata(document)
  if (options.accessible === true) warnings.push(...completeAccessible(document, pages, codec))
  if (options.viewer !== undefined) applyViewer(document, pages, options.viewer)
  if (options.version !== undefined) {
    const made = asVersion(document, options.version)
    if (made === undefined) {
      const rule = 'cannot be 4 here: the engine made no PDF/A to begin with'
      throw new AppError('convert.options', { option: 'SelectPdfVersion', rule })
    }
    document = made
    warnings.push(...warningsAboutVersion(document, options))
  }
  signal.throwIfAborted()
  const encryption =
    options.security &&
    (await (context.encryption ?? createEncryption(options.security, random, codec.ciphers)))
  if (encryption !== undefined) announceEncryption(document)
  return { value: await writePdf(document, { codec, random, signal, encryption }), warnings }
}

function warningsAbout(document: PdfDocument): readonly Warning[] {
  const found: Warning[] = []
  if (document.rebuilt) {
    found.push({ code: 'pdf.repaired', message: 'The PDF was damaged: what could be found of it was kept.' })
  }
  const form = document.dictAt(document.catalog, 'AcroForm')
  const flags = form === undefined ? 0 : document.resolve(form.get('SigFlags'))
  if (typeof flags === 'number' && (flags & 1) === 1) {
    found.push({ code: 'pdf.signature', message: 'The PDF was signed: its signatures no longer hold.' })
  }
  return found
}

/** A file can be called a later version than it is, never an earlier one. */
function warningsAboutVersion(
  { version }: PdfDocument,
  { version: wish, security }: PdfStageOptions,
): readonly Warning[] {
  const wanted = Number(wish)
  const is = security === undefined ? version : Math.max(version, 1.7)
  if (!(wanted < is)) return []
  const why = version > wanted ? 'what it holds needs that' : 'encryption with AES-256 needs that'
  return [{ code: 'pdf.version', message: `The file is PDF ${is.toFixed(1)} instead of ${wish}: ${why}.` }]
}

/** A file that calls itself PDF/A keeps that promise or is refused. ISO 19005-2, 6.1.3, 6.2.11.4. */
function refuseArchive(document: PdfDocument, options: PdfStageOptions): void {
  if (archivePart(readMetadata(document)) === 0) return
  throw new AppError('pdf.archive', {
    because:
      options.security === undefined
        ? 'the fonts of watermarks would not be embedded in it'
        : 'those may not be encrypted',
  })
}

/** Revision 6 came with 2.0; in a file of 1.7 it is an extension. ISO 32000-2, 7.12. */
function announceEncryption(document: PdfDocument): void {
  const { catalog } = document
  if (document.version >= 2) return
  const extension: PdfValue = dict({ BaseVersion: name('1.7'), ExtensionLevel: 8 })
  const known = document.dictAt(catalog, 'Extensions')?.copy() ?? dict({})
  catalog.set('Extensions', known.set('ADBE', extension))
  catalog.delete('Version')
}
