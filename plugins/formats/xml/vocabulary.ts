/** Vocabularies of XML that are documents of their own, by the id of their format. */
export type Vocabulary = 'docbook' | 'ooxml' | 'xmlss'

const namespaces: Readonly<Record<string, readonly [Vocabulary, root: RegExp]>> = {
  'http://docbook.org/ns/docbook': ['docbook', /^/],
  'http://schemas.microsoft.com/office/word/2003/wordml': ['ooxml', /^wordDocument$/],
  'urn:schemas-microsoft-com:office:spreadsheet': ['xmlss', /^Workbook$/],
}

/** What stands before the first element: the declaration, comments, instructions, the document type. */
const prologue =
  /^\ufeff?(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE(?:[^[>"']|"[^"]*"|'[^']*'|\[[\s\S]*?\])*>)*/

/** By the first element and its namespace; DocBook before version 5 has none, and names its document type. */
export function vocabularyOf(head: string): Vocabulary | undefined {
  const before = prologue.exec(head)?.[0] ?? ''
  const tag = /^<(?:([\w.-]+):)?([\w.-]+)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)/.exec(
    head.slice(before.length),
  )
  if (tag === null) return undefined
  const [, prefix, name = '', attributes = ''] = tag
  if (/<!DOCTYPE\s[^>]*DTD DocBook/.test(before)) return 'docbook'
  const declared = prefix === undefined ? 'xmlns' : `xmlns:${prefix}`
  for (const [, attribute, one, other] of attributes.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (attribute !== declared) continue
    const [vocabulary, root] = namespaces[one ?? other ?? ''] ?? []
    return root?.test(name) === true ? vocabulary : undefined
  }
  return undefined
}
