/**
 * Charts are changed before the compiler reads them. Their markup is therefore validated first, as the compiler would
 * validate it.
 */
import type { Limits } from '../../limits.ts'
import { escapeText } from '../../xml/markup.ts'
import { lexXml } from '../../xml/scan.ts'

/**
 * Returns the markup without comments, and with CDATA sections as text. Throws AppError 'template.markup',
 * 'template.doctype' or 'template.too-deep'.
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
