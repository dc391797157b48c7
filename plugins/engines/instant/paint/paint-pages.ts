/** The signature that all painting stages share. Read `pdf/` and `pictures/` next. */
import type { DocumentInformation } from '../../../../shared/document/document.ts'
import type { Page } from '../layout/frame.ts'
import { type PdfSettings, paintPdf, paintPdfAsDrawn } from './pdf/paint-pdf.ts'

/** The pages of a document: a list, or pages that are laid out when they are taken, once. */
export type PagesToPaint = readonly Page[] | Iterable<Page>

/**
 * Paints the pages of a document. `settings` describes the document; a painter of pictures needs only its decoders and
 * warnings.
 */
export type PaintPages = (pages: PagesToPaint, settings: PdfSettings) => readonly Uint8Array[]

export const paintOnePdf: PaintPages = (pages, settings) => [
  Array.isArray(pages) ? paintPdf(pages as readonly Page[], settings) : paintPdfAsDrawn(pages, settings),
]

/** The output options of a request, in every pipeline. */
export interface PaintRequest
  extends Pick<PdfSettings, 'codec' | 'conformance' | 'version' | 'pictures' | 'decodeWebp' | 'formFields'> {
  /** The painter for the output; absent: one PDF. */
  readonly paint?: PaintPages
}

/** Paints the pages of a pipeline as the request specifies. `about` describes the document. */
export function paintRequested(
  { codec, conformance, version, pictures, decodeWebp, formFields, paint = paintOnePdf }: PaintRequest,
  pages: PagesToPaint,
  {
    information: { title, author, subject, keywords },
    ...about
  }: { readonly information: DocumentInformation } & Pick<
    PdfSettings,
    'language' | 'outline' | 'structure' | 'check' | 'warn' | 'printedFields'
  >,
): readonly Uint8Array[] {
  return paint(pages, {
    codec,
    ...(conformance !== undefined && { conformance }),
    ...(version !== undefined && { version }),
    ...(formFields !== undefined && { formFields }),
    ...(pictures !== undefined && { pictures }),
    ...(decodeWebp !== undefined && { decodeWebp }),
    metadata: { title, author, subject, keywords },
    ...about,
  })
}
