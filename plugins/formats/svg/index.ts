/** SVG drawings as templates: values and loops in text and attributes. Source: template language 22.9. */
import { prologueOf } from '../../../shared/document/xml-prologue.ts'
import { defineFormat } from '../../../shared/plugin/contract.ts'
import { sniffText } from '../../../shared/plugin/sniff-text.ts'
import { bindSvgUpdates } from '../../../shared/template/media/svg-updates.ts'
import { bindAddresses } from '../../../shared/template/media/web.ts'
import type { FormatRules } from '../../../shared/template/rules.ts'
import { openSingle } from '../../../shared/template/single.ts'

const rules: FormatRules = {
  elements: {
    img: ['image'],
    shape: ['g', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text'],
  },
  paragraphs: ['text'],
  noise: [],
  runs: { tspan: { text: ['tspan'], properties: [] } },
  unique: [],
  addresses: /^(?:xlink:)?href$/,
  prepare: (_part, tokens) => bindSvgUpdates(bindAddresses(tokens)),
}

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
  template: { open: async (bytes) => openSingle(bytes, { format: 'svg', syntax: 'xml', rules }) },
})
