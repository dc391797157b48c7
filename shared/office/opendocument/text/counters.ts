import { entryOf } from '../../../entry-of.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { paddedFormat } from '../../number-series.ts'

/**
 * Values of style:num-format (ODF 1.3 part 3, 19.502), with the extensions of LibreOffice, to the names of
 * `Level.format`.
 */
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

/**
 * Reads the number format of the current element. With style:num-letter-sync letters continue after z as aa,
 * bb, cc rather than aa, ab, ac.
 */
export function counterFormat(cursor: XmlCursor, otherwise: string): string {
  const declared = cursor.attribute('style:num-format')
  if (declared === undefined) return otherwise
  const name = declared.trim()
  // Some extensions are written as the beginning of their series: 'A, B, ... (gr)'.
  const format =
    entryOf(formats, name) ?? entryOf(formats, name.split(',')[0]!.trim()) ?? paddedFormat(name) ?? 'decimal'
  if (cursor.attribute('style:num-letter-sync') !== 'true') return format
  return format === 'lowerAlphabet' ? 'lowerLetter' : format === 'upperAlphabet' ? 'upperLetter' : format
}
