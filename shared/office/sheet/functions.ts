/**
 * The functions of formulas, by name. Source: ECMA-376-1, 18.17.7; ODF 1.3 part 4 for their results with empty cells
 * and texts.
 */
import { addMonths, type CivilDate, civilDate, dayNumber, weekdayOf } from '../../locale/calendar.ts'

export type Scalar = number | string | boolean | undefined // undefined: an empty cell
/** A value, or the cells of an area in row order with the number of cells per row. */
export type FormulaValue = Scalar | { readonly cells: readonly Scalar[]; readonly columns: number }
type FormulaFunction = (args: readonly FormulaValue[]) => FormulaValue

/** The formula cannot be evaluated here, or is an error. */
export class NoValue extends Error {}
/** The value of the formula is an error, such as '#DIV/0!'. */
export class FormulaError extends NoValue {}

/** Excel's limit, in characters, of texts that formulas return. */
const maxTextLength = 32_767
function bounded(text: string): string {
  if (text.length > maxTextLength) throw new FormulaError()
  return text
}

/** The value of one cell. Throws for an area of several cells. */
export const single = (value: FormulaValue): Scalar => {
  if (typeof value !== 'object') return value
  if (value.cells.length === 1) return value.cells[0]
  throw new NoValue()
}

/** An operand of arithmetic: an empty cell is 0, and a numeric text is its number. */
export function numberOf(value: Scalar): number {
  if (value === undefined) return 0
  const number =
    typeof value === 'string' ? (value.trim() === '' ? Number.NaN : Number(value)) : Number(value)
  if (Number.isNaN(number)) throw new FormulaError()
  return number
}

const textOf = (value: Scalar): string =>
  value === undefined ? '' : typeof value === 'boolean' ? String(value).toUpperCase() : String(value)

export function combined(sign: string, left: Scalar, right: Scalar): Scalar {
  if (sign === '&') return bounded(textOf(left) + textOf(right))
  if (/[=<>]/.test(sign)) return compared(sign, left, right)
  const [a, b] = [numberOf(left), numberOf(right)]
  if (sign === '/' && b === 0) throw new FormulaError()
  const value =
    sign === '+' ? a + b : sign === '-' ? a - b : sign === '*' ? a * b : sign === '/' ? a / b : a ** b
  if (!Number.isFinite(value)) throw new FormulaError()
  return value
}

/** Numbers sort before texts, and texts before truth values. Texts are compared without regard to case. */
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

/** The numbers of arguments. In areas only cells with numbers are included; a single value must be a number. */
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
  if (list.length === 0) throw new FormulaError()
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
  if (b === 0) throw new FormulaError()
  return a - b * Math.floor(a / b)
}

function middle(list: number[]): number {
  list.sort((a, b) => a - b)
  const half = list.length >> 1
  return mean(list.length % 2 === 1 ? [list[half] ?? 0] : list.slice(half - 1, half + 1))
}

function products(args: readonly FormulaValue[]): number {
  const lists = args.map((value) => (typeof value === 'object' ? value.cells : [value]))
  if (lists.some(({ length }) => length !== lists[0]?.length)) throw new FormulaError()
  const itemsAt = (n: number) =>
    lists.reduce((product, list) => product * (typeof list[n] === 'number' ? (list[n] as number) : 0), 1)
  return sum((lists[0] ?? []).map((_, n) => itemsAt(n)))
}

function joined(values: readonly Scalar[]): string {
  let text = ''
  for (const value of values) text = bounded(text + textOf(value))
  return text
}

const textArgument = (args: readonly FormulaValue[], index: number): string => textOf(single(args[index]))
/** An argument that may be omitted. */
const countArgument = (args: readonly FormulaValue[], index: number, fallback: number): number =>
  args.length > index ? Math.trunc(argument(args, index)) : fallback

/** `SEARCH` and `FIND`: the position of a text in another, from 1. Wildcards are not supported. */
function positionIn(args: readonly FormulaValue[], fold: (text: string) => string): number {
  const [searched, text] = [fold(textArgument(args, 0)), fold(textArgument(args, 1))]
  const start = countArgument(args, 2, 1)
  const position = start < 1 ? -1 : text.indexOf(searched, start - 1)
  if (position < 0) throw new FormulaError()
  return position + 1
}
const lower = (text: string): string => text.toLowerCase()

/** `MID`, `LEFT`, `RIGHT`: a part of a text. */
function part(text: string, start: number, count: number): string {
  if (start < 0 || count < 0) throw new FormulaError()
  return text.slice(start, start + count)
}

