import type { CatalogueEntry } from '../entry.ts'

/** Electronic invoices: Factur-X, ZUGFeRD, XRechnung. */
export const invoiceErrors = {
  'invoice.rules': {
    status: 500,
    blame: 'caller',
    message: 'The electronic invoice {name} breaks the rule {rule}: {because}',
    hint: 'Correct the data, or the template of the XML. `problems` lists each broken rule with its field and path.',
  },
  'invoice.rule': {
    status: 500,
    blame: 'caller',
    message: '{rule}: {because}',
  },
  'invoice.missing': {
    status: 500,
    blame: 'caller',
    message: 'The PDF has no electronic invoice.',
    hint: "Name the template of its XML in `invoice.template`, or attach the XML with :attachFile('factur-x.xml').",
  },
  'invoice.output': {
    status: 500,
    blame: 'caller',
    message: 'An electronic invoice must be a PDF or an XML document, but the output is {format}.',
    hint: 'Set convertTo to "pdf", or render the template of the XML itself.',
  },
  'invoice.template': {
    status: 500,
    blame: 'caller',
    message: 'The template of the electronic invoice is not an XML file.',
    hint: 'Name an XML template in `invoice.template`.',
  },
  'invoice.archive': {
    status: 500,
    blame: 'caller',
    message: 'The PDF with the electronic invoice is not PDF/A-3, which Factur-X requires.',
    hint: 'Leave out SelectPdfVersion, and use an engine that writes PDF/A-3.',
  },
} as const satisfies Record<string, CatalogueEntry>
