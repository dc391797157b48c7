import { AppError } from '../../errors/app-error.ts'
import type { DrawText } from '../../plugin/text-drawing.ts'
import type { Codec, Outcome, Warning } from '../../plugin/values.ts'
import { pushAll } from '../../push-all.ts'
import { flattenPages } from '../forms/flatten.ts'
import type { PdfDocument } from '../model/document.ts'
import { type PdfLimits, pdfLimits } from '../model/limits.ts'
import { archivePart, declaresAccessibility, mendMetadata, readMetadata } from '../model/metadata.ts'
import { readPages } from '../model/pages.ts'
import { dict, name, type PdfValue } from '../model/values.ts'
import { openPdf } from '../read/open.ts'
import { writePdf } from '../write/writer.ts'
import { completeAccessible } from './accessible.ts'
import { conformPdf } from './conform/conform.ts'
import type { PdfStageOptions } from './options.ts'
import { pagesOf } from './page-range.ts'
import { createEncryption, deriveKeys, type EncryptionKeys, type Random } from './security/encryption.ts'
import { selectPages } from './select-pages.ts'
import { asVersion } from './version.ts'
import { applyViewer } from './viewer.ts'
import { applyWatermarks } from './watermark/apply.ts'
import { plainForms, plainPages } from './watermark/plain-pages.ts'

export interface PdfStageContext {
  readonly codec: Codec
  /** Returns n random bytes, for keys and identifiers. */
  readonly random: Random
  readonly signal: AbortSignal
  readonly limits?: PdfLimits
  /** The keys, if they were derived while the document was being produced. */
  readonly keys?: EncryptionKeys | undefined
  /** Draws watermarks with embedded fonts. Without it they are limited to the standard fonts, which PDF/A does not allow. */
  readonly drawText?: DrawText | undefined
}

/**
 * Post-processes a finished PDF of any engine: selects pages, flattens fields, draws watermarks, encrypts. The order matters: page numbers in
 * watermarks are those of the result. See `options.ts` for the options, `../read/open.ts` for reading, `watermark/apply.ts`
 * and `security/encryption.ts` for the two large parts, and `../write/writer.ts` for the output.
 *
 * Throws 'pdf.encrypted', 'pdf.broken', 'pdf.too-large', 'pdf.archive', 'convert.options' for pages that do not exist, and
 * Unconformable for a document that cannot satisfy `options.conform`.
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
  if (options.conform === undefined && archivePart(readMetadata(document)) > 0)
    refuseInArchive(options, context)
  let pages = readPages(document)
  if (options.pages !== undefined) {
    const numbers = pagesOf(options.pages, pages.length, limits.pages)
    if (numbers.length === 0) {
      const rule = 'must name at least one page of the document'
      throw new AppError('convert.options', { option: 'PageRange', rule })
    }
    if (numbers.length > limits.pages)
      throw new AppError('pdf.too-large', { what: 'pages', limit: limits.pages })
    pages = selectPages(document, pages, numbers)
  }
  if (options.watermarks.some(({ isOverFields }) => isOverFields)) {
    plainPages(document, codec, archivePart(readMetadata(document)) === 0)
    flattenPages(document, codec)
    plainForms(document, codec)
    pages = readPages(document)
  }
  if (options.conform !== undefined) {
    const conformed = await conformPdf(document, options.conform, context)
    document = conformed.document
    pages = readPages(document)
    pushAll(warnings, conformed.warnings)
  }
  if (options.watermarks.length > 0) {
    const archive = archivePart(readMetadata(document))
    const conforms =
      archive > 0 || options.accessible === true || declaresAccessibility(readMetadata(document))
    const drawing = { ...context, archive, conforms }
    pushAll(warnings, await applyWatermarks(document, pages, options.watermarks, drawing))
  }
  if (options.archive === true) mendMetadata(document)
  if (options.accessible === true) pushAll(warnings, completeAccessible(document, pages, codec))
  if (options.viewer !== undefined) applyViewer(document, pages, options.viewer)
  if (options.version !== undefined) {
    const converted = asVersion(document, options.version)
    if (converted === undefined) {
      const rule = 'cannot be 4 here: the engine made no PDF/A to begin with'
      throw new AppError('convert.options', { option: 'SelectPdfVersion', rule })
    }
    document = converted
    pushAll(warnings, warningsAboutVersion(document, options))
  }
  signal.throwIfAborted()
  const encryption =
    options.security &&
    (await createEncryption(
      context.keys ?? (await deriveKeys(options.security, random, codec.ciphers)),
      random,
    ))
  if (encryption !== undefined) announceEncryption(document)
  return { value: await writePdf(document, { codec, random, signal, encryption }), warnings }
}

function warningsAbout(document: PdfDocument): readonly Warning[] {
  const warnings: Warning[] = []
  if (document.rebuilt) {
    warnings.push({
      code: 'pdf.repaired',
      message: 'The PDF was damaged and was repaired; content that could not be recovered is missing.',
    })
  }
  const form = document.dictAt(document.catalog, 'AcroForm')
  const flags = form === undefined ? 0 : document.resolve(form.get('SigFlags'))
  if (typeof flags === 'number' && (flags & 1) === 1) {
    warnings.push({
      code: 'pdf.signature',
      message: 'The PDF was signed, and this change makes its signatures invalid.',
    })
  }
  return warnings
}

/** A file may declare a later version than it needs, never an earlier one. */
function warningsAboutVersion(
  { version }: PdfDocument,
  { version: target, security }: PdfStageOptions,
): readonly Warning[] {
  const requested = Number(target)
  const actual = security === undefined ? version : Math.max(version, 1.7)
  if (!(requested < actual)) return []
  const reason = version > requested ? 'its content requires it' : 'encryption with AES-256 requires it'
  return [
    { code: 'pdf.version', message: `The file is PDF ${actual.toFixed(1)} instead of ${target}: ${reason}.` },
  ]
}

/**
 * A file that declares PDF/A must conform to it, so options that would break it are refused. ISO 19005-2, 6.1.3, 6.2.11.4.
 */
function refuseInArchive({ security, watermarks }: PdfStageOptions, { drawText }: PdfStageContext): void {
  if (security !== undefined) throw new AppError('pdf.archive', { because: 'those may not be encrypted' })
  if (watermarks.length > 0 && drawText === undefined)
    throw new AppError('pdf.archive', { because: 'the fonts of watermarks would not be embedded in it' })
}

/** Declares AES-256 (revision 6) as an extension of PDF 1.7, since it is standard only in 2.0. ISO 32000-2, 7.12. */
function announceEncryption(document: PdfDocument): void {
  const { catalog } = document
  if (document.version >= 2) return
  const extension: PdfValue = dict({ BaseVersion: name('1.7'), ExtensionLevel: 8 })
  const extensions = document.dictAt(catalog, 'Extensions')?.copy() ?? dict({})
  catalog.set('Extensions', extensions.set('ADBE', extension))
  catalog.delete('Version')
}
