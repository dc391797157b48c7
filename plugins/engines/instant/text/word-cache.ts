/**
 * The cached words of all fonts of a thread share one limit, so that many documents with many fonts do not add up. The caches
 * that were least recently written to are emptied first.
 */
export interface WordCache<Word> {
  get(word: string): Word | undefined
  set(word: string, shaped: Word): void
}

interface Emptied {
  readonly size: number
  clear(): void
}

/**
 * The number of words of all caches. A word of ten letters occupies about 600 bytes with its glyphs; a book of 500
 * pages has 15,000 distinct ones.
 */
const maxWords = 40_000

/** Caches that hold words, the one written to least recently first. */
const filled = new Set<Emptied>()
let words = 0

export function createWordCache<Word>(): WordCache<Word> {
  const cached = new Map<string, Word>()
  return {
    get: (word) => cached.get(word),
    set(word, shaped) {
      const before = cached.size
      cached.set(word, shaped)
      words += cached.size - before
      filled.delete(cached)
      filled.add(cached)
      if (words > maxWords) empty()
    },
  }
}

/** Frees a quarter, so that it happens seldom. */
function empty(): void {
  for (const cache of filled) {
    if (words <= 0.75 * maxWords) return
    words -= cache.size
    cache.clear()
    filled.delete(cache)
  }
}

/** The number of cached words. */
export const rememberedWords = (): number => words
