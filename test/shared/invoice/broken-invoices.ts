/** Valid invoices with one change each, and the rule that the change breaks. */
import { readFileSync } from 'node:fs'

export const fixture = (name: string): string =>
  readFileSync(new URL(`../../fixtures/invoices/${name}.xml`, import.meta.url), 'utf8')

/** Replaces each text, every time that it occurs; one that does not occur is a mistake in the case. */
export type Edit = readonly [from: string | RegExp, to: string]

export function edited(text: string, edits: readonly Edit[]): string {
  return edits.reduce((before, [from, to]) => {
    const after = typeof from === 'string' ? before.replaceAll(from, to) : before.replace(from, to)
    if (after === before) throw new Error(`${from} does not occur`)
    return after
  }, text)
}

const cii = fixture('en16931')
const german = fixture('xrechnung')
const ubl = fixture('xrechnung-ubl')

/** The invoice in UBL with another VAT category; valid where `edits` give what the category requires. */
const withCategory = (code: string, edits: readonly Edit[] = []): string =>
  edited(ubl, [
    ['<cbc:ID>S</cbc:ID>', `<cbc:ID>${code}</cbc:ID>`],
    ['<cbc:Percent>19</cbc:Percent>', '<cbc:Percent>0</cbc:Percent>'],
    ['>36.10<', '>0.00<'],
    ['>226.10<', '>190.00<'],
    ...edits,
  ])

/** Adds the reason of the exemption to the breakdown only. */
const reason: Edit = [
  /(<cac:TaxSubtotal>.*?<cbc:Percent>0<\/cbc:Percent>)/s,
  '$1<cbc:TaxExemptionReason>By law</cbc:TaxExemptionReason>',
]
const buyerVat: Edit = [
  '</cac:PostalAddress>\n      <cac:PartyLegalEntity><cbc:RegistrationName>Bücher',
  '</cac:PostalAddress>\n      <cac:PartyTaxScheme><cbc:CompanyID>FR12345678901</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>\n      <cac:PartyLegalEntity><cbc:RegistrationName>Bücher',
]
const deliveryAddress: Edit = [
  '</cbc:ActualDeliveryDate>',
  '</cbc:ActualDeliveryDate><cac:DeliveryLocation><cac:Address><cbc:CityName>Lyon</cbc:CityName><cbc:PostalZone>69001</cbc:PostalZone><cac:Country><cbc:IdentificationCode>FR</cbc:IdentificationCode></cac:Country></cac:Address></cac:DeliveryLocation>',
]
const charge = (code: string, rate: string): Edit => [
  '<cac:TaxTotal>',
  `<cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator><cbc:AllowanceChargeReason>Freight</cbc:AllowanceChargeReason><cbc:Amount currencyID="EUR">0.00</cbc:Amount><cac:TaxCategory><cbc:ID>${code}</cbc:ID><cbc:Percent>${rate}</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:AllowanceCharge><cac:TaxTotal>`,
]
const sellerVat =
  '<cac:PartyTaxScheme><cbc:CompanyID>DE123456789</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>'
const noRates: Edit = [/<cbc:Percent>0<\/cbc:Percent>/g, '']
const german0 = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0'
/** XRechnung requires a rate of every category, EN 16931 forbids it for O. */
const plain: Edit = [german0, 'urn:cen.eu:en16931:2017']
const italian: Edit = [
  '<cbc:IdentificationCode>DE</cbc:IdentificationCode>',
  '<cbc:IdentificationCode>IT</cbc:IdentificationCode>',
]

export const validByCategory: Readonly<Record<string, string>> = {
  Z: withCategory('Z', [charge('Z', '0')]),
  E: withCategory('E', [reason, charge('E', '0')]),
  AE: withCategory('AE', [reason, buyerVat, charge('AE', '0')]),
  K: withCategory('K', [reason, buyerVat, deliveryAddress, charge('K', '0')]),
  G: withCategory('G', [reason, charge('G', '0')]),
  O: withCategory('O', [reason, plain, [sellerVat, ''], charge('O', '0'), noRates]),
  L: withCategory('L', [charge('L', '0')]),
  M: withCategory('M', [charge('M', '0')]),
  B: withCategory('B', [italian, charge('B', '0'), plain]),
}

const prefixes: Readonly<Record<string, string>> = {
  Z: 'BR-Z',
  E: 'BR-E',
  AE: 'BR-AE',
  K: 'BR-IC',
  G: 'BR-G',
  O: 'BR-O',
  L: 'BR-AF',
  M: 'BR-AG',
}

export type BrokenInvoice = readonly [rule: string, field: string, text: string]

