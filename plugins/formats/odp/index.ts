/** OpenDocument presentation (ODF 1.3). */
import { openOdf, sniffFlatOdf, sniffOdf } from '../../../shared/office/odf.ts'
import { pageOf } from '../../../shared/office/odf-positions.ts'
import { odfRules, odfTextFilled } from '../../../shared/office/odf-rules.ts'
import { plainDocument } from '../../../shared/office/plain-documents.ts'
import { defineFormat } from '../../../shared/plugin/contract.ts'
import type { FormatRules } from '../../../shared/template/rules.ts'

const mime = ['application/vnd.oasis.opendocument.presentation'] as const

/** A page is an element among others: it can repeat and be dropped like a row. */
const rules: FormatRules = {
  ...odfRules,
  position: pageOf,
  elements: { ...odfRules.elements, slide: ['draw:page'], page: ['draw:page'] },
  filled: odfTextFilled,
}

export default defineFormat({
  kind: 'format',
  id: 'odp',
  family: 'presentation',
  extensions: ['odp'],
  mime,
  sniff: (source) => sniffOdf(source, mime),
  plainCopy: (bytes, context) => plainDocument(bytes, context, 'odp'),
  template: { open: async (bytes, context) => openOdf(bytes, context, 'odp', rules) },
})

/** The same in one XML file. */
export const flat = defineFormat({
  kind: 'format',
  id: 'fodp',
  family: 'presentation',
  extensions: ['fodp'],
  mime: ['application/vnd.oasis.opendocument.presentation-flat-xml'],
  sniff: sniffFlatOdf('presentation'),
  template: { open: async (bytes, context) => openOdf(bytes, context, 'odp', rules) },
})
