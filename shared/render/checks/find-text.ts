/** The number of characters that an excerpt shows before and after its position. */
const [before, after] = [60, 100]
/** The number of characters of a document that are searched for parts of a missing text, to show where it may have been. */
const maxSearched = 200_000

/** Normalises a text for comparison: no white space and soft hyphens, ligatures as letters. */
const compared = (text: string): string => text.normalize('NFKC').replace(/[\s\u00ad\u200b-\u200f]+/gu, '')

export const contains = (text: string, part: string): boolean => compared(text).includes(compared(part))

/**
 * Returns an excerpt of `text` for a report about `part`. If the text contains `part`, the excerpt is around it. Otherwise it
 * is around the longest prefix of `part` that occurs, or the beginning of the text.
 */
export function excerptAt(text: string, part: string): string {
  const line = text.slice(0, maxSearched).replace(/\s+/gu, ' ').trim()
  const words = part.replace(/\s+/gu, ' ').trim()
  let length = words.length
  while (length >= 3 && !line.includes(words.slice(0, length))) length--
  const at = length < 3 ? 0 : line.indexOf(words.slice(0, length))
  const from = Math.max(0, at - before)
  const to = Math.min(line.length, at + after)
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}
