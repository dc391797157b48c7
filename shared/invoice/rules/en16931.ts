/** The business rules of EN 16931-1:2017+A1:2019, clause 6.4, besides those of VAT categories (`vat.ts`). The texts are our own. */
import { absolute, compare, multiply, round, subtract, sum, unit, zero } from '../decimal.ts'
import {
  addressSchemes,
  allowanceReasons,
  chargeReasons,
  classificationSchemes,
  countries,
  creditNoteTypes,
  currencies,
  documentTypes,
  exemptionReasons,
  identifierSchemes,
  mimeTypes,
  noteSubjects,
  objectSchemes,
  paymentMeans,
  taxPointCodes,
  vatCategories,
} from './codes.ts'
import {
  all,
  any,
  equalsSum,
  has,
  hasDigits,
  hasScheme,
  isOneOf,
  isPresent,
  isWithin,
  not,
  number,
  numberOf,
  type Rule,
  required,
  rule,
  textOf,
  valuesOf,
} from './rule.ts'
import { units } from './units.ts'

const line = { each: 'BG-25', since: 2 } as const
const header = { since: 1 } as const
const always = { since: 0 } as const
const isNotNegative = (term: string) => number(term, (value) => value.units >= 0n)

/** Dates of one syntax compare as text: both are year, month, day. */
const isInOrder = (start: string, end: string) => (at: Parameters<typeof textOf>[0]) =>
  textOf(at, start) === '' || textOf(at, end) === '' || textOf(at, start) <= textOf(at, end)

