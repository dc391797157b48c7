/**
 * Removes case and accents, for comparing names in a search. The text is converted to upper case first,
 * because that turns 'ß' into 'SS'.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase()
    .toLowerCase()
}

/** The distinct sequences of three characters of a text, in their order, at most `max` of them. */
export function trigrams(text: string, max: number): string[] {
  const characters = [...text]
  const found = new Set<string>()
  for (let at = 0; at + 3 <= characters.length && found.size < max; at++) {
    found.add(characters.slice(at, at + 3).join(''))
  }
  return [...found]
}
