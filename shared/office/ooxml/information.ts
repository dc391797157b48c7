import type { DocumentInformation } from '../../document/document.ts'
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
  const found: Record<string, string> = {}
  if (!cursor.root()) return {}
  cursor.each((name) => {
    const text = cursor.text().trim()
    if (text !== '') found[name.slice(name.indexOf(':') + 1)] = text
  })
  return {
    title: found['title'],
    author: found['creator'],
    subject: found['subject'],
    keywords: found['keywords'],
    description: found['description'],
    language: found['language'],
  }
}