const presence: readonly Rule[] = [
  required('BR-01', 'BT-24', 'The specification identifier', always),
  required('BR-02', 'BT-1', 'The invoice number', always),
  required('BR-03', 'BT-2', 'The issue date', always),
  required('BR-04', 'BT-3', 'The invoice type code', always),
  required('BR-05', 'BT-5', 'The invoice currency code', always),
  required('BR-06', 'BT-27', 'The name of the seller', always),
  required('BR-07', 'BT-44', 'The name of the buyer', always),
  required('BR-08', 'BG-5', 'The postal address of the seller', always),
  required('BR-09', 'BT-40', 'The country code of the seller', { ...always, when: has('BG-5') }),
  required('BR-10', 'BG-8', 'The postal address of the buyer', header),
  required('BR-11', 'BT-55', 'The country code of the buyer', { ...header, when: has('BG-8') }),
  required('BR-12', 'BT-106', 'The sum of the line net amounts', header),
  required('BR-13', 'BT-109', 'The total amount without VAT', always),
  required('BR-14', 'BT-112', 'The total amount with VAT', always),
  required('BR-15', 'BT-115', 'The amount due for payment', always),
  required('BR-16', 'BG-25', 'An invoice line', { since: 2 }),
  required('BR-17', 'BT-59', 'The name of the payee', { ...header, when: has('BG-10') }),
  required('BR-18', 'BT-62', 'The name of the tax representative', { ...header, when: has('BG-11') }),
  required('BR-19', 'BG-12', 'The postal address of the tax representative', {
    ...header,
    when: has('BG-11'),
  }),
  required('BR-20', 'BT-69', 'The country code of the tax representative', { ...header, when: has('BG-12') }),
  required('BR-21', 'BT-126', 'The identifier of the line', line),
  required('BR-22', 'BT-129', 'The invoiced quantity', line),
  required('BR-23', 'BT-130', 'The unit of the invoiced quantity', line),
  required('BR-24', 'BT-131', 'The net amount of the line', line),
  required('BR-25', 'BT-153', 'The name of the item', line),
  required('BR-26', 'BT-146', 'The net price of the item', line),
  rule(
    'BR-27',
    'BT-146',
    isNotNegative('BT-146'),
    'The net price of an item must not be negative. Make the quantity negative instead.',
    line,
  ),
  rule(
    'BR-28',
    'BT-148',
    isNotNegative('BT-148'),
    'The gross price of an item must not be negative. Make the quantity negative instead.',
    line,
  ),
  rule(
    'BR-29',
    'BT-74',
    isInOrder('BT-73', 'BT-74'),
    'The invoicing period must not end (BT-74) before it starts (BT-73).',
    header,
  ),
  rule(
    'BR-30',
    'BT-135',
    isInOrder('BT-134', 'BT-135'),
    'The period of a line must not end (BT-135) before it starts (BT-134).',
    line,
  ),
  required('BR-31', 'BT-92', 'The amount of the document level allowance', { ...header, each: 'BG-20' }),
  required('BR-32', 'BT-95', 'The VAT category of the document level allowance', {
    ...header,
    each: 'BG-20',
  }),
  required('BR-33', ['BT-97', 'BT-98'], 'The reason of the document level allowance, or its code', {
    ...header,
    each: 'BG-20',
  }),
  required('BR-36', 'BT-99', 'The amount of the document level charge', { ...header, each: 'BG-21' }),
  required('BR-37', 'BT-102', 'The VAT category of the document level charge', { ...header, each: 'BG-21' }),
  required('BR-38', ['BT-104', 'BT-105'], 'The reason of the document level charge, or its code', {
    ...header,
    each: 'BG-21',
  }),
  required('BR-41', 'BT-136', 'The amount of the allowance of the line', { since: 2, each: 'BG-27' }),
  required('BR-42', ['BT-139', 'BT-140'], 'The reason of the allowance of the line, or its code', {
    since: 2,
    each: 'BG-27',
  }),
  required('BR-43', 'BT-141', 'The amount of the charge of the line', { since: 2, each: 'BG-28' }),
  required('BR-44', ['BT-144', 'BT-145'], 'The reason of the charge of the line, or its code', {
    since: 2,
    each: 'BG-28',
  }),
  required('BR-45', 'BT-116', 'The taxable amount of the VAT category', { ...header, each: 'BG-23' }),
  required('BR-46', 'BT-117', 'The tax amount of the VAT category', { ...header, each: 'BG-23' }),
  required('BR-47', 'BT-118', 'The code of the VAT category', { ...header, each: 'BG-23' }),
  required('BR-48', 'BT-119', 'The rate of the VAT category', {
    ...header,
    each: 'BG-23',
    when: not((at) => textOf(at, 'BT-118') === 'O'),
  }),
  required('BR-49', 'BT-81', 'The payment means type code', { ...header, each: 'BG-16' }),
  required('BR-50', 'BT-84', 'The identifier of the payment account', {
    ...header,
    each: 'BG-16',
    when: has('BG-17'),
  }),
  rule(
    'BR-51',
    'BT-87',
    (at) => textOf(at, 'BT-87').replace(/\D/g, '').length <= 10,
    'A card number must show at most its first 6 and last 4 digits. Hide the others.',
    { severity: 'warning', since: 3, each: 'BG-16' },
  ),
  required('BR-52', 'BT-122', 'The reference of the supporting document', { since: 3, each: 'BG-24' }),
  required('BR-53', 'BT-111', 'The total VAT amount in the accounting currency', {
    ...header,
    when: (at) => isPresent(at, 'BT-6') && textOf(at, 'BT-6') !== textOf(at, 'BT-5'),
  }),
  rule(
    'BR-54',
    'BT-161',
    (at) => isPresent(at, 'BT-160') && isPresent(at, 'BT-161'),
    'An item attribute needs a name (BT-160) and a value (BT-161). Add both.',
    { since: 3, each: 'BG-32' },
  ),
  required('BR-55', 'BT-25', 'The number of the preceding invoice', { ...header, each: 'BG-3' }),
  required('BR-56', 'BT-63', 'The VAT identifier of the tax representative', {
    ...header,
    when: has('BG-11'),
  }),
  required('BR-57', 'BT-80', 'The country code of the delivery address', { ...header, when: has('BG-15') }),
  required('BR-61', 'BT-84', 'The payment account of a credit transfer', {
    ...header,
    each: 'BG-16',
    when: all(has('BT-81'), isOneOf('BT-81', ['30', '58'])),
  }),
  rule(
    'BR-62',
    'BT-34',
    hasScheme('BT-34', 'schemeID'),
    'The electronic address of the seller needs its scheme (schemeID). Add it.',
    header,
  ),
  rule(
    'BR-63',
    'BT-49',
    hasScheme('BT-49', 'schemeID'),
    'The electronic address of the buyer needs its scheme (schemeID). Add it.',
    header,
  ),
  rule(
    'BR-64',
    'BT-157',
    hasScheme('BT-157', 'schemeID'),
    'The standard identifier of an item needs its scheme (schemeID). Add it.',
    line,
  ),
  rule(
    'BR-65',
    'BT-158',
    any(hasScheme('BT-158', 'listID'), hasScheme('BT-158', 'schemeID')),
    'The classification of an item needs its list (listID). Add it.',
    { ...line, since: 3 },
  ),
  rule(
    'BR-66',
    'BG-18',
    (at) => countWith(at, 'BG-18') <= 1,
    'An invoice may name one payment card only. Remove the others.',
    { since: 3 },
  ),
  rule(
    'BR-67',
    'BG-19',
    (at) => valuesOf(at, 'BT-89').length <= 1,
    'An invoice may have one direct debit mandate only. Remove the others.',
    header,
  ),
]

