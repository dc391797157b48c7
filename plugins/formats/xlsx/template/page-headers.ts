/** Tags in the headers and footers of printed sheets, whose text has codes of its own. Source: ECMA-376-1, 18.3.1.46. */
import { escapeText } from '../../../../shared/office/markup.ts'
import { isValueTag } from '../../../../shared/template/media/tokens.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'

const holders = /^(?:odd|even|first)(?:Header|Footer)$/

/** `&` begins a code there and is written twice to be one; a number behind the size of a font would be part of it. */
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
      const isBehindSize = /&amp;\d+$/.test(before)
      before = ''
      return {
        ...token,
        output: (value: unknown, text: (value: unknown) => string) => {
          const shown = text(value).replaceAll('&', '&&')
          return escapeText(isBehindSize && /^\d/.test(shown) ? ` ${shown}` : shown)
        },
      }
    }
    return token
  })
}
