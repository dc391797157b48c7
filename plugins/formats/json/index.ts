/**
 * JSON texts, known by their name or by the caller's word only: as content they are plain text. Values are escaped as RFC 8259
 * asks. Source: template language 24.7.
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