const countWith = (at: Parameters<typeof textOf>[0], term: string): number =>
  (at.groups.get('BG-16') ?? []).filter((group) => isPresent(group, term)).length

/** ISO 3166-1 codes at the start of VAT identifiers; Greece writes EL. */
const startsWithCountry = (term: string) => (at: Parameters<typeof textOf>[0]) =>
  valuesOf(at, term).every(
    ({ text }) => text === '' || text.startsWith('EL') || countries.has(text.slice(0, 2)),
  )

const vatNumbers = ['BT-31', 'BT-48', 'BT-63'] as const

const conditions: readonly Rule[] = [
  rule(
    'BR-CO-03',
    'BT-7',
    not(all(has('BT-7'), has('BT-8'))),
    'The tax point date (BT-7) and its code (BT-8) exclude each other. Remove one.',
    header,
  ),
  required('BR-CO-04', 'BT-151', 'The VAT category of the item', line),
  ...vatNumbers.map((term) =>
    rule(
      'BR-CO-09',
      term,
      startsWithCountry(term),
      'A VAT identifier starts with the code of its country, such as DE or EL for Greece. Put it before the number.',
      always,
    ),
  ),
  rule(
    'BR-CO-10',
    'BT-106',
    (at, { lines, tolerance }) => {
      const total = numberOf(at, 'BT-106')
      return (
        total === undefined ||
        isWithin(total, sum(lines.flatMap((line) => numberOf(line, 'BT-131') ?? [])), tolerance)
      )
    },
    'BT-106 must be the sum of the net amounts of the lines (BT-131).',
    { since: 2 },
  ),
  rule(
    'BR-CO-11',
    'BT-107',
    (at, { allowances, tolerance }) =>
      isWithin(
        numberOf(at, 'BT-107') ?? zero,
        sum(allowances.flatMap((allowance) => numberOf(allowance, 'BT-92') ?? [])),
        tolerance,
      ),
    'BT-107 must be the sum of the document level allowances (BT-92).',
    header,
  ),
  rule(
    'BR-CO-12',
    'BT-108',
    (at, { charges, tolerance }) =>
      isWithin(
        numberOf(at, 'BT-108') ?? zero,
        sum(charges.flatMap((charge) => numberOf(charge, 'BT-99') ?? [])),
        tolerance,
      ),
    'BT-108 must be the sum of the document level charges (BT-99).',
    header,
  ),
  rule(
    'BR-CO-13',
    'BT-109',
    equalsSum('BT-109', { plus: ['BT-106', 'BT-108'], minus: ['BT-107'], tolerant: true }),
    'BT-109 must be BT-106 less the allowances (BT-107) plus the charges (BT-108).',
    header,
  ),
  rule(
    'BR-CO-14',
    'BT-110',
    (at, { breakdown, tolerance }) => {
      const total = numberOf(at, 'BT-110')
      return (
        total === undefined ||
        isWithin(total, sum(breakdown.flatMap((group) => numberOf(group, 'BT-117') ?? [])), tolerance)
      )
    },
    'BT-110 must be the sum of the tax amounts of the VAT breakdown (BT-117).',
    header,
  ),
  rule(
    'BR-CO-15',
    'BT-112',
    equalsSum('BT-112', { plus: ['BT-109', 'BT-110'], tolerant: true }),
    'BT-112 must be BT-109 plus the VAT (BT-110).',
    always,
  ),
  rule(
    'BR-CO-16',
    'BT-115',
    equalsSum('BT-115', { plus: ['BT-112', 'BT-114'], minus: ['BT-113'], tolerant: true }),
    'BT-115 must be BT-112 less the paid amount (BT-113) plus the rounding (BT-114).',
    header,
  ),
  rule(
    'BR-CO-17',
    'BT-117',
    (at) => {
      const [base, rate, tax] = ['BT-116', 'BT-119', 'BT-117'].map((term) => numberOf(at, term))
      if (base === undefined || rate === undefined || tax === undefined) return true
      const exact = multiply(multiply(base, rate), { units: 1n, scale: 2 })
      // The published rules accept a difference below one unit, since some systems round line by line.
      return compare(absolute(subtract(round(exact, 2), tax)), unit) < 0
    },
    'BT-117 must be the taxable amount (BT-116) times the rate (BT-119), rounded to two digits.',
    { ...header, each: 'BG-23' },
  ),
  required('BR-CO-18', 'BG-23', 'The VAT breakdown', header),
  rule(
    'BR-CO-19',
    'BG-14',
    any(not(has('BG-14')), has('BT-73', 'BT-74')),
    'The invoicing period needs a start (BT-73) or an end (BT-74). Add one.',
    header,
  ),
  rule(
    'BR-CO-20',
    'BG-26',
    any(not(has('BG-26')), has('BT-134', 'BT-135')),
    'The period of a line needs a start (BT-134) or an end (BT-135). Add one.',
    line,
  ),
  required('BR-CO-21', ['BT-97', 'BT-98'], 'The reason of the document level allowance, or its code', {
    ...header,
    each: 'BG-20',
  }),
  required('BR-CO-22', ['BT-104', 'BT-105'], 'The reason of the document level charge, or its code', {
    ...header,
    each: 'BG-21',
  }),
  required('BR-CO-23', ['BT-139', 'BT-140'], 'The reason of the allowance of the line, or its code', {
    since: 2,
    each: 'BG-27',
  }),
  required('BR-CO-24', ['BT-144', 'BT-145'], 'The reason of the charge of the line, or its code', {
    since: 2,
    each: 'BG-28',
  }),
  required('BR-CO-25', ['BT-9', 'BT-20'], 'The due date, or the payment terms,', {
    ...header,
    when: (at) => (numberOf(at, 'BT-115')?.units ?? 0n) > 0n,
  }),
  required(
    'BR-CO-26',
    ['BT-31', 'BT-29', 'BT-30'],
    'An identifier of the seller: its VAT identifier, another one or its registration',
    always,
  ),
]

