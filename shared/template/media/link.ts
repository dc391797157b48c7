/** Addresses of hyperlinks that come from data. Source: template language 22.6. */
import { LinkValue } from '../formatters/formatter.ts'

const allowed = /^(?:https?|mailto|tel|ftp):/i
const longest = 8_192

/**
 * The address a link may point at: `https://` goes before one without a scheme, other schemes than http, https,
 * mailto, tel and ftp and what is no address at all give undefined. `#name` is a place in the document itself.
 */
export function linkAddress(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > longest) return undefined
  if (/^#[^\s#]+$/.test(trimmed)) return encode(trimmed)
  const hasPort = /^(?:localhost|[\w-]+(?:\.[\w-]+)+):\d+(?:[/?#]|$)/.test(trimmed)
  const hasScheme = !hasPort && /^[a-z][a-z\d+.-]*:/i.test(trimmed)
  if (hasScheme && !allowed.test(trimmed)) return undefined
  const whole = hasScheme ? trimmed : `https://${trimmed.replace(/^\/{1,2}/, '')}`
  return URL.canParse(whole) ? encode(whole) : undefined
}

/** An editor that takes a tag for the name of a file says where it is: in the folder above, or on its own disk. */
export const editorsPlace = /^(?:(?:\.{1,2}\/)+|file:\/\/[^{}]*[\\/])$/i

const encode = (text: string): string =>
  text.replace(/[\s\\^`{|}<>"\u0000-\u001f]/g, (character) => encodeURIComponent(character))

/**
 * The address made of the fixed and the written stretches of one link, or the fallback that one of its tags names, or
 * undefined: then the text stays and the link goes.
 */
export function composedLink(
  segments: readonly unknown[],
  text: (value: unknown) => string,
): string | undefined {
  let written = ''
  let fallback: string | undefined
  for (const segment of segments) {
    if (segment instanceof LinkValue) fallback ??= segment.fallback
    written += text(segment)
  }
  return linkAddress(written) ?? (fallback === undefined ? undefined : linkAddress(fallback))
}
