/** Comma-separated values. */
import { defineFormat } from '../../../shared/plugin/contract.ts'
import { sniffText } from '../../../shared/plugin/sniff-text.ts'
import { openSingle } from '../../../shared/template/single.ts'
import { quoteFields } from './template/quote-fields.ts'
import { csvRules } from './template/rules.ts'

export default defineFormat({
  kind: 'format',
  id: 'csv',
  family: 'data',
  extensions: ['csv'],
  mime: ['text/csv'],
  sniff: (source) =>
    sniffText(source, (text) => (/^[^\n<]*[,;\t][^\n]*\r?\n[^\n]*[,;\t]/.test(text) ? 'maybe' : 'no')),
  workbookReader: { read: async (bytes) => (await import('./reader.ts')).readCsv(bytes) },
  template: {
    open: async (bytes) =>
      openSingle(bytes, { format: 'csv', syntax: 'csv', rules: csvRules, finish: quoteFields }),
  },
})
