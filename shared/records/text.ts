/** Case and accents removed: how names are compared in a search. Upper case first, for that makes 'SS' of 'ß'. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase()
    .toLowerCase()
}

/** The different runs of three characters of a text, at most `max`. */
export function trigrams(text: string, max: number): string[] {
  const characters = [...text]
  const found = new Set<string>()
  for (let at = 0; at + 3 <= characters.length && found.size < max; at++) {
    found.add(characters.slice(at, at + 3).join(''))
  }
  return [...found]
}
