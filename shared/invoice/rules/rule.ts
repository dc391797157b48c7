/** Rules as data, and the functions that build their conditions. `docs/invoices.md` shows how to add one. */
import {
  add,
  compare,
  type Decimal,
  keyOf,
  negate,
  parseDecimal,
  significantDigits,
  sum,
} from '../decimal.ts'
import type { InvoiceProblem } from '../problem.ts'
import type { Group, Value } from '../syntax/binding.ts'

export type Condition = (at: Group, facts: Facts) => boolean

export interface Rule {
  /** The number in the standard: 'BR-02'. */
  readonly id: string
  readonly severity: InvoiceProblem['severity']
  /** The group that the rule applies to, each occurrence separately. Absent: the invoice. */
  readonly each?: string
  /** The business term that a problem names, with its path or the path where it is missing. */
  readonly field: string
  /** Absent: always. */
  readonly when?: Condition
  readonly test: Condition
  /** What is required, as a sentence with a suggestion. */
  readonly message: string
  /** The lowest profile that includes the field: 0 MINIMUM, 1 BASIC WL, 2 BASIC (the default), 3 EN 16931. */
  readonly since?: 0 | 1 | 2 | 3
}

/** Values that rules about the whole invoice use, computed once for each invoice. */
export interface Facts {
  readonly invoice: Group
  readonly syntax: 'CII' | 'UBL'
  /** Lines whose amounts are included in sums; Factur-X EXTENDED has others that are only informative. */
  readonly lines: readonly Group[]
  readonly allowances: readonly Group[]
  readonly charges: readonly Group[]
  readonly breakdown: readonly Group[]
  /** VAT category -> the groups with it, by kind. */
  readonly byCategory: ReadonlyMap<string, CategoryUse>
  /** Category and rate -> the taxable amount of lines and charges less allowances. */
  readonly taxable: ReadonlyMap<string, Decimal>
  /** Maximum difference of sums: 0, or in EXTENDED a cent for each line, charge and allowance. */
  readonly tolerance: Decimal
}

export interface CategoryUse {
  lines: number
  allowances: number
  charges: number
  breakdown: number
}

// --------------------------------------------------------------------------------------------------------------- values

export const valuesOf = (at: Group, term: string): readonly Value[] => at.terms.get(term) ?? []
export const textOf = (at: Group, term: string): string =>
  valuesOf(at, term).find(({ text }) => text !== '')?.text ?? ''
/** A number; undefined if it is missing or invalid, which the schema reports. */
export const numberOf = (at: Group, term: string): Decimal | undefined => parseDecimal(textOf(at, term))

export const isPresent = (at: Group, term: string): boolean =>
  term.startsWith('BG-')
    ? valuesOf(at, term).length > 0 || (at.groups.get(term)?.length ?? 0) > 0
    : textOf(at, term) !== ''

/** The key of `Facts.taxable`. Rates are compared as numbers: 19 is 19.00. */
export function taxKey(category: string, rate: string): string {
  const number = parseDecimal(rate)
  return `${category}|${number === undefined ? '' : keyOf(number)}`
}

// ----------------------------------------------------------------------------------------------------------- conditions

/** Whether one of the terms is present. */
export const has =
  (...terms: readonly string[]): Condition =>
  (at) =>
    terms.some((term) => isPresent(at, term))
export const hasInInvoice =
  (...terms: readonly string[]): Condition =>
  (_at, { invoice }) =>
    terms.some((term) => isPresent(invoice, term))
export const not =
  (condition: Condition): Condition =>
  (at, facts) =>
    !condition(at, facts)
export const all =
  (...conditions: readonly Condition[]): Condition =>
  (at, facts) =>
    conditions.every((condition) => condition(at, facts))
export const any =
  (...conditions: readonly Condition[]): Condition =>
  (at, facts) =>
    conditions.some((condition) => condition(at, facts))

export const isOneOf = (term: string, codes: ReadonlySet<string> | readonly string[]): Condition => {
  const codeSet = new Set(codes)
  return (at) => valuesOf(at, term).every(({ text }) => text === '' || codeSet.has(text))
}
export const matches =
  (term: string, pattern: RegExp): Condition =>
  (at) =>
    valuesOf(at, term).every(({ text }) => text === '' || pattern.test(text))
/** True for a missing number, because another rule requires it. */
export const number =
  (term: string, test: (value: Decimal) => boolean): Condition =>
  (at) => {
    const value = numberOf(at, term)
    return value === undefined || test(value)
  }
export const hasScheme =
  (term: string, attribute: string): Condition =>
  (at) =>
    valuesOf(at, term).every(({ attributes }) => (attributes.get(attribute) ?? '') !== '')

/** Whether the number of the first term is the sum of the others in the same group; missing ones are 0. */
export const equalsSum =
  (
    total: string,
    {
      plus,
      minus = [],
      tolerant = false,
    }: { readonly plus: readonly string[]; readonly minus?: readonly string[]; readonly tolerant?: boolean },
  ): Condition =>
  (at, facts) => {
    const expected = numberOf(at, total)
    if (expected === undefined) return true
    const parts = [
      ...plus.flatMap((term) => numberOf(at, term) ?? []),
      ...minus.flatMap((term) => {
        const value = numberOf(at, term)
        return value === undefined ? [] : negate(value)
      }),
    ]
    return isWithin(expected, sum(parts), tolerant ? facts.tolerance : undefined)
  }

/** Whether two amounts are equal, or differ by at most the tolerance. */
export function isWithin(left: Decimal, right: Decimal, tolerance?: Decimal): boolean {
  if (tolerance === undefined || tolerance.units === 0n) return compare(left, right) === 0
  return compare(left, add(right, tolerance)) <= 0 && compare(right, add(left, tolerance)) <= 0
}

export const hasDigits =
  (term: string, max: number): Condition =>
  (at) =>
    valuesOf(at, term).every(({ text }) => {
      const value = parseDecimal(text)
      return value === undefined || value.scale <= max || significantDigits(value) <= max
    })

// ---------------------------------------------------------------------------------------------------------------- rules

type Options = Pick<Rule, 'each' | 'since' | 'when'> & { readonly severity?: Rule['severity'] }

/** Creates a rule that requires a term, or one of several, of which the first is named. */
export function required(
  id: string,
  terms: string | readonly string[],
  name: string,
  { severity = 'error', ...options }: Options = {},
): Rule {
  const list = typeof terms === 'string' ? [terms] : terms
  const field = list[0] ?? ''
  const message = `${name} (${list.join(' or ')}) is missing. Add it.`
  return { id, severity, field, test: has(...list), message, ...options }
}

export function rule(
  id: string,
  field: string,
  test: Condition,
  message: string,
  { severity = 'error', ...options }: Options = {},
): Rule {
  return { id, severity, field, test, message, ...options }
}
