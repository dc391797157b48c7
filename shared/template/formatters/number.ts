import { localNumber, type NumberLocale, numberLocale } from '../../locale/numbers.ts'
import { maxDecimals } from './budget.ts'
import { asTextOrNumber, integer, isMissing, toNumber } from './coerce.ts'
import {
  addExact,
  type Decimal,
  decimalNotation,
  divideExact,
  exact,
  multiplyExact,
  negateExact,
  numberOrText,
  roundDecimal,
} from './decimal.ts'
import { optional, required, value } from './define.ts'
import type { Formatter, RenderContext } from './formatter.ts'

/** Numbers and arithmetic. A missing value (null, undefined) is returned unchanged. */

const precision = optional('precision', 'integer', 'decimals, from 0 to 100')

/**
 * The number in the format of the language, rounded to exactly `precision` decimals, 3 if omitted. A value that is
 * not a number is returned unchanged. In spreadsheets the cell becomes a number.
 *
 * @example 1234567.891 {d.v:formatN} {d.v:formatN(0)} {d.v:formatN('2')} => 1,234,567.891 1,234,568 1,234,567.89
 * @example 1234567.891 {d.v:formatN(2)} => 1 234 567,89 | lang=fr-fr
 * @example 1234567.891 {d.v:formatN(2)} => 1.234.567,89 | lang=de
 * @example 1234567.891 {d.v:formatN(2)} => 1’234’567.89 | lang=de-ch
 * @example 1234567.891 {d.v:formatN(2)} => 1,234,567.89 | lang=xx-yy
 * @example "98765.4321" {d.v:formatN(2)} => 98,765.43
 * @example 7 {d.v:formatN} => 7.000
 * @example -1234.565 {d.v:formatN(2)} => -1,234.56
 * @example 1.005 {d.v:formatN(2)} => 1.01
 * @example 1e21 {d.v:formatN(0)} => 1,000,000,000,000,000,000,000
 * @example "n/a" {d.v:formatN(2)} => n/a
 * @example null {d.v:formatN(2)} =>
 */
export const formatN = value('formatN', [precision], (v, [decimalPlaces], { render }) => {
  const decimal = decimalNotation(v)
  return decimal === undefined
    ? v
    : localNumber(roundDecimal(decimal, integer(decimalPlaces, 3)), locale(render))
})

/**
 * Rounds the decimal digits of the number. Halves go up, towards positive infinity. Without `precision` to an integer.
 *
 * @example 1.255 {d.v:round(2)} => 1.26
 * @example -1.255 {d.v:round(2)} => -1.25
 * @example 7.256 {d.v:round(1)} => 7.3
 * @example 7.5 {d.v:round} => 8
 * @example "x" {d.v:round(2)} => NaN
 */
export const round = value('round', [precision], (v, [decimalPlaces]) => {
  if (isMissing(v)) return v
  const decimal = decimalNotation(v) ?? decimalNotation(toNumber(v))
  return decimal === undefined ? toNumber(v) : Number(roundDecimal(decimal, integer(decimalPlaces, 0)))
})

const operand = required('x', 'expression', 'a number, a path, or an expression with + - * /')

/**
 * Adds.
 *
 * @example 7.256 {d.v:add(2)} => 9.256
 * @example {"v":4,"w":6} {d.v:add(.w)} => 10
 * @example "abc" {d.v:add(1)} => NaN
 * @example null {d.v:add(1)} =>
 * @example 0.1 {d.v:add(0.2)} => 0.30000000000000004
 * @example 0.1 {d.v:add(0.2)} => 0.3 | highPrecision=true
 * @example "12345678901234567890.12" {d.v:add(1)} => 12345678901234567891.12 | highPrecision=true
 */
export const add = arithmetic('add', (a, b) => a + b, addExact)

/**
 * Subtracts.
 *
 * @example 7 {d.v:sub(2.5)} => 4.5
 * @example 0.3 {d.v:sub(0.1)} => 0.2 | highPrecision=true
 */
export const sub = arithmetic(
  'sub',
  (a, b) => a - b,
  (a, b) => addExact(a, negateExact(b)),
)

/**
 * Multiplies.
 *
 * @example "4" {d.v:mul(3)} => 12
 * @example 1.1 {d.v:mul(3)} => 3.3 | highPrecision=true
 */
