import type { DocumentInformation } from '../../document/document.ts'
import { XmlCursor } from '../../xml/cursor.ts'
import { openVocabulary } from './vocabulary.ts'

/** Reads office:meta of meta.xml or of a flat document (ODF 1.3 part 3, 4.3); an empty text has none. */
export function readInformation(xml: string): DocumentInformation {
  const properties = new Map<string, string>()
  const cursor = new XmlCursor(xml, openVocabulary)
  const visit = (name: string): void => {
    if (name === 'office:meta' || name === 'office:document-meta') cursor.each(visit)
    else if (/^(?:dc|meta):/.test(name)) {
      const text = cursor.text().trim()
      if (text !== '' && !properties.has(name)) properties.set(name, text)
    }
  }
  if (cursor.root()) cursor.each(visit)
  return {
    title: properties.get('dc:title'),
    author: properties.get('meta:initial-creator') ?? properties.get('dc:creator'),
    subject: properties.get('dc:subject'),
    keywords: properties.get('meta:keyword'),
    language: properties.get('dc:language'),
  }
}
