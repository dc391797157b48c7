/** OpenDocument spreadsheets (ODF 1.3), as packages (part 2) and as one XML file. */
import { sniffFlatOdf, sniffOdf } from '../../../shared/office/odf-sniff.ts'
import { plainDocument } from '../../../shared/office/plain-documents.ts'
import { defineFormat, type TemplateSupport } from '../../../shared/plugin/contract.ts'

const mime = ['application/vnd.oasis.opendocument.spreadsheet'] as const

const template: TemplateSupport = {
  open: async (bytes, context) => (await import('./template/open.ts')).openSpreadsheet(bytes, context),
}

export default defineFormat({
  kind: 'format',
  id: 'ods',
  family: 'spreadsheet',
  extensions: ['ods'],
  mime,
  sniff: (source) => sniffOdf(source, mime),
  plainCopy: (bytes, context) => plainDocument(bytes, context, 'ods'),
  workbookReader: {
    read: async (bytes, context) => (await import('./reader/open.ts')).readOds(bytes, context),
  },
  template,
})

/** The same format as a single XML file (ODF 1.3 part 3, 3.1). */
export const flat = defineFormat({
  kind: 'format',
  id: 'fods',
  family: 'spreadsheet',
  extensions: ['fods'],
  mime: ['application/vnd.oasis.opendocument.spreadsheet-flat-xml'],
  sniff: sniffFlatOdf('spreadsheet'),
  workbookReader: { read: async (bytes) => (await import('./reader/open.ts')).readFods(bytes) },
  template,
})
