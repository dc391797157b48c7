/** Cell references in A1 notation. Rows and columns count from 1. Source: ECMA-376-1, 18.17.2.3. */

/** The size of a sheet in Excel since 2007, and in LibreOffice since 7.4. */
export const maxRows = 1_048_576
export const maxColumns = 16_384

/** 1 -> 'A', 28 -> 'AB'. */
export function columnName(column: number): string {
  let name = ''
  for (let remaining = column; remaining > 0; remaining = Math.floor((remaining - 1) / 26)) {
    name = String.fromCharCode(65 + ((remaining - 1) % 26)) + name
  }
  return name
}

/** 'AB' -> 28; letters in any case. */
export function columnNumber(name: string): number {
  let column = 0
  for (let index = 0; index < name.length; index += 1) column = column * 26 + (name.charCodeAt(index) & 31)
  return column
}

/** One end of a range. */
export interface Corner {
  readonly column: number | undefined // undefined: a whole row
  readonly row: number | undefined // undefined: a whole column
  readonly fixedColumn: boolean // written with a '$'
  readonly fixedRow: boolean
}

/** A cell, a block of cells, whole columns or whole rows. */
export interface CellRange {
  readonly from: Corner
  readonly to: Corner | undefined // undefined: one cell
}

const corner = /^(\$?)([A-Za-z]{1,3})?(\$?)(\d{1,7})?$/

export function parseCorner(text: string): Corner | undefined {
  const match = corner.exec(text)
  if (match === null) return undefined
  const [, dollar = '', letters, second = '', digits] = match
  if (letters === undefined && digits === undefined) return undefined
  const column = letters === undefined ? undefined : columnNumber(letters)
  const row = digits === undefined ? undefined : Number(digits)
  if (column !== undefined && column > maxColumns) return undefined
  if (row !== undefined && (row < 1 || row > maxRows)) return undefined
  // In '$5' the only dollar sign precedes the row.
  return letters === undefined
    ? { column, row, fixedColumn: false, fixedRow: dollar !== '' || second !== '' }
    : { column, row, fixedColumn: dollar !== '', fixedRow: second !== '' }
}

/** 'B2', '$B$2:C9', 'B:D', '3:4'. Undefined for anything else. */
export function parseRange(text: string): CellRange | undefined {
  const colon = text.indexOf(':')
  const from = parseCorner(colon < 0 ? text : text.slice(0, colon))
  if (from === undefined) return undefined
  if (colon < 0)
    return from.column === undefined || from.row === undefined ? undefined : { from, to: undefined }
  const to = parseCorner(text.slice(colon + 1))
  if (to === undefined) return undefined
  if (
    (from.column === undefined) !== (to.column === undefined) ||
    (from.row === undefined) !== (to.row === undefined)
  ) {
    return undefined
  }
  return { from, to }
}

export function formatCorner(position: Corner): string {
  const column =
    position.column === undefined ? '' : `${position.fixedColumn ? '$' : ''}${columnName(position.column)}`
  const row = position.row === undefined ? '' : `${position.fixedRow ? '$' : ''}${position.row}`
  return column + row
}