const amounts: readonly (readonly [id: string, term: string, each?: string])[] = [
  ['BR-DEC-01', 'BT-92', 'BG-20'],
  ['BR-DEC-02', 'BT-93', 'BG-20'],
  ['BR-DEC-05', 'BT-99', 'BG-21'],
  ['BR-DEC-06', 'BT-100', 'BG-21'],
  ['BR-DEC-09', 'BT-106'],
  ['BR-DEC-10', 'BT-107'],
  ['BR-DEC-11', 'BT-108'],
  ['BR-DEC-12', 'BT-109'],
  ['BR-DEC-13', 'BT-110'],
  ['BR-DEC-14', 'BT-112'],
  ['BR-DEC-15', 'BT-111'],
  ['BR-DEC-16', 'BT-113'],
  ['BR-DEC-17', 'BT-114'],
  ['BR-DEC-18', 'BT-115'],
  ['BR-DEC-19', 'BT-116', 'BG-23'],
  ['BR-DEC-20', 'BT-117', 'BG-23'],
  ['BR-DEC-23', 'BT-131', 'BG-25'],
  ['BR-DEC-24', 'BT-136', 'BG-27'],
  ['BR-DEC-25', 'BT-137', 'BG-27'],
  ['BR-DEC-27', 'BT-141', 'BG-28'],
  ['BR-DEC-28', 'BT-142', 'BG-28'],
]

