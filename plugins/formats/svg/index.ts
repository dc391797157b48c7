/** SVG drawings as templates: values and loops in text and attributes. Source: template language 22.9. */

import { defineFormat } from '../../../shared/plugin/contract.ts'
import { sniffText } from '../../../shared/plugin/sniff-text.ts'
import { prologueOf } from '../../../shared/xml/prologue.ts'

export default defineFormat({
  kind: 'format',
  id: 'svg',
  family: 'graphics',
  extensions: ['svg'],
  mime: ['image/svg+xml'],
  sniff: (source) =>
    sniffText(source, (text) => {
      const { end = 0, doctype = '-' } = prologueOf(text) ?? {}
      const svg = /^<(?:svg:)?svg[\s>]/i.test(text.slice(end, end + 10))
      return svg && /^(?:$|<!DOCTYPE\s+svg)/i.test(doctype) ? 'sure' : 'no'
    }),
  template: { open: async (bytes) => (await import('./open.ts')).openSvg(bytes) },
})
