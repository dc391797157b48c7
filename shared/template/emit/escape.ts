/** Escapes values for the context in which they are written. Source: template language 9. */
import { entryOf } from '../../entry-of.ts'
import { escapeText, withoutControls } from '../../xml/markup.ts'
import { markSpecials } from '../csv-marks.ts'
import type { CodeContext, TagContext } from '../scan/tokens.ts'
import { escapeCode } from './escape-code.ts'
import { attributeName, attributes, elementName } from './escape-names.ts'

const attributeSpecial = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for the context of its tag. In XML output, characters that XML does not allow are removed. */
export function escapeFor(context: TagContext, text: string): string {
  switch (context) {
    case 'text':
    case 'paragraph':
      return escapeText(text)
    case 'attribute':
      return text.replace(attributeSpecial, (character) => entryOf(entities, character) ?? '')
    case 'bare':
      return attributes(withoutControls(text))
    case 'name':
      return attributeName(withoutControls(text))
    case 'element':
      return elementName(text)
    case 'animated':
      return /(?:^|;)(?:javascript|vbscript|data):/i.test(withoutBlanks(text))
        ? ''
        : escapeFor('attribute', text)
    case 'document':
      return escapeFor('attribute', escapeText(text))
    case 'address':
      return escapeFor('attribute', percentEncoded(text))
    case 'comment':
      return withoutControls(text).replaceAll('--', '- -').replace(/-$/, '- ').replaceAll('>', '&gt;')
    case 'cdata':
      return withoutControls(text).replaceAll(']]>', ']]]]><![CDATA[>')
    case 'markdown':
      return text.replaceAll('|', '\\|').replace(/\r?\n/g, '<br>')
    case 'csv':
      return /[,;\t|"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    case 'csv-part':
      return markSpecials(text)
    case 'quoted':
      return text.replaceAll('"', '""')
    case 'json':
      return JSON.stringify(text).slice(1, -1)
    case 'json-value':
      return isJson(text) ? text : text === '' ? 'null' : JSON.stringify(text)
    case 'plain':
      return text
    default:
      return escapeInCode(context, text)
  }
}

/** Text that needs no escaping in any context of code except an expression. Most values match. */
const harmless = /^[\w .%-]*$/

/** Code in an attribute is escaped as code and then as an attribute; in an address also for the percent signs that it decodes. */
function escapeInCode(context: CodePosition, text: string): string {
  const end = context.indexOf('-in-')
  const code = (end < 0 ? context : context.slice(0, end)) as CodeContext
  if (code !== 'script' && !context.endsWith('address') && harmless.test(text)) return text
  const escapedCode = escapeCode(code, text)
  if (end < 0) return escapedCode
  return escapeFor(
    'attribute',
    context.endsWith('address') ? escapedCode.replaceAll('%', '%25') : escapedCode,
  )
}

type CodePosition = CodeContext | `${CodeContext}-in-${'attribute' | 'address'}`

export const withoutBlanks = (text: string): string => text.replace(/[\u0000-\u0020\u007f-\u00a0]/g, '')

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Escapes markup for an attribute value. Its character references are kept. */
export const escapeMarkup = (markup: string): string =>
  markup.replace(/[<>"']/g, (character) => entryOf(entities, character)!)

/**
 * Percent-encodes characters that are not allowed in a URL: blanks, control characters, a few symbols, and a percent sign
 * that begins no encoded byte (RFC 3986, 2).
 */
export const percentEncoded = (text: string): string =>
  text.replace(/[\s\\^`{|}<>"\u0000-\u001f]|%(?![\da-f]{2})/gi, percent)

/** Percent-encodes one character (RFC 3986, 2.1). */
export const percent = (character: string): string => {
  const code = character.charCodeAt(0)
  return code < 0x80 ? `%${code.toString(16).toUpperCase().padStart(2, '0')}` : encodeURIComponent(character)
}
