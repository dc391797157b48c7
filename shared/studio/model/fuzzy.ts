/**
 * Scores how well texts match a search. Every word of the search has to be found, as a substring or as its
 * letters in their order. Accents and case do not matter. 0: they do not match; higher is better.
 */
export function fuzzyScore(search: string, ...texts: readonly string[]): number {
  const words = plain(search).split(/\s+/).filter(Boolean)
  if (words.length === 0) return 1
  const normalized = texts.map(plain)
  let total = 0
  for (const word of words) {
    // biome-ignore lint/plugin: the callers name the texts one by one
    const best = Math.max(0, ...normalized.map((text, at) => wordScore(word, text) / (at + 1)))
    if (best === 0) return 0
    total += best
  }
  return total
}

function wordScore(word: string, text: string): number {
  const at = text.indexOf(word)
  if (at === 0) return 100
  if (at > 0) return /[\s._/-]/.test(text[at - 1]!) ? 80 : 60
  // Short words would match too many texts if their letters could be apart.
  if (word.length < 3) return 0
  let next = 0
  let first = -1
  for (const letter of word) {
    const index = text.indexOf(letter, next)
    if (index === -1) return 0
    if (first === -1) first = index
    next = index + 1
  }
  // Letters that are far apart match by chance.
  const spread = (next - first) / word.length
  return spread > 3 ? 0 : 40 / spread
}

function plain(text: string): string {
  // biome-ignore lint/plugin: names of fields, in the browser of the person who wrote them
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
