/** Characters of an excerpt before and after what it shows. */
const [before, after] = [60, 100]
/** Characters of a document in which a part of a missing text is looked for, to show where it may have been. */
const maxSearched = 200_000

/** A text as it is compared: without white space and soft hyphens, ligatures as letters. */
const compared = (text: string): string => text.normalize('NFKC').replace(/[\s\u00ad\u200b-\u200f]+/gu, '')

export const contains = (text: string, part: string): boolean => compared(text).includes(compared(part))

/**
 * What a text has in the place of a part that it lacks: where the longest beginning of the part stands, else how the text
 * begins. Or, for a part that it has, where that stands.
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
