/**
 * Rotates pages whose text is vertical or upside down before they are read. ISO 32000-2, 7.7.3.3 (Rotate).
 */
import { pdfLimits } from '../../../../shared/pdf/model/limits.ts'
import { pageGeometry, readPages } from '../../../../shared/pdf/model/pages.ts'
import { openPdf } from '../../../../shared/pdf/read/open.ts'
import { writePdf } from '../../../../shared/pdf/write/writer.ts'
import type { PdfJob } from '../document.ts'

/** The rotation that a page needs, in degrees clockwise. */
export type Rotation = 90 | 180 | 270

/**
 * Returns the file with these pages rotated; undefined when it cannot be parsed here. `rotations` has one entry
 * for each page.
 */
export async function rotatePages(
  { pdf, host, signal }: PdfJob,
  rotations: readonly (Rotation | undefined)[],
): Promise<Uint8Array | undefined> {
  try {
    const document = openPdf(pdf, host.codec, pdfLimits)
    for (const [at, page] of readPages(document).entries()) {
      const rotation = rotations[at]
      if (rotation !== undefined)
        page.dict.set('Rotate', (pageGeometry(document, page).rotate + rotation) % 360)
    }
    const random = (length: number) => new Uint8Array(length)
    return await writePdf(document, { codec: host.codec, random, signal })
  } catch (error) {
    if (signal.aborted) throw error
    return undefined
  }
}
