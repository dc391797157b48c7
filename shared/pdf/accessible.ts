import type { Warning } from '../plugin/contract.ts'
import type { PdfDocument } from './document.ts'
import type { PdfPage } from './pages.ts'
import { dict, name } from './values.ts'
import { metadataOf } from './version.ts'

/**
 * What engines leave out of PDF/UA: tabs that follow the structure, a window that shows the title. A title itself is the
 * author's: where there is none it is told. ISO 14289-1, 7.1, 7.18.3.
 */
export function completeAccessible(document: PdfDocument, pages: readonly PdfPage[]): readonly Warning[] {
  for (const page of pages) page.dict.set('Tabs', name('S'))
  const { catalog } = document
  const preferences = document.dictAt(catalog, 'ViewerPreferences')?.copy() ?? dict({})
  catalog.set('ViewerPreferences', preferences.set('DisplayDocTitle', true))
  const titled = /<dc:title>[\s\S]*?<rdf:li[^>]*>\s*[^<\s]/.test(metadataOf(document) ?? '')
  if (titled) return []
  return [
    { code: 'pdf.no-title', message: 'PDF/UA wants a title in the properties of the document; it has none.' },
  ]
}
