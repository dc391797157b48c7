import { entryOf } from '../../../shared/entry-of.ts'
import type { Codec } from '../../../shared/plugin/values.ts'
import { type Vocabulary, XmlCursor, XmlFault } from '../../../shared/xml/cursor.ts'
import type { Citation } from './bibtex.ts'
import { unreadable, xmlPart } from './xml-part.ts'

const vocabulary: Vocabulary = {
  prefixes: new Map([
    ['http://schemas.openxmlformats.org/officeDocument/2006/bibliography', 'b'],
    ['http://purl.oclc.org/ooxml/officeDocument/bibliography', 'b'],
  ]),
  understood: new Set(),
}

/** ECMA-376-1 22.6.2.59, ST_SourceType. */
const types: Readonly<Record<string, string>> = {
  ArticleInAPeriodical: 'article',
  Book: 'book',
  BookSection: 'incollection',
  JournalArticle: 'article',
  ConferenceProceedings: 'inproceedings',
  Report: 'techreport',
}

/** Elements of b:Source and their BibTeX names. Some names depend on the kind of source. */
const fieldNames: Readonly<Record<string, string>> = {
  Title: 'title',
  Year: 'year',
  Month: 'month',
  JournalName: 'journal',
  PeriodicalTitle: 'journal',
  BookTitle: 'booktitle',
  ConferenceName: 'booktitle',
  Publisher: 'publisher',
  City: 'address',
  Volume: 'volume',
  Issue: 'number',
  Pages: 'pages',
  ChapterNumber: 'chapter',
  Edition: 'edition',
  Institution: 'institution',
  ThesisType: 'type',
  URL: 'url',
  Comments: 'note',
  StandardNumber: 'isbn',
  DOI: 'doi',
}

/**
 * Reads the sources of a DOCX, cited or not. Source: ECMA-376-1 22.6. Throws 'convert.document', and what the
 * package throws.
 */
export function citationsOfDocx(bytes: Uint8Array, codec: Codec): readonly Citation[] {
  const text = xmlPart(
    bytes,
    codec,
    'docx',
    (name, read) => /^customXml\/item\d+\.xml$/.test(name) && /<(\w+:)?Sources\b/.test(read()),
  )
  if (text === undefined) return []
  const cursor = new XmlCursor(text, vocabulary)
  const citations: Citation[] = []
  try {
    if (cursor.root())
      cursor.each((name) => {
        if (name === 'b:Source') citations.push(sourceAt(cursor))
      })
  } catch (error) {
    if (error instanceof XmlFault) throw unreadable('docx', 'its sources are not XML')
    throw error
  }
  return citations
}

function sourceAt(cursor: XmlCursor): Citation {
  const fields = new Map<string, string>()
  let key = ''
  let type = 'misc'
  cursor.each((name) => {
    const localName = name.slice(name.indexOf(':') + 1)
    if (localName === 'Author') return people(cursor, fields)
    const value = textAt(cursor).trim()
    if (localName === 'Tag') key = value
    else if (localName === 'SourceType') type = entryOf(types, value) ?? 'misc'
    else if (value !== '') {
      const field = entryOf(fieldNames, localName)
      if (field !== undefined && !fields.has(field)) fields.set(field, value)
    }
  })
  return { key, type, fields }
}

/** b:Author contains roles (author, editor), each with a list of names or a corporation. */
function people(cursor: XmlCursor, fields: Map<string, string>): void {
  cursor.each((role) => {
    const names: string[] = []
    cursor.each((part) => {
      if (part === 'b:Corporate') names.push(`{${textAt(cursor).trim().replace(/[{}]/g, '')}}`)
      else if (part === 'b:NameList')
        cursor.each(() => {
          const name = new Map<string, string>()
          cursor.each((element) => void name.set(element, textAt(cursor).trim()))
          const firstNames = [name.get('b:First'), name.get('b:Middle')].filter(Boolean).join(' ')
          const fullName = [name.get('b:Last'), firstNames].filter(Boolean).join(', ')
          if (fullName !== '') names.push(fullName)
        })
    })
    const field = role === 'b:Author' ? 'author' : role === 'b:Editor' ? 'editor' : undefined
    if (field !== undefined && names.length > 0) fields.set(field, names.join(' and '))
  })
}

function textAt(cursor: XmlCursor): string {
  let text = ''
  cursor.each(
    () => {
      text += textAt(cursor)
    },
    (characters) => {
      text += characters
    },
  )
  return text
}
