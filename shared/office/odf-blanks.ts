import { escapeXml } from '../template/formatters/markup.ts'

/** Blanks that a paragraph of OpenDocument would swallow: at the edges of a text, more than one, tabs. */
const swallowed = /^ | $| {2}|\t/
const each = /^ +| +$| {2,}|\t/g

/**
 * Text of a paragraph with its blanks and tabs written so that they show. Line ends stay: they show as a blank, as
 * everywhere, unless `:convCRLF` makes breaks of them. Source: ODF 1.3 part 3, 6.1.2 and 6.1.3; template language 9.
 */
export function escapeOdfText(text: string): string {
  const escaped = escapeXml(text)
  return swallowed.test(escaped) ? escaped.replace(each, written) : escaped
}

const written = (found: string, at: number): string => {
  if (found === '\t') return '<text:tab/>'
  // Between words the first blank is an ordinary one.
  const count = at > 0 && found.length > 1 ? found.length - 1 : found.length
  const marked = count === 1 ? '<text:s/>' : `<text:s text:c="${count}"/>`
  return count === found.length ? marked : ` ${marked}`
}
