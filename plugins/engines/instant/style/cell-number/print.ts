import { civilDate, weekdayOf } from '../../../../../shared/locale/calendar.ts'
import { dateLocale } from '../../../../../shared/locale/dates.ts'
import { numberLocale } from '../../../../../shared/locale/numbers.ts'
import { general, rounded } from './decimal.ts'
import { type FormatSection, type FormatToken, parseFormat } from './parse.ts'

/** A value as its cell shows it. */
export interface PrintedValue {
  readonly text: string
  /** The colour that the format declares, 'RRGGBB'. */
  readonly color?: string
  /** Where a character is repeated until the cell is full. */
  readonly fill?: { readonly at: number; readonly character: string }
  /** Printed by `General`: decimals are dropped until the number fits. */
  readonly general?: boolean
}

export interface NumberFormatSettings {
  readonly date1904: boolean
  readonly language: string // BCP 47, of codes that name none
  /** How many decimals `General` shows at most; absent: as many as a number has. */
  readonly generalDecimals?: number
}

/** Prints values by format codes. Codes are parsed once; the printer lives as long as one document. */
export interface NumberPrinter {
  print(value: number | string, code: string): PrintedValue
}

export function createNumberPrinter(settings: NumberFormatSettings): NumberPrinter {
  const parsed = new Map<string, readonly FormatSection[]>()
  return {
    print(value, code) {
      let sections = parsed.get(code)
      if (sections === undefined) parsed.set(code, (sections = parseFormat(code)))
      return typeof value === 'number' ? printNumber(value, sections, settings) : printText(value, sections)
    },
  }
}

/** The text section is the fourth, or the only one with '@'. */
function printText(value: string, sections: readonly FormatSection[]): PrintedValue {
  const section = sections[3] ?? sections.find(({ kind }) => kind === 'text')
  if (section === undefined || section.kind === 'general') return { text: value }
  return assembled(section, (token) => (token.kind === 'text' ? value : undefined))
}

function printNumber(
  value: number,
  sections: readonly FormatSection[],
  settings: NumberFormatSettings,
): PrintedValue {
  const chosen = sectionFor(value, sections)
  if (chosen === undefined) return { text: general(value, 20, '.'), general: true }
  const { section, hasSign } = chosen
  const magnitude = hasSign ? Math.abs(value) : value
  const { group, decimal } = separatorsOf(section, settings)
  switch (section.kind) {
    case 'general':
    case 'text': {
      const only = section.tokens.length === 1
      const limit = section.kind === 'general' ? settings.generalDecimals : undefined
      const text =
        limit === undefined ? general(magnitude, 20, decimal) : generalWithin(magnitude, limit, decimal)
      if (only) return { text, general: true, ...(section.color !== undefined && { color: section.color }) }
      return assembled(section, ({ kind }) => (kind === 'general' || kind === 'text' ? text : undefined))
    }
    case 'literal':
      return assembled(section, ({ kind }) => (kind === 'percent' ? '%' : undefined))
    case 'date':
      return printDate(magnitude, section, settings)
    case 'fraction':
      return printFraction(magnitude, section)
    default:
      return printDigits(magnitude, section, { group, decimal })
  }
}

/** Prints a number in the format `General` with a limit of decimals: a number that is smaller than the last of them is 0, without an exponent. */
const generalWithin = (value: number, decimals: number, point: string): string =>
  general(Math.abs(value) < 0.5 * 10 ** -decimals ? 0 : value, decimals, point)

/** By section, since a sheet prints a million numbers by few sections. */
const separators = new WeakMap<FormatSection, Separators & { readonly language: string }>()

function separatorsOf(section: FormatSection, settings: NumberFormatSettings): Separators {
  const language = section.language ?? settings.language
  let cached = separators.get(section)
  if (cached?.language !== language) {
    const { group, decimal } = numberLocale(language)
    separators.set(section, (cached = { group, decimal, language }))
  }
  return cached
}

