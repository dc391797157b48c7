/** What pages become: the two stages that end every pipeline have one signature. Read `pdf/` and `pictures/`. */
import type { Page } from '../layout/frame.ts'
import { type PdfSettings, paintPdf } from './pdf/paint-pdf.ts'

/**
 * Paints the pages of a document. `settings` describes the document; a painter of pictures needs only its decoders and
 * warnings.
 */
export type PaintPages = (pages: readonly Page[], settings: PdfSettings) => readonly Uint8Array[]

export const paintOnePdf: PaintPages = (pages, settings) => [paintPdf(pages, settings)]
