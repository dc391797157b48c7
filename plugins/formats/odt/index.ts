/** OpenDocument text (ODF 1.3). */
import { openOdf, sniffFlatOdf, sniffOdf } from '../../../shared/office/odf.ts'
import { plainDocument } from '../../../shared/office/plain-documents.ts'
import { defineFormat } from '../../../shared/plugin/contract.ts'
import { odtReader } from './reader/open.ts'
import { odtRules } from './template/rules.ts'

const mime = [
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.text-template',
] as const

export default defineFormat({
  kind: 'format',
  id: 'odt',
  family: 'document',
  extensions: ['odt', 'ott'],
  mime,
  sniff: (source) => sniffOdf(source, mime),
  reader: odtReader,
  plainCopy: (bytes, context) => plainDocument(bytes, context, 'odt'),
  template: { open: async (bytes, context) => openOdf(bytes, context, 'odt', odtRules) },
})

/** The same in one XML file. */
export const flat = defineFormat({
  kind: 'format',
  id: 'fodt',
  family: 'document',
  extensions: ['fodt'],
  mime: ['application/vnd.oasis.opendocument.text-flat-xml'],
  sniff: sniffFlatOdf('text'),
  template: { open: async (bytes, context) => openOdf(bytes, context, 'odt', odtRules) },
})
