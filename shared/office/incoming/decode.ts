import { XmlFault } from '../../xml/cursor.ts'
import { attributeOf } from '../../xml/elements.ts'

/** The maximum length of an XML declaration, in bytes. */
const declarationBytes = 400

/**
 * Decodes XML as a parser does: by its byte order mark, otherwise by its declaration (XML 1.0, 4.3.3 and appendix F).
 * Throws XmlFault for an unsupported encoding: text that cannot be decoded as the office program decodes it cannot be
 * checked.
 */
export function decodeXmlBytes(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes)
}

/** Changed text is encoded as UTF-8, whatever its original encoding was. */
export function encodeXml(text: string): Uint8Array {
  const end = text.startsWith('<?xml') ? text.indexOf('?>') : -1
  const body = end < 0 ? text : text.slice(end + 2)
  return new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?>${body}`)
}

function encodingOf(bytes: Uint8Array): string {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a === 0x3c && b === 0) return 'utf-16le'
  if (a === 0 && b === 0x3c) return 'utf-16be'
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, declarationBytes))
  if (!head.startsWith('<?xml')) return 'utf-8'
  const named = attributeOf(head.slice(0, head.indexOf('?>') + 1), 'encoding')
  if (named === undefined) return 'utf-8'
  try {
    return new TextDecoder(named).encoding
  } catch {
    throw new XmlFault('it names an unknown character encoding')
  }
}
