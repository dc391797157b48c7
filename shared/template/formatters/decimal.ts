import { maxDecimals } from './budget.ts'
import { numericOf } from './coerce.ts'

/**
 * Numbers as decimal text. Rounding works on the digits a person sees, not on the binary value: 1.255 rounds to 1.26.
 * Exact arithmetic is done on integers of any length with a scale.
 */

/** Longer texts are read as a double, since more digits cost time and are hardly ever intended. */
const maxExactLength = 400

/**
 * The plain decimal text of a number or numeric text, '-1234.5': no exponent, no plus sign, a digit before the point.
 * Undefined when it is not a number; 'Infinity' and 'NaN' have none either.
 */
export function decimalNotation(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? withoutExponent(String(value)) : undefined
  const number = numericOf(value)
  if (number === undefined || !Number.isFinite(number)) return undefined
  const source = (value as string).trim()
  const decimal = source.length <= maxExactLength ? withoutExponent(source) : withoutExponent(String(number))
  return decimal.length <= maxExactLength * 2 ? tidy(decimal) : tidy(withoutExponent(String(number)))
}

/**
 * Rounds plain decimal text to exactly `decimalPlaces` decimals, limited to 0 to 100; halves go towards positive
 * infinity.
 */
export function roundDecimal(decimal: string, decimalPlaces: number): string {
  decimalPlaces = Math.min(Math.max(decimalPlaces, 0), maxDecimals)
  const negative = decimal.charCodeAt(0) === 45
  const start = negative ? 1 : 0
  const point = decimal.indexOf('.')
  const integerPart = point < 0 ? decimal.slice(start) : decimal.slice(start, point)
  const fraction = point < 0 ? '' : decimal.slice(point + 1)
  let digits =
    integerPart +
    (fraction.length > decimalPlaces ? fraction.slice(0, decimalPlaces) : fraction.padEnd(decimalPlaces, '0'))
  if (fraction.length > decimalPlaces && roundsUp(fraction, decimalPlaces, negative))
    digits = increment(digits)
  const end = digits.length - decimalPlaces
  const rounded = decimalPlaces === 0 ? digits : `${digits.slice(0, end)}.${digits.slice(end)}`
  return negative && /[1-9]/.test(digits) ? `-${rounded}` : rounded
}

/** A number of any size: digits / 10^scale. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** Number of decimals of a division, and maximum number of decimals of any exact result. */
const exactDecimals = 20

/** Reads a value exactly; undefined when it is not a number. */
export function exact(value: unknown): Decimal | undefined {
  const decimal = decimalNotation(value)
  if (decimal === undefined) return undefined
  const point = decimal.indexOf('.')
  if (point < 0) return { digits: BigInt(decimal), scale: 0 }
  return {
    digits: BigInt(decimal.slice(0, point) + decimal.slice(point + 1)),
    scale: decimal.length - point - 1,
  }
}

/** The exact sum. */
export function addExact(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return trimmed({ digits: rescaled(a, scale) + rescaled(b, scale), scale })
}

export const negateExact = (a: Decimal): Decimal => ({ digits: -a.digits, scale: a.scale })

/** The exact product. */
export const multiplyExact = (a: Decimal, b: Decimal): Decimal =>
  trimmed({ digits: a.digits * b.digits, scale: a.scale + b.scale })

/** The divisor is not 0. */
export function divideExact(a: Decimal, b: Decimal): Decimal {
  const scale = exactDecimals + 1
  const shift = scale + b.scale - a.scale
  const dividend = shift >= 0 ? a.digits * 10n ** BigInt(shift) : a.digits / 10n ** BigInt(-shift)
  return trimmed({ digits: dividend / b.digits, scale })
}

/** A number if a double represents the value exactly, otherwise its decimal text. */
export function numberOrText({ digits, scale }: Decimal): number | string {
  const negative = digits < 0n
  const all = String(negative ? -digits : digits).padStart(scale + 1, '0')
  const end = all.length - scale
  const decimal = tidy(`${negative ? '-' : ''}${all.slice(0, end)}${scale > 0 ? `.${all.slice(end)}` : ''}`)
  const number = Number(decimal)
  return decimalNotation(number) === decimal ? number : decimal
}

/** Rounds half away from zero to at most `exactDecimals` decimals. */
function trimmed(a: Decimal): Decimal {
  if (a.scale <= exactDecimals) return a
  const unit = 10n ** BigInt(a.scale - exactDecimals)
  const half = a.digits < 0n ? -unit / 2n : unit / 2n
  return { digits: (a.digits + half) / unit, scale: exactDecimals }
}

const rescaled = (a: Decimal, scale: number): bigint => a.digits * 10n ** BigInt(scale - a.scale)

/** Whether the decimals from index `decimalPlaces` on round the digits before them away from zero. */
function roundsUp(fraction: string, decimalPlaces: number, negative: boolean): boolean {
  const next = fraction.charCodeAt(decimalPlaces) - 48
  if (next !== 5) return next > 5
  return !negative || /[1-9]/.test(fraction.slice(decimalPlaces + 1))
}

function increment(digits: string): string {
  let i = digits.length - 1
  while (i >= 0 && digits[i] === '9') i--
  const zeros = '0'.repeat(digits.length - 1 - i)
  return i < 0 ? `1${zeros}` : digits.slice(0, i) + String.fromCharCode(digits.charCodeAt(i) + 1) + zeros
}

/** Writes out an exponent: 1.5e-7 as 0.00000015. */
function withoutExponent(source: string): string {
  const e = source.search(/e/i)
  if (e < 0) return source
  const exponent = Number.parseInt(source.slice(e + 1), 10)
  const mantissa = source.slice(0, e)
  const sign = mantissa.startsWith('-') ? '-' : ''
  const [integerPart = '', fraction = ''] = mantissa.replace(/^[-+]/, '').split('.')
  const digits = integerPart + fraction
  const point = integerPart.length + exponent
  if (Math.abs(exponent) > maxExactLength) return withoutExponent(String(Number(source)))
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return sign + digits + '0'.repeat(point - digits.length)
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Without plus sign, leading zeros, trailing zeros after the point, or a bare point. */
function tidy(decimal: string): string {
  const sign = decimal.startsWith('-') ? '-' : ''
  const [integerPart = '', fraction = ''] = decimal.replace(/^[-+]/, '').split('.')
  const decimals = fraction.replace(/0+$/, '')
  const text = (integerPart.replace(/^0+(?=\d)/, '') || '0') + (decimals === '' ? '' : `.${decimals}`)
  return text === '0' ? '0' : sign + text
}
