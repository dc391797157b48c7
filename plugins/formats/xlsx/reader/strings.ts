import type { CellValue, TextRun } from '../../../../shared/document/sheet.ts'
import { XmlCursor } from '../../../../shared/xml/cursor.ts'
import type { Palette } from './colors.ts'
import { readFont } from './formats.ts'
import { workbookVocabulary } from './vocabulary.ts'

/** The maximum length of a cell's text in characters; the rest is dropped. Excel has the same limit. */
export const maxLetters = 32_767
/** The maximum number of runs of a cell; real cells have a few. */
const maxRuns = 4_000
/** The maximum number of shared strings, since a workbook has no more cells (`maxCells`). */
const maxStrings = 1_000_000

/** Reads the shared strings by index (ECMA-376-1 18.4.9). */
export function readStrings(xml: string | undefined, palette: Palette): readonly CellValue[] {
  const strings: CellValue[] = []
  const cursor = new XmlCursor(xml ?? '', workbookVocabulary)
  if (!cursor.root()) return strings
  const readString = stringReader(cursor, palette)
  cursor.each((name) => {
    if (name === 's:si' && strings.length < maxStrings) strings.push(readString())
  })
  return strings
}

/**
 * A function that reads CT_Rst (18.4.8) at the cursor: plain text, or runs. Phonetic text is not printed. It is made once for a
 * part, since a part has up to a million texts and most of them are short.
 */
export function stringReader(cursor: XmlCursor, palette: Palette): () => CellValue {
  let text = ''
  /** Absent as long as `text` is one part without a font. */
  let runs: TextRun[] | undefined
  let isRich = false
  const add = (part: string, font: TextRun['font']): void => {
    const rest = part.slice(0, maxLetters - text.length)
    if (rest === '') return
    if (text === '' && font === undefined) {
      text = rest
      return
    }
    runs ??= text === '' ? [] : [{ text }]
    text += rest
    if (runs.length >= maxRuns) return
    isRich ||= font !== undefined
    runs.push({ text: rest, ...(font !== undefined && { font }) })
  }
  let font: TextRun['font']
  const readRunPart = (name: string): void => {
    if (name === 's:rPr') font = readFont(cursor, palette)
    else if (name === 's:t') add(unescaped(cursor.text()), font)
  }
  const readPart = (name: string): void => {
    if (name === 's:t') add(unescaped(cursor.text()), undefined)
    else if (name === 's:r') {
      font = undefined
      cursor.each(readRunPart)
    }
  }
  const clear = (): void => {
    text = ''
    runs = undefined
    isRich = false
  }
  return () => {
    clear()
    cursor.each(readPart)
    return isRich && runs !== undefined ? { kind: 'rich', runs } : text
  }
}

/** Resolves escapes such as '_x000D_' for characters that XML does not allow (ST_Xstring, 22.9.2.19). */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16))
    return character === '\r' ? '' : character
  })
}
