import type { DocumentInformation } from '../../document/document.ts'
import { XmlCursor } from '../../xml/cursor.ts'
import { openVocabulary } from './vocabulary.ts'

/** Reads office:meta of meta.xml or of a flat document (ODF 1.3 part 3, 4.3); an empty text has none. */
export function readInformation(xml: string): DocumentInformation {
  const properties: Record<string, string> = {}
  const cursor = new XmlCursor(xml, openVocabulary)
  const visit = (name: string): void => {
    if (name === 'office:meta' || name === 'office:document-meta') cursor.each(visit)
    else if (/^(?:dc|meta):/.test(name)) {
      const text = cursor.text().trim()
      if (text !== '') properties[name] ??= text
    }
  }
  if (cursor.root()) cursor.each(visit)
  return {
    title: properties['dc:title'],
    author: properties['meta:initial-creator'] ?? properties['dc:creator'],
    subject: properties['dc:subject'],
    keywords: properties['meta:keyword'],
    language: properties['dc:language'],
  }
}
