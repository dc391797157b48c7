/**
 * The rules of XRechnung 3.0, the profile of EN 16931 for German authorities. Source: KoSIT, specification of
 * XRechnung 3.0.2.
 */
import {
  all,
  any,
  has,
  isOneOf,
  isPresent,
  matches,
  not,
  type Rule,
  required,
  rule,
  textOf,
  valuesOf,
} from './rule.ts'

const xrechnung = /^urn:cen\.eu:en16931:2017#compliant#urn:xeinkauf\.de:kosit:xrechnung_3\.0(?:#.+)?$/
const isCreditTransfer = all(has('BT-81'), isOneOf('BT-81', ['30', '58']))
const isCard = all(has('BT-81'), isOneOf('BT-81', ['48', '54', '55']))
const isDebit = all(has('BT-81'), isOneOf('BT-81', ['59']))
const means = { each: 'BG-16' } as const
const warning = { severity: 'warning' } as const
const vatWithNumber = new Set(['S', 'Z', 'E', 'AE', 'K', 'G', 'L', 'M'])

export const xrechnungRules: readonly Rule[] = [
  required('BR-DE-1', 'BG-16', 'The payment instructions'),
  required('BR-DE-2', 'BG-6', 'The contact of the seller'),
  required('BR-DE-3', 'BT-37', 'The city of the seller'),
  required('BR-DE-4', 'BT-38', 'The post code of the seller'),
  required('BR-DE-5', 'BT-41', 'The contact person of the seller', { when: has('BG-6') }),
  required('BR-DE-6', 'BT-42', 'The telephone number of the contact', { when: has('BG-6') }),
  required('BR-DE-7', 'BT-43', 'The email address of the contact', { when: has('BG-6') }),
  required('BR-DE-8', 'BT-52', 'The city of the buyer'),
  required('BR-DE-9', 'BT-53', 'The post code of the buyer'),
  required('BR-DE-10', 'BT-77', 'The city of the delivery address', { when: has('BG-15') }),
  required('BR-DE-11', 'BT-78', 'The post code of the delivery address', { when: has('BG-15') }),
  required('BR-DE-14', 'BT-119', 'The rate of the VAT category', { each: 'BG-23' }),
  required('BR-DE-15', 'BT-10', 'The buyer reference (Leitweg-ID)'),
  rule(
    'BR-DE-16',
    'BT-31',
    (at, { byCategory }) => {
      const isTaxed = [...byCategory].some(
        ([code, use]) => vatWithNumber.has(code) && use.lines + use.allowances + use.charges > 0,
      )
      return !isTaxed || ['BT-31', 'BT-32', 'BG-11'].some((term) => isPresent(at, term))
    },
    'An invoice with VAT needs the VAT identifier (BT-31) or tax number (BT-32) of the seller, or a tax representative (BG-11). Add one.',
  ),
  rule(
    'BR-DE-17',
    'BT-3',
    isOneOf('BT-3', ['326', '380', '384', '389', '381', '875', '876', '877']),
    'The invoice type code should be 326, 380, 381, 384, 389, 875, 876 or 877.',
    warning,
  ),
  rule(
    'BR-DE-18',
    'BT-20',
    (at) =>
      valuesOf(at, 'BT-20').every(({ text }) =>
        text.split(/\r?\n/).every((line) => !line.trim().startsWith('#') || discount.test(line.trim())),
      ),
    'A line of the payment terms that starts with # must have the form #SKONTO#TAGE=7#PROZENT=2.00# (or #VERZUG#…).',
  ),
  rule(
    'BR-DE-19',
    'BT-84',
    (at) => valuesOf(at, 'BT-84').every(({ text }) => isIban(text)),
    'The account of a SEPA credit transfer should be an IBAN with correct check digits.',
    { ...means, ...warning, when: all(has('BT-84'), isOneOf('BT-81', ['58'])) },
  ),
  rule(
    'BR-DE-20',
    'BT-91',
    (at) => valuesOf(at, 'BT-91').every(({ text }) => isIban(text)),
    'The account of a SEPA direct debit should be an IBAN with correct check digits.',
    { ...means, ...warning, when: all(has('BT-91'), isDebit) },
  ),
  rule(
    'BR-DE-21',
    'BT-24',
    matches('BT-24', xrechnung),
    'The specification identifier should be that of XRechnung 3.0: urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0.',
    warning,
  ),
  rule(
    'BR-DE-22',
    'BG-24',
    (at) => {
      const names = (at.groups.get('BG-24') ?? []).flatMap((group) =>
        valuesOf(group, 'BT-125').map(({ attributes }) => attributes.get('filename') ?? ''),
      )
      return new Set(names).size === names.length
    },
    'Attachments must have different file names. Rename them.',
  ),
  required('BR-DE-23-a', 'BG-17', 'The account of the credit transfer', { ...means, when: isCreditTransfer }),
  rule(
    'BR-DE-23-b',
    'BT-81',
    not(has('BG-18', 'BT-91')),
    'A credit transfer must not have a card (BG-18) or a direct debit (BG-19). Remove it.',
    { ...means, when: isCreditTransfer },
  ),
  required('BR-DE-24-a', 'BG-18', 'The payment card', { ...means, when: isCard }),
  rule(
    'BR-DE-24-b',
    'BT-81',
    not(has('BG-17', 'BT-91')),
    'A card payment must not have a credit transfer (BG-17) or a direct debit (BG-19). Remove it.',
    { ...means, when: isCard },
  ),
  rule(
    'BR-DE-25-a',
    'BG-19',
    (_at, { invoice }) => isPresent(invoice, 'BG-19'),
    'The direct debit (BG-19) is missing. Add it.',
    { ...means, when: isDebit },
  ),
  rule(
    'BR-DE-25-b',
    'BT-81',
    not(has('BG-17', 'BG-18')),
    'A direct debit must not have a credit transfer (BG-17) or a card (BG-18). Remove it.',
    { ...means, when: isDebit },
  ),
  required('BR-DE-26', 'BG-3', 'The reference of the invoice that is corrected', {
    ...warning,
    when: (at) => textOf(at, 'BT-3') === '384',
  }),
  rule(
    'BR-DE-27',
    'BT-42',
    (at) => textOf(at, 'BT-42').replace(/\D/g, '').length >= 3,
    'The telephone number of the contact should have at least three digits.',
    { ...warning, when: has('BT-42') },
  ),
  rule(
    'BR-DE-28',
    'BT-43',
    matches('BT-43', /^[^@\s.][^@\s]*[^@\s.]?@[^@\s.][^@\s]*[^@\s.]$/),
    'The email address of the contact should have exactly one @ and not start or end with a dot.',
    warning,
  ),
  required('BR-DE-30', 'BT-90', 'The creditor identifier of the direct debit', { when: has('BG-19') }),
  rule(
    'BR-DE-31',
    'BT-91',
    (at) => (at.groups.get('BG-16') ?? []).some((group) => isPresent(group, 'BT-91')),
    'The debited account (BT-91) is missing. Add it.',
    { when: has('BG-19') },
  ),
  rule(
    'BR-DE-TMP-32',
    'BT-72',
    any(
      has('BT-72', 'BG-14'),
      (_at, { lines }) => lines.length > 0 && lines.every((line) => isPresent(line, 'BG-26')),
    ),
    'The invoice should say when it was delivered: BT-72, BG-14, or BG-26 in each line.',
    warning,
  ),
  required(
    'PEPPOL-EN16931-R001',
    'BT-23',
    'The business process type, such as urn:fdc:peppol.eu:2017:poacc:billing:01:1.0,',
  ),
  required('PEPPOL-EN16931-R010', 'BT-49', 'The electronic address of the buyer'),
  required('PEPPOL-EN16931-R020', 'BT-34', 'The electronic address of the seller'),
]

const discount = /^#(?:SKONTO|VERZUG)#TAGE=\d+#PROZENT=\d+\.\d\d(?:#BASISBETRAG=-?\d+\.\d\d)?#$/

/**
 * ISO 13616: after the first four characters are moved to the end and letters replaced by 10 to 35, the number modulo
 * 97 is 1.
 */
function isIban(text: string): boolean {
  const iban = text.replace(/\s/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d\d[A-Z\d]{11,30}$/.test(iban)) return false
  let remainder = 0
  for (const sign of iban.slice(4) + iban.slice(0, 4))
    for (const digit of String(Number.parseInt(sign, 36))) remainder = (remainder * 10 + Number(digit)) % 97
  return remainder === 1
}