/** The section that applies to a number, and whether it writes the sign itself. Undefined if none applies. */
function sectionFor(
  value: number,
  all: readonly FormatSection[],
): { section: FormatSection; hasSign: boolean } | undefined {
  // A text section is not one of the sections for numbers.
  const count = all.length > 1 && all.at(-1)?.kind === 'text' ? all.length - 1 : all.length
  const [first] = all
  const second = count > 1 ? all[1] : undefined
  const third = count > 2 ? all[2] : undefined
  if (first === undefined) return undefined
  if (second === undefined) {
    if (first.condition === undefined || holds(value, first)) return { section: first, hasSign: false }
    return undefined
  }
  if (first.condition === undefined && second.condition === undefined) {
    if (value < 0) return { section: second, hasSign: true }
    return { section: value === 0 && third !== undefined ? third : first, hasSign: false }
  }
  const firstHolds = first.condition === undefined ? value > 0 : holds(value, first)
  if (firstHolds) return { section: first, hasSign: isNegativeOnly(first) }
  const secondHolds = second.condition === undefined ? third === undefined || value < 0 : holds(value, second)
  if (secondHolds) {
    const rest =
      first.condition === undefined ||
      (first.condition.operand >= 0 && first.condition.operator.startsWith('>'))
    return {
      section: second,
      hasSign: isNegativeOnly(second) || (second.condition === undefined && rest && value < 0),
    }
  }
  return third === undefined ? undefined : { section: third, hasSign: false }
}

function holds(value: number, { condition }: FormatSection): boolean {
  if (condition === undefined) return true
  const { operator, operand } = condition
  switch (operator) {
    case '<':
      return value < operand
    case '<=':
      return value <= operand
    case '>':
      return value > operand
    case '>=':
      return value >= operand
    case '=':
      return value === operand
    default:
      return value !== operand
  }
}

const isNegativeOnly = ({ condition }: FormatSection): boolean =>
  condition !== undefined &&
  ((condition.operator === '<' && condition.operand <= 0) ||
    (condition.operator === '<=' && condition.operand < 0))

/** Joins the texts of the tokens of a section. `textOf` gives those that depend on the value. */
function assembled(
  section: FormatSection,
  textOf: (token: FormatToken, index: number) => string | undefined,
): PrintedValue {
  let text = ''
  let fill: PrintedValue['fill']
  section.tokens.forEach((token, index) => {
    const valueText = textOf(token, index)
    if (valueText === undefined && token.kind === 'fill')
      fill ??= { at: text.length, character: token.text || ' ' }
    else text += valueText ?? fixedText(token, section.kind)
  })
  return {
    text,
    ...(section.color !== undefined && { color: section.color }),
    ...(fill !== undefined && { fill }),
  }
}

/** The text of a token that does not depend on the value. */
function fixedText(token: FormatToken, kind: FormatSection['kind']): string {
  // In numbers, separators are written with the digits.
  const writesSeparators = kind === 'date' || kind === 'text'
  switch (token.kind) {
    case 'literal':
    case 'digit':
      return token.text
    case 'skip':
      return ' '
    case 'slash':
      return '/'
    case 'comma':
      return writesSeparators ? ',' : ''
    case 'point':
      return writesSeparators ? '.' : ''
    case 'percent':
      return '%'
    case 'exponent':
      return 'E'
    case 'general':
      return 'General'
    default:
      return ''
  }
}

interface Separators {
  readonly group: string
  readonly decimal: string
}

/** How a section divides its digits. */
interface DigitPlan {
  readonly integers: readonly number[] // token indexes
  readonly decimals: readonly number[]
  readonly exponents: readonly number[]
  readonly grouped: boolean
  /** The number of thousands that commas at the end divide by. */
  readonly thousands: number
  readonly percents: number
  readonly point: number
}

/** By section, as `separators`. */
const digitPlans = new WeakMap<FormatSection, DigitPlan>()

function digitPlanOf(section: FormatSection): DigitPlan {
  let cached = digitPlans.get(section)
  if (cached === undefined) digitPlans.set(section, (cached = planDigits(section.tokens)))
  return cached
}

