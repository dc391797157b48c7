/** Markdown texts. */
import { inStylesOf } from '../../../shared/flow/odf-style-source.ts'
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
  styleTransfer: {
    sources: ['docx', 'odt'],
    outputs: new Set([
      ...['docx', 'odt', 'pdf', 'rtf', 'doc', 'fodt', 'ott', 'epub'],
      ...['png', 'jpg', 'jpeg', 'webp', 'svg'],
    ]),
    through: 'fodt',
    // The helpers that convert documents too would make a text of the template, without its pages.
    letter: 'L',
    unfit: { C: 'engine C would leave its pages out' },
    join: inStylesOf,
  },
  template: {
    open: async (bytes) => openSingle(bytes, { format: 'md', syntax: 'markdown', rules: mdRules }),
  },
})
