/** Exact decimals for the amounts of an invoice: with binary fractions, correct sums would be reported as wrong. */
export interface Decimal {
  /** The value times ten to the power of `scale`. */
  readonly units: bigint
  /** The number of decimals, as written. */
  readonly scale: number
}

export const zero: Decimal = { units: 0n, scale: 0 }
export const unit: Decimal = { units: 1n, scale: 0 }
const maxLength = 40 // characters; longer numbers are not amounts, and multiplying them takes time

/** Reads the lexical form of xs:decimal; undefined for any other text. XML Schema 1.0 part 2, 3.2.3. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.trim())
  if (match === null || text.length > maxLength) return undefined
  const [, sign, whole = '', fraction = ''] = match
  if (whole === '' && fraction === '') return undefined
  const units = BigInt(whole + fraction)
  return { units: sign === '-' ? -units : units, scale: fraction.length }
}

const scaled = ({ units, scale }: Decimal, to: number): bigint => units * 10n ** BigInt(to - scale)

export function add(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale)
  return { units: scaled(left, scale) + scaled(right, scale), scale }
}

export const negate = ({ units, scale }: Decimal): Decimal => ({ units: -units, scale })
export const subtract = (left: Decimal, right: Decimal): Decimal => add(left, negate(right))
export const absolute = (value: Decimal): Decimal => (value.units < 0n ? negate(value) : value)

export const multiply = (left: Decimal, right: Decimal): Decimal => ({
  units: left.units * right.units,
  scale: left.scale + right.scale,
})

/** -1, 0 or 1. */
export function compare(left: Decimal, right: Decimal): number {
  const { units } = subtract(left, right)
  return units < 0n ? -1 : units > 0n ? 1 : 0
}

/** Rounds to a number of decimals, halves away from zero. EN 16931-1, 7.4. */
export function round(value: Decimal, digits: number): Decimal {
  if (value.scale <= digits) return value
  const divisor = 10n ** BigInt(value.scale - digits)
  const { units } = absolute(value)
  const rounded = (units + divisor / 2n) / divisor
  return { units: value.units < 0n ? -rounded : rounded, scale: digits }
}

export const sum = (values: readonly Decimal[]): Decimal => values.reduce(add, zero)

/** The number of decimals without trailing zeros. */
export function significantDigits({ units, scale }: Decimal): number {
  let digits = scale
  for (let left = units; digits > 0 && left % 10n === 0n; left /= 10n) digits--
  return digits
}

/** Returns the same text for equal values, for comparing and grouping. */
export const keyOf = (value: Decimal): string => {
  const digits = significantDigits(value)
  return `${value.units / 10n ** BigInt(value.scale - digits)}e-${digits}`
}
