/** The positions of the business terms in the invoice and the credit note of UBL 2.1. Source: CEN/TS 16931-3-2. */
import type { Binding } from './binding.ts'

const seller = 'cac:AccountingSupplierParty/cac:Party'
const buyer = 'cac:AccountingCustomerParty/cac:Party'
const representative = 'cac:TaxRepresentativeParty'
const recipient = 'cac:Delivery/cac:DeliveryLocation/cac:Address'
const totals = 'cac:LegalMonetaryTotal'
const isVat = '[cac:TaxScheme/cbc:ID=VAT]'
const isAllowance = '[cbc:ChargeIndicator=false]'
const isCharge = '[cbc:ChargeIndicator=true]'

const line = (element: string, quantity: string): Binding => ({
  path: `cac:${element}`,
  terms: {
    'BT-126': 'cbc:ID',
    'BT-128-1': 'cac:DocumentReference[cbc:DocumentTypeCode=130]/cbc:ID/@schemeID',
    'BT-129': `cbc:${quantity}`,
    'BT-130': `cbc:${quantity}/@unitCode`,
    'BT-131': 'cbc:LineExtensionAmount',
    'BG-26': 'cac:InvoicePeriod',
    'BT-134': 'cac:InvoicePeriod/cbc:StartDate',
    'BT-135': 'cac:InvoicePeriod/cbc:EndDate',
    'BT-146': 'cac:Price/cbc:PriceAmount',
    'BT-148': 'cac:Price/cac:AllowanceCharge/cbc:BaseAmount',
    'BT-149': 'cac:Price/cbc:BaseQuantity',
    'BT-150': 'cac:Price/cbc:BaseQuantity/@unitCode',
    'BT-151': `cac:Item/cac:ClassifiedTaxCategory${isVat}/cbc:ID`,
    'BT-152': 'cac:Item/cac:ClassifiedTaxCategory/cbc:Percent',
    'BT-153': 'cac:Item/cbc:Name',
    'BT-157': 'cac:Item/cac:StandardItemIdentification/cbc:ID',
    'BT-158': 'cac:Item/cac:CommodityClassification/cbc:ItemClassificationCode',
    'BT-158-1': 'cac:Item/cac:CommodityClassification/cbc:ItemClassificationCode/@listID',
    'BT-159': 'cac:Item/cac:OriginCountry/cbc:IdentificationCode',
  },
  groups: {
    'BG-27': {
      path: `cac:AllowanceCharge${isAllowance}`,
      terms: {
        'BT-136': 'cbc:Amount',
        'BT-137': 'cbc:BaseAmount',
        'BT-139': 'cbc:AllowanceChargeReason',
        'BT-140': 'cbc:AllowanceChargeReasonCode',
      },
    },
    'BG-28': {
      path: `cac:AllowanceCharge${isCharge}`,
      terms: {
        'BT-141': 'cbc:Amount',
        'BT-142': 'cbc:BaseAmount',
        'BT-144': 'cbc:AllowanceChargeReason',
        'BT-145': 'cbc:AllowanceChargeReasonCode',
      },
    },
    'BG-32': {
      path: 'cac:Item/cac:AdditionalItemProperty',
      terms: { 'BT-160': 'cbc:Name', 'BT-161': 'cbc:Value' },
    },
  },
})

