import { escapeText } from '../../xml/markup.ts'
import { Markup, type RenderContext } from './formatter.ts'

/** Text made safe between the tags of the format being written. */
export const escaped = (text: string, render: RenderContext): string => (render.escape ?? escapeText)(text)

/** One text after another; markup stays markup, and text beside it is escaped. */
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
