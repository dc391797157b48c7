/** Markdown texts. */
import { defineFormat } from '../../../shared/plugin/contract.ts'
import { sniffText } from '../../../shared/plugin/sniff-text.ts'
import { openSingle } from '../../../shared/template/single.ts'
import { mdRules } from './template/rules.ts'

export default defineFormat({
  kind: 'format',
  id: 'md',
  family: 'text',
  extensions: ['md', 'markdown'],
  mime: ['text/markdown'],
  sniff: (source) =>
    sniffText(source, (text) => (/^(#{1,6} |[-*] |\|.*\|$|```|> )/m.test(text) ? 'maybe' : 'no')),
  template: {
    open: async (bytes) => openSingle(bytes, { format: 'md', syntax: 'markdown', rules: mdRules }),
  },
})
