/**
 * JSON texts. They are recognized by the file name or by the declared type, because their content is plain text. Values are
 * escaped as RFC 8259 requires. Source: template language 24.7.
 */
import { defineFormat } from '../../../shared/plugin/contract.ts'
import type { FormatRules } from '../../../shared/template/rules.ts'
import { openSingle } from '../../../shared/template/single.ts'

const rules: FormatRules = { elements: {}, paragraphs: ['line'], noise: [], plain: true }

export default defineFormat({
  kind: 'format',
  id: 'json',
  family: 'data',
  extensions: ['json'],
  mime: ['application/json'],
  template: { open: async (bytes) => openSingle(bytes, { format: 'json', syntax: 'json', rules }) },
})
