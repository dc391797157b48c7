/** Plain text. */
import { defineFormat } from '../../../shared/plugin/contract.ts'
import { sniffText } from '../../../shared/plugin/sniff-text.ts'
import { openSingle } from '../../../shared/template/single.ts'
import { txtRules } from './template/rules.ts'

export default defineFormat({
  kind: 'format',
  id: 'txt',
  family: 'text',
  extensions: ['txt', 'text'],
  mime: ['text/plain'],
  sniff: (source) => sniffText(source, () => 'maybe'),
  template: { open: async (bytes) => openSingle(bytes, { format: 'txt', syntax: 'text', rules: txtRules }) },
})
