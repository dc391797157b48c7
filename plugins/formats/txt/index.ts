/** Plain text. */
import { defineFormat } from '../../../shared/plugin/contract.ts'
import { sniffText } from '../../../shared/plugin/sniff-text.ts'
import { textTemplate } from '../../../shared/template/text-template.ts'

export default defineFormat({
  kind: 'format',
  id: 'txt',
  family: 'text',
  extensions: ['txt', 'text'],
  mime: ['text/plain'],
  sniff: (source) => sniffText(source, () => 'maybe'),
  template: textTemplate('txt'),
})
