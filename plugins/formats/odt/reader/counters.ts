import type { XmlCursor } from '../../../../shared/document/xml-cursor.ts'

/** style:num-format (ODF 1.3 part 3, 19.502) and what LibreOffice adds to it, as names of `Level.format`. */
const formats: Readonly<Record<string, string>> = {
  '1': 'decimal',
  '01': 'decimalZero',
  a: 'lowerAlphabet',
  A: 'upperAlphabet',
  i: 'lowerRoman',
  I: 'upperRoman',
  '': 'none',
  '\u2460': 'decimalEnclosedCircle',
  '1st': 'ordinal',
  One: 'cardinalText',
  First: 'ordinalText',
  '\u0391': 'greekUpper',
  '\u03b1': 'greekLower',
  '\u0410': 'russianUpper',
  '\u0430': 'russianLower',
  '\u0623': 'arabicAlpha',
  '\u4e00': 'chineseCounting',
  '\uff11': 'decimalFullWidth',
  '\u0e01': 'thaiLetters',
  '\u0622': 'persianLetters',
}

/** The counter that the attributes of the current element name; letters start over doubled when they are kept in step. */
export function counterFormat(cursor: XmlCursor, otherwise: string): string {
  const said = cursor.attribute('style:num-format')
  if (said === undefined) return otherwise
  const name = said.trim()
  // Longer ones show the series they begin: 'A, B, ... (gr)'.
  const format = formats[name] ?? formats[name.split(',')[0]!.trim()] ?? 'decimal'
  if (cursor.attribute('style:num-letter-sync') !== 'true') return format
  return format === 'lowerAlphabet' ? 'lowerLetter' : format === 'upperAlphabet' ? 'upperLetter' : format
}
