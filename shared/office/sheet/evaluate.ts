/**
 * Evaluates a formula in A1 notation, for charts that need numbers before a spreadsheet program has opened the file.
 * It supports arithmetic, comparisons, text concatenation, references, and the functions that are common in chart
 * data. Any other formula has no value. Source: ECMA-376-1, 18.17; ODF 1.3 part 4 for the results of functions with
 * empty cells and texts.
 */
import { entryOf } from '../../entry-of.ts'
import { a1, type FormulaReference } from './formula.ts'
import {
  combined,
  FormulaError,
  type FormulaValue,
  functions,
  NoValue,
  numberOf,
  type Scalar,
  single,
} from './functions.ts'
import { maxColumns, maxRows } from './reference.ts'

export { FormulaError, NoValue, type Scalar } from './functions.ts'

/**
 * Reads a cell. `sheet` is undefined for the sheet of the formula. Throws `NoValue` for a cell whose value is
 * unknown, and `FormulaError` for one that contains an error.
 */
export type ReadCell = (sheet: string | undefined, row: number, column: number) => Scalar
/** Shared by all formulas of a workbook, so that many cheap ones are bounded too. */
export interface EvaluationBudget {
  left: number // cells and operations
}

/** A formula that has been tokenized once, so that it can be evaluated for many cells. */
export interface ParsedFormula {
  readonly tokens: readonly FormulaOperand[]
}
/** The position at which a formula that applies to many cells is evaluated. */
export interface FormulaPosition {
  /** The cell, from 1. */
  readonly row: number
  readonly column: number
  /**
   * The offset of the cell from the one that the formula is written for. References without '$' move by the same
   * offset.
   */
  readonly down: number
  readonly right: number
  /** The last row and column of the sheet that have cells; references to whole rows and columns end there. */
  readonly lastRow: number
  readonly lastColumn: number
  /** The serial number of this instant, in days since 30 December 1899. */
  readonly now: number
}

/** Maximum nesting of parentheses and signs. Excel allows 64 levels of functions. */
const maxDepth = 60
/** Excel's limit, in characters. */
const maxLength = 8_192

/** The definitions of names, in A1 notation, by the name in upper case. */
export type DefinedNames = ReadonlyMap<string, string>

/** Throws NoValue if the formula is too long or contains unknown characters. */
export function parseFormula(formula: string, names?: DefinedNames): ParsedFormula {
  if (formula.length > maxLength) throw new NoValue()
  const tokens = tokensOf(formula)
  if (names === undefined) return { tokens }
  const isCalled = (at: number): boolean => {
    const next = tokens[at + 1]
    return next !== undefined && 'sign' in next && next.sign === '('
  }
  return { tokens: tokens.map((token, at) => (isCalled(at) ? token : meantBy(token, names))) }
}

/**
 * Replaces a name that is defined as one absolute reference, number or text by its definition. Any other name is
 * kept, and has no value.
 */
function meantBy(token: FormulaOperand, names: DefinedNames): FormulaOperand {
  const definition = 'sign' in token ? names.get(token.sign) : undefined
  if (definition === undefined || definition.length > maxLength) return token
  const [meant, ...others] = tokensOf(definition.replace(/^=/, ''))
  if (meant === undefined || others.length > 0 || 'sign' in meant) return token
  return 'range' in meant && !isAbsolute(meant.range) ? token : meant
}

const isAbsolute = ({ from, to }: FormulaReference['range']): boolean =>
  [from, to ?? from].every(
    ({ row, column, fixedRow, fixedColumn }) =>
      (row === undefined || fixedRow) && (column === undefined || fixedColumn),
  )

/**
 * Throws NoValue if the formula cannot be evaluated here, and its subclass FormulaError if its value is an error.
 * With a position the two are distinguished: `IFERROR` handles only errors.
 */
export function evaluate(
  formula: string | ParsedFormula,
  read: ReadCell,
  budget: EvaluationBudget,
  position?: FormulaPosition,
): Scalar {
  const { tokens } = typeof formula === 'string' ? parseFormula(formula) : formula
  const value = new Evaluation(tokens, read, budget, position).run()
  if (typeof value === 'number' && !Number.isFinite(value)) throw new FormulaError()
  return value
}

/** Names of functions are operands, too. */
type FormulaOperand =
  | FormulaReference
  | { readonly number: number }
  | { readonly text: string }
  | { readonly sign: string }
  | { readonly error: string }

