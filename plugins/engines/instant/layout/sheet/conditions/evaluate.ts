import type { CellCondition, CellValue, DatePeriod } from '../../../../../../shared/document/sheet.ts'
import { civilDate, dayNumber, weekdayOf } from '../../../../../../shared/locale/calendar.ts'
import type { Scalar } from '../../../../../../shared/office/sheet/evaluate.ts'
import type { EvaluatedCell, Formulas } from './formulas.ts'
import { type AreaValues, keyOf } from './values.ts'

/** Evaluates a condition for a cell. `values` are the values of all areas of the rule. */
export function holds(
  when: CellCondition,
  cell: EvaluatedCell,
  values: () => AreaValues,
  formulas: Formulas,
): boolean {
  const { value } = cell
  switch (when.kind) {
    case 'formula': {
      const result = formulas.valueFor(when.formula, cell)?.value
      return typeof result === 'number' ? result !== 0 : result === true
    }
    case 'compare':
      return compare(when, cell, formulas)
    case 'text': {
      const text = textOf(value).toLowerCase()
      const pattern = when.text.toLowerCase()
      if (when.match === 'begins') return text.startsWith(pattern)
      if (when.match === 'ends') return text.endsWith(pattern)
      return text.includes(pattern) === (when.match === 'contains')
    }
    case 'blank':
    case 'filled':
      return (textOf(value).trim() === '' && !isError(value)) === (when.kind === 'blank')
    case 'error':
    case 'no-error':
      return isError(value) === (when.kind === 'error')
    case 'duplicate':
    case 'unique': {
      const key = keyOf(value)
      const count = key === undefined ? 0 : (values().counts.get(key) ?? 0)
      return when.kind === 'duplicate' ? count > 1 : count === 1
    }
    case 'rank':
      return typeof value === 'number' && isRanked(when, value, values())
    case 'average':
      return typeof value === 'number' && deviatesFromMean(when, value, values())
    case 'period':
      return typeof value === 'number' && isIn(when.period, Math.floor(value), formulas.today)
    default:
      return when satisfies never
  }
}

const isError = (value: CellValue | undefined): boolean => typeof value === 'object' && value.kind === 'error'

function textOf(value: CellValue | undefined): string {
  if (value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  return value.kind === 'rich' ? value.runs.map(({ text }) => text).join('') : ''
}

/** Compares numbers with a tolerance for rounding errors. */
const areNearlyEqual = (a: number, b: number): boolean =>
  a === b || Math.abs(a - b) < Math.max(Math.abs(a), Math.abs(b)) * 2 ** -44

const logicalNumber = <T>(value: T): T | number => (typeof value === 'boolean' ? Number(value) : value)

/**
 * Compares a cell with its operands. An empty cell equals 0 when compared with numbers and '' when compared with text. A text
 * and a number are unequal and have no order (observed in LibreOffice).
 */
function compare(
  { operator, operands }: Extract<CellCondition, { kind: 'compare' }>,
  cell: EvaluatedCell,
  formulas: Formulas,
): boolean {
  if (isError(cell.value)) return false
  const bounds: Scalar[] = []
  for (const formula of operands) {
    const result = formulas.valueFor(formula, cell)
    if (result === undefined) return false
    bounds.push(logicalNumber(result.value) ?? 0)
  }
  const [first, second] = bounds
  const cellValue: Scalar =
    cell.value === undefined
      ? typeof first === 'string'
        ? ''
        : 0
      : typeof cell.value === 'object'
        ? textOf(cell.value)
        : logicalNumber(cell.value)
  const order = orderOf(cellValue, first)
  if (operator === 'between' || operator === 'outside') {
    const other = orderOf(cellValue, second)
    if (order === undefined || other === undefined) return false
    const isBetween = (order >= 0 && other <= 0) || (order <= 0 && other >= 0)
    return isBetween === (operator === 'between')
  }
  if (order === undefined) return operator === 'unequal'
  switch (operator) {
    case 'equal':
      return order === 0
    case 'unequal':
      return order !== 0
    case 'less':
      return order < 0
    case 'at-most':
      return order <= 0
    case 'greater':
      return order > 0
    case 'at-least':
      return order >= 0
    default:
      return operator satisfies never
  }
}

/** Negative if the first value precedes the second; undefined for a text and a number. */
function orderOf(a: Scalar, b: Scalar): number | undefined {
  if (typeof a === 'string' && typeof b === 'string')
    return Math.sign(a.toLowerCase().localeCompare(b.toLowerCase(), 'en'))
  if (typeof a !== 'number' || typeof b !== 'number') return undefined
  return areNearlyEqual(a, b) ? 0 : a - b
}

/** Counts the values of an ascending list that are below a number. */
function countBelow(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? Infinity) < value) low = middle + 1
    else high = middle
  }
  return low
}
function countAbove(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? Infinity) <= value) low = middle + 1
    else high = middle
  }
  return numbers.length - low
}

function isRanked(
  { rank, percent, smallest }: Extract<CellCondition, { kind: 'rank' }>,
  value: number,
  { numbers }: AreaValues,
): boolean {
  const limit = percent ? Math.max(1, Math.floor((numbers.length * rank) / 100)) : rank
  return (smallest ? countBelow(numbers, value) : countAbove(numbers, value)) < limit
}

function deviatesFromMean(
  { below, orEqual, deviations }: Extract<CellCondition, { kind: 'average' }>,
  value: number,
  { numbers, sum }: AreaValues,
): boolean {
  if (numbers.length === 0) return false
  const mean = sum / numbers.length
  let limit = mean
  if (deviations > 0 && numbers.length > 1) {
    const squares = numbers.reduce((total, each) => total + (each - mean) ** 2, 0)
    const deviation = Math.sqrt(squares / (numbers.length - 1))
    limit += (below ? -deviations : deviations) * deviation
  }
  if (areNearlyEqual(value, limit)) return orEqual
  return below ? value < limit : value > limit
}

/** The serial number of 1 January 1970. */
const epoch = 25_569

/** Whether a day, as a serial number, is in a period. Weeks begin on Sunday (18.18.82). */
function isIn(period: DatePeriod, day: number, today: number): boolean {
  const [unit, offset] = periods[period]
  switch (unit) {
    case 'day':
      return day === today + offset
    case 'days':
      return day > today - offset && day <= today
    case 'week': {
      const first = today - weekdayOf(today - epoch) + offset * 7
      return day >= first && day < first + 7
    }
    case 'month':
    case 'year': {
      const { year, month } = civilDate(today - epoch)
      const of = unit === 'month' ? month - 1 + offset : offset * 12
      const length = unit === 'month' ? 1 : 12
      const start = (months: number): number =>
        dayNumber(year + Math.floor(months / 12), (((months % 12) + 12) % 12) + 1, 1) + epoch
      return day >= start(of) && day < start(of + length)
    }
    default:
      return unit satisfies never
  }
}
const periods: Readonly<
  Record<DatePeriod, readonly [unit: 'day' | 'days' | 'week' | 'month' | 'year', offset: number]>
> = {
  yesterday: ['day', -1],
  today: ['day', 0],
  tomorrow: ['day', 1],
  'last-7-days': ['days', 7],
  'last-week': ['week', -1],
  'this-week': ['week', 0],
  'next-week': ['week', 1],
  'last-month': ['month', -1],
  'this-month': ['month', 0],
  'next-month': ['month', 1],
  'last-year': ['year', -1],
  'this-year': ['year', 0],
  'next-year': ['year', 1],
}
