import type { CatalogueEntry } from '../entry.ts'

/** The post-processing of PDF files: encryption, watermarks, page selection. */
export const pdfErrors = {
  'pdf.encrypted': {
    status: 500,
    blame: 'document',
    message: 'This PDF is already encrypted, so its pages cannot be selected, watermarked or protected.',
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
    message: 'This PDF has an XFA form without AcroForm fields, so there is nothing to fill.',
    hint: 'Save it as a static form (AcroForm) in the program that made it.',
  },
  'pdf.invoice': {
    status: 500,
    blame: 'caller',
    message: 'The attached {name} does not say which profile of Factur-X it follows.',
    hint: 'Name the profile in its GuidelineSpecifiedDocumentContextParameter, for example urn:cen.eu:en16931:2017.',
  },
  'pdf.promise': {
    status: 500,
    blame: 'document',
    message:
      'The instant engine cannot make a PDF of this document that conforms to the standard: {because}.',
    hint: 'Use another engine (converter L on an origin). PDF/A-2 and PDF/A-3 allow more than PDF/A-1.',
  },
  'pdf.unconformable': {
    status: 500,
    blame: 'engine',
    message: 'The PDF of {engine} cannot conform to the standard: it has {because}.',
    hint: 'Leave out `converter`, or use converter L. PDF/A-2 and PDF/A-3 allow more than PDF/A-1.',
  },
  'pdf.archive': {
    status: 500,
    blame: 'caller',
    message: 'This PDF is a PDF/A file, and {because}.',
    hint: 'Ask for another version with SelectPdfVersion, or leave out the option.',
  },
} as const satisfies Record<string, CatalogueEntry>
