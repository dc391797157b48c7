/** The cells of a workbook as operands of formulas. */
import type { Cell, CellValue, Sheet, SheetRow, Workbook } from '../../../../../shared/document/sheet.ts'
import {
  FormulaError,
  NoValue,
  type ReadCell,
  type Scalar,
} from '../../../../../shared/office/sheet/evaluate.ts'
import { cellAt } from './grid.ts'

const dayMs = 86_400_000
/** The serial number of 1 January 1970. */
const epoch = 25_569
const shift1904 = 1_462

/** Converts an instant in milliseconds since the epoch to a serial date of the workbook. */
export const serialOf = ({ date1904 }: Workbook, now: number): number =>
  now / dayMs + epoch - (date1904 ? shift1904 : 0)

/** The index of the rightmost listed cell. */
export function lastColumnOf({ rows }: Sheet): number {
  let last = 0
  for (const { cells } of rows) last = Math.max(last, cells.at(-1)?.column ?? 0)
  return last
}

/**
 * Creates a function that reads cells for the formulas of a sheet. `resultOf` returns the result of a cell with a formula, which may
 * differ from the value that it stores.
 */
export function cellReader(
  workbook: Workbook,
  sheet: Sheet,
  resultOf: (cell: Cell) => Scalar = ({ value }) => scalarOf(value),
): ReadCell {
  const rows = new Map<Sheet, ReadonlyMap<number, SheetRow>>()
  const names = new Map(workbook.sheets.map((each) => [each.name.toLowerCase(), each]))
  const rowsOf = (of: Sheet): ReadonlyMap<number, SheetRow> => {
    let cells = rows.get(of)
    if (cells === undefined) rows.set(of, (cells = new Map(of.rows.map((row) => [row.row, row]))))
    return cells
  }
  return (name, row, column) => {
    const other = name === undefined ? sheet : names.get(name.toLowerCase())
    if (other === undefined) throw new NoValue()
    const cell = cellAt(rowsOf(other).get(row - 1), column - 1)
    return cell?.formula === undefined ? scalarOf(cell?.value) : resultOf(cell)
  }
}

/** Converts the value of a cell for formulas. Throws FormulaError if the cell contains an error. */
export function scalarOf(value: CellValue | undefined): Scalar {
  if (typeof value !== 'object') return value
  if (value.kind === 'error') throw new FormulaError()
  return value.runs.map(({ text }) => text).join('')
}
