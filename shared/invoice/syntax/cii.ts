/**
 * The positions of the business terms in the Cross Industry Invoice of UN/CEFACT. Source: CEN/TS 16931-3-3; Factur-X
 * 1.0.
 */
import type { Binding } from './binding.ts'

const context = 'rsm:ExchangedDocumentContext'
const document = 'rsm:ExchangedDocument'
const agreement = 'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement'
const delivery = 'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeDelivery'
const settlement = 'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement'
const seller = `${agreement}/ram:SellerTradeParty`
const buyer = `${agreement}/ram:BuyerTradeParty`
const representative = `${agreement}/ram:SellerTaxRepresentativeTradeParty`
const recipient = `${delivery}/ram:ShipToTradeParty`
const totals = `${settlement}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`
const means = `${settlement}/ram:SpecifiedTradeSettlementPaymentMeans`
const terms = `${settlement}/ram:SpecifiedTradePaymentTerms`
const adjustment = 'ram:SpecifiedTradeAllowanceCharge'
const isAllowance = '[ram:ChargeIndicator/udt:Indicator=false]'
const isCharge = '[ram:ChargeIndicator/udt:Indicator=true]'
/** A category belongs to VAT only under this type. EN 16931-3-3. */
const isVat = '[ram:TypeCode=VAT]'

const line: Binding = {
  path: 'rsm:SupplyChainTradeTransaction/ram:IncludedSupplyChainTradeLineItem',
  terms: {
    'BT-126': 'ram:AssociatedDocumentLineDocument/ram:LineID',
    'BT-X-8': 'ram:AssociatedDocumentLineDocument/ram:LineStatusReasonCode',
    'BT-128-1':
      'ram:SpecifiedLineTradeSettlement/ram:AdditionalReferencedDocument[ram:TypeCode=130]/ram:ReferenceTypeCode',
    'BT-129': 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity',
    'BT-130': 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity/@unitCode',
    'BT-131':
      'ram:SpecifiedLineTradeSettlement/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount',
    'BG-26': 'ram:SpecifiedLineTradeSettlement/ram:BillingSpecifiedPeriod',
    'BT-134':
      'ram:SpecifiedLineTradeSettlement/ram:BillingSpecifiedPeriod/ram:StartDateTime/udt:DateTimeString',
    'BT-135':
      'ram:SpecifiedLineTradeSettlement/ram:BillingSpecifiedPeriod/ram:EndDateTime/udt:DateTimeString',
    'BT-146': 'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount',
    'BT-148': 'ram:SpecifiedLineTradeAgreement/ram:GrossPriceProductTradePrice/ram:ChargeAmount',
    'BT-149': [
      'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:BasisQuantity',
      'ram:SpecifiedLineTradeAgreement/ram:GrossPriceProductTradePrice/ram:BasisQuantity',
    ],
    'BT-150': [
      'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:BasisQuantity/@unitCode',
      'ram:SpecifiedLineTradeAgreement/ram:GrossPriceProductTradePrice/ram:BasisQuantity/@unitCode',
    ],
    'BT-151': `ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax${isVat}/ram:CategoryCode`,
    'BT-152': 'ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax/ram:RateApplicablePercent',
    'BT-153': 'ram:SpecifiedTradeProduct/ram:Name',
    'BT-157': 'ram:SpecifiedTradeProduct/ram:GlobalID',
    'BT-158': 'ram:SpecifiedTradeProduct/ram:DesignatedProductClassification/ram:ClassCode',
    'BT-158-1': 'ram:SpecifiedTradeProduct/ram:DesignatedProductClassification/ram:ClassCode/@listID',
    'BT-159': 'ram:SpecifiedTradeProduct/ram:OriginTradeCountry/ram:ID',
  },
  groups: {
    'BG-27': {
      path: `ram:SpecifiedLineTradeSettlement/${adjustment}${isAllowance}`,
      terms: {
        'BT-136': 'ram:ActualAmount',
        'BT-137': 'ram:BasisAmount',
        'BT-139': 'ram:Reason',
        'BT-140': 'ram:ReasonCode',
      },
    },
    'BG-28': {
      path: `ram:SpecifiedLineTradeSettlement/${adjustment}${isCharge}`,
      terms: {
        'BT-141': 'ram:ActualAmount',
        'BT-142': 'ram:BasisAmount',
        'BT-144': 'ram:Reason',
        'BT-145': 'ram:ReasonCode',
      },
    },
    'BG-32': {
      path: 'ram:SpecifiedTradeProduct/ram:ApplicableProductCharacteristic',
      terms: { 'BT-160': 'ram:Description', 'BT-161': 'ram:Value' },
    },
  },
}

