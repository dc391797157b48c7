import { entryOf } from '../../../shared/entry-of.ts'
import { type Element, type ElementBudget, parseTree } from '../../../shared/xml/read-tree.ts'

/** Represents the page number of the page that shows the text. A noncharacter, which no text contains. */
export const pageNumberMark = '\ufdd0'

/** White space between elements is not text, except in these. */
const textual = new Set(['Content', 'Contents'])
/** Special characters in text are processing instructions. IDML 8.0, 7.5 Special Characters. */
const instructions: Readonly<Record<string, string>> = { '8': '\t', '18': pageNumberMark }

/** Returns the root element of a part. Throws XmlFault. */
export function parsePart(text: string, budget: ElementBudget): Element {
  const withCharacters = text.replace(
    /<\?ACE\s+(\d+)\s*\?>/g,
    (_, code: string) => entryOf(instructions, code) ?? '',
  )
  return parseTree(withCharacters, { budget, keeps: (name) => textual.has(name) })
}

/** Parses a number of an attribute; returns the default when there is none. */
export function numberOf(value: string | undefined, otherwise: number): number {
  const number = value === undefined || value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : otherwise
}
