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
  cursor.each((name) => {
    if (name === 's:si' && strings.length < maxStrings) strings.push(readString(cursor, palette))
  })
  return strings
}

/** CT_Rst (18.4.8): plain text, or runs. Phonetic text is not printed. */
export function readString(cursor: XmlCursor, palette: Palette): CellValue {
  let text = ''
  const runs: TextRun[] = []
  let isRich = false
  const add = (part: string, font?: TextRun['font']): void => {
    const rest = part.slice(0, maxLetters - text.length)
    text += rest
    if (rest === '' || runs.length >= maxRuns) return
    isRich ||= font !== undefined
    runs.push({ text: rest, ...(font !== undefined && { font }) })
  }
  cursor.each((name) => {
    if (name === 's:t') {
      add(unescaped(cursor.text()))
    } else if (name === 's:r') {
      let font: TextRun['font']
      cursor.each((part) => {
        if (part === 's:rPr') font = readFont(cursor, palette)
        else if (part === 's:t') add(unescaped(cursor.text()), font)
      })
    }
  })
  return isRich ? { kind: 'rich', runs } : text
}

/** Resolves escapes such as '_x000D_' for characters that XML does not allow (ST_Xstring, 22.9.2.19). */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16))
    return character === '\r' ? '' : character
  })
}
