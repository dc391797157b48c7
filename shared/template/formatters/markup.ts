import { escapeText } from '../../xml/markup.ts'
import { Markup, type RenderContext } from './formatter.ts'

/** Text, escaped for the format that is being written. */
export const escaped = (text: string, render: RenderContext): string => (render.escape ?? escapeText)(text)

/** Concatenates two values. If one is markup, the result is markup, and the text of the other is escaped. */
export function joined(
  left: string | Markup,
  right: string | Markup,
  render: RenderContext,
): string | Markup {
  if (typeof left === 'string' && typeof right === 'string') return left + right
  const verbatim = [left, right].every((part) => typeof part !== 'string' && part.verbatim)
  return new Markup(markupOf(left, render) + markupOf(right, render), verbatim)
}

const markupOf = (part: string | Markup, render: RenderContext): string =>
  typeof part === 'string' ? escaped(part, render) : part.markup
