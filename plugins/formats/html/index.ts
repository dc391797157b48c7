/** HTML and XHTML pages. */

import { defineFormat } from '../../../shared/plugin/contract.ts'
import { sniffText } from '../../../shared/plugin/sniff-text.ts'
import { openSingle } from '../../../shared/template/single.ts'
import { htmlRules } from './template/rules.ts'

/** What a piece of a page may begin with, and no document of another vocabulary does. */
const pieces =
  /^\s*(?:<!--(?:(?!-->).)*-->\s*)*<(?:style|script|meta|img|h[1-6]|ul|ol|br|hr|pre|blockquote|strong|em|center|a|b|i|u|font)[\s/>]/is

export default defineFormat({
  kind: 'format',
  id: 'html',
  family: 'web',
  extensions: ['html', 'htm', 'xhtml'],
  mime: ['text/html', 'application/xhtml+xml'],
  sniff: (source) =>
    sniffText(source, (text) => {
      if (/^\s*(<\?xml[^>]*>\s*)?(<!--(?:(?!-->).)*-->\s*)*<(!doctype\s+html|html[\s>])/is.test(text))
        return 'sure'
      if (pieces.test(text)) return 'maybe'
      return /<(html|body|head|table|div|p|span)[\s>]/i.test(text) && /^\s*</.test(text) ? 'maybe' : 'no'
    }),
  template: {
    open: async (bytes) => openSingle(bytes, { format: 'html', syntax: 'html', rules: htmlRules }),
  },
})
