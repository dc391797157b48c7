import type { CellValue, Sheet } from '../../../../../../shared/document/sheet.ts'
import {
  evaluate,
  FormulaError,
  NoValue,
  type ParsedFormula,
  parseFormula,
  type Scalar,
} from '../../../../../../shared/office/sheet/evaluate.ts'
import type { SheetContext } from '../context.ts'
import { cellReader, lastColumnOf, serialOf } from '../values.ts'

/** The cell that the relative references of a rule refer to. */
export interface Origin {
  readonly row: number
  readonly column: number
}

/** The cell for which rules are evaluated. */
export interface EvaluatedCell {
  readonly row: number
  readonly column: number
  readonly value: CellValue | undefined
  readonly origin: Origin
}

/** Evaluates the formulas of conditional formats. */
export interface Formulas {
  /** The result for a cell. Undefined if it is an error or cannot be computed, which is reported. */
  valueFor(formula: string, cell: EvaluatedCell): { readonly value: Scalar } | undefined
  /** Days since the first day of the workbook. */
  readonly today: number
  warnUnfinished(): void
}

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
  const serial = serialOf(workbook, now)
  const read = cellReader(workbook, sheet)
  const last = sheet.rows.at(-1)?.row ?? 0
  const widest = lastColumnOf(sheet)
  const unknown = (): void =>
    warn({
      code: 'layout.conditional-format',
      message: 'Conditional formats with unsupported formulas are not drawn.',
    })
  return {
    today: Math.floor(serial),
    warnUnfinished: () =>
      warn({
        code: 'layout.conditional-format',
        message:
          'The conditional formats of a sheet need more than ten million comparisons; the remaining ones are not drawn.',
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
