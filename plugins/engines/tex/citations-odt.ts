import { entryOf } from '../../../shared/entry-of.ts'
import type { Codec } from '../../../shared/plugin/values.ts'
import { type Vocabulary, XmlCursor, XmlFault } from '../../../shared/xml/cursor.ts'
import type { Citation } from './bibtex.ts'
import { unreadable, xmlPart } from './xml-part.ts'

const vocabulary: Vocabulary = {
  prefixes: new Map([['urn:oasis:names:tc:opendocument:xmlns:text:1.0', 'text']]),
  understood: new Set(),
}

/** Attributes of text:bibliography-mark that have other names in BibTeX. ODF 1.3 part 3, 7.6. */
const renamed: Readonly<Record<string, string>> = {
  'report-type': 'type',
  organizations: 'organization',
  'bibliography-type': '',
  identifier: '',
}
const types: Readonly<Record<string, string>> = {
  email: 'misc',
  www: 'misc',
  journal: 'article',
  custom1: 'misc',
  custom2: 'misc',
  custom3: 'misc',
  custom4: 'misc',
  custom5: 'misc',
}
/** Maximum nesting of elements; no program writes deeper ones. */
const maxDepth = 200

/** Reads the bibliography marks of an ODT. Throws 'convert.document', and what the package throws. */
export function citationsOfOdt(bytes: Uint8Array, codec: Codec): readonly Citation[] {
  const text = xmlPart(bytes, codec, 'odt', (name) => name === 'content.xml')
  if (text === undefined) throw unreadable('odt', 'it has no content')
  const cursor = new XmlCursor(text, vocabulary)
  const citations: Citation[] = []
  const visit = (depth: number): void =>
    cursor.each((name) => {
      if (name === 'text:bibliography-mark') citations.push(citationAt(cursor))
      else if (depth < maxDepth) visit(depth + 1)
    })
  try {
    if (cursor.root()) visit(0)
  } catch (error) {
    if (error instanceof XmlFault) throw unreadable('odt', 'its content is not XML')
    throw error
  }
  return citations
}

function citationAt(cursor: XmlCursor): Citation {
  const fields = new Map<string, string>()
  for (const [name, value] of cursor.attributes()) {
    if (!name.startsWith('text:') || value.trim() === '') continue
    const localName = name.slice('text:'.length)
    const field = entryOf(renamed, localName) ?? localName
    if (field !== '')
      fields.set(field, field === 'author' ? value.replace(/[{}]/g, '').replace(/\s*;\s*/g, ' and ') : value)
  }
  const type = cursor.attribute('text:bibliography-type') ?? 'misc'
  return { key: cursor.attribute('text:identifier') ?? '', type: entryOf(types, type) ?? type, fields }
}
