import type { DocumentInformation } from '../../document/document.ts'
import { setEntry } from '../../entry-of.ts'
import { XmlCursor, xmlText } from '../../xml/cursor.ts'
import type { ReadFile } from '../package.ts'
import { readRelationships, targetOf } from './relationships.ts'
import { wordVocabulary } from './vocabulary.ts'

/** Reads the core properties, docProps/core.xml (ECMA-376-2 11). */
export function readInformation(parts: ReadFile): DocumentInformation {
  const part = targetOf(readRelationships(parts, ''), 'core-properties')
  const bytes = part === undefined ? undefined : parts(part)
  if (bytes === undefined) return {}
  const cursor = new XmlCursor(xmlText(bytes), wordVocabulary)
  const properties: Record<string, string> = {}
  if (!cursor.root()) return {}
  cursor.each((name) => {
    const text = cursor.text().trim()
    if (text !== '') setEntry(properties, name.slice(name.indexOf(':') + 1), text)
  })
  return {
    title: properties['title'],
    author: properties['creator'],
    subject: properties['subject'],
    keywords: properties['keywords'],
    description: properties['description'],
    language: properties['language'],
  }
}
