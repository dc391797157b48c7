import { type Budget, type Element, parseTree } from '../../../shared/document/xml-tree.ts'

/** Stands where a page shows its own number. Not a character, so that no text holds it. */
export const pageNumberMark = '\ufdd0'

/** Blanks between elements are no text, except in these. */
const textual = new Set(['Content', 'Contents'])
/** Marks inside text are processing instructions. IDML 8.0, 7.5 Special Characters. */
const marks: Readonly<Record<string, string>> = { '8': '\t', '18': pageNumberMark }

/** The root element of a part. Throws XmlFault. */
export function parsePart(text: string, budget: Budget): Element {
  const marked = text.replace(/<\?ACE\s+(\d+)\s*\?>/g, (_, code: string) => marks[code] ?? '')
  return parseTree(marked, { budget, keeps: (name) => textual.has(name) })
}

/** A number as attributes have it; the other one where there is none. */
export function numberOf(value: string | undefined, otherwise: number): number {
  const number = value === undefined || value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : otherwise
}
