/**
 * Tags in the headers and footers of printed sheets. Their text has codes that begin with an ampersand: `&P` is the number of
 * the page, `&12` sets the size of the font. Source: ECMA-376-1, 18.3.1.46.
 */

import { isValueTag } from '../../../../shared/template/media/tokens.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'
import { escapeText } from '../../../../shared/xml/markup.ts'

const holders = /^(?:odd|even|first)(?:Header|Footer)$/

/** An ampersand in a value is doubled, and a digit after a font size is separated from it by a space. */
export function bindPageHeaders(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some(({ kind }) => kind === 'tag')) return tokens
  let inside = false
  let before = ''
  return tokens.map((token) => {
    if (token.kind === 'open') {
      inside = holders.test(token.name)
      before = ''
    } else if (token.kind === 'close') inside = false
    else if (token.kind === 'text') before = token.raw
    else if (token.kind === 'tag' && inside && isValueTag(token)) {
      const followsSize = /&amp;\d+$/.test(before)
      before = ''
      return {
        ...token,
        output: (value: unknown, text: (value: unknown) => string) => {
          const escaped = text(value).replaceAll('&', '&&')
          return escapeText(followsSize && /^\d/.test(escaped) ? ` ${escaped}` : escaped)
        },
      }
    }
    return token
  })
}
