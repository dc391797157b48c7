/** Charts are changed as text before the compiler sees them: what is not sound is refused first, and comments go. */
import type { Limits } from '../../template/limits.ts'
import { lexXml } from '../../template/scan/xml.ts'
import { escapeText } from '../markup.ts'

/** The markup with nothing between its elements but text. Throws AppError 'template.markup' and its like. */
export function soundMarkup(text: string, part: string, limits: Limits): string {
  const tokens = lexXml(text, part, limits)
  if (!tokens.some(({ kind }) => kind === 'comment' || kind === 'cdata')) return text
  return tokens
    .map(({ kind, start, end }) => {
      if (kind === 'comment') return ''
      return kind === 'cdata' ? escapeText(text.slice(start + 9, end - 3)) : text.slice(start, end)
    })
    .join('')
}
