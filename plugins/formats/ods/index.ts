/** OpenDocument spreadsheets (ODF 1.3). */
import { sniffFlatOdf, sniffOdf } from '../../../shared/office/odf.ts'
import { plainDocument } from '../../../shared/office/plain-documents.ts'
import { defineFormat } from '../../../shared/plugin/contract.ts'
import { openSpreadsheet } from './template/open.ts'

const mime = ['application/vnd.oasis.opendocument.spreadsheet'] as const

export default defineFormat({
  kind: 'format',
  id: 'ods',
  family: 'spreadsheet',
  extensions: ['ods'],
  mime,
  sniff: (source) => sniffOdf(source, mime),
  plainCopy: (bytes, context) => plainDocument(bytes, context, 'ods'),
  template: { open: async (bytes, context) => openSpreadsheet(bytes, context) },
})

/** The same in one XML file. */
export const flat = defineFormat({
  kind: 'format',
  id: 'fods',
  family: 'spreadsheet',
  extensions: ['fods'],
  mime: ['application/vnd.oasis.opendocument.spreadsheet-flat-xml'],
  sniff: sniffFlatOdf('spreadsheet'),
  template: { open: async (bytes, context) => openSpreadsheet(bytes, context) },
})
