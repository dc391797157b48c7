/**
 * Makes a PDF conform to PDF/A or PDF/UA without redrawing it, so that links, bookmarks, forms, tags and fonts are kept. ISO
 * 19005-1 to -4; ISO 14289-1.
 *
 * `actions.ts` removes scripts and other forbidden actions, `annotations.ts` and `catalog.ts` other forbidden features.
 * `contents.ts` walks everything that is drawn, `fonts.ts` and `colours.ts` check what it uses, `identity.ts` writes metadata
 * and output intent, `tags.ts` the structure. A forbidden feature that is not visible on a page is removed and reported. A
 * visible one that cannot be kept is an obstacle, and an engine has to redraw the document.
 */
import type { Warning } from '../../../plugin/values.ts'
import type { PdfDocument } from '../../model/document.ts'
import { type PdfPage, readPages } from '../../model/pages.ts'
import { removeActions } from './actions.ts'
import { conformAnnotations } from './annotations.ts'
import { conformCatalog } from './catalog.ts'
import { checkContents } from './contents.ts'
import { createFindings, listed } from './findings.ts'
import { conformIntent, declareConformance } from './identity.ts'
import type { Conformance, ConformContext } from './job.ts'
import { addTags } from './tags.ts'

/** The document cannot conform as it is. `because` completes 'The PDF has …'. */
export class Unconformable extends Error {
  readonly because: string
  constructor(obstacles: readonly string[]) {
    super(`The PDF has ${listed(obstacles)}.`)
    this.name = 'Unconformable'
    this.because = listed(obstacles)
  }
}

/**
 * Changes the document in place and returns it with its version. Throws Unconformable if it has to be redrawn; the document
 * must not be used afterwards.
 */
export async function conformPdf(
  document: PdfDocument,
  conformance: Conformance,
  context: ConformContext,
): Promise<{ readonly document: PdfDocument; readonly warnings: readonly Warning[] }> {
  const findings = createFindings()
  const job = { document, conformance, findings }
  removeActions(job)
  conformCatalog(job)
  const pages: readonly PdfPage[] = readPages(document)
  conformAnnotations(job, pages)
  const components = conformance.archive > 0 ? conformIntent(job) : undefined
  await checkContents(job, pages, { ...context, components })
  const obstacles = findings.obstacles()
  if (obstacles.length > 0) throw new Unconformable(obstacles)
  const texts = conformance.tagged ? addTags(job, pages, context.codec) : undefined
  declareConformance(job)
  const conformed = withVersion(document, conformance)
  const warnings: Warning[] = []
  const lost = findings.losses()
  if (lost.length > 0) {
    const message = `${standardsOf(conformance)} does not allow everything that the PDF had, so it lost ${listed(lost)}.`
    warnings.push({ code: 'pdf.lost', message })
  }
  const fonts = findings.replacedFonts()
  if (fonts.length > 0) {
    const message = `The PDF did not embed ${listed(fonts)}, so fonts with the same widths are embedded instead.`
    warnings.push({ code: 'pdf.fonts-embedded', message })
  }
  if (texts !== undefined) {
    const message =
      'The PDF had no structure tags: its text was tagged as paragraphs in the order in which it is drawn, and its pictures as decoration.'
    warnings.push({ code: 'pdf.tagged-late', message })
  }
  return { document: conformed, warnings }
}

/** Part 1 is a file of PDF 1.4, parts 2 and 3 and PDF/UA-1 of at most 1.7. ISO 19005-1, 6.1.2; ISO 19005-2, 6.1.2. */
function withVersion(document: PdfDocument, { archive, accessible }: Conformance): PdfDocument {
  if (archive === 0 && !accessible) return document
  document.catalog.delete('Version')
  document.catalog.delete('Extensions')
  return { ...document, version: archive === 1 ? 1.4 : Math.min(document.version, 1.7) }
}

const standardsOf = ({ archive }: Conformance): string => (archive > 0 ? `PDF/A-${archive}` : 'PDF/UA')
