/**
 * The value of a formula in A1 notation, for charts that need numbers before a spreadsheet program has seen the file. It
 * knows arithmetic, comparisons, joined texts, references, and the functions that people put behind charts. Any other formula
 * has no value here. Source: ECMA-376-1, 18.17; ODF 1.3 part 4 for what functions do with empty cells and texts.
 */
import { a1, type FormulaReference } from './formula.ts'

export type Scalar = number | string | boolean | undefined // undefined: an empty cell
/** A value, or the cells of an area, row by row. */
type FormulaValue = Scalar | { readonly cells: readonly Scalar[] }

/** Reads a cell. `sheet` is undefined for the sheet of the formula. Throws `NoValue` for a cell whose value is not known. */
export type ReadCell = (sheet: string | undefined, row: number, column: number) => Scalar
/** Shared by all formulas of a workbook, so that many cheap ones are bounded too. */
export interface EvaluationBudget {
  left: number // cells and operations
}

/** The formula cannot be worked out here, or is an error. */
export class NoValue extends Error {}

/** Parentheses and signs inside each other. Excel allows 64 levels of functions. */
const maxDepth = 60
/** Excel's limit, in characters. */
const maxLength = 8_192

/** Throws NoValue where the formula cannot be evaluated here, or is an error. */
export function evaluate(formula: string, read: ReadCell, budget: EvaluationBudget): Scalar {
  if (formula.length > maxLength) throw new NoValue()
  const value = new Evaluation(tokensOf(formula), read, budget).run()
  if (typeof value === 'number' && !Number.isFinite(value)) throw new NoValue()
  return value
}

/** Names of functions are signs too. */
type FormulaOperand =
  | FormulaReference
  | { readonly number: number }
  | { readonly text: string }
  | { readonly sign: string }

const lexeme =
  /\s+|(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|"((?:[^"]|"")*)"|([A-Za-z_][\w.]*)|(<>|<=|>=|[-+*/^&%=<>(),])/y

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
      const [, number, text, name, sign] = match
      if (number !== undefined) tokens.push({ number: Number(number) })
      else if (text !== undefined) tokens.push({ text: text.replaceAll('""', '"') })
      else if (name !== undefined) tokens.push({ sign: name.toUpperCase().replace(/^_XLFN\./, '') })
      else if (sign !== undefined) tokens.push({ sign })
    }
  }
  return tokens
}

