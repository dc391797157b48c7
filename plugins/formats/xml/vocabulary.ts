import { entryOf } from '../../../shared/entry-of.ts'
import { prologueOf } from '../../../shared/xml/prologue.ts'

/** Vocabularies of XML that are documents of their own, by the id of their format. */
export type XmlDialect = 'docbook' | 'ooxml' | 'xmlss'

const namespaces: Readonly<Record<string, readonly [XmlDialect, root: RegExp]>> = {
  'http://docbook.org/ns/docbook': ['docbook', /^/],
  'http://schemas.microsoft.com/office/word/2003/wordml': ['ooxml', /^wordDocument$/],
  'urn:schemas-microsoft-com:office:spreadsheet': ['xmlss', /^Workbook$/],
}

/**
 * Recognizes the vocabulary by the first element and its namespace; DocBook before version 5 has none, and names its
 * document type.
 */
export function vocabularyOf(head: string): XmlDialect | undefined {
  const before = prologueOf(head)
  if (before === undefined) return undefined
  const tag = /^<(?:([\w.-]+):)?([\w.-]+)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)/.exec(
    head.slice(before.end),
  )
  if (tag === null) return undefined
  const [, prefix, name = '', attributes = ''] = tag
  if (/DTD DocBook/.test(before.doctype)) return 'docbook'
  const declared = prefix === undefined ? 'xmlns' : `xmlns:${prefix}`
  for (const [, attribute, doubleQuoted, singleQuoted] of attributes.matchAll(
    /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  )) {
    if (attribute !== declared) continue
    const [vocabulary, root] = entryOf(namespaces, doubleQuoted ?? singleQuoted) ?? []
    return root?.test(name) === true ? vocabulary : undefined
  }
  return undefined
}
