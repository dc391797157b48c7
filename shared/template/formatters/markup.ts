import { Markup, type RenderContext } from './formatter.ts'

/** Text made safe between the tags of the format being written. */
export const escaped = (text: string, render: RenderContext): string => (render.escape ?? escapeXml)(text)

/** XML text: the three characters that mean markup are escaped, characters that XML forbids are dropped. */
export function escapeXml(text: string): string {
  return special.test(text) ? text.replace(specials, (character) => entities[character] ?? '') : text
}

/** One text after another; markup stays markup, and text beside it is escaped. */
export function joined(
  left: string | Markup,
  right: string | Markup,
  render: RenderContext,
): string | Markup {
  if (typeof left === 'string' && typeof right === 'string') return left + right
  return new Markup(markupOf(left, render) + markupOf(right, render))
}

const markupOf = (part: string | Markup, render: RenderContext): string =>
  typeof part === 'string' ? escaped(part, render) : part.markup

const special = /[&<>\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/
const specials = /[&<>\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
