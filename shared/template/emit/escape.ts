/** Escapes values for the place that they are written to. Source: template language 9. */
import { withoutControls } from '../../office/markup.ts'
import { escapeXml } from '../formatters/markup.ts'
import type { TagContext } from '../scan/tokens.ts'

const attributeSpecial = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
/** A value that is written as whole attributes may hold anything but the end of the opening tag. */
const edges = /[<>\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeFor(context: TagContext, text: string): string {
  switch (context) {
    case 'text':
    case 'paragraph':
      return escapeXml(text)
    case 'attribute':
      return text.replace(attributeSpecial, (character) => entities[character] ?? '')
    case 'bare':
      return text.replace(edges, (character) => entities[character] ?? '')
    case 'address':
      return escapeFor('attribute', text.replace(/[\s\\^`{|}<>"\u0000-\u001f]/g, percent))
    case 'comment':
      return withoutControls(text).replaceAll('--', '- -').replace(/-$/, '- ')
    case 'cdata':
      return withoutControls(text).replaceAll(']]>', ']]]]><![CDATA[>')
    case 'markdown':
      return text.replaceAll('|', '\\|').replace(/\r?\n/g, '<br>')
    case 'csv':
      return /[,;\t|"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    case 'quoted':
      return text.replaceAll('"', '""')
    case 'plain':
      return text
    default:
      return context satisfies never
  }
}

/** Escapes markup for an attribute. Character references in it stay. */
export const escapeMarkup = (markup: string): string =>
  markup.replace(/[<>"']/g, (character) => entities[character]!)

const percent = (character: string): string => {
  const code = character.charCodeAt(0)
  return code < 0x80 ? `%${code.toString(16).toUpperCase().padStart(2, '0')}` : encodeURIComponent(character)
}