export const cii: Binding = {
  path: '',
  terms: {
    'BT-1': `${document}/ram:ID`,
    'BT-2': `${document}/ram:IssueDateTime/udt:DateTimeString`,
    'BT-3': `${document}/ram:TypeCode`,
    'BT-5': `${settlement}/ram:InvoiceCurrencyCode`,
    'BT-6': `${settlement}/ram:TaxCurrencyCode`,
    'BT-7': `${settlement}/ram:ApplicableTradeTax/ram:TaxPointDate/udt:DateString`,
    'BT-8': `${settlement}/ram:ApplicableTradeTax/ram:DueDateTypeCode`,
    'BT-9': `${terms}/ram:DueDateDateTime/udt:DateTimeString`,
    'BT-10': `${agreement}/ram:BuyerReference`,
    'BT-18-1': `${agreement}/ram:AdditionalReferencedDocument[ram:TypeCode=130]/ram:ReferenceTypeCode`,
    'BT-20': `${terms}/ram:Description`,
    'BT-21': `${document}/ram:IncludedNote/ram:SubjectCode`,
    'BT-23': `${context}/ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID`,
    'BT-24': `${context}/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID`,
    'BT-27': `${seller}/ram:Name`,
    'BT-29': [`${seller}/ram:ID`, `${seller}/ram:GlobalID`],
    'BT-30': `${seller}/ram:SpecifiedLegalOrganization/ram:ID`,
    'BT-31': `${seller}/ram:SpecifiedTaxRegistration/ram:ID[@schemeID=VA]`,
    'BT-32': `${seller}/ram:SpecifiedTaxRegistration/ram:ID[@schemeID=FC]`,
    'BT-34': `${seller}/ram:URIUniversalCommunication/ram:URIID`,
    'BG-5': `${seller}/ram:PostalTradeAddress`,
    'BT-37': `${seller}/ram:PostalTradeAddress/ram:CityName`,
    'BT-38': `${seller}/ram:PostalTradeAddress/ram:PostcodeCode`,
    'BT-40': `${seller}/ram:PostalTradeAddress/ram:CountryID`,
    'BG-6': `${seller}/ram:DefinedTradeContact`,
    'BT-41': [
      `${seller}/ram:DefinedTradeContact/ram:PersonName`,
      `${seller}/ram:DefinedTradeContact/ram:DepartmentName`,
    ],
    'BT-42': `${seller}/ram:DefinedTradeContact/ram:TelephoneUniversalCommunication/ram:CompleteNumber`,
    'BT-43': `${seller}/ram:DefinedTradeContact/ram:EmailURIUniversalCommunication/ram:URIID`,
    'BT-44': `${buyer}/ram:Name`,
    'BT-46': [`${buyer}/ram:ID`, `${buyer}/ram:GlobalID`],
    'BT-47': `${buyer}/ram:SpecifiedLegalOrganization/ram:ID`,
    'BT-48': `${buyer}/ram:SpecifiedTaxRegistration/ram:ID[@schemeID=VA]`,
    'BT-49': `${buyer}/ram:URIUniversalCommunication/ram:URIID`,
    'BG-8': `${buyer}/ram:PostalTradeAddress`,
    'BT-52': `${buyer}/ram:PostalTradeAddress/ram:CityName`,
    'BT-53': `${buyer}/ram:PostalTradeAddress/ram:PostcodeCode`,
    'BT-55': `${buyer}/ram:PostalTradeAddress/ram:CountryID`,
    'BG-10': `${settlement}/ram:PayeeTradeParty`,
    'BT-59': `${settlement}/ram:PayeeTradeParty/ram:Name`,
    'BT-60': [`${settlement}/ram:PayeeTradeParty/ram:ID`, `${settlement}/ram:PayeeTradeParty/ram:GlobalID`],
    'BT-61': `${settlement}/ram:PayeeTradeParty/ram:SpecifiedLegalOrganization/ram:ID`,
    'BG-11': representative,
    'BT-62': `${representative}/ram:Name`,
    'BT-63': `${representative}/ram:SpecifiedTaxRegistration/ram:ID[@schemeID=VA]`,
    'BG-12': `${representative}/ram:PostalTradeAddress`,
    'BT-69': `${representative}/ram:PostalTradeAddress/ram:CountryID`,
    'BT-71': [`${delivery}/ram:ShipToTradeParty/ram:ID`, `${delivery}/ram:ShipToTradeParty/ram:GlobalID`],
    'BT-72': `${delivery}/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/udt:DateTimeString`,
    'BG-14': `${settlement}/ram:BillingSpecifiedPeriod`,
    'BT-73': `${settlement}/ram:BillingSpecifiedPeriod/ram:StartDateTime/udt:DateTimeString`,
    'BT-74': `${settlement}/ram:BillingSpecifiedPeriod/ram:EndDateTime/udt:DateTimeString`,
    'BG-15': `${recipient}/ram:PostalTradeAddress`,
    'BT-77': `${recipient}/ram:PostalTradeAddress/ram:CityName`,
    'BT-78': `${recipient}/ram:PostalTradeAddress/ram:PostcodeCode`,
    'BT-80': `${recipient}/ram:PostalTradeAddress/ram:CountryID`,
    'BT-89': `${terms}/ram:DirectDebitMandateID`,
    'BT-90': `${settlement}/ram:CreditorReferenceID`,
    'BT-106': `${totals}/ram:LineTotalAmount`,
    'BT-107': `${totals}/ram:AllowanceTotalAmount`,
    'BT-108': `${totals}/ram:ChargeTotalAmount`,
    'BT-109': `${totals}/ram:TaxBasisTotalAmount`,
    'BT-110': `${totals}/ram:TaxTotalAmount`,
    'BT-112': `${totals}/ram:GrandTotalAmount`,
    'BT-113': `${totals}/ram:TotalPrepaidAmount`,
    'BT-114': `${totals}/ram:RoundingAmount`,
    'BT-115': `${totals}/ram:DuePayableAmount`,
    'BG-19': [`${terms}/ram:DirectDebitMandateID`, `${means}/ram:PayerPartyDebtorFinancialAccount`],
  },
  groups: {
    'BG-3': {
      path: `${settlement}/ram:InvoiceReferencedDocument`,
      terms: { 'BT-25': 'ram:IssuerAssignedID' },
    },
    'BG-16': {
      path: means,
      terms: {
        'BT-81': 'ram:TypeCode',
        'BG-17': 'ram:PayeePartyCreditorFinancialAccount',
        'BT-84': [
          'ram:PayeePartyCreditorFinancialAccount/ram:IBANID',
          'ram:PayeePartyCreditorFinancialAccount/ram:ProprietaryID',
        ],
        'BG-18': 'ram:ApplicableTradeSettlementFinancialCard',
        'BT-87': 'ram:ApplicableTradeSettlementFinancialCard/ram:ID',
        'BT-91': 'ram:PayerPartyDebtorFinancialAccount/ram:IBANID',
      },
    },
    'BG-20': {
      path: `${settlement}/${adjustment}${isAllowance}`,
      terms: {
        'BT-92': 'ram:ActualAmount',
        'BT-93': 'ram:BasisAmount',
        'BT-95': `ram:CategoryTradeTax${isVat}/ram:CategoryCode`,
        'BT-96': 'ram:CategoryTradeTax/ram:RateApplicablePercent',
        'BT-97': 'ram:Reason',
        'BT-98': 'ram:ReasonCode',
      },
    },
    'BG-21': {
      path: `${settlement}/${adjustment}${isCharge}`,
      terms: {
        'BT-99': 'ram:ActualAmount',
        'BT-100': 'ram:BasisAmount',
        'BT-102': `ram:CategoryTradeTax${isVat}/ram:CategoryCode`,
        'BT-103': 'ram:CategoryTradeTax/ram:RateApplicablePercent',
        'BT-104': 'ram:Reason',
        'BT-105': 'ram:ReasonCode',
      },
    },
    // Charges of logistics are an extension of Factur-X, and count as charges of the document.
    'BG-X-42': {
      path: `${settlement}/ram:SpecifiedLogisticsServiceCharge`,
      terms: {
        'BT-99': 'ram:AppliedAmount',
        'BT-102': `ram:AppliedTradeTax${isVat}/ram:CategoryCode`,
        'BT-103': 'ram:AppliedTradeTax/ram:RateApplicablePercent',
      },
    },
    'BG-23': {
      path: `${settlement}/ram:ApplicableTradeTax${isVat}`,
      terms: {
        'BT-116': 'ram:BasisAmount',
        'BT-117': 'ram:CalculatedAmount',
        'BT-118': 'ram:CategoryCode',
        'BT-119': 'ram:RateApplicablePercent',
        'BT-120': 'ram:ExemptionReason',
        'BT-121': 'ram:ExemptionReasonCode',
      },
    },
    'BG-24': {
      path: `${agreement}/ram:AdditionalReferencedDocument[ram:TypeCode=916]`,
      terms: {
        'BT-122': 'ram:IssuerAssignedID',
        'BT-125': 'ram:AttachmentBinaryObject',
      },
    },
    'BG-25': line,
  },
}
