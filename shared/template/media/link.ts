/** Addresses of hyperlinks that come from data. Source: template language 22.6. */
import { percent, percentEncoded } from '../emit/escape.ts'
import { LinkValue } from '../formatters/formatter.ts'

const allowed = /^(?:https?|mailto|tel|ftp):/i
const maxLength = 8_192

/**
 * Returns the address of a link. An address without a scheme gets `https://`; `#name` refers to the document itself.
 * Undefined for schemes other than http, https, mailto, tel and ftp, and for invalid addresses.
 */
export function linkAddress(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > maxLength) return undefined
  if (/^#[^\s#]+$/.test(trimmed)) return percentEncoded(trimmed)
  const hasPort = /^(?:localhost|[\w-]+(?:\.[\w-]+)+):\d+(?:[/?#]|$)/.test(trimmed)
  const hasScheme = !hasPort && /^[a-z][a-z\d+.-]*:/i.test(trimmed)
  if (hasScheme && !allowed.test(trimmed)) return undefined
  const address = hasScheme ? trimmed : `https://${trimmed.replace(/^\/{1,2}/, '')}`
  return URL.canParse(address) ? percentEncoded(address) : undefined
}

/** The prefix that editors write before a tag in an address when they mistake it for a file name: a folder or a drive. */
export const relativePrefix = /^(?:(?:\.{1,2}\/)+|file:\/\/[^{}]*[\\/])$/i

/**
 * Encodes a value that continues an address. After `?name=` it is one value of the query, so characters that would end it are
 * percent-encoded (RFC 3986, 3.4; "+" is a blank in form queries).
 */
export function afterEquals(before: string, value: string): string {
  return /\?[^#]*=$/.test(before) ? value.replace(/[&#+]/g, percent) : value
}

/**
 * A scheme without an address, which editors write before a tag that was typed as an address, together with a slash after the
 * tag.
 */
const schemeAlone = /^(?:https?|ftp):\/\/$|^(?:mailto|tel):$/i

/**
 * Composes the address of a link from its fixed and written segments, or uses the fallback that one of its tags specifies.
 * Undefined if neither is valid; the link is then removed and its text is kept.
 */
export function composedLink(
  segments: readonly unknown[],
  text: (value: unknown) => string,
): string | undefined {
  let address = ''
  let fallback: string | undefined
  let isComplete = false
  for (const [at, segment] of segments.entries()) {
    if (segment instanceof LinkValue) fallback ??= segment.fallback
    const value = text(segment)
    if (schemeAlone.test(address) && allowed.test(value.trim())) {
      address = value.trim()
      isComplete = true
    } else if (!isComplete || at < segments.length - 1 || value !== '/')
      address += afterEquals(address, value)
  }
  return linkAddress(address) ?? (fallback === undefined ? undefined : linkAddress(fallback))
}
