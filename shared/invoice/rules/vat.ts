/** The rules of the VAT categories, BR-S-01 to BR-B-02: a table of categories, and the ten rules that each of them has. */
import { absolute, compare, round, subtract, unit } from '../decimal.ts'
import type { Group } from '../syntax/binding.ts'
import {
  any,
  type Condition,
  type Facts,
  has,
  hasInInvoice,
  isPresent,
  not,
  numberOf,
  type Rule,
  rule,
  taxKey,
  textOf,
} from './rule.ts'

interface Category {
  readonly prefix: string // 'BR-S'
  readonly code: string
  readonly name: string
  /** There are several rates, so several groups of the breakdown. */
  readonly hasRates?: true
  readonly rate: 'positive' | 'zero' | 'none' | 'any'
  /** Whether the breakdown states why no VAT is charged. */
  readonly reason: 'required' | 'forbidden'
  /** Lists of identifiers of the parties; at least one of each list is required. */
  readonly parties: readonly (readonly string[])[]
}

const seller = ['BT-31', 'BT-32', 'BT-63']
const categories: readonly Category[] = [
  {
    prefix: 'BR-S',
    code: 'S',
    name: 'standard rated',
    hasRates: true,
    rate: 'positive',
    reason: 'forbidden',
    parties: [seller],
  },
  { prefix: 'BR-Z', code: 'Z', name: 'zero rated', rate: 'zero', reason: 'forbidden', parties: [seller] },
  { prefix: 'BR-E', code: 'E', name: 'exempt from VAT', rate: 'zero', reason: 'required', parties: [seller] },
  {
    prefix: 'BR-AE',
    code: 'AE',
    name: 'reverse charge',
    rate: 'zero',
    reason: 'required',
    parties: [seller, ['BT-48', 'BT-47']],
  },
  {
    prefix: 'BR-IC',
    code: 'K',
    name: 'intra-community supply',
    rate: 'zero',
    reason: 'required',
    parties: [['BT-31', 'BT-63'], ['BT-48']],
  },
  {
    prefix: 'BR-G',
    code: 'G',
    name: 'export outside the EU',
    rate: 'zero',
    reason: 'required',
    parties: [['BT-31', 'BT-63']],
  },
  { prefix: 'BR-O', code: 'O', name: 'not subject to VAT', rate: 'none', reason: 'required', parties: [] },
  {
    prefix: 'BR-AF',
    code: 'L',
    name: 'IGIC',
    hasRates: true,
    rate: 'any',
    reason: 'forbidden',
    parties: [seller],
  },
  {
    prefix: 'BR-AG',
    code: 'M',
    name: 'IPSI',
    hasRates: true,
    rate: 'any',
    reason: 'forbidden',
    parties: [seller],
  },
]

/** The three kinds of groups with a VAT category, with the numbers of their rules. */
const kinds = [
  {
    key: 'lines',
    group: 'BG-25',
    category: 'BT-151',
    rate: 'BT-152',
    party: '02',
    rateRule: '05',
    name: 'line',
    since: 2,
  },
  {
    key: 'allowances',
    group: 'BG-20',
    category: 'BT-95',
    rate: 'BT-96',
    party: '03',
    rateRule: '06',
    name: 'allowance',
    since: 1,
  },
  {
    key: 'charges',
    group: 'BG-21',
    category: 'BT-102',
    rate: 'BT-103',
    party: '04',
    rateRule: '07',
    name: 'charge',
    since: 1,
  },
] as const

const useOf = ({ byCategory }: Facts, code: string) =>
  byCategory.get(code) ?? { lines: 0, allowances: 0, charges: 0, breakdown: 0 }

const isCategory =
  (term: string, code: string): Condition =>
  (at) =>
    textOf(at, term) === code

const rateTests: Readonly<Record<Category['rate'], (at: Group, term: string) => boolean>> = {
  positive: (at, term) => (numberOf(at, term)?.units ?? 0n) > 0n,
  zero: (at, term) => numberOf(at, term)?.units === 0n,
  none: (at, term) => !isPresent(at, term),
  any: (at, term) => (numberOf(at, term)?.units ?? -1n) >= 0n,
}
const rateTexts: Readonly<Record<Category['rate'], string>> = {
  positive: 'must be above 0',
  zero: 'must be 0',
  none: 'must be left out',
  any: 'must be 0 or above',
}