const texts: Readonly<Record<string, FormulaFunction>> = {
  LEN: (args) => textArgument(args, 0).length,
  LEFT: (args) => part(textArgument(args, 0), 0, countArgument(args, 1, 1)),
  RIGHT: (args) => {
    const text = textArgument(args, 0)
    return part(text, Math.max(0, text.length - countArgument(args, 1, 1)), countArgument(args, 1, 1))
  },
  MID: (args) => part(textArgument(args, 0), countArgument(args, 1, 1) - 1, countArgument(args, 2, 0)),
  TRIM: (args) => textArgument(args, 0).trim().replace(/ +/g, ' '),
  UPPER: (args) => textArgument(args, 0).toUpperCase(),
  LOWER: (args) => lower(textArgument(args, 0)),
  EXACT: (args) => textArgument(args, 0) === textArgument(args, 1),
  FIND: (args) => positionIn(args, (text) => text),
  SEARCH: (args) => {
    if (/[*?~]/.test(textArgument(args, 0))) throw new NoValue()
    return positionIn(args, lower)
  },
  VALUE: (args) => argument(args, 0),
  ISBLANK: (args) => single(args[0]) === undefined,
  ISNUMBER: (args) => typeof single(args[0]) === 'number',
  ISTEXT: (args) => typeof single(args[0]) === 'string',
  ISNONTEXT: (args) => typeof single(args[0]) !== 'string',
  ISLOGICAL: (args) => typeof single(args[0]) === 'boolean',
  ISEVEN: (args) => Math.trunc(argument(args, 0)) % 2 === 0,
  ISODD: (args) => Math.trunc(argument(args, 0)) % 2 !== 0,
  TRUE: () => true,
  FALSE: () => false,
  NA: () => {
    throw new FormulaError()
  },
}

/** Day 0 of serial numbers is 30 December 1899. */
const firstDay = dayNumber(1899, 12, 30)
/** Serial numbers beyond the year 9999 are not dates. */
const lastSerial = 2_958_465
function daysOf(serial: number): number {
  if (!(serial >= 0 && serial <= lastSerial)) throw new FormulaError()
  return Math.floor(serial) + firstDay
}
const dateOf = (args: readonly FormulaValue[]): CivilDate => civilDate(daysOf(argument(args, 0)))
const monthsLater = (args: readonly FormulaValue[], more = 0): number =>
  addMonths(daysOf(argument(args, 0)), Math.trunc(argument(args, 1)) + more)

const dates: Readonly<Record<string, FormulaFunction>> = {
  YEAR: (args) => dateOf(args).year,
  MONTH: (args) => dateOf(args).month,
  DAY: (args) => dateOf(args).day,
  HOUR: (args) => {
    const serial = argument(args, 0)
    return Math.floor((serial - Math.floor(serial) + 1e-9) * 24)
  },
  DATE: (args) => {
    const [year, month, day] = [0, 1, 2].map((index) => Math.trunc(argument(args, index))) as [
      number,
      number,
      number,
    ]
    return addMonths(dayNumber(year, 1, 1), month - 1) + day - 1 - firstDay
  },
  EDATE: (args) => monthsLater(args) - firstDay,
  EOMONTH: (args) => {
    const { year, month } = civilDate(monthsLater(args, 1))
    return dayNumber(year, month, 1) - 1 - firstDay
  },
  WEEKDAY: (args) => {
    const day = weekdayOf(daysOf(argument(args, 0)))
    const kind = countArgument(args, 1, 1)
    if (kind === 1) return day + 1
    if (kind === 2) return day === 0 ? 7 : day
    if (kind === 3) return (day + 6) % 7
    throw new NoValue()
  },
}

/** Whether a cell meets a criterion of `COUNTIF`: a value, or a text such as '>5'. Wildcards are not supported. */
function criterion(value: Scalar): (cell: Scalar) => boolean {
  const [, sign = '', rest = ''] = /^(<>|<=|>=|=|<|>)?(.*)$/s.exec(textOf(value)) ?? []
  if (typeof value === 'string' && /[*?~]/.test(rest)) throw new NoValue()
  const number = rest.trim() === '' ? Number.NaN : Number(rest)
  const operand = typeof value !== 'string' && sign === '' ? value : Number.isNaN(number) ? rest : number
  const operator = sign === '' ? '=' : sign
  return (cell) => {
    if (operand === '') return (operator === '=') === (cell === undefined || cell === '')
    if (cell === undefined || typeof cell !== typeof operand) return operator === '<>'
    return compared(operator, cell, operand)
  }
}
/** `COUNTIFS` and `SUMIFS`: the positions at which every area meets its criterion. */
function matching(pairs: readonly FormulaValue[]): number[] {
  const [first] = pairs
  let positions = areaOf(first).map((_, at) => at)
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const area = areaOf(pairs[at])
    const holds = criterion(single(pairs[at + 1]))
    positions = positions.filter((each) => holds(area[each]))
  }
  return positions
}
const areaOf = (value: FormulaValue): readonly Scalar[] => (typeof value === 'object' ? value.cells : [value])
const sumAt = (area: readonly Scalar[], positions: readonly number[]): number =>
  sum(positions.flatMap((at) => (typeof area[at] === 'number' ? [area[at]] : [])))