function planDigits(tokens: readonly FormatToken[]): DigitPlan {
  const exponent = tokens.findIndex(({ kind }) => kind === 'exponent')
  const mantissaEnd = exponent < 0 ? tokens.length : exponent
  const firstPoint = tokens.findIndex(({ kind }) => kind === 'point')
  const point = firstPoint >= 0 && firstPoint < mantissaEnd ? firstPoint : -1
  const digits = tokens.flatMap(({ kind }, at) => (kind === 'digit' ? [at] : []))
  const integers = digits.filter((at) => at < (point < 0 ? mantissaEnd : point))
  const decimals = digits.filter((at) => point >= 0 && at > point && at < mantissaEnd)
  const exponents = digits.filter((at) => at > mantissaEnd)
  const last = Math.max(integers.at(-1) ?? -1, decimals.at(-1) ?? -1)
  let grouped = false
  let thousands = 0
  tokens.forEach(({ kind }, at) => {
    if (kind !== 'comma') return
    if (at > (integers[0] ?? Infinity) && at < (integers.at(-1) ?? -1)) grouped = true
    // Each comma after the last digit of either part divides by a thousand.
    else if ((at > last && followsDigit(tokens, at)) || (at < point && at > (integers.at(-1) ?? Infinity)))
      thousands++
  })
  const percents = tokens.filter(({ kind }) => kind === 'percent').length
  return { integers, decimals, exponents, grouped, thousands, percents, point }
}

function followsDigit(tokens: readonly FormatToken[], at: number): boolean {
  let before = at - 1
  while (tokens[before]?.kind === 'comma') before--
  return tokens[before]?.kind === 'digit'
}

function printDigits(value: number, section: FormatSection, { group, decimal }: Separators): PrintedValue {
  const { tokens } = section
  const plan = digitPlanOf(section)
  let size = (Math.abs(value) * 100 ** plan.percents) / 1000 ** plan.thousands
  const texts = new Map<number, string>()
  if (plan.exponents.length > 0 || tokens.some(({ kind }) => kind === 'exponent')) {
    const exponent = exponentOf(size, plan)
    size = size === 0 ? 0 : size / 10 ** exponent
    fillExponent(exponent, tokens, plan, texts)
  }
  const { integer, fraction } = rounded(size, plan.decimals.length)
  fillIntegers(integer, tokens, plan, group, texts)
  const printedDecimals = fillDecimals(fraction, tokens, plan, texts)
  // Observed in LibreOffice: a decimal point is dropped if the format has placeholders for decimals and none is printed.
  const hasNoDecimals = plan.decimals.length > 0 && plan.decimals.every((index) => texts.get(index) === '')
  if (plan.point >= 0) texts.set(plan.point, hasNoDecimals ? '' : decimal)
  // Office programs print no sign if only zeros remain.
  const isZero = integer === '' && !/[1-9]/.test(printedDecimals)
  const printed = assembled(section, (token, index) => (token.kind === 'comma' ? '' : texts.get(index)))
  if (value >= 0 || isZero) return printed
  return { ...printed, text: `-${printed.text}`, ...shifted(printed.fill) }
}

const shifted = (fill: PrintedValue['fill']): Pick<PrintedValue, 'fill'> =>
  fill === undefined ? {} : { fill: { ...fill, at: fill.at + 1 } }

/** The power of ten that leaves as many digits before the point as there are placeholders. */
function exponentOf(size: number, { integers, decimals }: DigitPlan): number {
  if (size === 0) return 0
  const step = Math.max(1, integers.length)
  const down = (power: number): number => Math.floor(power / step) * step
  const power = down(Math.floor(Math.log10(Number(size.toPrecision(15)))))
  // Rounding may carry into one digit more.
  const { integer } = rounded(size / 10 ** power, decimals.length)
  return integer.length > step ? power + step : power
}

function fillExponent(
  exponent: number,
  tokens: readonly FormatToken[],
  { exponents }: DigitPlan,
  texts: Map<number, string>,
): void {
  const at = tokens.findIndex(({ kind }) => kind === 'exponent')
  const token = tokens[at]
  const plus = token?.kind === 'exponent' && token.plus
  texts.set(at, `E${exponent < 0 ? '-' : plus ? '+' : ''}`)
  const digits = String(Math.abs(exponent)).padStart(exponents.length, '0')
  exponents.forEach((index, order) => {
    const fromEnd = exponents.length - order
    texts.set(
      index,
      order === 0 ? digits.slice(0, digits.length - fromEnd + 1) : digits.charAt(digits.length - fromEnd),
    )
  })
}

