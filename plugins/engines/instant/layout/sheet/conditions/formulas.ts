import type { CellValue, Sheet, SheetRow } from '../../../../../../shared/document/sheet.ts'
import {
  evaluate,
  FormulaError,
  NoValue,
  type ParsedFormula,
  parseFormula,
  type Scalar,
} from '../../../../../../shared/office/sheet/evaluate.ts'
import type { SheetContext } from '../context.ts'
import { cellAt } from '../grid.ts'

/** The cell that the formulas of a rule are written for. */
export interface Origin {
  readonly row: number
  readonly column: number
}

/** A cell that rules are evaluated for. */
export interface EvaluatedCell {
  readonly row: number
  readonly column: number
  readonly value: CellValue | undefined
  readonly origin: Origin
}

/** Formulas of conditional formats, worked out for one cell after another. */
export interface Formulas {
  /** The value for a cell; undefined where it is an error or cannot be worked out, which is reported. */
  valueFor(formula: string, cell: EvaluatedCell): { readonly value: Scalar } | undefined
  /** Days since the first day of the workbook. */
  readonly today: number
  warnUnfinished(): void
}

const dayMs = 86_400_000
/** The serial number of 1 January 1970. */
const epoch = 25_569
const shift1904 = 1_462

/** `steps` bounds the operations and cells of all formulas. */
export function createFormulas(context: SheetContext, sheet: Sheet, steps: { left: number }): Formulas {
  const { workbook, warn, now, budget } = context
  const parsed = new Map<string, ParsedFormula | undefined>()
  const parse = (formula: string): ParsedFormula | undefined => {
    if (!parsed.has(formula))
      parsed.set(
        formula,
        undefinedOnError(() => parseFormula(formula)),
      )
    return parsed.get(formula)
  }
  const serial = now / dayMs + epoch - (workbook.date1904 ? shift1904 : 0)
  const sheets = new Map<string, ReadonlyMap<number, SheetRow>>()
  const rowsOf = ({ name, rows }: Sheet): ReadonlyMap<number, SheetRow> => {
    let cached = sheets.get(name)
    if (cached === undefined) sheets.set(name, (cached = new Map(rows.map((row) => [row.row, row]))))
    return cached
  }
  const read = (name: string | undefined, row: number, column: number): Scalar => {
    const other =
      name === undefined
        ? sheet
        : workbook.sheets.find((each) => each.name.toLowerCase() === name.toLowerCase())
    if (other === undefined) throw new NoValue()
    return scalarOf(cellAt(rowsOf(other).get(row - 1), column - 1)?.value)
  }
  const last = sheet.rows.at(-1)?.row ?? 0
  let widest = 0
  for (const { cells } of sheet.rows) widest = Math.max(widest, cells.at(-1)?.column ?? 0)
  const unknown = (): void =>
    warn({
      code: 'layout.conditional-format',
      message: 'Conditional formats whose formula is not worked out are not drawn.',
    })
  return {
    today: Math.floor(serial),
    warnUnfinished: () =>
      warn({
        code: 'layout.conditional-format',
        message: 'Conditional formats beyond ten million comparisons of a sheet are not drawn.',
      }),
    valueFor(formula, { row, column, origin }) {
      budget.check()
      const tokens = parse(formula)
      if (tokens === undefined) {
        unknown()
        return undefined
      }
      const position = {
        row: row + 1,
        column: column + 1,
        down: row - origin.row,
        right: column - origin.column,
        lastRow: last + 1,
        lastColumn: widest + 1,
        now: serial,
      }
      try {
        return { value: evaluate(tokens, read, steps, position) }
      } catch (error) {
        if (!(error instanceof NoValue)) throw error
        if (!(error instanceof FormulaError)) unknown()
        return undefined
      }
    },
  }
}

function undefinedOnError<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof NoValue) return undefined
    throw error
  }
}

/** The value of a cell for formulas. Throws FormulaError for an error. */
function scalarOf(value: CellValue | undefined): Scalar {
  if (typeof value !== 'object') return value
  if (value.kind === 'error') throw new FormulaError()
  return value.runs.map(({ text }) => text).join('')
}