const decimals: readonly Rule[] = amounts.map(([id, term, each]) =>
  rule(id, term, hasDigits(term, 2), `${term} may have at most two decimals. Round it.`, {
    since: 0,
    ...(each !== undefined && { each }),
  }),
)

/** Amounts that may have more digits than those of `amounts`. */
const prices: typeof amounts = ['BT-146', 'BT-147', 'BT-148'].map((term) => ['', term, 'BG-25'])

const amountCurrencies: readonly Rule[] = [...amounts, ...prices].map(([, term, each]) =>
  rule(
    'BR-CL-03',
    term,
    (at) =>
      valuesOf(at, term).every(({ attributes }) => {
        const currency = attributes.get('currencyID')
        return currency === undefined || currencies.has(currency)
      }),
    `The currency (currencyID) of ${term} must be a code of ISO 4217, such as EUR.`,
    { since: 0, ...(each !== undefined && { each }) },
  ),
)

const coded: readonly (readonly [
  id: string,
  term: string,
  codes: ReadonlySet<string>,
  list: string,
  each?: string,
])[] = [
  ['BR-CL-01', 'BT-3', documentTypes, 'UNTDID 1001, such as 380 (invoice) or 381 (credit note)'],
  ['BR-CL-04', 'BT-5', currencies, 'ISO 4217, such as EUR'],
  ['BR-CL-05', 'BT-6', currencies, 'ISO 4217, such as EUR'],
  ...(['BT-40', 'BT-55', 'BT-69', 'BT-80'] as const).map(
    (term) => ['BR-CL-14', term, countries, 'ISO 3166-1, such as DE'] as const,
  ),
  ['BR-CL-15', 'BT-159', countries, 'ISO 3166-1, such as DE', 'BG-25'],
  ['BR-CL-16', 'BT-81', paymentMeans, 'UNTDID 4461, such as 58 (SEPA credit transfer)', 'BG-16'],
  ['BR-CL-17', 'BT-118', vatCategories, 'the VAT categories: S, Z, E, AE, K, G, O, L, M, B', 'BG-23'],
  ['BR-CL-18', 'BT-151', vatCategories, 'the VAT categories: S, Z, E, AE, K, G, O, L, M, B', 'BG-25'],
  ['BR-CL-19', 'BT-98', allowanceReasons, 'UNTDID 5189, such as 95 (discount)', 'BG-20'],
  ['BR-CL-19', 'BT-140', allowanceReasons, 'UNTDID 5189, such as 95 (discount)', 'BG-27'],
  ['BR-CL-20', 'BT-105', chargeReasons, 'UNTDID 7161, such as FC (freight)', 'BG-21'],
  ['BR-CL-20', 'BT-145', chargeReasons, 'UNTDID 7161, such as FC (freight)', 'BG-28'],
  ...(['BT-130', 'BT-150'] as const).map(
    (term) =>
      [
        'BR-CL-23',
        term,
        units,
        'UN/ECE Recommendation 20, such as H87 (piece) or HUR (hour)',
        'BG-25',
      ] as const,
  ),
  ['BR-CL-07', 'BT-18-1', objectSchemes, 'UNTDID 1153, such as AVE (contract)'],
  ['BR-CL-07', 'BT-128-1', objectSchemes, 'UNTDID 1153, such as AVE (contract)', 'BG-25'],
  ['BR-CL-13', 'BT-158-1', classificationSchemes, 'UNTDID 7143, such as STI (CPV)', 'BG-25'],
]

