/** Typed cells: the markup that replaces their tag. Source: template language 24.3 and B.4; ECMA-376-1, 18.3.1.4. */

import { isNothing, numberOf } from '../../../../shared/office/sheet/typed.ts'
import { escapeText } from '../../../../shared/xml/markup.ts'

/** The markup between `<c r=".." s=".."` and `</c>`: the rest of the opening tag, and the value. */
export function typedContent(value: unknown, textOf: (value: unknown) => string): string {
  const number = numberOf(value)
  if (number !== undefined) return `><v>${number}</v>`
  const text = textOf(value)
  if (isNothing(value, text)) return '>'
  return ` t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is>`
}
