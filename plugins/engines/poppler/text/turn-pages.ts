/** Pages whose text stands on its side or on its head are turned before they are read. ISO 32000-2, 7.7.3.3 (Rotate). */
import { openPdf } from '../../../../shared/pdf/document.ts'
import { pdfLimits } from '../../../../shared/pdf/limits.ts'
import { pageGeometry, readPages } from '../../../../shared/pdf/pages.ts'
import { writePdf } from '../../../../shared/pdf/writer.ts'
import type { PdfJob } from '../document.ts'

/** Degrees that a page must be turned by, clockwise. */
export type Turn = 90 | 180 | 270

/** The file with these pages turned; undefined where it cannot be taken apart here. `turns`: one for each page. */
export async function turnPages(
  { pdf, host, signal }: PdfJob,
  turns: readonly (Turn | undefined)[],
): Promise<Uint8Array | undefined> {
  try {
    const document = openPdf(pdf, host.codec, pdfLimits)
    for (const [at, page] of readPages(document).entries()) {
      const turn = turns[at]
      if (turn !== undefined) page.dict.set('Rotate', (pageGeometry(document, page).rotate + turn) % 360)
    }
    const random = (length: number) => new Uint8Array(length)
    return await writePdf(document, { codec: host.codec, random, signal })
  } catch (error) {
    if (signal.aborted) throw error
    return undefined
  }
}