const lexeme =
  /\s+|(#(?:REF!|DIV\/0!|VALUE!|NAME\?|NUM!|NULL!|N\/A))|(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|"((?:[^"]|"")*)"|([A-Za-z_][\w.]*)|(<>|<=|>=|[-+*/^&%=<>(),])/y

function tokensOf(formula: string): FormulaOperand[] {
  const tokens: FormulaOperand[] = []
  for (const part of a1.parse(formula)) {
    if (typeof part !== 'string') {
      tokens.push(part)
      continue
    }
    lexeme.lastIndex = 0
    while (lexeme.lastIndex < part.length) {
      const match = lexeme.exec(part)
      if (match === null) throw new NoValue()
      const [, error, number, text, name, sign] = match
      if (error !== undefined) tokens.push({ error })
      else if (number !== undefined) tokens.push({ number: Number(number) })
      else if (text !== undefined) tokens.push({ text: text.replaceAll('""', '"') })
      else if (name !== undefined) tokens.push({ sign: name.toUpperCase().replace(/^_XLFN\./, '') })
      else if (sign !== undefined) tokens.push({ sign })
    }
  }
  return tokens
}

/** Binary operators by precedence, the lowest first (18.17.2.2). */
const levels: readonly (readonly string[])[] = [
  ['=', '<>', '<', '>', '<=', '>='],
  ['&'],
  ['+', '-'],
  ['*', '/'],
  ['^'],
]

/** A recursive-descent parser that evaluates as it reads. */
class Evaluation {
  readonly #tokens: readonly FormulaOperand[]
  readonly #read: ReadCell
  readonly #budget: EvaluationBudget
  readonly #position: FormulaPosition | undefined
  #at = 0
  #depth = 0

  constructor(
    tokens: readonly FormulaOperand[],
    read: ReadCell,
    budget: EvaluationBudget,
    position: FormulaPosition | undefined,
  ) {
    this.#tokens = tokens
    this.#read = read
    this.#budget = budget
    this.#position = position
  }

  run(): Scalar {
    const value = single(this.#level(0))
    if (this.#at < this.#tokens.length) throw new NoValue()
    return value
  }

  #sign(): string | undefined {
    const token = this.#tokens[this.#at]
    return token !== undefined && 'sign' in token ? token.sign : undefined
  }
  #take(sign: string): boolean {
    if (this.#sign() !== sign) return false
    this.#at += 1
    return true
  }

  /** Evaluates the operators of one precedence, from left to right. */
  #level(level: number): FormulaValue {
    const signs = levels[level]
    if (signs === undefined) return this.#unary()
    let left = this.#level(level + 1)
    for (let sign = this.#sign(); sign !== undefined && signs.includes(sign); sign = this.#sign()) {
      this.#at += 1
      left = combined(sign, single(left), single(this.#level(level + 1)))
    }
    return left
  }

  /** A sign has a higher precedence than a power: `-2^2` is 4. */
  #unary(): FormulaValue {
    if ((this.#budget.left -= 1) < 0 || this.#depth >= maxDepth) throw new NoValue()
    this.#depth += 1
    const value = this.#take('-')
      ? -numberOf(single(this.#unary()))
      : this.#take('+')
        ? this.#unary()
        : this.#primary()
    this.#depth -= 1
    return value
  }

  #primary(): FormulaValue {
    let value = this.#operand()
    while (this.#take('%')) value = numberOf(single(value)) / 100
    return value
  }

  #operand(): FormulaValue {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new NoValue()
    if ('number' in token) return token.number
    if ('text' in token) return token.text
    if ('error' in token) throw new FormulaError()
    if ('range' in token) return this.#cells(token)
    if (token.sign === '(') {
      const value = this.#level(0)
      if (!this.#take(')')) throw new NoValue()
      return value
    }
    if (!this.#take('(')) {
      if (token.sign === 'TRUE' || token.sign === 'FALSE') return token.sign === 'TRUE'
      throw new NoValue()
    }
    return this.#call(token.sign)
  }

  #call(name: string): FormulaValue {
    if (name === 'IF') return this.#chosen()
    if (name === 'IFERROR') return this.#rescued()
    if (name === 'HYPERLINK') return this.#linked()
    if (name === 'ISERROR' || name === 'ISERR' || name === 'ISNA') return this.#failed()
    if (name === 'ROW' || name === 'COLUMN') return this.#rowOrColumn(name)
    const now = this.#position?.now
    if (now !== undefined && (name === 'TODAY' || name === 'NOW')) {
      if (!this.#take(')')) throw new NoValue()
      return name === 'NOW' ? now : Math.floor(now)
    }
    const implementation = entryOf(functions, name)
    if (implementation === undefined) throw new NoValue()
    const args: FormulaValue[] = []
    if (!this.#take(')')) {
      do args.push(this.#level(0))
      while (this.#take(','))
      if (!this.#take(')')) throw new NoValue()
    }
    return implementation(args)
  }

  /** `IF`. Both branches are evaluated and one is returned. An error in the other one is ignored. */
  #chosen(): FormulaValue {
    const test = single(this.#level(0))
    const values: (FormulaValue | NoValue)[] = []
    while (this.#take(',')) values.push(this.#attempt())
    if (!this.#take(')')) throw new NoValue()
    const isTrue = typeof test === 'string' ? numberOf(test) !== 0 : Boolean(test)
    const value = isTrue ? values[0] : values.length > 1 ? values[1] : false
    if (value instanceof NoValue) throw value
    return value
  }

  /** `IFERROR`. */
  #rescued(): FormulaValue {
    const value = this.#attempt()
    const alternative = this.#take(',') ? this.#attempt() : ''
    if (!this.#take(')')) throw new NoValue()
    if (this.#position !== undefined && value instanceof NoValue && !(value instanceof FormulaError))
      throw value
    const chosen = value instanceof NoValue ? alternative : value
    if (chosen instanceof NoValue) throw chosen
    return chosen
  }

  /** `HYPERLINK`: its text, whatever it links to, or the address where it has no text. */
  #linked(): FormulaValue {
    const address = this.#attempt()
    const value = this.#take(',') ? this.#attempt() : address
    if (!this.#take(')')) throw new NoValue()
    if (value instanceof NoValue) throw value
    return value
  }

  /** `ISERROR`. All kinds of errors are included. */
  #failed(): FormulaValue {
    const value = this.#attempt()
    if (!this.#take(')')) throw new NoValue()
    if (value instanceof NoValue && !(value instanceof FormulaError)) throw value
    return value instanceof NoValue
  }

  /** `ROW` and `COLUMN` of a reference, or of the cell of the formula. */
  #rowOrColumn(name: 'ROW' | 'COLUMN'): FormulaValue {
    const token = this.#tokens[this.#at]
    const axis = name === 'ROW' ? 'row' : 'column'
    if (token !== undefined && 'range' in token) {
      this.#at += 1
      const from = this.#moved(token.range.from)
      if (!this.#take(')') || from[axis] === undefined) throw new NoValue()
      return from[axis]
    }
    if (!this.#take(')') || this.#position === undefined) throw new NoValue()
    return this.#position[axis]
  }

  /** Adjusts a corner to the cell of the formula. A corner outside of the sheet is an error. */
  #moved({ row, column, fixedRow, fixedColumn }: FormulaReference['range']['from']): {
    readonly row: number | undefined
    readonly column: number | undefined
  } {
    const position = this.#position
    if (position === undefined) return { row, column }
    const moved = {
      row: row === undefined || fixedRow ? row : row + position.down,
      column: column === undefined || fixedColumn ? column : column + position.right,
    }
    const isInside = (at: number | undefined, last: number) => at === undefined || (at >= 1 && at <= last)
    if (!isInside(moved.row, maxRows) || !isInside(moved.column, maxColumns)) throw new FormulaError()
    return moved
  }

  /** Evaluates an argument and returns its error instead of throwing it. Parsing continues after the argument. */
  #attempt(): FormulaValue | NoValue {
    const start = this.#at
    const depth = this.#depth
    try {
      const value = this.#level(0)
      if (typeof value === 'number' && !Number.isFinite(value)) return new NoValue()
      return value
    } catch (error) {
      if (!(error instanceof NoValue) || this.#budget.left < 0) throw error
      this.#depth = depth
      this.#at = start
      for (let open = 0; this.#at < this.#tokens.length; this.#at += 1) {
        const sign = this.#sign()
        if (open === 0 && (sign === ',' || sign === ')')) return error
        open += sign === '(' ? 1 : sign === ')' ? -1 : 0
      }
      throw error
    }
  }

  #cells({ sheet, range }: FormulaReference): FormulaValue {
    const from = this.#moved(range.from)
    if (range.to === undefined) {
      if (from.row === undefined || from.column === undefined) throw new NoValue()
      return this.#read(sheet, from.row, from.column)
    }
    const to = this.#moved(range.to)
    const position = this.#position
    if (position === undefined && (from.row === undefined || from.column === undefined)) throw new NoValue()
    const ends = (a: number | undefined, b: number | undefined, last = 0): readonly [number, number] =>
      a === undefined || b === undefined ? [1, Math.max(1, last)] : a < b ? [a, b] : [b, a]
    const [top, bottom] = ends(from.row, to.row, position?.lastRow)
    const [left, right] = ends(from.column, to.column, position?.lastColumn)
    const count = (bottom - top + 1) * (right - left + 1)
    if (!(count > 0) || (this.#budget.left -= count) < 0) throw new NoValue()
    const cells: Scalar[] = []
    for (let row = top; row <= bottom; row += 1)
      for (let column = left; column <= right; column += 1) cells.push(this.#read(sheet, row, column))
    return { cells, columns: right - left + 1 }
  }
}
