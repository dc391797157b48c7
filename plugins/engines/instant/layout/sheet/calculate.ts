import type { Cell, CellFormula, Sheet, Workbook } from '../../../../../shared/document/sheet.ts'
import {
  evaluate,
  NoValue,
  type ParsedFormula,
  parseFormula,
  type Scalar,
} from '../../../../../shared/office/sheet/evaluate.ts'
import type { SheetContext } from './context.ts'
import { staleCells } from './stale-cells.ts'
import { cellReader, lastColumnOf, scalarOf, serialOf } from './values.ts'

/** The limit of cells and operations that all formulas of a workbook may use. */
const maxSteps = 10_000_000
/** The limit of passes over formulas that depend on others without a result. */
const maxPasses = 20

/** A formula without a stored result, and its position. */
interface Pending {
  readonly cell: Cell
  readonly formula: ParsedFormula
  readonly position: Parameters<typeof evaluate>[3]
  readonly read: Parameters<typeof evaluate>[1]
}

/** The formula reads a cell whose own formula has no result yet. */
class Unresolved extends NoValue {}

/**
 * Computes the formulas whose results the file does not store, such as those that a merge has moved, and returns the workbook
 * with the results. Each pass tries all remaining formulas in the order of the sheets, then in reverse, until a pass computes
 * none. Formulas do not call each other, so a chain of any length needs no stack, and a circular reference stays without a
 * result. A formula without a result is reported and printed as empty. Stored results that change with the time are computed
 * again, as offices do when they open a file; where that fails, they stay.
 */
export function withResults(
  workbook: Workbook,
  { now, budget, warn }: Pick<SheetContext, 'now' | 'budget' | 'warn'>,
): Workbook {
  const results = new Map<Cell, Scalar>()
  const unresolved = new Set<Cell>()
  let waiting = pendingOf(workbook, { now, unresolved, results, check: budget.check })
  if (unresolved.size === 0) return workbook
  const steps = { left: maxSteps }
  const isResolved = ({ cell, formula, position, read }: Pending): boolean => {
    try {
      budget.check()
      // A reference to an empty cell evaluates to 0.
      results.set(cell, evaluate(formula, read, steps, position) ?? 0)
      return true
    } catch (error) {
      if (error instanceof NoValue) return false
      throw error
    }
  }
  for (let pass = 0; pass < maxPasses && waiting.length > 0 && steps.left > 0; pass++) {
    const before = waiting.length
    waiting = waiting.filter((pending) => !isResolved(pending)).reverse()
    if (waiting.length === before) break
  }
  if ([...unresolved].some((cell) => cell.value === undefined && !results.has(cell)))
    warn({
      code: 'read.formula-without-value',
      message:
        'Cells whose unsupported formula has no stored result are empty. Save the workbook in a spreadsheet program to store the results.',
    })
  return { ...workbook, sheets: workbook.sheets.map((sheet) => filled(sheet, results)) }
}

/** Adds every cell with a formula to `unresolved` and returns the formulas that can be parsed. */
function pendingOf(
  workbook: Workbook,
  {
    now,
    unresolved,
    results,
    check,
  }: {
    readonly now: number
    readonly check: () => void
    readonly unresolved: Set<Cell>
    readonly results: ReadonlyMap<Cell, Scalar>
  },
): Pending[] {
  const pending: Pending[] = []
  let stale: ReadonlySet<Cell> | undefined
  const resultOf = (cell: Cell): Scalar => {
    if (!unresolved.has(cell)) return scalarOf(cell.value)
    if (!results.has(cell)) throw new Unresolved()
    return results.get(cell)
  }
  for (const sheet of workbook.sheets) {
    const read = cellReader(workbook, sheet, resultOf)
    const edges = {
      lastRow: (sheet.rows.at(-1)?.row ?? 0) + 1,
      lastColumn: lastColumnOf(sheet) + 1,
      now: serialOf(workbook, now),
    }
    for (const { row, cells } of sheet.rows)
      for (const cell of cells) {
        if (cell.formula === undefined) continue
        if (cell.value !== undefined && !(stale ??= staleCells(workbook, check)).has(cell)) continue
        unresolved.add(cell)
        const formula = parsed(cell.formula, workbook)
        if (formula === undefined) continue
        const { down, right } = cell.formula
        pending.push({
          cell,
          formula,
          read,
          position: { ...edges, row: row + 1, column: cell.column + 1, down, right },
        })
      }
  }
  return pending
}

function parsed({ text }: CellFormula, { names }: Workbook): ParsedFormula | undefined {
  try {
    return parseFormula(text, names)
  } catch (error) {
    if (error instanceof NoValue) return undefined
    throw error
  }
}

function filled(sheet: Sheet, results: ReadonlyMap<Cell, Scalar>): Sheet {
  const rows = sheet.rows.map((row) => {
    if (!row.cells.some((cell) => results.has(cell))) return row
    const cells = row.cells.map((cell) => {
      const value = results.get(cell)
      return value === undefined ? cell : { ...cell, value }
    })
    return { ...row, cells }
  })
  return { ...sheet, rows }
}
