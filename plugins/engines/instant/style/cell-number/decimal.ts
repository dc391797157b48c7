/** The decimal digits of a number as office programs print them: fifteen significant digits. */
export interface Decimal {
  readonly integer: string // without leading zeros; '' for none
  readonly fraction: string
}

const significant = 15

const powers = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

/**
 * A fast variant of `rounded`, for numbers for which binary arithmetic gives the same digits: not too large, and not so close
 * to a half that the last bits decide. Undefined for other numbers.
 */
function roundedQuickly(value: number, decimals: number): Decimal | undefined {
  const power = powers[decimals]
  const scaled = power === undefined ? Infinity : value * power
  if (!(scaled < 1e12)) return undefined
  const below = Math.floor(scaled)
  const rest = scaled - below
  if (rest > 0.4999 && rest < 0.5001) return undefined
  const count = rest > 0.5 ? below + 1 : below
  if (count === 0) return { integer: '', fraction: '0'.repeat(decimals) }
  const digits = String(count).padStart(decimals, '0')
  const integerLength = digits.length - decimals
  return { integer: digits.slice(0, integerLength), fraction: digits.slice(integerLength) }
}

/** Rounds a number of at least 0, half up, to a number of decimals. */
export function rounded(value: number, decimals: number): Decimal {
  return roundedQuickly(value, decimals) ?? roundedExactly(value, decimals)
}

function roundedExactly(value: number, decimals: number): Decimal {
  const [mantissa = '0', power = '0'] = value.toExponential(significant - 1).split('e')
  const digits = mantissa.replace('.', '')
  const exponent = Number(power)
  const keep = exponent + 1 + decimals // digits to keep
  if (value === 0 || keep < 0) return { integer: '', fraction: '0'.repeat(decimals) }
  let kept = digits.slice(0, keep).padEnd(Math.min(keep, 400), '0')
  if ((digits.charCodeAt(keep) || 48) >= 53) kept = incremented(kept)
  // A carry makes the number one digit longer.
  const integerDigits = Math.max(0, kept.length - decimals)
  const integer = kept.slice(0, integerDigits).replace(/^0+/, '')
  return { integer, fraction: kept.slice(integerDigits).padStart(decimals, '0') }
}

/** Adds one to the last digit. */
function incremented(digits: string): string {
  let at = digits.length - 1
  while (at >= 0 && digits.charCodeAt(at) === 57) at--
  const zeros = '0'.repeat(digits.length - 1 - at)
  return at < 0 ? `1${zeros}` : `${digits.slice(0, at)}${Number(digits.charAt(at)) + 1}${zeros}`
}

/**
 * Prints a number in the format `General`: as many decimals as it has, at most `decimals`, and an exponent for very large and
 * very small numbers. Observed in LibreOffice.
 */
export function general(value: number, decimals: number, point: string): string {
  if (!Number.isFinite(value)) return value === 0 ? '0' : '###'
  const size = Math.abs(value)
  const sign = value < 0 ? '-' : ''
  if (size !== 0 && (size >= 1e15 || size < 1e-4)) {
    const exact = scientific(size, significant - 1, point)
    if (size >= 1e15 || size < 1e-9) return sign + exact
  }
  const shortest = shortestDigits(size, decimals)
  if (shortest !== undefined) return (size === 0 ? '' : sign) + shortest.replace('.', point)
  const exponent = size === 0 ? 0 : Math.floor(Math.log10(size))
  const maxDecimals = Math.max(0, Math.min(decimals, significant - 1 - exponent))
  const { integer, fraction } = rounded(size, Math.min(20, maxDecimals))
  const trimmed = fraction.replace(/0+$/, '')
  const text = `${integer === '' ? '0' : integer}${trimmed === '' ? '' : point + trimmed}`
  return /^0*$/.test(text) ? text : sign + text
}

/**
 * The digits of a number of at least 0 where it needs no rounding: it has at most `decimals` decimals and fifteen digits in all,
 * which every double keeps, so that the shortest digits that read back as the number are its first fifteen ones. Most cells
 * hold such numbers. Undefined elsewhere.
 */
function shortestDigits(size: number, decimals: number): string | undefined {
  const quick = decimals >= 3 && size < 1e9 ? thousandths(size) : undefined
  if (quick !== undefined) return quick
  const digits = String(size)
  const at = digits.indexOf('.')
  const isShort = digits.length <= (at < 0 ? significant : significant + 1)
  return isShort && !digits.includes('e') && (at < 0 || digits.length - at - 1 <= decimals)
    ? digits
    : undefined
}

/**
 * The digits of a number with at most three decimals; undefined for others. Writing a whole number takes a third of the time of
 * writing one with decimals, and the quotient of two such numbers is the double that is nearest to the decimal number.
 */
function thousandths(size: number): string | undefined {
  for (let digits = 0; digits <= 3; digits++) {
    const power = powers[digits] ?? 1
    const count = Math.round(size * power)
    if (count / power !== size) continue
    const text = String(count)
    if (digits === 0) return text
    const padded = text.padStart(digits + 1, '0')
    return `${padded.slice(0, -digits)}.${padded.slice(-digits)}`
  }
  return undefined
}

/** A number of at least 0 with an exponent: '1.5E+20'. */
export function scientific(value: number, decimals: number, point: string): string {
  const [mantissa = '0', power = '0'] = value.toExponential(Math.max(0, Math.min(14, decimals))).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const trimmed = fraction.replace(/0+$/, '')
  const digits = power.replace(/[+-]/, '').padStart(2, '0')
  return `${whole}${trimmed === '' ? '' : point + trimmed}E${power.startsWith('-') ? '-' : '+'}${digits}`
}
