/** Changes a finished PDF as routes of plugins ask for it, and describes one. */

import type { PdfChanges, PdfDescription } from '../../plugin/pdf-changes.ts'
import type { Codec, Outcome, Warning } from '../../plugin/values.ts'
import { pushAll } from '../../push-all.ts'
import { flattenPages } from '../forms/flatten.ts'
import { pdfLimits } from '../model/limits.ts'
import { archivePart, readMetadata } from '../model/metadata.ts'
import { pageGeometry, readPages } from '../model/pages.ts'
import { openPdf } from '../read/open.ts'
import type { PdfStageContext } from '../stage/stage.ts'
import { writePdf } from '../write/writer.ts'
import { readOutline, writeOutline } from './outline.ts'
import { applyOverlay } from './overlay.ts'
import { readProperties, writeProperties } from './properties.ts'
import { selectedPages } from './selected-pages.ts'

/** Throws 'convert.options', 'pdf.archive', 'pdf.encrypted', 'pdf.broken', 'pdf.too-large'. */
export async function amendPdf(
  bytes: Uint8Array,
  { flatten, overlays = [], rotation, outline, properties }: PdfChanges,
  context: PdfStageContext,
): Promise<Outcome<Uint8Array>> {
  const { codec, random, signal, limits = pdfLimits } = context
  signal.throwIfAborted()
  const document = openPdf(bytes, codec, limits)
  const warnings: Warning[] = []
  if (flatten === true) flattenPages(document, codec)
  for (const overlay of overlays) pushAll(warnings, await applyOverlay(document, overlay, context))
  if (rotation !== undefined) {
    const pages = readPages(document)
    for (const number of selectedPages(rotation.pages, pages.length)) {
      const page = pages[number - 1]
      if (page !== undefined)
        page.dict.set('Rotate', (pageGeometry(document, page).rotate + rotation.angle) % 360)
    }
  }
  if (outline !== undefined) writeOutline(document, readPages(document), outline)
  if (properties !== undefined) writeProperties(document, properties)
  signal.throwIfAborted()
  return { value: await writePdf(document, { codec, random, signal }), warnings }
}

/** Throws 'pdf.encrypted', 'pdf.broken', 'pdf.too-large'. */
export function describePdf(bytes: Uint8Array, codec: Codec): PdfDescription {
  const document = openPdf(bytes, codec, pdfLimits)
  const pages = readPages(document)
  return {
    version: document.version,
    pageCount: pages.length,
    archive: archivePart(readMetadata(document)),
    properties: readProperties(document),
    outline: readOutline(document, pages),
  }
}
