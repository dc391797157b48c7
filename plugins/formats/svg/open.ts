import { bindSvgUpdates } from '../../../shared/template/media/svg-updates.ts'
import { bindAddresses } from '../../../shared/template/media/web.ts'
import type { TemplatePackage } from '../../../shared/template/package.ts'
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
  addresses: /^(?:(?:xlink:)?href|src|action|formaction|data)$/,
  scripted: true,
  prepare: (_part, tokens) => bindSvgUpdates(bindAddresses(tokens)),
}

export function openSvg(bytes: Uint8Array): TemplatePackage {
  return openSingle(bytes, { format: 'svg', syntax: 'xml', rules })
}