function rulesOf(category: Category): readonly Rule[] {
  const { prefix, code, name, hasRates, rate, reason } = category
  const isBreakdown = { each: 'BG-23', since: 1, when: isCategory('BT-118', code) } as const
  return [
    rule(
      `${prefix}-01`,
      'BG-23',
      (_at, facts) => {
        const { lines, allowances, charges, breakdown } = useOf(facts, code)
        const isUsed = lines + allowances + charges > 0
        return hasRates || !isUsed ? !isUsed || breakdown > 0 : breakdown === 1
      },
      `Lines, allowances or charges are ${name} (${code}), so the VAT breakdown needs ${hasRates ? 'a group' : 'exactly one group'} of that category (BT-118).`,
      { since: 1 },
    ),
    ...kinds.flatMap(({ key, party, since }) => partyRules(category, key, `${prefix}-${party}`, since)),
    ...kinds.map((kind) =>
      rule(
        `${prefix}-${kind.rateRule}`,
        kind.rate,
        (at) => rateTests[rate](at, kind.rate),
        `The VAT rate of a ${kind.name} that is ${name} ${rateTexts[rate]} (${kind.rate}).`,
        { each: kind.group, since: kind.since, when: isCategory(kind.category, code) },
      ),
    ),
    rule(
      `${prefix}-08`,
      'BT-116',
      (at, { taxable, tolerance }) => {
        const amount = numberOf(at, 'BT-116')
        if (amount === undefined) return true
        const expected = taxable.get(taxKey(code, hasRates ? textOf(at, 'BT-119') : ''))
        const difference = absolute(subtract(amount, round(expected ?? { units: 0n, scale: 0 }, 2)))
        // The published rules for rates accept a difference below one unit.
        return hasRates ? compare(difference, unit) < 0 : compare(difference, tolerance) <= 0
      },
      `The taxable amount of ${name} (BT-116) must be its lines less allowances plus charges.`,
      { ...isBreakdown, since: 2 },
    ),
    ...(hasRates
      ? []
      : [
          rule(
            `${prefix}-09`,
            'BT-117',
            (at) => (numberOf(at, 'BT-117')?.units ?? 0n) === 0n,
            `The tax amount of ${name} (BT-117) must be 0.`,
            isBreakdown,
          ),
        ]),
    rule(
      `${prefix}-10`,
      'BT-120',
      reason === 'required' ? has('BT-120', 'BT-121') : not(has('BT-120', 'BT-121')),
      reason === 'required'
        ? `A group that is ${name} needs the reason of the exemption (BT-120) or its code (BT-121). Add one.`
        : `A group that is ${name} must not have a reason of exemption (BT-120, BT-121). Remove it.`,
      isBreakdown,
    ),
  ]
}

/**
 * The identifiers of the parties, which are required if a kind of group has the category; in O, they are forbidden.
 */
function partyRules(
  { code, name, parties }: Category,
  key: 'lines' | 'allowances' | 'charges',
  id: string,
  since: 1 | 2,
): readonly Rule[] {
  const when: Condition = (_at, facts) => useOf(facts, code)[key] > 0
  if (code === 'O')
    return [
      rule(
        id,
        'BT-31',
        not(has('BT-31', 'BT-63', 'BT-48')),
        `An invoice that is ${name} must not have VAT identifiers (BT-31, BT-48, BT-63). Remove them.`,
        { since, when },
      ),
    ]
  return parties.map((terms) =>
    rule(
      id,
      terms[0] ?? '',
      has(...terms),
      `An invoice with ${key} that are ${name} needs ${terms.join(' or ')}. Add it.`,
      { since, when },
    ),
  )
}

const hasOther =
  (key: 'lines' | 'allowances' | 'charges' | 'breakdown'): Condition =>
  (_at, { byCategory }) =>
    [...byCategory].some(([code, use]) => code !== 'O' && use[key] > 0)
const hasO: Condition = (_at, facts) => useOf(facts, 'O').breakdown > 0
const hasK: Condition = (_at, facts) => useOf(facts, 'K').breakdown > 0
const hasB: Condition = (_at, facts) => {
  const { lines, allowances, charges } = useOf(facts, 'B')
  return lines + allowances + charges > 0
}

const others: readonly Rule[] = [
  rule(
    'BR-IC-11',
    'BT-72',
    hasInInvoice('BT-72', 'BG-14'),
    'An intra-community supply needs the delivery date (BT-72) or the invoicing period (BG-14). Add one.',
    { since: 1, when: hasK },
  ),
  rule(
    'BR-IC-12',
    'BT-80',
    hasInInvoice('BT-80'),
    'An intra-community supply needs the country of delivery (BT-80). Add it.',
    { since: 1, when: hasK },
  ),
  rule(
    'BR-O-11',
    'BG-23',
    not(hasOther('breakdown')),
    'An invoice that is not subject to VAT must have no group of another category in its VAT breakdown.',
    { since: 1, when: hasO },
  ),
  rule(
    'BR-O-12',
    'BG-25',
    not(hasOther('lines')),
    'An invoice that is not subject to VAT must have no line of another category.',
    { since: 2, when: hasO },
  ),
  rule(
    'BR-O-13',
    'BG-20',
    not(hasOther('allowances')),
    'An invoice that is not subject to VAT must have no allowance of another category.',
    { since: 1, when: hasO },
  ),
  rule(
    'BR-O-14',
    'BG-21',
    not(hasOther('charges')),
    'An invoice that is not subject to VAT must have no charge of another category.',
    { since: 1, when: hasO },
  ),
  rule(
    'BR-B-01',
    'BT-151',
    (at) => textOf(at, 'BT-40') === 'IT' && textOf(at, 'BT-55') === 'IT',
    'Split payment (B) is for invoices within Italy only. Use another category.',
    { since: 2, when: hasB },
  ),
  rule(
    'BR-B-02',
    'BT-151',
    any((_at, facts) => {
      const { lines, allowances, charges } = useOf(facts, 'S')
      return lines + allowances + charges === 0
    }),
    'An invoice with split payment (B) must have nothing that is standard rated (S).',
    { since: 2, when: hasB },
  ),
]

export const vatRules: readonly Rule[] = [...categories.flatMap(rulesOf), ...others]
