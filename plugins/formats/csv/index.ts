/** Comma-separated values. */
import { defineFormat } from '../../../shared/plugin/contract.ts'
import { sniffText } from '../../../shared/plugin/sniff-text.ts'
import type { FormatRules } from '../../../shared/template/rules.ts'
import { openSingle } from '../../../shared/template/single.ts'
import { quoteFields } from './template/quote-fields.ts'

/** Lines repeat; nothing is escaped as markup. */
const csvRules: FormatRules = { elements: {}, paragraphs: ['line'], noise: [], plain: true }

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