const header = (isCreditNote: boolean): Binding['terms'] => ({
  'BT-1': 'cbc:ID',
  'BT-2': 'cbc:IssueDate',
  'BT-3': isCreditNote ? 'cbc:CreditNoteTypeCode' : 'cbc:InvoiceTypeCode',
  'BT-5': 'cbc:DocumentCurrencyCode',
  'BT-6': 'cbc:TaxCurrencyCode',
  'BT-7': 'cbc:TaxPointDate',
  'BT-8': 'cac:InvoicePeriod/cbc:DescriptionCode',
  'BT-9': isCreditNote ? 'cac:PaymentMeans/cbc:PaymentDueDate' : 'cbc:DueDate',
  'BT-10': 'cbc:BuyerReference',
  'BT-18-1': 'cac:AdditionalDocumentReference[cbc:DocumentTypeCode=130]/cbc:ID/@schemeID',
  'BT-20': 'cac:PaymentTerms/cbc:Note',
  'BT-21': 'cbc:Note',
  'BT-23': 'cbc:ProfileID',
  'BT-24': 'cbc:CustomizationID',
  'BT-27': `${seller}/cac:PartyLegalEntity/cbc:RegistrationName`,
  'BT-29': `${seller}/cac:PartyIdentification/cbc:ID[!@schemeID=SEPA]`,
  'BT-30': `${seller}/cac:PartyLegalEntity/cbc:CompanyID`,
  'BT-31': `${seller}/cac:PartyTaxScheme${isVat}/cbc:CompanyID`,
  'BT-32': `${seller}/cac:PartyTaxScheme[!cac:TaxScheme/cbc:ID=VAT]/cbc:CompanyID`,
  'BT-34': `${seller}/cbc:EndpointID`,
  'BG-5': `${seller}/cac:PostalAddress`,
  'BT-37': `${seller}/cac:PostalAddress/cbc:CityName`,
  'BT-38': `${seller}/cac:PostalAddress/cbc:PostalZone`,
  'BT-40': `${seller}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`,
  'BG-6': `${seller}/cac:Contact`,
  'BT-41': `${seller}/cac:Contact/cbc:Name`,
  'BT-42': `${seller}/cac:Contact/cbc:Telephone`,
  'BT-43': `${seller}/cac:Contact/cbc:ElectronicMail`,
  'BT-44': `${buyer}/cac:PartyLegalEntity/cbc:RegistrationName`,
  'BT-46': `${buyer}/cac:PartyIdentification/cbc:ID`,
  'BT-47': `${buyer}/cac:PartyLegalEntity/cbc:CompanyID`,
  'BT-48': `${buyer}/cac:PartyTaxScheme${isVat}/cbc:CompanyID`,
  'BT-49': `${buyer}/cbc:EndpointID`,
  'BG-8': `${buyer}/cac:PostalAddress`,
  'BT-52': `${buyer}/cac:PostalAddress/cbc:CityName`,
  'BT-53': `${buyer}/cac:PostalAddress/cbc:PostalZone`,
  'BT-55': `${buyer}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`,
  'BG-10': 'cac:PayeeParty',
  'BT-59': 'cac:PayeeParty/cac:PartyName/cbc:Name',
  'BT-60': 'cac:PayeeParty/cac:PartyIdentification/cbc:ID[!@schemeID=SEPA]',
  'BT-61': 'cac:PayeeParty/cac:PartyLegalEntity/cbc:CompanyID',
  'BG-11': representative,
  'BT-62': `${representative}/cac:PartyName/cbc:Name`,
  'BT-63': `${representative}/cac:PartyTaxScheme${isVat}/cbc:CompanyID`,
  'BG-12': `${representative}/cac:PostalAddress`,
  'BT-69': `${representative}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`,
  'BT-71': 'cac:Delivery/cac:DeliveryLocation/cbc:ID',
  'BT-72': 'cac:Delivery/cbc:ActualDeliveryDate',
  'BG-14': ['cac:InvoicePeriod/cbc:StartDate', 'cac:InvoicePeriod/cbc:EndDate'],
  'BT-73': 'cac:InvoicePeriod/cbc:StartDate',
  'BT-74': 'cac:InvoicePeriod/cbc:EndDate',
  'BG-15': recipient,
  'BT-77': `${recipient}/cbc:CityName`,
  'BT-78': `${recipient}/cbc:PostalZone`,
  'BT-80': `${recipient}/cac:Country/cbc:IdentificationCode`,
  'BT-89': 'cac:PaymentMeans/cac:PaymentMandate/cbc:ID',
  'BT-90': [
    `${seller}/cac:PartyIdentification/cbc:ID[@schemeID=SEPA]`,
    'cac:PayeeParty/cac:PartyIdentification/cbc:ID[@schemeID=SEPA]',
  ],
  'BT-106': `${totals}/cbc:LineExtensionAmount`,
  'BT-107': `${totals}/cbc:AllowanceTotalAmount`,
  'BT-108': `${totals}/cbc:ChargeTotalAmount`,
  'BT-109': `${totals}/cbc:TaxExclusiveAmount`,
  'BT-110': 'cac:TaxTotal/cbc:TaxAmount',
  'BT-112': `${totals}/cbc:TaxInclusiveAmount`,
  'BT-113': `${totals}/cbc:PrepaidAmount`,
  'BT-114': `${totals}/cbc:PayableRoundingAmount`,
  'BT-115': `${totals}/cbc:PayableAmount`,
  'BG-19': 'cac:PaymentMeans/cac:PaymentMandate',
})