/** `LARGE` and `SMALL`. */
function ranked(args: readonly FormulaValue[], order: (a: number, b: number) => number): number {
  const value = numbers(args.slice(0, 1)).sort(order)[Math.trunc(argument(args, 1)) - 1]
  if (value === undefined) throw new FormulaError()
  return value
}

/** The sample variance of numbers. */
function variance(list: readonly number[]): number {
  if (list.length < 2) throw new FormulaError()
  const middleValue = mean(list)
  return sum(list.map((value) => (value - middleValue) ** 2)) / (list.length - 1)
}

/** `MATCH` and the search of `VLOOKUP`: the position of the equal cell, or of the last one that is not larger. */
function lookedUp(searched: Scalar, cells: readonly Scalar[], isExact: boolean): number {
  if (typeof searched === 'string' && isExact && /[*?~]/.test(searched)) throw new NoValue()
  let match = -1
  for (const [at, cell] of cells.entries()) {
    if (typeof cell !== typeof searched || cell === undefined) continue
    if (isExact) {
      if (compared('=', cell, searched)) return at
    } else if (compared('<=', cell, searched)) match = at
    else break
  }
  if (match < 0) throw new FormulaError()
  return match
}

const lists: Readonly<Record<string, FormulaFunction>> = {
  COUNTIF: (args) => matching(args).length,
  COUNTIFS: (args) => matching(args).length,
  SUMIF: (args) => sumAt(areaOf(args[2] ?? args[0]), matching(args.slice(0, 2))),
  SUMIFS: (args) => sumAt(areaOf(args[0]), matching(args.slice(1))),
  COUNTBLANK: (args) => scalars(args).filter((value) => value === undefined || value === '').length,
  LARGE: (args) => ranked(args, (a, b) => b - a),
  SMALL: (args) => ranked(args, (a, b) => a - b),
  RANK: (args) => {
    const first = argument(args, 0)
    const isRising = countArgument(args, 2, 0) !== 0
    return numbers(args.slice(1, 2)).filter((value) => (isRising ? value < first : value > first)).length + 1
  },
  STDEV: (args) => Math.sqrt(variance(numbers(args))),
  VAR: (args) => variance(numbers(args)),
  MATCH: (args) => {
    const kind = countArgument(args, 2, 1)
    if (kind < 0) throw new NoValue()
    return lookedUp(single(args[0]), areaOf(args[1]), kind === 0) + 1
  },
  INDEX: (args) => {
    const [area] = args
    const columns = typeof area === 'object' ? area.columns : 1
    const [row, column] = [countArgument(args, 1, 1), countArgument(args, 2, 1)]
    if (row < 1 || column < 1 || column > columns) throw new NoValue()
    const cells = areaOf(area)
    // The only index into a single row is a column.
    const at = args.length < 3 && cells.length === columns ? row - 1 : (row - 1) * columns + column - 1
    if (at >= cells.length) throw new FormulaError()
    return cells[at]
  },
  VLOOKUP: (args) => {
    const table = args[1]
    if (typeof table !== 'object') throw new NoValue()
    const { cells, columns } = table
    const column = countArgument(args, 2, 1)
    if (column < 1 || column > columns) throw new FormulaError()
    const isExact = args.length > 3 && !isTrue(single(args[3]))
    const row = lookedUp(
      single(args[0]),
      cells.filter((_, at) => at % columns === 0),
      isExact,
    )
    return cells[row * columns + column - 1]
  },
}
const isTrue = (value: Scalar): boolean =>
  typeof value === 'string' ? numberOf(value) !== 0 : Boolean(value)

export const functions: Readonly<Record<string, (args: readonly FormulaValue[]) => FormulaValue>> = {
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
  CONCATENATE: (args) => joined(args.map(single)),
  CONCAT: (args) => joined(scalars(args)),
  ...texts,
  ...dates,
  ...lists,
}
