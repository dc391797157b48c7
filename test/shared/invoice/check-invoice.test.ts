import { describe, expect, test } from 'vitest'
import { checkInvoice } from '../../../shared/invoice/check-invoice.ts'
import { businessRules } from '../../../shared/invoice/rules/en16931.ts'
import { vatRules } from '../../../shared/invoice/rules/vat.ts'
import { xrechnungRules } from '../../../shared/invoice/rules/xrechnung.ts'
import { brokenInvoices, fixture, validByCategory } from './broken-invoices.ts'

const check = (text: string, profile?: Parameters<typeof checkInvoice>[1]) =>
  checkInvoice(new TextEncoder().encode(text), profile)

const valid: readonly (readonly [file: string, profile: string, syntax: string])[] = [
  ['minimum', 'MINIMUM', 'CII'],
  ['basic-wl', 'BASIC WL', 'CII'],
  ['basic', 'BASIC', 'CII'],
  ['en16931', 'EN 16931', 'CII'],
  ['extended', 'EXTENDED', 'CII'],
  ['xrechnung', 'XRECHNUNG', 'CII'],
  ['xrechnung-ubl', 'XRECHNUNG', 'UBL'],
  ['xrechnung-ubl-credit-note', 'XRECHNUNG', 'UBL'],
  ['other-producer-cii', 'XRECHNUNG', 'CII'],
  ['other-producer-ubl', 'XRECHNUNG', 'UBL'],
]

test.each(valid)('%s is a valid invoice of %s', (file, profile, syntax) => {
  const result = check(fixture(file))
  expect(result.problems).toEqual([])
  expect([result.profile?.name, result.syntax]).toEqual([profile, syntax])
})

test.each(Object.entries(validByCategory))('an invoice with the VAT category %s is valid', (_code, text) =>
  expect(check(text).problems.filter(({ severity }) => severity === 'error')).toEqual([]),
)

test.each<readonly [what: string, from: string, to: string]>([
  ...['C62', 'HUR', 'KGM', 'MTR', 'LTR', 'MON', 'XBX', 'ZZ', '4G'].map(
    (unit) => [`the unit ${unit}`, 'unitCode="H87"', `unitCode="${unit}"`] as const,
  ),
  ...['#REG#Managing director: Ada', '#AAI#', 'Order # 7', '#SKONTO#TAGE=7#'].map(
    (note) =>
      [
        `the note ${note}`,
        '<cbc:DocumentCurrencyCode>',
        `<cbc:Note>${note}</cbc:Note><cbc:DocumentCurrencyCode>`,
      ] as const,
  ),
])('%s is valid', (_what, from, to) => {
  const text = fixture('xrechnung-ubl')
  expect(text).toContain(from)
  expect(check(text.replace(from, to)).problems).toEqual([])
})

describe('a change breaks a rule', () => {
  test.each(brokenInvoices.map(([rule, field, text], index) => ({ rule, field, text, index })))(
    '$rule ($field), case $index',
    ({ rule, field, text }) => {
      const found = check(text).problems.find((problem) => problem.rule === rule && problem.field === field)
      expect(found, JSON.stringify(check(text).problems)).toBeDefined()
      expect(found?.message).toMatch(/^[A-Z].*\.$/)
      expect(found?.path).toMatch(/^\//)
    },
  )
  test('has a case for every rule of the tables', () => {
    const tested = new Set(brokenInvoices.map(([rule]) => rule))
    const rules = [...businessRules, ...vatRules, ...xrechnungRules].map(({ id }) => id)
    expect([...new Set(rules)].filter((id) => !tested.has(id))).toEqual([])
  })
})

test('another profile than the chosen one is reported', () => {
  expect(check(fixture('basic'), 'BASIC').problems).toEqual([])
  expect(check(fixture('basic'), 'EN 16931').problems).toMatchObject([{ rule: 'PROFILE', field: 'BT-24' }])
})

test('a profile refuses the elements of higher ones', () => {
  const basic = fixture('en16931').replace(
    'urn:cen.eu:en16931:2017',
    'urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic',
  )
  const paths = check(basic).problems.map(({ path }) => path.split('/').at(-1))
  expect(paths).toContain('ram:DefinedTradeContact')
})

test('a problem names the element among its brothers', () => {
  const text = fixture('en16931').replace('<ram:Name>Book</ram:Name>', '')
  expect(check(text).problems).toMatchObject([
    {
      rule: 'BR-25',
      path: '/rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction/ram:IncludedSupplyChainTradeLineItem[2]/ram:SpecifiedTradeProduct/ram:Name',
    },
  ])
})

test('sums of amounts that binary fractions cannot hold are right', () => {
  const line = (id: number) =>
    `<cac:InvoiceLine><cbc:ID>${id}</cbc:ID><cbc:InvoicedQuantity unitCode="H87">1</cbc:InvoicedQuantity><cbc:LineExtensionAmount currencyID="EUR">0.10</cbc:LineExtensionAmount><cac:Item><cbc:Name>x</cbc:Name><cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>19.0</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory></cac:Item><cac:Price><cbc:PriceAmount currencyID="EUR">0.10</cbc:PriceAmount></cac:Price></cac:InvoiceLine>`
  const lines = Array.from({ length: 2_100 }, (_, index) => line(index)).join('')
  const text = fixture('xrechnung-ubl')
    .replace(/<cac:InvoiceLine>.*<\/cac:InvoiceLine>/s, lines)
    .replace(/(<cbc:LineExtensionAmount currencyID="EUR">)200.00/, '$1210.00')
    .replace(/(<cac:AllowanceCharge>.*?<cbc:Amount currencyID="EUR">)10.00/s, '$120.00')
    .replace(/(<cbc:AllowanceTotalAmount currencyID="EUR">)10.00/, '$120.00')
  expect(check(text).problems).toEqual([])
})

const deep = `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`
const hostile: readonly (readonly [name: string, text: string])[] = [
  [
    'entities',
    `<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${fixture('minimum').replace(/<\?.*?\?>/, '')}`,
  ],
  ['depth', fixture('minimum').replace('<ram:ApplicableHeaderTradeDelivery/>', deep)],
  ['many elements', `<r>${'<a/>'.repeat(1_100_000)}</r>`],
  ['size', `<r>${' '.repeat(21 * 1024 * 1024)}</r>`],
  ['a tag that never ends', '<r><a b="'],
  ['nothing', ''],
]
test.each(hostile)('hostile XML is refused: %s', (_name, text) =>
  expect(check(text).problems).toMatchObject([{ rule: 'XML', severity: 'error' }]),
)

test('the number of problems has a bound', () => {
  const lines = '<ram:IncludedSupplyChainTradeLineItem/>'.repeat(50_000)
  const text = fixture('basic').replace(
    /<ram:IncludedSupplyChainTradeLineItem>.*<\/ram:IncludedSupplyChainTradeLineItem>/s,
    lines,
  )
  expect(check(text).problems).toHaveLength(100)
})
