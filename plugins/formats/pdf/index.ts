/** PDF files. A form is a template: tags are in the values of its fields and in notes on top of them. */
import { headOf } from '../../../shared/plugin/byte-source.ts'
import { defineFormat } from '../../../shared/plugin/contract.ts'

const begins = '%PDF-'

export default defineFormat({
  kind: 'format',
  id: 'pdf',
  family: 'graphics',
  extensions: ['pdf'],
  mime: ['application/pdf'],
  sniff: async (source) =>
    new TextDecoder('latin1').decode(await headOf(source, begins.length)) === begins ? 'sure' : 'no',
  template: {
    open: async (bytes, context) => (await import('./template/open.ts')).openPdfForm(bytes, context),
  },
})