/** Distributes the integer digits from the right; the first placeholder takes all that are left. */
function fillIntegers(
  integer: string,
  tokens: readonly FormatToken[],
  { integers, grouped }: DigitPlan,
  group: string,
  texts: Map<number, string>,
): void {
  const count = integers.length
  integers.forEach((index, order) => {
    const fromEnd = count - order // 1 for the last placeholder
    const token = tokens[index]
    const missing = token?.kind === 'digit' ? (token.text === '0' ? '0' : token.text === '?' ? ' ' : '') : ''
    const start = order === 0 ? 0 : integer.length - fromEnd
    const digits = integer.slice(Math.max(0, start), Math.max(0, integer.length - fromEnd + 1))
    if (digits === '') {
      // If a zero is printed for a missing digit, its separator is printed too.
      const separated = grouped && missing === '0' && fromEnd > 1 && (fromEnd - 1) % 3 === 0
      texts.set(index, missing + (separated ? group : ''))
      return
    }
    let text = ''
    for (let at = 0; at < digits.length; at++) {
      const following = digits.length - 1 - at + fromEnd - 1 // digits that follow
      text += digits.charAt(at)
      if (grouped && following > 0 && following % 3 === 0) text += group
    }
    texts.set(index, text)
  })
}

/** Places the decimals and returns them as printed. Zeros at the end of optional placeholders are dropped. */
function fillDecimals(
  fraction: string,
  tokens: readonly FormatToken[],
  { decimals }: DigitPlan,
  texts: Map<number, string>,
): string {
  let end = fraction.length
  while (end > 0 && fraction.charAt(end - 1) === '0' && !isZeroAt(tokens, decimals[end - 1])) end--
  decimals.forEach((index, order) => {
    const token = tokens[index]
    const blank = token?.kind === 'digit' && token.text === '?' ? ' ' : ''
    texts.set(index, order < end ? fraction.charAt(order) : blank)
  })
  return fraction.slice(0, end)
}

function isZeroAt(tokens: readonly FormatToken[], index: number | undefined): boolean {
  const token = index === undefined ? undefined : tokens[index]
  return token?.kind === 'digit' && token.text === '0'
}

/**
 * Prints a number as a fraction: the integer, if the format has placeholders for it, the numerator and the denominator.
 * An integer without a fraction is followed by as many spaces as the fraction would take, so that columns align.
 */
function printFraction(value: number, section: FormatSection): PrintedValue {
  const { tokens } = section
  const plan = planFraction(tokens)
  const { integer, numerator, denominator } = fractionOf(Math.abs(value), plan)
  const isInteger = plan.integers.length > 0 && numerator === 0
  const texts = new Map<number, string>([
    ...digitTexts(tokens, plan.integers, integer === 0 && !isInteger ? '' : String(integer), 'right'),
    ...digitTexts(tokens, plan.numerators, isInteger ? '' : String(numerator), 'right'),
    ...(plan.writtenDenominator === undefined
      ? digitTexts(tokens, plan.denominators, isInteger ? '' : String(denominator), 'left')
      : []),
  ])
  const fractionStart = plan.numerators[0] ?? plan.slash
  const printed = assembled(section, (token, index) => {
    if (!isInteger || index < fractionStart) return texts.get(index)
    if (index === plan.slash) return ' '
    return texts.get(index) ?? ('text' in token ? ' '.repeat(token.text.length) : ' ')
  })
  const isNegative = value < 0 && (integer > 0 || numerator > 0)
  return isNegative ? { ...printed, text: `-${printed.text}`, ...shifted(printed.fill) } : printed
}

/** The token indexes of the placeholders of a fraction. */
interface FractionPlan {
  readonly integers: readonly number[]
  readonly numerators: readonly number[]
  readonly denominators: readonly number[]
  readonly slash: number
  /** The denominator that the format writes out, as in `# ?/8`. */
  readonly writtenDenominator: number | undefined
}