const taxed = (
  condition: string,
  [amount, base, category, rate, reason, code]: readonly [string, string, string, string, string, string],
): Binding => ({
  path: `cac:AllowanceCharge${condition}`,
  terms: {
    [amount]: 'cbc:Amount',
    [base]: 'cbc:BaseAmount',
    [category]: `cac:TaxCategory${isVat}/cbc:ID`,
    [rate]: 'cac:TaxCategory/cbc:Percent',
    [reason]: 'cbc:AllowanceChargeReason',
    [code]: 'cbc:AllowanceChargeReasonCode',
  },
})

const bindingOf = (isCreditNote: boolean): Binding => ({
  path: '',
  terms: header(isCreditNote),
  groups: {
    'BG-3': {
      path: 'cac:BillingReference/cac:InvoiceDocumentReference',
      terms: { 'BT-25': 'cbc:ID' },
    },
    'BG-16': {
      path: 'cac:PaymentMeans',
      terms: {
        'BT-81': 'cbc:PaymentMeansCode',
        'BG-17': 'cac:PayeeFinancialAccount',
        'BT-84': 'cac:PayeeFinancialAccount/cbc:ID',
        'BG-18': 'cac:CardAccount',
        'BT-87': 'cac:CardAccount/cbc:PrimaryAccountNumberID',
        'BT-91': 'cac:PaymentMandate/cac:PayerFinancialAccount/cbc:ID',
      },
    },
    'BG-20': taxed(isAllowance, ['BT-92', 'BT-93', 'BT-95', 'BT-96', 'BT-97', 'BT-98']),
    'BG-21': taxed(isCharge, ['BT-99', 'BT-100', 'BT-102', 'BT-103', 'BT-104', 'BT-105']),
    'BG-23': {
      path: 'cac:TaxTotal/cac:TaxSubtotal',
      terms: {
        'BT-116': 'cbc:TaxableAmount',
        'BT-117': 'cbc:TaxAmount',
        'BT-118': `cac:TaxCategory${isVat}/cbc:ID`,
        'BT-119': 'cac:TaxCategory/cbc:Percent',
        'BT-120': 'cac:TaxCategory/cbc:TaxExemptionReason',
        'BT-121': 'cac:TaxCategory/cbc:TaxExemptionReasonCode',
      },
    },
    'BG-24': {
      path: 'cac:AdditionalDocumentReference[!cbc:DocumentTypeCode=130]',
      terms: { 'BT-122': 'cbc:ID', 'BT-125': 'cac:Attachment/cbc:EmbeddedDocumentBinaryObject' },
    },
    'BG-25': isCreditNote
      ? line('CreditNoteLine', 'CreditedQuantity')
      : line('InvoiceLine', 'InvoicedQuantity'),
  },
})

export const ublInvoice = bindingOf(false)
export const ublCreditNote = bindingOf(true)
