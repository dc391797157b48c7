/** OpenDocument graphics (ODF 1.3). */
import { sniffFlatOdf, sniffOdf } from '../../../shared/office/odf-sniff.ts'
import { plainDocument } from '../../../shared/office/plain-documents.ts'
import { defineFormat, type TemplateSupport } from '../../../shared/plugin/contract.ts'

const mime = ['application/vnd.oasis.opendocument.graphics'] as const

const template: TemplateSupport = {
  open: async (bytes, context) => (await import('./open.ts')).openOdg(bytes, context),
}

export default defineFormat({
  kind: 'format',
  id: 'odg',
  family: 'graphics',
  extensions: ['odg'],
  mime,
  sniff: (source) => sniffOdf(source, mime),
  plainCopy: (bytes, context) => plainDocument(bytes, context, 'odg'),
  template,
})

/** The same format as a single XML file. */
export const flat = defineFormat({
  kind: 'format',
  id: 'fodg',
  family: 'graphics',
  extensions: ['fodg'],
  mime: ['application/vnd.oasis.opendocument.graphics-flat-xml'],
  sniff: sniffFlatOdf('graphics'),
  template,
})
