/** Addresses of hyperlinks that come from data. Source: template language 22.6. */
import { percent, percentEncoded } from '../emit/escape.ts'
import { LinkValue } from '../formatters/formatter.ts'

const allowed = /^(?:https?|mailto|tel|ftp):/i
const maxLength = 8_192

/**
 * The address that a link may point at. An address without a scheme gets `https://`; `#name` points into the document itself.
 * Undefined for schemes other than http, https, mailto, tel and ftp, and for what is no address.
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

/**
 * The prefix that editors write before a tag in an address when they take it for the name of a file: a folder or a
 * drive.
 */
export const relativePrefix = /^(?:(?:\.{1,2}\/)+|file:\/\/[^{}]*[\\/])$/i

/**
 * A value as it continues an address. Behind `?name=` it is one value of the query, so the characters that would end it are
 * percent-encoded (RFC 3986, 3.4; "+" is a blank in the queries of forms).
 */
export function afterEquals(before: string, value: string): string {
  return /\?[^#]*=$/.test(before) ? value.replace(/[&#+]/g, percent) : value
}

/** A scheme alone, which editors write before a tag that was typed as an address, and with it a slash behind the tag. */
const schemeAlone = /^(?:https?|ftp):\/\/$|^(?:mailto|tel):$/i

/**
 * The address of a link from its fixed and written segments, or the fallback that one of its tags names. Undefined when
 * neither can be used: then the text stays and the link is removed.
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
