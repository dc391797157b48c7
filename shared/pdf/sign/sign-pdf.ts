/**
 * Adds a signature to a PDF: a field, its appearance, and space for the signature itself, which covers every other byte of
 * the file. They are appended to the file, so that existing signatures remain valid. ISO 32000-2, 12.7.5.5, 12.8.1.
 */
import { AppError } from '../../errors/app-error.ts'
import type { DrawText } from '../../plugin/text-drawing.ts'
import type { Codec, Outcome, Warning } from '../../plugin/values.ts'
import { manifestOf } from '../join/attach-manifest.ts'
import type { PdfDocument } from '../model/document.ts'
import { type PdfLimits, pdfLimits } from '../model/limits.ts'
import { archivePart, declaresAccessibility, readMetadata } from '../model/metadata.ts'
import { type PdfPage, pageGeometry, readPages } from '../model/pages.ts'
import { pdfDate, textOfString, textString } from '../model/text-string.ts'
import { dict, name, PdfDict, PdfRef, PdfString, type PdfValue } from '../model/values.ts'
import { openPdf } from '../read/open.ts'
import type { Random } from '../stage/security/encryption.ts'
import { appendSignature, type UnsignedFile } from '../write/update.ts'
import { writePdf } from '../write/writer.ts'
import { type AppearanceContext, drawAppearance } from './appearance.ts'

/** The declared properties of a signature, and where it is shown. */
export interface SignatureField {
  readonly signedAt: number // ms since the epoch
  readonly name: string
  readonly reason?: string | undefined
  readonly location?: string | undefined
  readonly contact?: string | undefined
  /** Absent for an invisible signature. */
  readonly visible?: VisibleSignature | undefined
}

export interface VisibleSignature {
  readonly page: number // from 1
  /** The upper left corner: pt from the left and the upper edge of the page as it is shown unrotated. */
  readonly x: number
  readonly y: number
  readonly width: number // pt
  readonly height: number
  readonly lines: readonly string[]
}

export interface SignContext {
  readonly codec: Codec
  readonly random: Random
  readonly signal: AbortSignal
  readonly drawText?: DrawText | undefined
  readonly limits?: PdfLimits
  /** The largest size of the signature, in bytes. */
  readonly reservedBytes: number
}

/** A file with space for a signature. `gap` is the space with the brackets around it, which the signature does not cover. */
export type UnsignedPdf = UnsignedFile

/**
 * Prepares a file for a signature. A file without signatures is rewritten first. Warning: 'pdf.signature-untagged', if the
 * file declares PDF/UA. Throws 'sign.unsignable', 'pdf.broken', 'pdf.too-large', 'sign.encrypted'.
 */
export async function prepareSignature(
  bytes: Uint8Array,
  field: SignatureField,
  context: SignContext,
): Promise<Outcome<UnsignedPdf>> {
  const { limits = pdfLimits, reservedBytes } = context
  const { base, document } = await signableFile(bytes, { ...context, limits })
  const pages = readPages(document)
  const page = pages[Math.min(field.visible?.page ?? 1, pages.length) - 1]
  const root = document.trailer.get('Root')
  if (page === undefined || page.id === 0 || !(root instanceof PdfRef))
    throw new AppError('sign.unsignable', { because: 'its page tree is invalid' })

  const signature = document.put(null)
  const metadata = readMetadata(document)
  const archive = archivePart(metadata)
  const isAccessible = declaresAccessibility(metadata)
  const appearance: AppearanceContext = { ...context, archive, conforms: archive > 0 || isAccessible }
  const { widget, warnings } = await signatureWidget(document, { field, page, signature }, appearance)
  const isUntagged = isAccessible && field.visible !== undefined
  addToPage(document, page, widget)
  addToForm(document, widget)

  const value = appendSignature(base, document, {
    changed: [root.id, page.id],
    firstNew: signature.id,
    signature: { id: signature.id, entries: signatureEntries(field), reservedBytes },
  })
  return { value, warnings: [...warnings, ...(isUntagged ? [untagged] : [])] }
}

const untagged: Warning = {
  code: 'pdf.signature-untagged',
  message: 'The visible signature has no structure tag, which PDF/UA requires.',
}

/**
 * Returns the file that the signature is appended to. A file with signatures or a manifest, which describe the preceding
 * bytes, is kept unchanged; any other file is rewritten.
 */
async function signableFile(
  bytes: Uint8Array,
  { codec, random, signal, limits }: SignContext & { readonly limits: PdfLimits },
): Promise<{ readonly base: Uint8Array; readonly document: PdfDocument }> {
  const document = openOrRefuse(bytes, codec, limits)
  if (isSigned(document)) {
    if (document.rebuilt)
      throw new AppError('sign.unsignable', { because: 'it is signed, and it is damaged' })
    return { base: bytes, document }
  }
  if (!document.rebuilt && manifestOf(document) !== undefined) return { base: bytes, document }
  const base = await writePdf(document, { codec, random, signal })
  return { base, document: openPdf(base, codec, limits) }
}