/** The last group of placeholders before the slash is the numerator; those before it are the integer. */
function planFraction(tokens: readonly FormatToken[]): FractionPlan {
  const slash = tokens.findIndex(({ kind }) => kind === 'slash')
  const groups = digitGroups(tokens)
  const numerators = groups.findLast((group) => (group.at(-1) ?? Infinity) < slash) ?? []
  const afterSlash = tokens
    .slice(slash + 1)
    .map((token) => (token.kind === 'digit' ? '0' : token.kind === 'literal' ? token.text : ' '))
    .join('')
  const digits = /^\d+/.exec(afterSlash)?.[0] ?? ''
  return {
    integers: groups.filter((group) => (group.at(-1) ?? Infinity) < (numerators[0] ?? 0)).flat(),
    numerators,
    denominators: tokens.flatMap(({ kind }, index) => (index > slash && kind === 'digit' ? [index] : [])),
    slash,
    writtenDenominator: /[1-9]/.test(digits) ? Number(digits) : undefined,
  }
}

/** The parts of a number that is not negative. Without placeholders for the integer, the numerator contains it. */
function fractionOf(size: number, { integers, denominators, writtenDenominator }: FractionPlan) {
  // Sums of binary fractions may end just below an integer.
  const integer = integers.length > 0 ? Math.floor(size + 1e-12) : 0
  const [numerator, denominator] =
    writtenDenominator === undefined
      ? closest(size - integer, 10 ** Math.min(7, Math.max(1, denominators.length)) - 1)
      : [Math.round((size - integer) * writtenDenominator), writtenDenominator]
  const isRoundedUp = integers.length > 0 && numerator === denominator
  return isRoundedUp
    ? { integer: integer + 1, numerator: 0, denominator }
    : { integer, numerator, denominator }
}

/**
 * Divides digits over placeholders; the first takes those that are too many. Those without a digit show nothing ('#'), a zero
 * ('0') or a space ('?').
 */
function digitTexts(
  tokens: readonly FormatToken[],
  placeholders: readonly number[],
  digits: string,
  aligned: 'left' | 'right',
): [index: number, text: string][] {
  const count = placeholders.length
  const padded = aligned === 'left' ? digits.padEnd(count) : digits.padStart(count)
  const excess = padded.length - count
  return placeholders.map((index, order) => {
    const characters = order === 0 ? padded.slice(0, excess + 1) : padded.charAt(order + excess)
    return [index, characters === ' ' ? emptyPlaceholder(tokens[index]) : characters]
  })
}

function emptyPlaceholder(token: FormatToken | undefined): string {
  if (token?.kind !== 'digit') return ' '
  return token.text === '#' ? '' : token.text === '0' ? '0' : ' '
}

/** Runs of adjacent placeholders. */
function digitGroups(tokens: readonly FormatToken[]): number[][] {
  const groups: number[][] = []
  tokens.forEach(({ kind }, at) => {
    if (kind !== 'digit') return
    if (tokens[at - 1]?.kind === 'digit') groups.at(-1)?.push(at)
    else groups.push([at])
  })
  return groups
}

/** The fraction nearest to a number from 0 to 1 with a bounded denominator, by continued fractions. */
function closest(value: number, maxDenominator: number): [number, number] {
  let [best, error] = [[0, 1] as [number, number], value]
  let [n0, d0, n1, d1] = [0, 1, 1, 0]
  let rest = value
  for (let step = 0; step < 24; step++) {
    const quotient = Math.floor(rest)
    // The largest step that keeps the denominator within bounds also gives a candidate.
    const term = d1 === 0 ? quotient : Math.min(quotient, Math.floor((maxDenominator - d0) / d1))
    const [n, d] = [term * n1 + n0, term * d1 + d0]
    if (d > 0 && d <= maxDenominator && Math.abs(value - n / d) < error - 1e-12) {
      best = [n, d]
      error = Math.abs(value - n / d)
    }
    if (term < quotient || rest - quotient < 1e-10) break
    ;[n0, d0, n1, d1] = [n1, d1, n, d]
    rest = 1 / (rest - quotient)
  }
  return best
}