export const mul = arithmetic('mul', (a, b) => a * b, multiplyExact)

/**
 * Divides. With a divisor of 0 the value is returned unchanged.
 *
 * @example 7.256 {d.v:div(3)} => 2.4186666666666667
 * @example "4" {d.v:div(0)} => 4
 * @example 1 {d.v:div(3)} => 0.33333333333333333333 | highPrecision=true
 * @example 2 {d.v:div(-3)} => -0.66666666666666666667 | highPrecision=true
 */
export const div = arithmetic(
  'div',
  (a, b) => (b === 0 ? undefined : a / b),
  (a, b) => (b.digits === 0n ? undefined : divideExact(a, b)),
)

/**
 * The remainder of a division, with the sign of the value.
 *
 * @example -7.5 {d.v:mod(2)} => -1.5
 * @example "10" {d.v:mod(4)} => 2
 */
export const mod = value('mod', [required('x', 'number', 'the divisor')], (v, [x]) =>
  isMissing(v) ? v : toNumber(v) % toNumber(x),
)

/**
 * The absolute value.
 *
 * @example -7.5 {d.v:abs} => 7.5
 * @example "-3" {d.v:abs} => 3
 * @example null {d.v:abs} =>
 */
export const abs = compute('abs', Math.abs)

/**
 * Rounds up to an integer.
 *
 * @example -7.5 {d.v:ceil} => -7
 * @example "1.2" {d.v:ceil} => 2
 */
export const ceil = compute('ceil', Math.ceil)

/**
 * Rounds down to an integer.
 *
 * @example -7.5 {d.v:floor} => -8
 * @example 1.8 {d.v:floor} => 1
 */
export const floor = compute('floor', Math.floor)

/**
 * The leading integer of a text. Better: `floor` or `round`.
 *
 * @example "12.7kg" {d.v:int} => 12
 * @example 1e21 {d.v:int} => 1e+21
 */
export const int = value('int', [], (v) => {
  if (isMissing(v)) return v
  return typeof v === 'number' ? Math.trunc(v) : Number.parseInt(asTextOrNumber(v) ?? '', 10)
})

/**
 * Text with a fixed number of decimals, rounded as JavaScript does. Better: `formatN`.
 *
 * @example 7.256 {d.v:toFixed(2)} => 7.26
 * @example 7 {d.v:toFixed} => 7
 */
export const toFixed = value('toFixed', [precision], (v, [decimalPlaces]) =>
  isMissing(v) ? v : toNumber(v).toFixed(Math.min(Math.max(integer(decimalPlaces, 0), 0), maxDecimals)),
)

/**
 * Commas become points. Better: `formatN`.
 *
 * @example "7,256" {d.v:toEN} => 7.256
 */
export const toEN = value('toEN', [], (v) => asTextOrNumber(v)?.replaceAll(',', '.') ?? v)

/**
 * Points become commas. Better: `formatN`.
 *
 * @example 7.256 {d.v:toFR} => 7,256
 */
export const toFR = value('toFR', [], (v) => asTextOrNumber(v)?.replaceAll('.', ',') ?? v)

/** The number locale of a render, looked up once. */
export function locale(render: RenderContext): NumberLocale {
  const cached = render.memo.get('number') as NumberLocale | undefined
  if (cached !== undefined) return cached
  const locale = numberLocale(render.lang)
  render.memo.set('number', locale)
  return locale
}

/** If an operation returns `undefined`, the value is returned unchanged. */
function arithmetic(
  name: string,
  fast: (a: number, b: number) => number | undefined,
  slow: (a: Decimal, b: Decimal) => Decimal | undefined,
): Formatter {
  return value(name, [operand], (v, [x], { render }) => {
    if (isMissing(v)) return v
    if (render.highPrecision) {
      const a = exact(v)
      const b = exact(x)
      if (a !== undefined && b !== undefined) {
        const result = slow(a, b)
        return result === undefined ? v : numberOrText(result)
      }
    }
    return fast(toNumber(v), toNumber(x)) ?? v
  })
}

function compute(name: string, change: (number: number) => number): Formatter {
  return value(name, [], (v) => (isMissing(v) ? v : change(toNumber(v))))
}