const schemes: readonly (readonly [
  id: string,
  term: string,
  codes: ReadonlySet<string>,
  list: string,
  each?: string,
])[] = [
  ...(['BT-29', 'BT-46', 'BT-60'] as const).map(
    (term) => ['BR-CL-10', term, identifierSchemes, 'ISO 6523, such as 0088 (GLN)'] as const,
  ),
  ...(['BT-30', 'BT-47', 'BT-61'] as const).map(
    (term) => ['BR-CL-11', term, identifierSchemes, 'ISO 6523, such as 0002 (SIRENE)'] as const,
  ),
  ['BR-CL-21', 'BT-157', identifierSchemes, 'ISO 6523, such as 0160 (GTIN)', 'BG-25'],
  ...(['BT-34', 'BT-49'] as const).map(
    (term) => ['BR-CL-25', term, addressSchemes, 'the EAS, such as EM (email) or 0204 (Leitweg-ID)'] as const,
  ),
  ['BR-CL-26', 'BT-71', identifierSchemes, 'ISO 6523, such as 0088 (GLN)'],
]

/** An identifier without a scheme is one of the buyer or seller alone. */
const hasKnownScheme = (term: string, codes: ReadonlySet<string>) => (at: Parameters<typeof textOf>[0]) =>
  valuesOf(at, term).every(({ attributes }) => {
    const scheme = attributes.get('schemeID') ?? ''
    return scheme === '' || codes.has(scheme)
  })

const codes: readonly Rule[] = [
  ...coded.map(([id, term, codes, list, each]) =>
    rule(id, term, isOneOf(term, codes), `${term} must be a code of ${list}.`, {
      since: 0,
      ...(each !== undefined && { each }),
    }),
  ),
  rule(
    'BR-CL-01',
    'BT-3',
    (at) => {
      const isCreditNote = creditNoteTypes.has(textOf(at, 'BT-3'))
      return !at.path.startsWith('/ubl:') || isCreditNote === at.path.startsWith('/ubl:CreditNote')
    },
    'UBL has a document of its own for credit notes: 381 (BT-3) stands in a CreditNote, 380 in an Invoice.',
    { since: 0, when: has('BT-3') },
  ),
  ...schemes.map(([id, term, codes, list, each]) =>
    rule(id, term, hasKnownScheme(term, codes), `The scheme (schemeID) of ${term} must be one of ${list}.`, {
      since: 0,
      ...(each !== undefined && { each }),
    }),
  ),
  rule(
    'BR-CL-06',
    'BT-8',
    (at, { syntax }) => {
      const code = textOf(at, 'BT-8')
      return code === '' || taxPointCodes[syntax].has(code)
    },
    'The code of the tax point date (BT-8) must be 5, 29 or 72 in CII and 3, 35 or 432 in UBL.',
    header,
  ),
  rule(
    'BR-CL-08',
    'BT-21',
    (at, { syntax }) =>
      valuesOf(at, 'BT-21').every(({ text }) => {
        // UBL has no element for the subject: it stands in front of the note (CEN/TS 16931-3-2).
        const code = syntax === 'CII' ? text : (/^[^#]*#([^#]{3})#/.exec(text)?.[1] ?? '')
        return code === '' || noteSubjects.has(code)
      }),
    'The subject of a note (BT-21) must be a code of UNTDID 4451, such as REG (regulatory information).',
    { since: 1 },
  ),
  rule(
    'BR-CL-22',
    'BT-121',
    (at) =>
      valuesOf(at, 'BT-121').every(({ text }) => text === '' || exemptionReasons.has(text.toUpperCase())),
    'The code of the exemption (BT-121) must be one of the VATEX list, such as VATEX-EU-AE. Put other reasons into its text (BT-120).',
    { ...header, each: 'BG-23' },
  ),
  rule(
    'BR-CL-24',
    'BT-125',
    (at) => valuesOf(at, 'BT-125').every(({ attributes }) => mimeTypes.has(attributes.get('mimeCode') ?? '')),
    'An attachment must be a PDF, PNG, JPEG, CSV, XLSX or ODS, named by its mimeCode.',
    { since: 3, each: 'BG-24' },
  ),
]

export const businessRules: readonly Rule[] = [
  ...presence,
  ...conditions,
  ...decimals,
  ...amountCurrencies,
  ...codes,
]
