import type { PdfDocument } from '../model/document.ts'
import {
  archivePart,
  declaresAccessibility,
  readMetadata,
  withoutConformance,
  writeMetadata,
} from '../model/metadata.ts'

export interface ConformanceJoiner {
  /** Notes what the other file declares. */
  add(other: PdfDocument): void
  /** Removes what not every file declares, and returns whether there was something to remove. */
  finish(): boolean
}

/**
 * Decides which conformance a joined file may declare: only one that all of its files declare, since one page that
 * does not conform is enough to break it. ISO 19005-2, 6.6.4; ISO 14289-1, 5.
 */
export function joinConformance(document: PdfDocument): ConformanceJoiner {
  const metadata = readMetadata(document)
  const archive = archivePart(metadata)
  const accessible = declaresAccessibility(metadata)
  const lost = { archive: false, accessible: false }
  return {
    add(other) {
      if (archive === 0 && !accessible) return
      const otherMetadata = readMetadata(other)
      lost.archive ||= archive > 0 && archivePart(otherMetadata) !== archive
      lost.accessible ||= accessible && !declaresAccessibility(otherMetadata)
    },
    finish() {
      if (!lost.archive && !lost.accessible) return false
      writeMetadata(document, withoutConformance(metadata, lost))
      return true
    },
  }
}
