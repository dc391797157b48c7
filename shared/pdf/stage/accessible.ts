import type { Codec, Warning } from '../../plugin/values.ts'
import type { PdfDocument } from '../model/document.ts'
import { archivePart, hasTitle, readMetadata, withMarkDescribed, writeMetadata } from '../model/metadata.ts'
import type { PdfPage } from '../model/pages.ts'
import { dict, isName, name, PdfDict, PdfString, type PdfValue } from '../model/values.ts'
import { tagTheRest } from './tagging.ts'

/**
 * Adds what engines omit from PDF/UA: a meaning for everything that is drawn, a tab order that follows the structure, a
 * window that shows the title, and in PDF/A the schema of the PDF/UA identifier. What only the author can add is reported.
 * ISO 14289-1, 5, 7.1, 7.3, 7.18.3; ISO 19005-2, 6.6.2.3.
 */
export function completeAccessible(
  document: PdfDocument,
  pages: readonly PdfPage[],
  codec: Codec,
): readonly Warning[] {
  const warnings: Warning[] = []
  const texts = tagTheRest(document, pages, codec)
  if (texts > 0) {
    const message = 'Text without structure tags was tagged as paragraphs, in the order in which it is drawn.'
    warnings.push({ code: 'pdf.tagged-late', message })
  }
  for (const page of pages) page.dict.set('Tabs', name('S'))
  const { catalog } = document
  const preferences = document.dictAt(catalog, 'ViewerPreferences')?.copy() ?? dict({})
  catalog.set('ViewerPreferences', preferences.set('DisplayDocTitle', true))
  const metadata = readMetadata(document)
  if (archivePart(metadata) > 0) writeMetadata(document, withMarkDescribed(metadata))
  if (!hasTitle(metadata)) {
    const message =
      'PDF/UA requires a title, and the properties of the document have none. Set one in the document.'
    warnings.push({ code: 'pdf.no-title', message })
  }
  const language = document.resolve(catalog.get('Lang'))
  if (!(language instanceof PdfString && language.raw !== '')) {
    const message =
      'PDF/UA requires the language of the text, and the document names none. Set one in the document.'
    warnings.push({ code: 'pdf.no-language', message })
  }
  const silent = figuresWithoutText(document)
  if (silent > 0) {
    const message = `PDF/UA requires an alternative text for each picture; ${silent} have none.`
    warnings.push({ code: 'pdf.no-alternative-text', message })
  }
  return warnings
}

/** How deep the structure is searched. */
const maxDepth = 300

/** Counts the pictures that neither an alternative nor a replacement text describes. ISO 14289-1, 7.3. */
function figuresWithoutText(document: PdfDocument): number {
  let count = 0
  const seen = new Set<PdfValue>()
  const visit = (value: PdfValue, depth: number): void => {
    const element = document.resolve(value)
    if (depth > maxDepth || seen.has(element)) return
    if (typeof element === 'object') seen.add(element)
    if (Array.isArray(element)) for (const child of element) visit(child, depth + 1)
    if (!(element instanceof PdfDict)) return
    const lacksText = element.get('Alt') === null && element.get('ActualText') === null
    if (isName(element.get('S'), 'Figure') && lacksText) count++
    visit(element.get('K'), depth + 1)
  }
  visit(document.dictAt(document.catalog, 'StructTreeRoot')?.get('K') ?? null, 0)
  return count
}
