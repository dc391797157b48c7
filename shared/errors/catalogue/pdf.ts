import type { CatalogueEntry } from '../entry.ts'

/** The post-processing of PDF files: encryption, watermarks, page selection. */
export const pdfErrors = {
  'pdf.encrypted': {
    status: 500,
    blame: 'document',
    message: 'This PDF is encrypted already: its pages cannot be marked, chosen or protected anew.',
    hint: 'Send it without encryption.',
  },
  'pdf.broken': {
    status: 500,
    blame: 'document',
    message: 'This PDF cannot be read: {because}.',
    hint: 'Open the file in the program that made it and save it again.',
  },
  'pdf.too-large': {
    status: 500,
    blame: 'document',
    message: 'This PDF has more than {limit} {what}.',
    hint: 'Split the file.',
  },
  'pdf.xfa': {
    status: 500,
    blame: 'document',
    message: 'This PDF holds an XFA form and no fields of its own, so there is nothing to fill.',
    hint: 'Save it as a static form (AcroForm) in the program that made it.',
  },
  'pdf.invoice': {
    status: 500,
    blame: 'caller',
    message: 'The attached {name} does not say which profile of Factur-X it follows.',
    hint: 'Its GuidelineSpecifiedDocumentContextParameter names one, urn:cen.eu:en16931:2017 for example.',
  },
  'pdf.promise': {
    status: 500,
    blame: 'document',
    message: 'This document cannot become such a PDF with the instant engine: {because}.',
    hint: 'Take another engine (converter L on an origin); PDF/A-2 and -3 allow more than PDF/A-1.',
  },
  'pdf.unconformable': {
    status: 500,
    blame: 'engine',
    message: 'What {engine} printed cannot become such a PDF: it has {because}.',
    hint: 'Leave out `converter`, or take converter L; PDF/A-2 and -3 allow more than PDF/A-1.',
  },
  'pdf.archive': {
    status: 500,
    blame: 'caller',
    message: 'This PDF is a PDF/A file, and {because}.',
    hint: 'Ask for another version with SelectPdfVersion, or leave the option away.',
  },
} as const satisfies Record<string, CatalogueEntry>