const secondsPerDay = 86_400
/** 30 December 1899 and 1 January 1904 as days since 1970. Observed in LibreOffice: 1900 is not taken for a leap year. */
const [epoch1900, epoch1904] = [-25_569, -24_107]
/** Years up to 9999 and as far back; beyond them a date cannot be printed. */
const maxSerial = 2_958_465

function printDate(value: number, section: FormatSection, settings: NumberFormatSettings): PrintedValue {
  if (!(Math.abs(value) <= maxSerial)) return { text: '###' }
  const { tokens } = section
  const decimals = tokens.reduce(
    (max, token) => (token.kind === 'date' && token.part === 'fraction' ? Math.max(max, token.width) : max),
    0,
  )
  const isElapsed = tokens.some((token) => token.kind === 'date' && token.part.startsWith('elapsed'))
  const magnitude = isElapsed ? Math.abs(value) : value
  // Observed in LibreOffice: seconds of a day are cut, elapsed seconds and fractions of a second are rounded.
  const unit = 10 ** decimals
  const exact = Number((magnitude * secondsPerDay).toPrecision(15)) * unit
  const ticks = isElapsed || decimals > 0 ? Math.round(exact) : Math.floor(exact + 1e-4)
  const seconds = Math.floor(ticks / unit)
  const days = Math.floor(seconds / secondsPerDay)
  const secondOfDay = seconds - days * secondsPerDay
  const moment: Moment = {
    days: days + (settings.date1904 ? epoch1904 : epoch1900),
    seconds,
    secondOfDay,
    fraction: String(ticks - seconds * unit).padStart(decimals, '0'),
    half: tokens.some((token) => token.kind === 'date' && (token.part === 'am-pm' || token.part === 'a-p')),
  }
  const language = section.language ?? settings.language
  const printed = assembled(section, (token) =>
    token.kind === 'date' ? datePart(token, moment, language) : undefined,
  )
  return isElapsed && value < 0 && ticks > 0 ? { ...printed, text: `-${printed.text}` } : printed
}

interface Moment {
  readonly days: number // since 1970
  readonly seconds: number // since the day before the first
  readonly secondOfDay: number
  readonly fraction: string
  readonly half: boolean
}

function datePart(
  { part, width }: Extract<FormatToken, { kind: 'date' }>,
  { days, seconds, secondOfDay, fraction, half }: Moment,
  language: string,
): string {
  const padded = (value: number): string => String(value).padStart(Math.min(width, 20), '0')
  const { year, month, day } = civilDate(days)
  const hour = Math.floor(secondOfDay / 3600)
  switch (part) {
    case 'year':
    case 'era-year':
      return width > 2 || part === 'era-year'
        ? String(year).padStart(4, '0')
        : String(year % 100).padStart(2, '0')
    case 'month': {
      if (width < 3) return padded(month)
      const { months, monthsShort, monthsInDate } = dateLocale(language)
      const name = (width === 3 ? monthsShort[month - 1] : (monthsInDate ?? months)[month - 1]) ?? ''
      return width === 5 ? name.slice(0, 1) : name
    }
    case 'day':
      return padded(day)
    case 'weekday': {
      const { weekdays, weekdaysShort } = dateLocale(language)
      return (width === 3 ? weekdaysShort : weekdays)[weekdayOf(days)] ?? ''
    }
    case 'hour':
      return String(half ? hour % 12 || 12 : hour).padStart(Math.min(width, 2), '0')
    case 'minute':
      return String(Math.floor(secondOfDay / 60) % 60).padStart(Math.min(width, 2), '0')
    case 'second':
      return String(secondOfDay % 60).padStart(Math.min(width, 2), '0')
    case 'fraction':
      return `.${fraction.slice(0, width)}`
    case 'elapsed-hour':
      return padded(Math.floor(seconds / 3600))
    case 'elapsed-minute':
      return padded(Math.floor(seconds / 60))
    case 'elapsed-second':
      return padded(seconds)
    case 'am-pm':
      return hour < 12 ? 'AM' : 'PM'
    case 'a-p':
      return hour < 12 ? 'A' : 'P'
    default:
      return part satisfies never
  }
}
