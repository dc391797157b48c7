import { optionText } from '../../../../shared/plugin/option-rules.ts'

/** The CSV options of the specification (4.9). */
export const csvRules = {
  fieldSeparator: optionText(
    10,
    {
      accepts: (text) => /^(\t|tab|[\x21-\x7e]{1,9}| )$/i.test(text),
      says: 'one or more ASCII characters, or "tab"',
    },
    ',',
  ),
  textDelimiter: optionText(
    1,
    { accepts: (text) => /^[\x20-\x7e]?$/.test(text), says: 'one ASCII character, or empty' },
    '"',
  ),
  characterSet: optionText(
    5,
    // rtl/textenc.h of the office: what has no number there it would write as it likes.
    {
      accepts: (text) => /^(?:\d|[1-8]\d|9[0-4]|6553[45])$/.test(text),
      says: 'the number of a character set, from 0 to 94 (76 for UTF-8), 65534 (UTF-32) or 65535 (UTF-16)',
    },
    '76',
  ),
} as const

const utf8 = '76'

/**
 * The tokens of LibreOffice's CSV filter: separator, delimiter, character set, first line, columns, language, quote
 * all text, values as shown, formulas, trim, sheet (0: the first).
 */
export function csvTokens(given: Readonly<Record<string, unknown>>): string {
  const separator = (given['fieldSeparator'] as string | undefined) ?? ','
  const delimiter = (given['textDelimiter'] as string | undefined) ?? '"'
  const characters = (given['characterSet'] as string | undefined) ?? utf8
  const quote = delimiter === '' ? '' : String(delimiter.charCodeAt(0))
  return [separatorToken(separator), quote, characters, 1, '', 0, false, true, false, false, false, 0].join(
    ',',
  )
}

/** Tokens to read a CSV with: UTF-8, and the separator that was found. */
export function csvImportTokens(separator: string): string {
  return [separatorToken(separator), 34, utf8, 1, '', 0, false, true, false].join(',')
}

function separatorToken(separator: string): string {
  if (separator.toLowerCase() === 'tab') return '9'
  return [...separator].map((character) => String(character.charCodeAt(0))).join('/')
}
