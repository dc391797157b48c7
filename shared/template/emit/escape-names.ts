/**
 * Escapes values that are element names, attribute names or entire attributes. Anything that would run a script is removed.
 */

import { entryOf } from '../../entry-of.ts'

/** Elements whose content is not text, or that load a page or a script. */
const refusedElements =
  /^(?:script|style|iframe|frame|object|embed|applet|base|link|meta|svg|math|template|textarea|title|xmp|noscript|plaintext)$/i
/** Attributes whose value is a script, a page, an address or a style sheet. */
const refusedAttributes =
  /^(?:on.*|srcdoc|style|(?:xlink:)?href|src|action|formaction|data|background|codebase|manifest|poster|cite)$/i

export function elementName(text: string): string {
  const name = text.replace(/[^\p{L}\p{N}:.-]/gu, '')
  return refusedElements.test(name) ? `x-${name}` : name
}

/** Escapes an attribute name or a part of one. After a blank, which ends the name, entire attributes may follow. */
export function attributeName(text: string): string {
  if (/^\s/.test(text)) return attributes(text)
  const name = text.replace(/[^\p{L}\p{N}_:.-]/gu, '')
  return refusedAttributes.test(name) ? `data-${name}` : name
}

const attribute = /[\s/]*([^\s"'=<>/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/y
const edges: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;' }

/**
 * Escapes entire attributes: event handlers, documents and script addresses are removed. In text that is not an attribute
 * list, only names remain.
 */
export function attributes(text: string): string {
  const edged = text.replace(/[<>]/g, (character) => entryOf(edges, character)!)
  let escaped = ''
  let position = 0
  while (position < edged.length) {
    attribute.lastIndex = position
    const match = attribute.exec(edged)
    if (match === null) {
      const unread = edged.slice(position)
      return /^[\s/]*$/.test(unread)
        ? escaped + unread
        : edged.replace(/[^\p{L}\p{N}_:.\s-]/gu, '').replace(/\bon/gi, 'data-on')
    }
    position = attribute.lastIndex
    if (!runs(match[1]!, match[2] ?? '')) escaped += match[0]
  }
  return escaped
}

function runs(name: string, value: string): boolean {
  if (/^(?:on.*|srcdoc)$/i.test(name)) return true
  const address = value.replace(/[\s\u0000-\u0020"']/g, '').replace(/&(?:#|[a-z])[^;]*;?/gi, '')
  return refusedAttributes.test(name) && /^(?:javascript|vbscript|data)?:/i.test(address)
}
