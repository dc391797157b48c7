/** Charts are changed before the compiler sees them. So their markup is checked first, as the compiler would. */
import type { Limits } from '../../limits.ts'
import { escapeText } from '../../xml/markup.ts'
import { lexXml } from '../../xml/scan.ts'

/**
 * The markup without comments, with character sections as text. Throws AppError 'template.markup', 'template.doctype' or
 * 'template.too-deep'.
 */
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