/** The rules that all categories have; `S` follows below. */
const byCategory: readonly BrokenInvoice[] = Object.entries(prefixes).flatMap(([code, prefix]) => {
  const valid = validByCategory[code] ?? ''
  const rated = (group: string): string =>
    code === 'O'
      ? edited(valid, [
          [new RegExp(`(${group}.*?<cbc:ID>O</cbc:ID>)`, 's'), '$1<cbc:Percent>0</cbc:Percent>'],
        ])
      : edited(valid, [
          [new RegExp(`(${group}.*?<cbc:Percent>)0<`, 's'), ['L', 'M'].includes(code) ? '$1-1<' : '$15<'],
        ])
  const noSeller: readonly Edit[] =
    code === 'O'
      ? [
          [
            '<cac:PartyLegalEntity><cbc:RegistrationName>Muster',
            `${sellerVat}<cac:PartyLegalEntity><cbc:RegistrationName>Muster`,
          ],
        ]
      : [[sellerVat, '']]
  const identifier = 'BT-31'
  const hasReason = !['Z', 'L', 'M'].includes(code)
  const unrated = ['L', 'M'].includes(code)
  return [
    [
      `${prefix}-01`,
      'BG-23',
      edited(valid, [[/(<cac:TaxSubtotal>.*?<cbc:ID>)\w+/s, code === 'E' ? '$1Z' : '$1E']]),
    ],
    ...['02', '03', '04'].map(
      (number) => [`${prefix}-${number}`, identifier, edited(valid, noSeller)] as const,
    ),
    [`${prefix}-05`, 'BT-152', rated('<cac:ClassifiedTaxCategory>')],
    [`${prefix}-06`, 'BT-96', rated('false</cbc:ChargeIndicator>')],
    [`${prefix}-07`, 'BT-103', rated('true</cbc:ChargeIndicator>')],
    [
      `${prefix}-08`,
      'BT-116',
      edited(valid, [
        ['<cbc:TaxableAmount currencyID="EUR">190.00<', '<cbc:TaxableAmount currencyID="EUR">192.00<'],
      ]),
    ],
    ...(unrated
      ? []
      : [
          [
            `${prefix}-09`,
            'BT-117',
            edited(valid, [[/(<cac:TaxSubtotal>.*?<cbc:TaxAmount currencyID="EUR">)0.00/s, '$10.50']]),
          ] as const,
        ]),
    [
      `${prefix}-10`,
      'BT-120',
      hasReason
        ? edited(valid, [['<cbc:TaxExemptionReason>By law</cbc:TaxExemptionReason>', '']])
        : edited(valid, [reason]),
    ],
  ]
})

const removed = (pattern: string): Edit => [new RegExp(pattern, 's'), '']
const card =
  '<cac:CardAccount><cbc:PrimaryAccountNumberID>123456******1234</cbc:PrimaryAccountNumberID><cbc:NetworkID>VISA</cbc:NetworkID></cac:CardAccount>'
const mandate =
  '<cac:PaymentMandate><cbc:ID>M-1</cbc:ID><cac:PayerFinancialAccount><cbc:ID>DE89370400440532013000</cbc:ID></cac:PayerFinancialAccount></cac:PaymentMandate>'
const account =
  '<cac:PayeeFinancialAccount><cbc:ID>DE89370400440532013000</cbc:ID></cac:PayeeFinancialAccount>'
const paid = (code: string, content: string): Edit => [
  `<cbc:PaymentMeansCode>58</cbc:PaymentMeansCode>${account}`,
  `<cbc:PaymentMeansCode>${code}</cbc:PaymentMeansCode>${content}`,
]
/** The invoice with edits, given one by one or as lists. */
const in_ = (text: string, ...edits: readonly (Edit | readonly Edit[])[]): string =>
  edited(
    text,
    edits.flatMap((edit) => (isEdit(edit) ? [edit] : edit)),
  )
const isEdit = (edit: Edit | readonly Edit[]): edit is Edit => !Array.isArray(edit[0])

