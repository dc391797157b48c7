/** What pages become: the two stages that end every pipeline have one signature. Read `pdf/` and `pictures/`. */
import type { DocumentInformation } from '../../../../shared/document/document.ts'
import type { Page } from '../layout/frame.ts'
import { type PdfSettings, paintPdf } from './pdf/paint-pdf.ts'

/**
 * Paints the pages of a document. `settings` describes the document; a painter of pictures needs only its decoders and
 * warnings.
 */
export type PaintPages = (pages: readonly Page[], settings: PdfSettings) => readonly Uint8Array[]

export const paintOnePdf: PaintPages = (pages, settings) => [paintPdf(pages, settings)]

/** What a request says of its files, in every pipeline. */
export interface PaintRequest
  extends Pick<PdfSettings, 'codec' | 'conformance' | 'version' | 'pictures' | 'decodeWebp'> {
  /** What the pages become; absent: one PDF. */
  readonly paint?: PaintPages
}

/** Paints the pages of a pipeline by its request. `about` describes the document. */
export function paintRequested(
  { codec, conformance, version, pictures, decodeWebp, paint = paintOnePdf }: PaintRequest,
  pages: readonly Page[],
  {
    information: { title, author, subject, keywords },
    ...about
  }: { readonly information: DocumentInformation } & Pick<
    PdfSettings,
    'language' | 'outline' | 'structure' | 'warn'
  >,
): readonly Uint8Array[] {
  return paint(pages, {
    codec,
    ...(conformance !== undefined && { conformance }),
    ...(version !== undefined && { version }),
    ...(pictures !== undefined && { pictures }),
    ...(decodeWebp !== undefined && { decodeWebp }),
    metadata: { title, author, subject, keywords },
    ...about,
  })
}
