import { type Vocabulary, XmlCursor, XmlFault } from '../../../shared/document/xml-cursor.ts'
import type { Codec } from '../../../shared/plugin/contract.ts'
import type { Citation } from './bibtex.ts'
import { unreadable, xmlPart } from './xml-part.ts'

const vocabulary: Vocabulary = {
  prefixes: new Map([['urn:oasis:names:tc:opendocument:xmlns:text:1.0', 'text']]),
  understood: new Set(),
}

/** Attributes of text:bibliography-mark whose names BibTeX has in another form. ODF 1.3 part 3, 7.6. */
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
/** Each level of the text may hold another; deeper ones are none that a program wrote. */
const deepest = 200

/** The bibliography marks of an ODT. Throws 'convert.document', and what the package throws. */
export function citationsOfOdt(bytes: Uint8Array, codec: Codec): readonly Citation[] {
  const text = xmlPart(bytes, codec, 'odt', (name) => name === 'content.xml')
  if (text === undefined) throw unreadable('odt', 'it has no content')
  const cursor = new XmlCursor(text, vocabulary)
  const found: Citation[] = []
  const visit = (depth: number): void =>
    cursor.each((name) => {
      if (name === 'text:bibliography-mark') found.push(citationAt(cursor))
      else if (depth < deepest) visit(depth + 1)
    })
  try {
    if (cursor.root()) visit(0)
  } catch (error) {
    if (error instanceof XmlFault) throw unreadable('odt', 'its content is no XML')
    throw error
  }
  return found
}

function citationAt(cursor: XmlCursor): Citation {
  const fields = new Map<string, string>()
  for (const [name, value] of cursor.attributes()) {
    if (!name.startsWith('text:') || value.trim() === '') continue
    const plain = name.slice('text:'.length)
    const field = renamed[plain] ?? plain
    if (field !== '')
      fields.set(field, field === 'author' ? value.replace(/[{}]/g, '').replace(/\s*;\s*/g, ' and ') : value)
  }
  const type = cursor.attribute('text:bibliography-type') ?? 'misc'
  return { key: cursor.attribute('text:identifier') ?? '', type: types[type] ?? type, fields }
}
