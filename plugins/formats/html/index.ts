/** HTML and XHTML pages. */

import { defineFormat, type FormatPlugin, type TemplateSupport } from '../../../shared/plugin/contract.ts'
import { sniffText } from '../../../shared/plugin/sniff-text.ts'
import type { FormatId } from '../../../shared/plugin/values.ts'

/** Beginnings of a page fragment that do not occur in other vocabularies. */
const tokens =
  /^\s*(?:<!--(?:(?!-->).)*-->\s*)*<(?:style|script|meta|img|h[1-6]|ul|ol|br|hr|pre|blockquote|strong|em|center|a|b|i|u|font)[\s/>]/is

const templateOf = (format: FormatId): TemplateSupport => ({
  open: async (bytes) => (await import('./template/open.ts')).openPage(bytes, format),
})

const printOptions: FormatPlugin['printOptions'] = async (bytes) =>
  (await import('../../../shared/template/html/print-helpers.ts')).takePrintOptions(bytes)

/** A page that declares itself as XML. Browsers parse it by the rules of XML and reject it if it is not well-formed. */
export const xhtml = defineFormat({
  kind: 'format',
  id: 'xhtml',
  family: 'web',
  extensions: ['xhtml', 'xht'],
  mime: ['application/xhtml+xml'],
  sniff: (source) =>
    sniffText(source, (text) =>
      /^\s*<\?xml\s[^>]*>\s*(?:<!--(?:(?!-->).)*-->\s*|<!doctype[^>]*>\s*|<\?[^>]*\?>\s*)*<html[\s>]/is.test(
        text,
      )
        ? 'sure'
        : 'no',
    ),
  template: templateOf('xhtml'),
  printOptions,
})

export default defineFormat({
  kind: 'format',
  id: 'html',
  family: 'web',
  extensions: ['html', 'htm'],
  mime: ['text/html'],
  sniff: (source) =>
    sniffText(source, (text) => {
      if (/^\s*(<\?xml[^>]*>\s*)?(<!--(?:(?!-->).)*-->\s*)*<(!doctype\s+html|html[\s>])/is.test(text))
        return 'sure'
      if (tokens.test(text)) return 'maybe'
      return /<(html|body|head|table|div|p|span)[\s>]/i.test(text) && /^\s*</.test(text) ? 'maybe' : 'no'
    }),
  template: templateOf('html'),
  printOptions,
})