/** Binary operators by their precedence, the loosest first (18.17.2.2). */
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
  #at = 0
  #depth = 0

  constructor(tokens: readonly FormulaOperand[], read: ReadCell, budget: EvaluationBudget) {
    this.#tokens = tokens
    this.#read = read
    this.#budget = budget
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

  /** Operators of one precedence, from left to right. */
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

  /** A sign binds tighter than a power: `-2^2` is 4. */
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
    const implementation = Object.hasOwn(functions, name) ? functions[name] : undefined
    if (implementation === undefined) throw new NoValue()
    const args: FormulaValue[] = []
    if (!this.#take(')')) {
      do args.push(this.#level(0))
      while (this.#take(','))
      if (!this.#take(')')) throw new NoValue()
    }
    return implementation(args)
  }

  /** `IF`. Both branches are read and one is the value. An error in the other one does not count. */
  #chosen(): FormulaValue {
    const test = single(this.#level(0))
    const values: (FormulaValue | NoValue)[] = []
    while (this.#take(',')) values.push(this.#tried())
    if (!this.#take(')')) throw new NoValue()
    const isTrue = typeof test === 'string' ? numberOf(test) !== 0 : Boolean(test)
    const value = isTrue ? values[0] : values.length > 1 ? values[1] : false
    if (value instanceof NoValue) throw value
    return value
  }

  /** `IFERROR`. */
  #rescued(): FormulaValue {
    const value = this.#tried()
    const alternative = this.#take(',') ? this.#tried() : ''
    if (!this.#take(')')) throw new NoValue()
    const chosen = value instanceof NoValue ? alternative : value
    if (chosen instanceof NoValue) throw chosen
    return chosen
  }

  /** An argument whose error is returned rather than thrown. Reading continues behind the argument. */
  #tried(): FormulaValue | NoValue {
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

  #cells({ sheet, range: { from, to } }: FormulaReference): FormulaValue {
    if (from.row === undefined || from.column === undefined) throw new NoValue()
    if (to === undefined) return this.#read(sheet, from.row, from.column)
    const bottom = to.row ?? from.row
    const right = to.column ?? from.column
    const count = (bottom - from.row + 1) * (right - from.column + 1)
    if (!(count > 0) || (this.#budget.left -= count) < 0) throw new NoValue()
    const cells: Scalar[] = []
    for (let row = from.row; row <= bottom; row += 1)
      for (let column = from.column; column <= right; column += 1) cells.push(this.#read(sheet, row, column))
    return { cells }
  }
}

/** The value of one cell; an area of several has none. */
const single = (value: FormulaValue): Scalar => {
  if (typeof value !== 'object') return value
  if (value.cells.length === 1) return value.cells[0]
  throw new NoValue()
}

/** An operand of arithmetic: an empty cell is 0, and a text counts where it reads like a number. */
function numberOf(value: Scalar): number {
  if (value === undefined) return 0
  const number =
    typeof value === 'string' ? (value.trim() === '' ? Number.NaN : Number(value)) : Number(value)
  if (Number.isNaN(number)) throw new NoValue()
  return number
}

const textOf = (value: Scalar): string =>
  value === undefined ? '' : typeof value === 'boolean' ? String(value).toUpperCase() : String(value)

function combined(sign: string, left: Scalar, right: Scalar): Scalar {
  if (sign === '&') return textOf(left) + textOf(right)
  if (/[=<>]/.test(sign)) return compared(sign, left, right)
  const [a, b] = [numberOf(left), numberOf(right)]
  if (sign === '/' && b === 0) throw new NoValue()
  const value =
    sign === '+' ? a + b : sign === '-' ? a - b : sign === '*' ? a * b : sign === '/' ? a / b : a ** b
  if (!Number.isFinite(value)) throw new NoValue()
  return value
}

/** Numbers come before texts, and texts before truth values. Texts are compared without regard to case. */
function compared(sign: string, left: Scalar, right: Scalar): boolean {
  const rank = (value: Scalar) => (typeof value === 'boolean' ? 2 : typeof value === 'string' ? 1 : 0)
  const blank = (value: Scalar, other: Scalar) =>
    value === undefined && typeof other === 'string' ? '' : value
  const [a, b] = [blank(left, right), blank(right, left)]
  const order =
    rank(a) !== rank(b)
      ? rank(a) - rank(b)
      : rank(a) === 1
        ? Math.sign(textOf(a).toLowerCase().localeCompare(textOf(b).toLowerCase(), 'en'))
        : numberOf(a) - numberOf(b)
  if (sign === '=') return order === 0
  if (sign === '<>') return order !== 0
  return sign === '<' ? order < 0 : sign === '>' ? order > 0 : sign === '<=' ? order <= 0 : order >= 0
}

/** The numbers of arguments. In areas only cells of numbers count; a single value has to be one. */
const numbers = (args: readonly FormulaValue[]): number[] =>
  args.flatMap((value) =>
    typeof value === 'object'
      ? value.cells.filter((cell): cell is number => typeof cell === 'number')
      : [numberOf(value)],
  )
const scalars = (args: readonly FormulaValue[]): Scalar[] =>
  args.flatMap((value) => (typeof value === 'object' ? value.cells : [value]))
const argument = (args: readonly FormulaValue[], index: number): number => numberOf(single(args[index]))
/** The truth values of arguments, without texts and empty cells. */
const truths = (args: readonly FormulaValue[]): boolean[] =>
  scalars(args).flatMap((value) => (value === undefined || typeof value === 'string' ? [] : [Boolean(value)]))
const sum = (list: readonly number[]): number => list.reduce((total, item) => total + item, 0)

function mean(list: readonly number[]): number {
  if (list.length === 0) throw new NoValue()
  return sum(list) / list.length
}

const outermost = (list: readonly number[], pick: (a: number, b: number) => number): number =>
  list.length === 0 ? 0 : list.reduce((best, candidate) => pick(best, candidate))

function rounded(args: readonly FormulaValue[], round: (value: number) => number): number {
  const factor = 10 ** (args.length > 1 ? Math.trunc(argument(args, 1)) : 0)
  const value = argument(args, 0)
  // 1.005 * 100 is 100.49999999999999 in binary. Spreadsheets round to 15 digits first.
  return (Math.sign(value) * round(Number((Math.abs(value) * factor).toPrecision(15)))) / factor
}

/** `MOD` has the sign of the divisor. */
function remainder(args: readonly FormulaValue[]): number {
  const [a, b] = [argument(args, 0), argument(args, 1)]
  if (b === 0) throw new NoValue()
  return a - b * Math.floor(a / b)
}

function middle(list: number[]): number {
  list.sort((a, b) => a - b)
  const half = list.length >> 1
  return mean(list.length % 2 === 1 ? [list[half] ?? 0] : list.slice(half - 1, half + 1))
}

function products(args: readonly FormulaValue[]): number {
  const lists = args.map((value) => (typeof value === 'object' ? value.cells : [value]))
  if (lists.some(({ length }) => length !== lists[0]!.length)) throw new NoValue()
  const itemsAt = (n: number) =>
    lists.reduce((product, list) => product * (typeof list[n] === 'number' ? (list[n] as number) : 0), 1)
  return sum((lists[0] ?? []).map((_, n) => itemsAt(n)))
}

const functions: Readonly<Record<string, (args: readonly FormulaValue[]) => FormulaValue>> = {
  SUM: (args) => sum(numbers(args)),
  PRODUCT: (args) => numbers(args).reduce((product, factor) => product * factor, 1),
  SUMPRODUCT: products,
  AVERAGE: (args) => mean(numbers(args)),
  MEDIAN: (args) => middle(numbers(args)),
  MIN: (args) => outermost(numbers(args), Math.min),
  MAX: (args) => outermost(numbers(args), Math.max),
  COUNT: (args) => numbers(args).length,
  COUNTA: (args) => scalars(args).filter((value) => value !== undefined).length,
  ABS: (args) => Math.abs(argument(args, 0)),
  INT: (args) => Math.floor(argument(args, 0)),
  SQRT: (args) => Math.sqrt(argument(args, 0)),
  POWER: (args) => argument(args, 0) ** argument(args, 1),
  MOD: remainder,
  ROUND: (args) => rounded(args, Math.round),
  ROUNDUP: (args) => rounded(args, Math.ceil),
  ROUNDDOWN: (args) => rounded(args, Math.floor),
  AND: (args) => truths(args).every(Boolean),
  OR: (args) => truths(args).some(Boolean),
  NOT: (args) => !numberOf(single(args[0])),
  CONCATENATE: (args) => args.map((value) => textOf(single(value))).join(''),
  CONCAT: (args) => scalars(args).map(textOf).join(''),
}
