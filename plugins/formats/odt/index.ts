/** OpenDocument text (ODF 1.3). */
import { sniffFlatOdf, sniffOdf } from '../../../shared/office/odf-sniff.ts'
import { plainDocument } from '../../../shared/office/plain-documents.ts'
import { defineFormat, type TemplateSupport } from '../../../shared/plugin/contract.ts'

const mime = [
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.text-template',
] as const

const template: TemplateSupport = {
  open: async (bytes, context) => (await import('./template/open.ts')).openOdt(bytes, context),
}

export default defineFormat({
  kind: 'format',
  id: 'odt',
  family: 'document',
  extensions: ['odt', 'ott'],
  mime,
  sniff: (source) => sniffOdf(source, mime),
  reader: {
    read: async (bytes, context) => (await import('./reader/open.ts')).odtReader.read(bytes, context),
  },
  plainCopy: (bytes, context) => plainDocument(bytes, context, 'odt'),
  template,
})

/** The same format as a single XML file. */
export const flat = defineFormat({
  kind: 'format',
  id: 'fodt',
  family: 'document',
  extensions: ['fodt'],
  mime: ['application/vnd.oasis.opendocument.text-flat-xml'],
  sniff: sniffFlatOdf('text'),
  template,
})
