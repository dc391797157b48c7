import type { XmlCursor } from '../../../xml/cursor.ts'
import { integer } from '../values.ts'

/** A value of the table inside a chart. A list holds category names of several levels, outermost first. */
export type ChartCell = string | number | readonly string[] | undefined
/** Rows of cells, counted from 0; the first row and the first column hold names. */
export type Cells = readonly (readonly ChartCell[])[]

/** Maximum number of rows, and of cells in one range. */
export const maxPoints = 20_000
/** Maximum number of columns. */
const maxColumns = 256

/** Reads table:table of a chart. */
export function readCells(cursor: XmlCursor): Cells {
  const rows: ChartCell[][] = []
  const visit = (name: string): void => {
    if (name === 'table:table-row') {
      if (rows.length < maxPoints) rows.push(readRow(cursor))
    } else if (name.startsWith('table:table-')) cursor.each(visit)
  }
  cursor.each(visit)
  return rows
}

function readRow(cursor: XmlCursor): ChartCell[] {
  const row: ChartCell[] = []
  cursor.each((name) => {
    if (!name.endsWith('table-cell')) return
    const value = Number(cursor.attribute('office:value') ?? Number.NaN)
    const count = Math.max(1, integer(cursor.attribute('table:number-columns-repeated')) ?? 1)
    const { text, levels } = readText(cursor)
    const cell = levels.length > 1 ? levels : Number.isFinite(value) ? value : text === '' ? undefined : text
    for (let n = 0; n < count && row.length < maxColumns; n += 1) row.push(cell)
  })
  return row
}

function readText(cursor: XmlCursor): { text: string; levels: string[] } {
  const lines: string[] = []
  const levels: string[] = []
  cursor.each((name) => {
    if (name === 'text:p') lines.push(cursor.text())
    else if (name === 'text:list')
      cursor.each((item) => {
        if (item === 'text:list-item' && levels.length < 8) levels.push(paragraphLines(cursor))
      })
  })
  return { text: lines.join('\n').trim(), levels }
}

/** Returns the paragraphs of the current element, one line for each. */
export function paragraphLines(cursor: XmlCursor): string {
  const lines: string[] = []
  cursor.each((name) => {
    if (name === 'text:p') lines.push(cursor.text())
  })
  return lines.join('\n').trim()
}

/** Returns the values of a range such as 'local-table.$B$2:.$B$5'; undefined for ranges of other tables. */
export function cellsAt(cells: Cells, range: string | undefined): ChartCell[] | undefined {
  const match =
    /^'?local-table'?\.\$?([A-Z]{1,2})\$?(\d{1,6})(?::(?:'?local-table'?)?\.?\$?([A-Z]{1,2})\$?(\d{1,6}))?$/.exec(
      range ?? '',
    )
  if (match === null) return undefined
  const [, left = '', top = '', right = left, bottom = top] = match
  const values: ChartCell[] = []
  const last = Math.min(Number(bottom), cells.length)
  const [from, to] = [columnOf(left), Math.min(columnOf(right), maxColumns)]
  for (let line = Number(top); line <= last && values.length < maxPoints; line += 1)
    for (let column = from; column <= to; column += 1) values.push(cells[line - 1]?.[column])
  return values
}

/** Column index of its letters, from 0: A is 0, AA is 26. */
const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
/** The number in a cell; undefined for text and empty cells. */
export const numberOf = (value: ChartCell): number | undefined =>
  typeof value === 'number' ? value : undefined
