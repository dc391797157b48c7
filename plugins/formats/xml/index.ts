/** XML documents of any vocabulary. */
import { defineFormat } from '../../../shared/plugin/contract.ts'
import { sniffText } from '../../../shared/plugin/sniff-text.ts'
import { openSingle } from '../../../shared/template/single.ts'
import { rulesFor } from './template/rules.ts'

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
  template: {
    open: async (bytes) => openSingle(bytes, { format: 'xml', syntax: 'xml', rules: rulesFor(bytes) }),
  },
})
