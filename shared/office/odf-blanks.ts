import { escapeText } from '../xml/markup.ts'

/** White space that a paragraph of OpenDocument collapses: blanks at the edges of a text, several in a row, and tabs. */
const swallowed = /^ | $| {2}|\t/
const collapsible = /^ +| +$| {2,}|\t/g

/**
 * Text of a paragraph with its blanks and tabs written so that they show. Line ends stay: they show as a blank, as
 * everywhere, unless `:convCRLF` makes breaks of them. Source: ODF 1.3 part 3, 6.1.2 and 6.1.3; template language 9.
 */
export function escapeOdfText(text: string): string {
  const escaped = escapeText(text)
  return swallowed.test(escaped) ? escaped.replace(collapsible, blankMarkup) : escaped
}

const blankMarkup = (blanks: string, offset: number): string => {
  if (blanks === '\t') return '<text:tab/>'
  // Between words, the first blank is not collapsed and stays a character.
  const count = offset > 0 && blanks.length > 1 ? blanks.length - 1 : blanks.length
  const marked = count === 1 ? '<text:s/>' : `<text:s text:c="${count}"/>`
  return count === blanks.length ? marked : ` ${marked}`
}
