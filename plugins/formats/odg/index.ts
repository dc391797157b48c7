/** OpenDocument graphics (ODF 1.3). */
import { openOdf, sniffFlatOdf, sniffOdf } from '../../../shared/office/odf.ts'
import { pageOf } from '../../../shared/office/odf-positions.ts'
import { odfRules, odfTextFilled } from '../../../shared/office/odf-rules.ts'
import { plainDocument } from '../../../shared/office/plain-documents.ts'
import { defineFormat } from '../../../shared/plugin/contract.ts'
import type { FormatRules } from '../../../shared/template/rules.ts'

const mime = ['application/vnd.oasis.opendocument.graphics'] as const

/** A page is an element among others: it can repeat and be dropped like a row. */
const rules: FormatRules = {
  ...odfRules,
  position: pageOf,
  elements: { ...odfRules.elements, slide: ['draw:page'], page: ['draw:page'] },
  filled: odfTextFilled,
}

export default defineFormat({
  kind: 'format',
  id: 'odg',
  family: 'graphics',
  extensions: ['odg'],
  mime,
  sniff: (source) => sniffOdf(source, mime),
  plainCopy: (bytes, context) => plainDocument(bytes, context, 'odg'),
  template: { open: async (bytes, context) => openOdf(bytes, context, 'odg', rules) },
})

/** The same in one XML file. */
export const flat = defineFormat({
  kind: 'format',
  id: 'fodg',
  family: 'graphics',
  extensions: ['fodg'],
  mime: ['application/vnd.oasis.opendocument.graphics-flat-xml'],
  sniff: sniffFlatOdf('graphics'),
  template: { open: async (bytes, context) => openOdf(bytes, context, 'odg', rules) },
})
