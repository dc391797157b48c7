import { escapeText } from '../xml/markup.ts'

/**
 * White space that a paragraph of OpenDocument collapses: spaces at the edges of a text, several consecutive spaces,
 * and tabs.
 */
const swallowed = /^ | $| {2}|\t/
const collapsible = /^ +| +$| {2,}|\t/g

/**
 * Writes text so that its spaces and tabs are displayed. Line ends are kept and displayed as a space, unless
 * `:convCRLF` converts them to breaks. Source: ODF 1.3 part 3, 6.1.2 and 6.1.3; template language 9.
 */
export function escapeOdfText(text: string): string {
  const escaped = escapeText(text)
  return swallowed.test(escaped) ? escaped.replace(collapsible, blankMarkup) : escaped
}

const blankMarkup = (blanks: string, offset: number): string => {
  if (blanks === '\t') return '<text:tab/>'
  // Between words, the first space is not collapsed and stays a character.
  const count = offset > 0 && blanks.length > 1 ? blanks.length - 1 : blanks.length
  const marked = count === 1 ? '<text:s/>' : `<text:s text:c="${count}"/>`
  return count === blanks.length ? marked : ` ${marked}`
}
