import type { Cell, CellFormat, Sheet, SheetRow } from '../../../../../shared/document/sheet.ts'
import type { Pt } from '../frame.ts'
import { formatOf, type SheetContext } from './context.ts'

/** Sizes of the rows or columns of a sheet. Those that the sheet does not list have the default size. */
export interface Axis {
  /** The size of one row or column, pt; 0 where it is hidden. */
  size(index: number): Pt
  /** The distance between the starts of two rows or columns. */
  between(from: number, to: number): Pt
}

/** A sheet with resolved row and column sizes. */
export interface Grid {
  readonly sheet: Sheet
  readonly rows: Axis
  readonly columns: Axis
  /** The listed row with this number. */
  row(row: number): SheetRow | undefined
  /** The listed rows of a range. */
  rowsBetween(first: number, last: number): readonly SheetRow[]
  /** The formatting of a cell, listed or not. */
  format(row: SheetRow | undefined, column: number, cell: Cell | undefined): CellFormat
  columnFormat(column: number): number | undefined
}

/** Rounds a size to twentieths of a point, as LibreOffice does. */
export const twips = (value: Pt): Pt => Math.round(value * 20) / 20

/** The columns of a sheet. Widths are given in digits of the default font or in points. */
export function columnAxis({ columns, defaultWidth }: Sheet, digitWidth: Pt): Axis {
  const points = (width: Sheet['defaultWidth']): Pt =>
    twips('points' in width ? width.points : width.digits * digitWidth + (width.padding ?? 0))
  const defaultSize = points(defaultWidth)
  const sizes = new Map<number, Pt>()
  for (const { first, last, width, hidden } of columns) {
    const size = hidden ? 0 : width === undefined ? defaultSize : points(width)
    if (size === defaultSize) continue
    for (let column = first; column <= last; column++) sizes.set(column, size)
  }
  return axisOf(sizes, defaultSize)
}

/** Creates an axis from the sizes that differ from the default. */
export function axisOf(sizes: ReadonlyMap<number, Pt>, defaultSize: Pt): Axis {
  const listed = [...sizes.keys()].sort((a, b) => a - b)
  // The prefix sums of the differences from the default size.
  const extra = [0]
  for (const index of listed)
    extra.push((extra.at(-1) ?? 0) + (sizes.get(index) ?? defaultSize) - defaultSize)
  const start = (index: number): Pt => index * defaultSize + (extra[lowerBound(listed, index)] ?? 0)
  return {
    size: (index) => sizes.get(index) ?? defaultSize,
    between: (from, to) => (to > from ? start(to) - start(from) : 0),
  }
}

/** The index of the first of ascending numbers that is at least `number`. */
function lowerBound(numbers: readonly number[], number: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? Infinity) < number) low = middle + 1
    else high = middle
  }
  return low
}

export function createGrid(context: SheetContext, sheet: Sheet, rows: Axis, columns: Axis): Grid {
  const byNumber = new Map(sheet.rows.map((row) => [row.row, row]))
  const columnFormats = new Map<number, number>()
  for (const { first, last, format } of sheet.columns)
    if (format !== undefined)
      for (let column = first; column <= last; column++) columnFormats.set(column, format)
  const columnFormat = (column: number): number | undefined => columnFormats.get(column)
  return {
    sheet,
    rows,
    columns,
    columnFormat,
    row: (row) => byNumber.get(row),
    rowsBetween(first, last) {
      const start = firstAtOrAfter(sheet.rows, first)
      const end = firstAtOrAfter(sheet.rows, last + 1)
      return sheet.rows.slice(start, end)
    },
    format: (row, column, cell) =>
      formatOf(context, cell?.format ?? row?.format ?? columnFormats.get(column) ?? 0),
  }
}

/** The index of the first row with at least this number. */
function firstAtOrAfter(rows: readonly SheetRow[], number: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.row ?? Infinity) < number) low = middle + 1
    else high = middle
  }
  return low
}

/** The cell of a row in a column. */
export function cellAt(row: SheetRow | undefined, column: number): Cell | undefined {
  const cells = row?.cells ?? []
  let [low, high] = [0, cells.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cells[middle]?.column ?? Infinity) < column) low = middle + 1
    else high = middle
  }
  const cell = cells[low]
  return cell?.column === column ? cell : undefined
}

/** Whether a format is visible in a cell without a value. */
export const isVisible = (format: CellFormat): boolean => format.fill !== undefined || hasLines(format)

export const hasLines = ({ borders }: CellFormat): boolean =>
  borders.left !== undefined ||
  borders.right !== undefined ||
  borders.top !== undefined ||
  borders.bottom !== undefined ||
  borders.up !== undefined ||
  borders.down !== undefined