function openOrRefuse(bytes: Uint8Array, codec: Codec, limits: PdfLimits): PdfDocument {
  try {
    return openPdf(bytes, codec, limits)
  } catch (error) {
    if (error instanceof AppError && error.code === 'pdf.encrypted')
      throw new AppError('sign.encrypted', {}, { cause: error })
    throw error
  }
}

function isSigned(document: PdfDocument): boolean {
  const form = document.dictAt(document.catalog, 'AcroForm')
  const flags = form === undefined ? null : document.resolve(form.get('SigFlags'))
  return typeof flags === 'number' && (flags & 1) === 1
}

interface WidgetParts {
  readonly field: SignatureField
  readonly page: PdfPage
  readonly signature: PdfRef
}

/** Annotation flags: printed, and locked against being moved. ISO 32000-2, 12.5.3. */
const printedAndLocked = 4 + 128

async function signatureWidget(
  document: PdfDocument,
  { field, page, signature }: WidgetParts,
  context: AppearanceContext,
): Promise<{ readonly widget: PdfRef; readonly warnings: readonly Warning[] }> {
  const { visible } = field
  const shown = visible && (await drawAppearance(document, visible, context))
  const widget = dict({
    Type: name('Annot'),
    Subtype: name('Widget'),
    FT: name('Sig'),
    T: textString(freeName(document)),
    TU: textString(field.reason ?? field.name),
    V: signature,
    F: printedAndLocked,
    P: new PdfRef(page.id),
    Rect: visible === undefined ? [0, 0, 0, 0] : rectangleOf(document, page, visible),
    AP: shown && dict({ N: shown.form }),
  })
  return { widget: document.put(widget), warnings: shown?.warnings ?? [] }
}

/** The box of a visible signature in units of the page, moved so that it is inside the page. */
function rectangleOf(document: PdfDocument, page: PdfPage, visible: VisibleSignature): PdfValue[] {
  const { x, y, width, height, unit } = pageGeometry(document, page)
  const [wide, tall] = [Math.min(visible.width / unit, width), Math.min(visible.height / unit, height)]
  const left = Math.max(0, Math.min(visible.x / unit, width - wide))
  const bottom = Math.max(0, Math.min(height - visible.y / unit - tall, height - tall))
  return [x + left, y + bottom, x + left + wide, y + bottom + tall].map(
    (coordinate) => Math.round(coordinate * 100) / 100,
  )
}

/** A name that is not used by a field of the form. */
function freeName(document: PdfDocument): string {
  const usedNames = new Set<string>()
  for (const field of fieldsOf(document)) {
    const resolved = document.resolve(field)
    const title = resolved instanceof PdfDict ? document.resolve(resolved.get('T')) : null
    if (title instanceof PdfString) usedNames.add(textOfString(title))
  }
  let number = 1
  while (usedNames.has(`Signature${number}`)) number++
  return `Signature${number}`
}

function fieldsOf(document: PdfDocument): readonly PdfValue[] {
  const form = document.dictAt(document.catalog, 'AcroForm')
  const fields = form === undefined ? null : document.resolve(form.get('Fields'))
  return Array.isArray(fields) ? fields : []
}

function addToPage(document: PdfDocument, { dict: page }: PdfPage, widget: PdfRef): void {
  const annotations = document.resolve(page.get('Annots'))
  page.set('Annots', [...(Array.isArray(annotations) ? annotations : []), widget])
}

/** Signatures exist, and the file may only be appended to. ISO 32000-2, table 225. */
const signaturesExist = 1 + 2

function addToForm(document: PdfDocument, widget: PdfRef): void {
  const form = document.dictAt(document.catalog, 'AcroForm')?.copy() ?? new PdfDict()
  form.set('Fields', [...fieldsOf(document), widget]).set('SigFlags', signaturesExist)
  document.catalog.set('AcroForm', form)
}

function signatureEntries({ signedAt, name: signer, reason, location, contact }: SignatureField): PdfDict {
  const text = (value: string | undefined) => (value ? textString(value) : undefined)
  return dict({
    Type: name('Sig'),
    Filter: name('Adobe.PPKLite'),
    SubFilter: name('ETSI.CAdES.detached'),
    M: new PdfString(pdfDate(signedAt)),
    Name: text(signer),
    Reason: text(reason),
    Location: text(location),
    ContactInfo: text(contact),
  })
}