export const brokenInvoices: readonly BrokenInvoice[] = [
  ['XML', '', 'no markup'],
  ['XML', '', in_(cii, ['</ram:Name>', '</ram:Nam>'])],
  ['XML', '', '<Invoice xmlns="urn:example"/>'],
  ['PROFILE', 'BT-24', in_(cii, ['urn:cen.eu:en16931:2017', 'urn:example:house-rules'])],
  ['SCHEMA', '', in_(cii, ['<ram:BuyerReference>', '<ram:BuyersReference/><ram:BuyerReference>'])],
  [
    'SCHEMA',
    '',
    in_(cii, ['<ram:LineID>1</ram:LineID>', '<ram:LineID>1</ram:LineID><ram:LineID>1</ram:LineID>']),
  ],
  [
    'SCHEMA',
    '',
    in_(cii, [
      /(<ram:InvoiceCurrencyCode>.*?Code>)(.*?)(<ram:SpecifiedTradeSettlementPaymentMeans>)/s,
      '$2$1$3',
    ]),
  ],
  ['SCHEMA', '', in_(cii, ['>249.70<', '>249,70<'])],
  ['SCHEMA', '', in_(cii, ['>20250331<', '>20250231<'])],
  [
    'SCHEMA',
    '',
    in_(cii, [/(<ram:OccurrenceDateTime>)(<udt:DateTimeString.*?<\/udt:DateTimeString>)/s, '$1$2$2']),
  ],
  [
    'SCHEMA',
    '',
    in_(cii, [/(<ram:OccurrenceDateTime><udt:Date)Time(String.*?<\/udt:Date)Time(String>)/s, '$1$2$3']),
  ],
  ['SCHEMA', '', in_(cii, ['<udt:Indicator>false<', '<udt:Indicator>no<'])],
  ['SCHEMA', '', in_(cii, [' filename="sheet.csv"', ''])],
  ['SCHEMA', '', in_(cii, [removed('<rsm:ExchangedDocument>.*?</rsm:ExchangedDocument>')])],
  ['SCHEMA', '', in_(ubl, ['2025-03-31</cbc:IssueDate>', '31.03.2025</cbc:IssueDate>'])],
  ['SCHEMA', '', in_(ubl, [/(<cac:ClassifiedTaxCategory>.*?<\/cac:ClassifiedTaxCategory>)/s, '$1$1'])],
  ['SCHEMA', '', in_(ubl, [/(<cbc:ID>R-2025-0042<\/cbc:ID>)(.*?)(<cbc:DueDate>)/s, '$2$1$3'])],
  ['BR-01', 'BT-24', in_(cii, ['<ram:ID>urn:cen.eu:en16931:2017</ram:ID>', '<ram:ID/>'])],
  ['BR-02', 'BT-1', in_(cii, ['<ram:ID>R-2025-0042</ram:ID>', ''])],
  ['BR-03', 'BT-2', in_(ubl, ['<cbc:IssueDate>2025-03-31</cbc:IssueDate>', ''])],
  ['BR-04', 'BT-3', in_(cii, ['<ram:TypeCode>380</ram:TypeCode>', ''])],
  ['BR-05', 'BT-5', in_(cii, [removed('<ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>')])],
  ['BR-06', 'BT-27', in_(cii, ['<ram:Name>Muster GmbH</ram:Name>', '<ram:Name> </ram:Name>'])],
  ['BR-07', 'BT-44', in_(cii, [removed('<ram:Name>Bücher.*?</ram:Name>')])],
  ['BR-08', 'BG-5', in_(ubl, [removed('<cac:PostalAddress>.*?</cac:PostalAddress>')])],
  ['BR-09', 'BT-40', in_(ubl, [removed('<cac:Country>.*?</cac:Country>')])],
  [
    'BR-10',
    'BG-8',
    in_(ubl, [
      removed('(?<=buecher.example</cbc:EndpointID>\\s*)<cac:PostalAddress>.*?</cac:PostalAddress>'),
    ]),
  ],
  ['BR-11', 'BT-55', in_(ubl, [removed('(?<=80331</cbc:PostalZone>)<cac:Country>.*?</cac:Country>')])],
  [
    'BR-12',
    'BT-106',
    in_(
      ubl,
      removed('(?<=<cac:LegalMonetaryTotal>\\s*)<cbc:LineExtensionAmount.*?</cbc:LineExtensionAmount>'),
    ),
  ],
  ['BR-13', 'BT-109', in_(ubl, [removed('<cbc:TaxExclusiveAmount.*?</cbc:TaxExclusiveAmount>')])],
  ['BR-14', 'BT-112', in_(ubl, [removed('<cbc:TaxInclusiveAmount.*?</cbc:TaxInclusiveAmount>')])],
  ['BR-15', 'BT-115', in_(ubl, [removed('<cbc:PayableAmount.*?</cbc:PayableAmount>')])],
  ['BR-16', 'BG-25', in_(ubl, [removed('<cac:InvoiceLine>.*</cac:InvoiceLine>')])],
  ['BR-17', 'BT-59', in_(cii, ['<ram:Name>Factoring SE</ram:Name>', ''])],
  ['BR-18', 'BT-62', in_(cii, ['<ram:Name>Steuer AG</ram:Name>', ''])],
  [
    'BR-19',
    'BG-12',
    in_(cii, [removed('(?<=Steuer AG</ram:Name>\\s*)<ram:PostalTradeAddress>.*?</ram:PostalTradeAddress>')]),
  ],
  [
    'BR-20',
    'BT-69',
    in_(cii, [
      '<ram:CityName>Bonn</ram:CityName><ram:CountryID>DE</ram:CountryID>',
      '<ram:CityName>Bonn</ram:CityName>',
    ]),
  ],
  ['BR-21', 'BT-126', in_(cii, ['<ram:LineID>2</ram:LineID>', ''])],
  ['BR-22', 'BT-129', in_(ubl, [removed('<cbc:InvoicedQuantity.*?</cbc:InvoicedQuantity>')])],
  ['BR-23', 'BT-130', in_(ubl, [' unitCode="H87"', ''])],
  ['BR-24', 'BT-131', in_(cii, ['<ram:LineTotalAmount>59.70</ram:LineTotalAmount>', ''])],
  ['BR-25', 'BT-153', in_(ubl, ['<cbc:Name>Chair</cbc:Name>', ''])],
  ['BR-26', 'BT-146', in_(cii, ['<ram:ChargeAmount>19.90</ram:ChargeAmount>', ''])],
  ['BR-27', 'BT-146', in_(cii, ['>19.90<', '>-19.90<'])],
  ['BR-28', 'BT-148', in_(cii, ['>55.00<', '>-55.00<'])],
  ['BR-29', 'BT-74', in_(ubl, ['<cbc:EndDate>2025-03-31', '<cbc:EndDate>2025-02-28'])],
  ['BR-30', 'BT-135', in_(cii, ['>20250315<', '>20250228<'])],
  ['BR-31', 'BT-92', in_(cii, ['<ram:ActualAmount>15.00</ram:ActualAmount>', ''])],
  [
    'BR-32',
    'BT-95',
    in_(cii, [removed('(?<=Loyalty</ram:Reason>)<ram:CategoryTradeTax>.*?</ram:CategoryTradeTax>')]),
  ],
  ['BR-33', 'BT-97', in_(cii, ['<ram:Reason>Loyalty</ram:Reason>', ''])],
  ['BR-CO-21', 'BT-97', in_(cii, ['<ram:Reason>Loyalty</ram:Reason>', ''])],
  [
    'BR-36',
    'BT-99',
    in_(cii, ['<ram:ActualAmount>10.00</ram:ActualAmount><ram:Reason>Freight', '<ram:Reason>Freight']),
  ],
  [
    'BR-37',
    'BT-102',
    in_(cii, [removed('(?<=Freight</ram:Reason>)<ram:CategoryTradeTax>.*?</ram:CategoryTradeTax>')]),
  ],
  ['BR-38', 'BT-104', in_(cii, ['<ram:Reason>Freight</ram:Reason>', ''])],
  ['BR-CO-22', 'BT-104', in_(cii, ['<ram:Reason>Freight</ram:Reason>', ''])],
  [
    'BR-41',
    'BT-136',
    in_(cii, ['<ram:ActualAmount>10.00</ram:ActualAmount><ram:Reason>Quantity', '<ram:Reason>Quantity']),
  ],
  ['BR-42', 'BT-139', in_(cii, ['<ram:Reason>Quantity</ram:Reason>', ''])],
  ['BR-CO-23', 'BT-139', in_(cii, ['<ram:Reason>Quantity</ram:Reason>', ''])],
  ['BR-43', 'BT-141', in_(cii, ['<ram:ActualAmount>5.00</ram:ActualAmount>', ''])],
  ['BR-44', 'BT-144', in_(cii, ['<ram:Reason>Packing</ram:Reason>', ''])],
  ['BR-CO-24', 'BT-144', in_(cii, ['<ram:Reason>Packing</ram:Reason>', ''])],
  ['BR-45', 'BT-116', in_(cii, ['<ram:BasisAmount>59.70</ram:BasisAmount>', ''])],
  ['BR-46', 'BT-117', in_(cii, ['<ram:CalculatedAmount>4.18</ram:CalculatedAmount>', ''])],
  [
    'BR-47',
    'BT-118',
    in_(cii, [
      '<ram:BasisAmount>59.70</ram:BasisAmount><ram:CategoryCode>S</ram:CategoryCode>',
      '<ram:BasisAmount>59.70</ram:BasisAmount>',
    ]),
  ],
  ['BR-48', 'BT-119', in_(cii, ['<ram:RateApplicablePercent>7.00</ram:RateApplicablePercent>', ''])],
  ['BR-49', 'BT-81', in_(cii, ['<ram:TypeCode>58</ram:TypeCode>', ''])],
  ['BR-50', 'BT-84', in_(cii, ['<ram:IBANID>DE89370400440532013000</ram:IBANID>', ''])],
  ['BR-51', 'BT-87', in_(ubl, paid('54', card.replace('******', '789012')))],
  ['BR-52', 'BT-122', in_(cii, ['<ram:IssuerAssignedID>sheet-7</ram:IssuerAssignedID>', ''])],
  [
    'BR-53',
    'BT-111',
    in_(cii, [
      '<ram:InvoiceCurrencyCode>',
      '<ram:TaxCurrencyCode>CZK</ram:TaxCurrencyCode><ram:InvoiceCurrencyCode>',
    ]),
  ],
  ['BR-54', 'BT-161', in_(cii, ['<ram:Value>red</ram:Value>', ''])],
  ['BR-55', 'BT-25', in_(cii, ['<ram:IssuerAssignedID>R-2025-0001</ram:IssuerAssignedID>', ''])],
  [
    'BR-56',
    'BT-63',
    in_(cii, [
      removed(
        '<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE111111111</ram:ID></ram:SpecifiedTaxRegistration>',
      ),
    ]),
  ],
  [
    'BR-57',
    'BT-80',
    in_(cii, [
      '<ram:CityName>Augsburg</ram:CityName><ram:CountryID>DE</ram:CountryID>',
      '<ram:CityName>Augsburg</ram:CityName>',
    ]),
  ],
  ['BR-61', 'BT-84', in_(ubl, [account, ''])],
  ['BR-62', 'BT-34', in_(cii, ['<ram:URIID schemeID="EM">info', '<ram:URIID>info'])],
  ['BR-63', 'BT-49', in_(cii, ['<ram:URIID schemeID="EM">einkauf', '<ram:URIID>einkauf'])],
  ['BR-64', 'BT-157', in_(cii, [' schemeID="0160"', ''])],
  ['BR-65', 'BT-158', in_(cii, [' listID="MP"', ''])],
  [
    'BR-66',
    'BG-18',
    in_(ubl, paid('54', card), [
      '<cac:PaymentTerms>',
      `<cac:PaymentMeans><cbc:PaymentMeansCode>54</cbc:PaymentMeansCode>${card}</cac:PaymentMeans><cac:PaymentTerms>`,
    ]),
  ],
  [
    'BR-67',
    'BG-19',
    in_(ubl, paid('59', mandate), [
      '<cac:PaymentTerms>',
      `<cac:PaymentMeans><cbc:PaymentMeansCode>59</cbc:PaymentMeansCode>${mandate}</cac:PaymentMeans><cac:PaymentTerms>`,
    ]),
  ],
  [
    'BR-CO-03',
    'BT-7',
    in_(
      ubl,
      [
        '<cbc:DocumentCurrencyCode>',
        '<cbc:TaxPointDate>2025-03-31</cbc:TaxPointDate><cbc:DocumentCurrencyCode>',
      ],
      ['</cbc:EndDate>', '</cbc:EndDate><cbc:DescriptionCode>35</cbc:DescriptionCode>'],
    ),
  ],
  ['BR-CO-04', 'BT-151', in_(ubl, [removed('<cac:ClassifiedTaxCategory>.*?</cac:ClassifiedTaxCategory>')])],
  ['BR-CO-09', 'BT-31', in_(ubl, ['>DE123456789<', '>123456789<'])],
  ['BR-CO-09', 'BT-48', in_(cii, ['>DE987654321<', '>987654321<'])],
  ['BR-CO-09', 'BT-63', in_(cii, ['>DE111111111<', '>111111111<'])],
  ['BR-CO-10', 'BT-106', in_(cii, ['>254.70<', '>254.71<'])],
  ['BR-CO-11', 'BT-107', in_(cii, ['<ram:AllowanceTotalAmount>15.00<', '<ram:AllowanceTotalAmount>15.01<'])],
  ['BR-CO-12', 'BT-108', in_(cii, ['<ram:ChargeTotalAmount>10.00<', '<ram:ChargeTotalAmount>9.99<'])],
  ['BR-CO-13', 'BT-109', in_(cii, ['>249.70<', '>249.71<'])],
  ['BR-CO-14', 'BT-110', in_(cii, ['>40.28<', '>40.29<'])],
  ['BR-CO-15', 'BT-112', in_(cii, ['>289.98<', '>289.99<'])],
  ['BR-CO-16', 'BT-115', in_(cii, ['>240.00<', '>239.98<'])],
  ['BR-CO-17', 'BT-117', in_(cii, ['<ram:CalculatedAmount>36.10<', '<ram:CalculatedAmount>37.10<'])],
  ['BR-CO-18', 'BG-23', in_(ubl, [removed('<cac:TaxSubtotal>.*?</cac:TaxSubtotal>')])],
  [
    'BR-CO-19',
    'BG-14',
    in_(cii, [
      removed(
        '(?<=</ram:ApplicableTradeTax>\\s*<ram:BillingSpecifiedPeriod>)<ram:StartDateTime><udt:DateTimeString format="102">20250301</udt:DateTimeString></ram:StartDateTime><ram:EndDateTime><udt:DateTimeString format="102">20250331</udt:DateTimeString></ram:EndDateTime>',
      ),
    ]),
  ],
  [
    'BR-CO-20',
    'BG-26',
    in_(cii, [
      removed(
        '<ram:StartDateTime><udt:DateTimeString format="102">20250301</udt:DateTimeString></ram:StartDateTime><ram:EndDateTime><udt:DateTimeString format="102">20250315</udt:DateTimeString></ram:EndDateTime>',
      ),
    ]),
  ],
  [
    'BR-CO-25',
    'BT-9',
    in_(cii, [removed('<ram:SpecifiedTradePaymentTerms>.*?</ram:SpecifiedTradePaymentTerms>')]),
  ],
  [
    'BR-CO-26',
    'BT-31',
    in_(cii, [
      removed(
        '<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE123456789.*?</ram:SpecifiedTaxRegistration>',
      ),
      ['<ram:ID>HRB 1234</ram:ID>', ''],
    ]),
  ],
  ['BR-DEC-01', 'BT-92', in_(cii, ['<ram:ActualAmount>15.00<', '<ram:ActualAmount>15.001<'])],
  [
    'BR-DEC-02',
    'BT-93',
    in_(cii, [
      '<ram:BasisAmount>195.00</ram:BasisAmount><ram:ActualAmount>15',
      '<ram:BasisAmount>195.001</ram:BasisAmount><ram:ActualAmount>15',
    ]),
  ],
  [
    'BR-DEC-05',
    'BT-99',
    in_(cii, [
      '<ram:ActualAmount>10.00</ram:ActualAmount><ram:Reason>Freight',
      '<ram:ActualAmount>10.001</ram:ActualAmount><ram:Reason>Freight',
    ]),
  ],
  [
    'BR-DEC-06',
    'BT-100',
    in_(cii, [
      '<ram:BasisAmount>195.00</ram:BasisAmount><ram:ActualAmount>10',
      '<ram:BasisAmount>195.001</ram:BasisAmount><ram:ActualAmount>10',
    ]),
  ],
  ['BR-DEC-09', 'BT-106', in_(cii, ['>254.70<', '>254.701<'])],
  [
    'BR-DEC-10',
    'BT-107',
    in_(cii, ['<ram:AllowanceTotalAmount>15.00<', '<ram:AllowanceTotalAmount>15.001<']),
  ],
  ['BR-DEC-11', 'BT-108', in_(cii, ['<ram:ChargeTotalAmount>10.00<', '<ram:ChargeTotalAmount>10.001<'])],
  ['BR-DEC-12', 'BT-109', in_(cii, ['>249.70<', '>249.701<'])],
  ['BR-DEC-13', 'BT-110', in_(cii, ['>40.28<', '>40.281<'])],
  ['BR-DEC-14', 'BT-112', in_(cii, ['>289.98<', '>289.981<'])],
  [
    'BR-DEC-15',
    'BT-111',
    in_(
      cii,
      [
        '<ram:InvoiceCurrencyCode>',
        '<ram:TaxCurrencyCode>CZK</ram:TaxCurrencyCode><ram:InvoiceCurrencyCode>',
      ],
      [
        '</ram:TaxTotalAmount>',
        '</ram:TaxTotalAmount><ram:TaxTotalAmount currencyID="CZK">1000.001</ram:TaxTotalAmount>',
      ],
    ),
  ],
  ['BR-DEC-16', 'BT-113', in_(cii, ['<ram:TotalPrepaidAmount>50.00<', '<ram:TotalPrepaidAmount>50.001<'])],
  ['BR-DEC-17', 'BT-114', in_(cii, ['>0.02<', '>0.021<'])],
  ['BR-DEC-18', 'BT-115', in_(cii, ['>240.00<', '>240.001<'])],
  ['BR-DEC-19', 'BT-116', in_(cii, ['<ram:BasisAmount>59.70<', '<ram:BasisAmount>59.701<'])],
  ['BR-DEC-20', 'BT-117', in_(cii, ['<ram:CalculatedAmount>4.18<', '<ram:CalculatedAmount>4.179<'])],
  ['BR-DEC-23', 'BT-131', in_(cii, ['<ram:LineTotalAmount>59.70<', '<ram:LineTotalAmount>59.701<'])],
  [
    'BR-DEC-24',
    'BT-136',
    in_(cii, [
      '<ram:ActualAmount>10.00</ram:ActualAmount><ram:Reason>Quantity',
      '<ram:ActualAmount>10.001</ram:ActualAmount><ram:Reason>Quantity',
    ]),
  ],
  [
    'BR-DEC-25',
    'BT-137',
    in_(cii, [
      '<ram:BasisAmount>200.00</ram:BasisAmount><ram:ActualAmount>10',
      '<ram:BasisAmount>200.001</ram:BasisAmount><ram:ActualAmount>10',
    ]),
  ],
  ['BR-DEC-27', 'BT-141', in_(cii, ['<ram:ActualAmount>5.00<', '<ram:ActualAmount>5.001<'])],
  [
    'BR-DEC-28',
    'BT-142',
    in_(cii, [
      '<ram:BasisAmount>200.00</ram:BasisAmount><ram:ActualAmount>5',
      '<ram:BasisAmount>200.001</ram:BasisAmount><ram:ActualAmount>5',
    ]),
  ],
  ['BR-CL-01', 'BT-3', in_(cii, ['>380<', '>999<'])],
  ['BR-CL-01', 'BT-3', in_(ubl, ['>380<', '>381<'])],
  [
    'BR-CL-03',
    'BT-106',
    in_(ubl, ['LineExtensionAmount currencyID="EUR"', 'LineExtensionAmount currencyID="Euro"']),
  ],
  ['BR-CL-03', 'BT-146', in_(ubl, ['PriceAmount currencyID="EUR"', 'PriceAmount currencyID="eur"'])],
  ['BR-CL-04', 'BT-5', in_(cii, ['<ram:InvoiceCurrencyCode>EUR<', '<ram:InvoiceCurrencyCode>EURO<'])],
  [
    'BR-CL-05',
    'BT-6',
    in_(cii, [
      '<ram:InvoiceCurrencyCode>',
      '<ram:TaxCurrencyCode>KČ</ram:TaxCurrencyCode><ram:InvoiceCurrencyCode>',
    ]),
  ],
  [
    'BR-CL-14',
    'BT-40',
    in_(cii, [
      '<ram:CityName>Berlin</ram:CityName><ram:CountryID>DE<',
      '<ram:CityName>Berlin</ram:CityName><ram:CountryID>DEU<',
    ]),
  ],
  [
    'BR-CL-15',
    'BT-159',
    in_(cii, ['<ram:OriginTradeCountry><ram:ID>DE<', '<ram:OriginTradeCountry><ram:ID>D<']),
  ],
  [
    'BR-CL-07',
    'BT-18-1',
    in_(cii, [
      '<ram:AdditionalReferencedDocument>',
      '<ram:AdditionalReferencedDocument><ram:IssuerAssignedID>7</ram:IssuerAssignedID><ram:TypeCode>130</ram:TypeCode><ram:ReferenceTypeCode>GAS</ram:ReferenceTypeCode></ram:AdditionalReferencedDocument><ram:AdditionalReferencedDocument>',
    ]),
  ],
  [
    'BR-CL-07',
    'BT-128-1',
    in_(ubl, [
      '<cac:Item><cbc:Name>Chair',
      '<cac:DocumentReference><cbc:ID schemeID="GAS">7</cbc:ID><cbc:DocumentTypeCode>130</cbc:DocumentTypeCode></cac:DocumentReference><cac:Item><cbc:Name>Chair',
    ]),
  ],
  [
    'BR-CL-08',
    'BT-21',
    in_(cii, [
      '</ram:Content></ram:IncludedNote>',
      '</ram:Content><ram:SubjectCode>REGULAR</ram:SubjectCode></ram:IncludedNote>',
    ]),
  ],
  [
    'BR-CL-08',
    'BT-21',
    in_(ubl, ['<cbc:DocumentCurrencyCode>', '<cbc:Note>#QQQ#Thanks</cbc:Note><cbc:DocumentCurrencyCode>']),
  ],
  ['BR-CL-13', 'BT-158-1', in_(cii, ['listID="MP"', 'listID="CPV"'])],
  [
    'BR-CL-20',
    'BT-105',
    in_(cii, ['<ram:Reason>Freight<', '<ram:ReasonCode>FREIGHT</ram:ReasonCode><ram:Reason>Freight<']),
  ],
  [
    'BR-CL-20',
    'BT-145',
    in_(cii, ['<ram:Reason>Packing<', '<ram:ReasonCode>95</ram:ReasonCode><ram:Reason>Packing<']),
  ],
  ['BR-CL-23', 'BT-130', in_(ubl, ['unitCode="H87"', 'unitCode="Stk"'])],
  ['BR-CL-23', 'BT-130', in_(cii, ['unitCode="H87">4', 'unitCode="PCE">4'])],
  [
    'BR-CL-23',
    'BT-150',
    in_(ubl, [
      '</cbc:PriceAmount>',
      '</cbc:PriceAmount><cbc:BaseQuantity unitCode="each">1</cbc:BaseQuantity>',
    ]),
  ],
  ['BR-CL-16', 'BT-81', in_(cii, ['<ram:TypeCode>58<', '<ram:TypeCode>99<'])],
  [
    'BR-CL-17',
    'BT-118',
    in_(cii, [
      '<ram:BasisAmount>59.70</ram:BasisAmount><ram:CategoryCode>S<',
      '<ram:BasisAmount>59.70</ram:BasisAmount><ram:CategoryCode>X<',
    ]),
  ],
  ['BR-CL-18', 'BT-151', in_(ubl, [/(<cac:ClassifiedTaxCategory><cbc:ID>)S/, '$1X'])],
  [
    'BR-CL-06',
    'BT-8',
    in_(cii, [
      '<ram:BasisAmount>59.70</ram:BasisAmount><ram:CategoryCode>S</ram:CategoryCode>',
      '<ram:BasisAmount>59.70</ram:BasisAmount><ram:CategoryCode>S</ram:CategoryCode><ram:DueDateTypeCode>3</ram:DueDateTypeCode>',
    ]),
  ],
  [
    'BR-CL-06',
    'BT-8',
    in_(ubl, [
      '<cac:BillingReference>',
      '<cac:InvoicePeriod><cbc:DescriptionCode>29</cbc:DescriptionCode></cac:InvoicePeriod><cac:BillingReference>',
    ]),
  ],
  [
    'BR-CL-10',
    'BT-46',
    in_(cii, ['<ram:Name>Bücher', '<ram:GlobalID schemeID="GLN">1</ram:GlobalID><ram:Name>Bücher']),
  ],
  [
    'BR-CL-10',
    'BT-29',
    in_(ubl, [
      '<cbc:EndpointID schemeID="EM">info@muster.example</cbc:EndpointID>',
      '<cbc:EndpointID schemeID="EM">info@muster.example</cbc:EndpointID><cac:PartyIdentification><cbc:ID schemeID="0103">1</cbc:ID></cac:PartyIdentification>',
    ]),
  ],
  [
    'BR-CL-10',
    'BT-60',
    in_(cii, [
      '<ram:Name>Factoring SE',
      '<ram:GlobalID schemeID="9999">1</ram:GlobalID><ram:Name>Factoring SE',
    ]),
  ],
  ['BR-CL-11', 'BT-47', in_(cii, ['<ram:ID>HRA 99<', '<ram:ID schemeID="HRA">99<'])],
  [
    'BR-CL-19',
    'BT-98',
    in_(cii, ['<ram:Reason>Loyalty<', '<ram:ReasonCode>1</ram:ReasonCode><ram:Reason>Loyalty<']),
  ],
  [
    'BR-CL-19',
    'BT-140',
    in_(cii, ['<ram:Reason>Quantity<', '<ram:ReasonCode>ZZZ</ram:ReasonCode><ram:Reason>Quantity<']),
  ],
  ['BR-CL-21', 'BT-157', in_(cii, ['schemeID="0160"', 'schemeID="EAN"'])],
  [
    'BR-CL-22',
    'BT-121',
    in_(validByCategory['E'] ?? '', [
      '<cbc:TaxExemptionReason>',
      '<cbc:TaxExemptionReasonCode>VATEX-EU-X</cbc:TaxExemptionReasonCode><cbc:TaxExemptionReason>',
    ]),
  ],
  ['BR-CL-25', 'BT-49', in_(ubl, ['schemeID="EM">einkauf', 'schemeID="MAIL">einkauf'])],
  [
    'BR-CL-26',
    'BT-71',
    in_(cii, ['<ram:Name>Lager Süd', '<ram:GlobalID schemeID="STORE">1</ram:GlobalID><ram:Name>Lager Süd']),
  ],
  ['BR-CL-24', 'BT-125', in_(cii, ['text/csv', 'text/html'])],
  ['BR-S-01', 'BG-23', in_(ubl, [/(<cac:TaxSubtotal>.*?<cbc:ID>)S/s, '$1E'])],
  ...(['02', '03'] as const).map((number) => [`BR-S-${number}`, 'BT-31', in_(ubl, [sellerVat, ''])] as const),
  ['BR-S-04', 'BT-31', in_(ubl, charge('S', '19'), [sellerVat, ''])],
  ['BR-S-05', 'BT-152', in_(ubl, [/(<cac:ClassifiedTaxCategory>.*?<cbc:Percent>)19/s, '$10'])],
  ['BR-S-06', 'BT-96', in_(ubl, [/(false<\/cbc:ChargeIndicator>.*?<cbc:Percent>)19/s, '$10'])],
  ['BR-S-07', 'BT-103', in_(ubl, charge('S', '0'))],
  [
    'BR-S-08',
    'BT-116',
    in_(ubl, ['<cbc:TaxableAmount currencyID="EUR">190.00', '<cbc:TaxableAmount currencyID="EUR">191.00']),
  ],
  [
    'BR-S-10',
    'BT-120',
    in_(ubl, [
      /(<cac:TaxSubtotal>.*?<cbc:Percent>19<\/cbc:Percent>)/s,
      '$1<cbc:TaxExemptionReason>None</cbc:TaxExemptionReason>',
    ]),
  ],
  // The category of another tax than VAT is not that of EN 16931.
  ['BR-CO-04', 'BT-151', in_(cii, [/(<ram:SpecifiedLineTradeSettlement>.*?<ram:TypeCode>)VAT/s, '$1GST'])],
  ['BR-CO-04', 'BT-151', in_(ubl, [/(<cac:ClassifiedTaxCategory>.*?<cac:TaxScheme><cbc:ID>)VAT/s, '$1GST'])],
  ['BR-47', 'BT-118', in_(ubl, [/(<cac:TaxSubtotal>.*?<cac:TaxScheme><cbc:ID>)VAT/s, '$1GST'])],
  ['BR-32', 'BT-95', in_(cii, [/(<ram:CategoryTradeTax>\s*<ram:TypeCode>)VAT/s, '$1GST'])],
  ...byCategory,
  [
    'BR-AE-02',
    'BT-48',
    in_(validByCategory['AE'] ?? '', [/<cac:PartyTaxScheme><cbc:CompanyID>FR.*?<\/cac:PartyTaxScheme>/s, '']),
  ],
  [
    'BR-IC-02',
    'BT-48',
    in_(validByCategory['K'] ?? '', [/<cac:PartyTaxScheme><cbc:CompanyID>FR.*?<\/cac:PartyTaxScheme>/s, '']),
  ],
  [
    'BR-IC-11',
    'BT-72',
    in_(validByCategory['K'] ?? '', [
      removed('<cbc:ActualDeliveryDate>.*?</cbc:ActualDeliveryDate>'),
      removed('<cac:InvoicePeriod>.*?</cac:InvoicePeriod>'),
    ]),
  ],
  [
    'BR-IC-12',
    'BT-80',
    in_(validByCategory['K'] ?? '', [removed('<cac:DeliveryLocation>.*?</cac:DeliveryLocation>')]),
  ],
  [
    'BR-O-11',
    'BG-23',
    in_(validByCategory['O'] ?? '', [
      '</cac:TaxSubtotal>',
      '</cac:TaxSubtotal><cac:TaxSubtotal><cbc:TaxableAmount currencyID="EUR">0</cbc:TaxableAmount><cbc:TaxAmount currencyID="EUR">0</cbc:TaxAmount><cac:TaxCategory><cbc:ID>Z</cbc:ID><cbc:Percent>0</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal>',
    ]),
  ],
  ['BR-O-12', 'BG-25', in_(validByCategory['O'] ?? '', [/(<cac:ClassifiedTaxCategory><cbc:ID>)O/, '$1Z'])],
  [
    'BR-O-13',
    'BG-20',
    in_(validByCategory['O'] ?? '', [/(false<\/cbc:ChargeIndicator>.*?<cbc:ID>)O/s, '$1Z']),
  ],
  [
    'BR-O-14',
    'BG-21',
    in_(validByCategory['O'] ?? '', [/(true<\/cbc:ChargeIndicator>.*?<cbc:ID>)O/s, '$1Z']),
  ],
  ['BR-B-01', 'BT-151', in_(validByCategory['B'] ?? '', [/(<cbc:IdentificationCode>)IT/, '$1DE'])],
  [
    'BR-B-02',
    'BT-151',
    in_(validByCategory['B'] ?? '', [/(true<\/cbc:ChargeIndicator>.*?<cbc:ID>)B/s, '$1S']),
  ],
  ['BR-DE-1', 'BG-16', in_(ubl, [removed('<cac:PaymentMeans>.*?</cac:PaymentMeans>')])],
  ['BR-DE-2', 'BG-6', in_(ubl, [removed('<cac:Contact>.*?</cac:Contact>')])],
  ['BR-DE-3', 'BT-37', in_(german, ['<ram:CityName>Berlin</ram:CityName>', ''])],
  ['BR-DE-4', 'BT-38', in_(german, ['<ram:PostcodeCode>10115</ram:PostcodeCode>', ''])],
  ['BR-DE-5', 'BT-41', in_(german, ['<ram:PersonName>Erika Muster</ram:PersonName>', ''])],
  ['BR-DE-6', 'BT-42', in_(ubl, [removed('<cbc:Telephone>.*?</cbc:Telephone>')])],
  ['BR-DE-7', 'BT-43', in_(ubl, [removed('<cbc:ElectronicMail>.*?</cbc:ElectronicMail>')])],
  ['BR-DE-8', 'BT-52', in_(ubl, ['<cbc:CityName>München</cbc:CityName>', ''])],
  ['BR-DE-9', 'BT-53', in_(ubl, ['<cbc:PostalZone>80331</cbc:PostalZone>', ''])],
  ['BR-DE-10', 'BT-77', in_(german, ['<ram:CityName>Augsburg</ram:CityName>', ''])],
  ['BR-DE-11', 'BT-78', in_(german, ['<ram:PostcodeCode>86150</ram:PostcodeCode>', ''])],
  ['BR-DE-14', 'BT-119', in_(german, ['<ram:RateApplicablePercent>7.00</ram:RateApplicablePercent>', ''])],
  ['BR-DE-15', 'BT-10', in_(ubl, [removed('<cbc:BuyerReference>.*?</cbc:BuyerReference>')])],
  ['BR-DE-16', 'BT-31', in_(ubl, [sellerVat, ''])],
  ['BR-DE-17', 'BT-3', in_(ubl, ['>380<', '>751<'])],
  ['BR-DE-18', 'BT-20', in_(ubl, ['PROZENT=2.00#', 'PROZENT=2#'])],
  ['BR-DE-19', 'BT-84', in_(ubl, ['DE89370400440532013000', 'DE89370400440532013001'])],
  ['BR-DE-20', 'BT-91', in_(ubl, paid('59', mandate.replace('DE89', 'DE88')))],
  [
    'BR-DE-21',
    'BT-24',
    in_(ubl, ['xeinkauf.de:kosit:xrechnung_3.0', 'xoev-de:kosit:standard:xrechnung_2.3']),
  ],
  [
    'BR-DE-22',
    'BG-24',
    in_(ubl, [/(<cac:AdditionalDocumentReference>.*?<\/cac:AdditionalDocumentReference>)/s, '$1$1']),
  ],
  ['BR-DE-23-a', 'BG-17', in_(ubl, [account, ''])],
  ['BR-DE-23-b', 'BT-81', in_(ubl, paid('58', `${card}${account}`))],
  ['BR-DE-24-a', 'BG-18', in_(ubl, paid('54', ''))],
  ['BR-DE-24-b', 'BT-81', in_(ubl, paid('54', `${card}${account}`))],
  ['BR-DE-25-a', 'BG-19', in_(ubl, paid('59', ''))],
  ['BR-DE-25-b', 'BT-81', in_(ubl, paid('59', `${account}${mandate}`))],
  [
    'BR-DE-26',
    'BG-3',
    in_(ubl, ['>380<', '>384<'], [/<cac:BillingReference>.*?<\/cac:BillingReference>/s, '']),
  ],
  ['BR-DE-27', 'BT-42', in_(ubl, ['+49 30 1234567', '+4'])],
  ['BR-DE-28', 'BT-43', in_(ubl, ['erika@muster.example', 'erika.muster.example'])],
  ['BR-DE-30', 'BT-90', in_(ubl, paid('59', mandate))],
  [
    'BR-DE-31',
    'BT-91',
    in_(ubl, paid('59', '<cac:PaymentMandate><cbc:ID>M-1</cbc:ID></cac:PaymentMandate>')),
  ],
  [
    'BR-DE-TMP-32',
    'BT-72',
    in_(ubl, [
      removed('<cac:InvoicePeriod>.*?</cac:InvoicePeriod>'),
      removed('<cac:Delivery>.*?</cac:Delivery>'),
    ]),
  ],
  ['PEPPOL-EN16931-R001', 'BT-23', in_(ubl, [removed('<cbc:ProfileID>.*?</cbc:ProfileID>')])],
  [
    'PEPPOL-EN16931-R010',
    'BT-49',
    in_(ubl, [removed('<cbc:EndpointID schemeID="EM">einkauf.*?</cbc:EndpointID>')]),
  ],
  [
    'PEPPOL-EN16931-R020',
    'BT-34',
    in_(ubl, [removed('<cbc:EndpointID schemeID="EM">info.*?</cbc:EndpointID>')]),
  ],
]
