/** Field codes of Word (ISO/IEC 29500-1, 17.16.5) that load an external resource. */
import type { LinkKind } from './findings.ts'

const loading: readonly (readonly [string, LinkKind])[] = [
  ['INCLUDEPICTURE', 'picture'],
  ['INCLUDETEXT', 'text'],
  ['INCLUDE', 'text'],
  ['IMPORT', 'picture'],
  ['DDEAUTO', 'data source'],
  ['DDE', 'data source'],
  ['DATABASE', 'data source'],
  ['LINK', 'object'],
  ['RD', 'text'],
]

/** Maximum number of characters that are searched for the name of a field, including preceding spaces. */
const maxName = 4_096

/**
 * The kind of link that a field would load; undefined for the many fields that load nothing. `code`: its instruction,
 * as it is stored.
 */
export function loadedByField(code: string): LinkKind | undefined {
  // The name may be in quotes.
  const codeWords = code
    .slice(0, maxName)
    .replace(/^[\s"'\u0000-\u001f\u201c\u201d]+/, '')
    .toUpperCase()
  return loading.find(
    ([name]) => codeWords.startsWith(name) && !/^[A-Z]/.test(codeWords.slice(name.length, name.length + 1)),
  )?.[1]
}

/**
 * Whether a text is an address, rather than a file name that a program left behind: it has a scheme, or is a UNC
 * path.
 */
export const isAddress = (text: string): boolean => /^\s*(?:[a-z][a-z0-9+.-]+:|\\\\|\/)/i.test(text)
