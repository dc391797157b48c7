/** Typed cells: the markup that takes the place of their tag. Source: template language 24.3 and B.4. */
import { escapeText, withoutControls } from '../../../../shared/office/markup.ts'
import { isNothing, numberOf } from '../../../../shared/office/sheet/typed.ts'

/** What is written between `<c r=".." s=".."` and `</c>`: the rest of the opening tag, and the value. */
export function typedContent(value: unknown, textOf: (value: unknown) => string): string {
  const number = numberOf(value)
  if (number !== undefined) return `><v>${number}</v>`
  const text = textOf(value)
  if (isNothing(value, text)) return '>'
  return ` t="inlineStr"><is><t xml:space="preserve">${escapeText(withoutControls(text))}</t></is>`
}
