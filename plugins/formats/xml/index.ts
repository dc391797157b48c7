/** XML documents: those of known vocabularies as formats of their own, and all others as `xml`. */
import { defineFormat, type TemplateSupport } from '../../../shared/plugin/contract.ts'
import { sniffText } from '../../../shared/plugin/sniff-text.ts'
import type { FormatFamily, FormatId } from '../../../shared/plugin/values.ts'
import { openSingle } from '../../../shared/template/single.ts'
import { rulesFor } from './template/rules.ts'
import { vocabularyOf, type XmlDialect } from './vocabulary.ts'

const templateOf = (format: FormatId): TemplateSupport => ({
  open: async (bytes) => openSingle(bytes, { format, syntax: 'xml', rules: rulesFor(bytes) }),
})

const xmlDialect = (id: XmlDialect, family: FormatFamily, mime: string) =>
  defineFormat({
    kind: 'format',
    id,
    family,
    extensions: ['xml'],
    mime: [mime],
    sniff: (source) => sniffText(source, (text) => (vocabularyOf(text) === id ? 'sure' : 'no')),
    template: templateOf(id),
  })

/** Recognized by their first element, whatever the file is called, because they are more than text with tags. */
export const vocabularies = [
  xmlDialect('docbook', 'document', 'application/docbook+xml'),
  xmlDialect('ooxml', 'document', 'application/xml'), // Word 2003; also the name of that output
  xmlDialect('xmlss', 'spreadsheet', 'application/xml'), // Excel 2003
]

export default defineFormat({
  kind: 'format',
  id: 'xml',
  family: 'data',
  extensions: ['xml'],
  mime: ['application/xml', 'text/xml'],
  sniff: (source) =>
    sniffText(source, (text) =>
      /^\s*<\?xml\s/.test(text) ? 'sure' : /^\s*<[A-Za-z_]/.test(text) ? 'maybe' : 'no',
    ),
  template: templateOf('xml'),
})
