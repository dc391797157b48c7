/**
 * The elements of UBL 2.1 that an invoice of EN 16931 uses, in the order of the schema. Source: OASIS UBL 2.1, Invoice-2 and
 * CreditNote-2; CEN/TS 16931-3-2.
 */
import type { Structure } from './structure.ts'

const head = 'ext:UBLExtensions:any? cbc:UBLVersionID? cbc:CustomizationID? cbc:ProfileID? cbc:ID'
const parties =
  'cac:AccountingSupplierParty:PartyHolder cac:AccountingCustomerParty:PartyHolder cac:PayeeParty:Party? cac:TaxRepresentativeParty:Party? cac:Delivery:Delivery*'
const lineHead =
  'cbc:LineExtensionAmount:decimal cbc:AccountingCost? cac:InvoicePeriod:Period* cac:OrderLineReference:LineReference*'
const financialInstitution = 'cac:FinancialInstitutionBranch:Branch?'

export const ublStructure: Structure = {
  Invoice: `${head} cbc:IssueDate:isoDate cbc:DueDate:isoDate? cbc:InvoiceTypeCode? cbc:Note* cbc:TaxPointDate:isoDate? cbc:DocumentCurrencyCode? cbc:TaxCurrencyCode? cbc:AccountingCost? cbc:BuyerReference? cac:InvoicePeriod:Period* cac:OrderReference:OrderReference? cac:BillingReference:BillingReference* cac:DespatchDocumentReference:DocumentReference* cac:ReceiptDocumentReference:DocumentReference* cac:OriginatorDocumentReference:DocumentReference* cac:ContractDocumentReference:DocumentReference* cac:AdditionalDocumentReference:DocumentReference* cac:ProjectReference:ProjectReference* ${parties} cac:PaymentMeans:PaymentMeans* cac:PaymentTerms:PaymentTerms* cac:AllowanceCharge:AllowanceCharge* cac:TaxTotal:TaxTotal* cac:LegalMonetaryTotal:MonetaryTotal cac:InvoiceLine:InvoiceLine+`,
  CreditNote: `${head} cbc:IssueDate:isoDate cbc:TaxPointDate:isoDate? cbc:CreditNoteTypeCode? cbc:Note* cbc:DocumentCurrencyCode? cbc:TaxCurrencyCode? cbc:AccountingCost? cbc:BuyerReference? cac:InvoicePeriod:Period* cac:OrderReference:OrderReference? cac:BillingReference:BillingReference* cac:DespatchDocumentReference:DocumentReference* cac:ReceiptDocumentReference:DocumentReference* cac:ContractDocumentReference:DocumentReference* cac:AdditionalDocumentReference:DocumentReference* cac:OriginatorDocumentReference:DocumentReference* ${parties} cac:PaymentMeans:PaymentMeans* cac:PaymentTerms:PaymentTerms* cac:AllowanceCharge:AllowanceCharge* cac:TaxTotal:TaxTotal* cac:LegalMonetaryTotal:MonetaryTotal cac:CreditNoteLine:CreditNoteLine+`,
  InvoiceLine: `cbc:ID cbc:Note* cbc:InvoicedQuantity:decimal? ${lineHead} cac:DocumentReference:DocumentReference* cac:AllowanceCharge:AllowanceCharge* cac:Item:Item cac:Price:Price?`,
  CreditNoteLine: `cbc:ID cbc:Note* cbc:CreditedQuantity:decimal? ${lineHead} cac:DocumentReference:DocumentReference* cac:AllowanceCharge:AllowanceCharge* cac:Item:Item cac:Price:Price?`,
  PartyHolder: 'cac:Party:Party',
  Party:
    'cbc:EndpointID? cac:PartyIdentification:Identification* cac:PartyName:PartyName* cac:PostalAddress:Address? cac:PartyTaxScheme:PartyTaxScheme* cac:PartyLegalEntity:PartyLegalEntity* cac:Contact:Contact?',
  Identification: 'cbc:ID',
  PartyName: 'cbc:Name',
  Address:
    'cbc:StreetName? cbc:AdditionalStreetName? cbc:CityName? cbc:PostalZone? cbc:CountrySubentity? cac:AddressLine:AddressLine* cac:Country:Country?',
  AddressLine: 'cbc:Line',
  Country: 'cbc:IdentificationCode?',
  PartyTaxScheme: 'cbc:CompanyID? cac:TaxScheme:TaxScheme',
  TaxScheme: 'cbc:ID?',
  PartyLegalEntity: 'cbc:RegistrationName? cbc:CompanyID? cbc:CompanyLegalForm?',
  Contact: 'cbc:Name? cbc:Telephone? cbc:ElectronicMail?',
  Delivery: 'cbc:ActualDeliveryDate:isoDate? cac:DeliveryLocation:Location? cac:DeliveryParty:Party?',
  Location: 'cbc:ID? cac:Address:Address?',
  PaymentMeans:
    'cbc:PaymentMeansCode cbc:PaymentDueDate:isoDate? cbc:PaymentID* cac:CardAccount:CardAccount? cac:PayeeFinancialAccount:FinancialAccount? cac:PaymentMandate:PaymentMandate?',
  CardAccount: 'cbc:PrimaryAccountNumberID cbc:NetworkID cbc:HolderName?',
  FinancialAccount: `cbc:ID? cbc:Name? ${financialInstitution}`,
  Branch: 'cbc:ID?',
  PaymentMandate: 'cbc:ID? cac:PayerFinancialAccount:FinancialAccount?',
  PaymentTerms: 'cbc:Note*',
  Period: 'cbc:StartDate:isoDate? cbc:EndDate:isoDate? cbc:DescriptionCode*',
  OrderReference: 'cbc:ID cbc:SalesOrderID?',
  LineReference: 'cbc:LineID',
  BillingReference: 'cac:InvoiceDocumentReference:DocumentReference?',
  DocumentReference:
    'cbc:ID cbc:IssueDate:isoDate? cbc:DocumentTypeCode? cbc:DocumentDescription* cac:Attachment:Attachment?',
  Attachment: 'cbc:EmbeddedDocumentBinaryObject:binary? cac:ExternalReference:ExternalReference?',
  ExternalReference: 'cbc:URI?',
  ProjectReference: 'cbc:ID',
  AllowanceCharge:
    'cbc:ChargeIndicator:boolean cbc:AllowanceChargeReasonCode? cbc:AllowanceChargeReason* cbc:MultiplierFactorNumeric:decimal? cbc:Amount:decimal cbc:BaseAmount:decimal? cac:TaxCategory:TaxCategory*',
  TaxTotal: 'cbc:TaxAmount:decimal cac:TaxSubtotal:TaxSubtotal*',
  TaxSubtotal: 'cbc:TaxableAmount:decimal? cbc:TaxAmount:decimal cac:TaxCategory:TaxCategory',
  TaxCategory:
    'cbc:ID? cbc:Percent:decimal? cbc:TaxExemptionReasonCode? cbc:TaxExemptionReason* cac:TaxScheme:TaxScheme',
  MonetaryTotal:
    'cbc:LineExtensionAmount:decimal? cbc:TaxExclusiveAmount:decimal? cbc:TaxInclusiveAmount:decimal? cbc:AllowanceTotalAmount:decimal? cbc:ChargeTotalAmount:decimal? cbc:PrepaidAmount:decimal? cbc:PayableRoundingAmount:decimal? cbc:PayableAmount:decimal',
  Item: 'cbc:Description* cbc:Name? cac:BuyersItemIdentification:Identification? cac:SellersItemIdentification:Identification? cac:StandardItemIdentification:Identification? cac:OriginCountry:Country? cac:CommodityClassification:Classification* cac:ClassifiedTaxCategory:TaxCategory? cac:AdditionalItemProperty:Property*',
  Classification: 'cbc:ItemClassificationCode?',
  Property: 'cbc:Name cbc:Value?',
  Price: 'cbc:PriceAmount:decimal cbc:BaseQuantity:decimal? cac:AllowanceCharge:AllowanceCharge*',
}
