/**
 * Finds the positions at which a word may be hyphenated. Patterns are data that the host provides
 * (`Host.asset`), in the format of TeX: `.ach4`, `a1b2c`. Without patterns nothing is hyphenated.
 */
export interface Hyphenator {
  /** Indexes in the word at which a hyphen may be inserted. */
  divide(word: string): readonly number[]
}

/** The patterns of a language. */
export interface HyphenationRules {
  readonly patterns: string // separated by white space
  readonly exceptions?: string // 'ta-ble pro-ject'
  /** The minimum number of letters before the first hyphen, and below after the last one. */
  readonly leftMin: number
  readonly rightMin: number
  /** The patterns for the parts of compounds, between the positions that the outer patterns find. */
  readonly parts?: HyphenationRules
}

/**
 * The patterns of a language by their letters. A trie of maps would be read faster, but takes eight times the memory: 20 MB for
 * German, for as long as its thread lives.
 */
interface Patterns {
  /** For each pattern a digit for the position before its first letter, between two letters, and after the last one. */
  readonly digits: ReadonlyMap<string, string>
  /** Letters of the longest pattern. */
  readonly longest: number
}

/**
 * Limits that keep a damaged dictionary from exhausting memory; words longer than `maxWord` are not
 * hyphenated.
 */
const maxPatterns = 100_000
const maxWord = 64

/**
 * Liang's algorithm: every pattern that occurs in the word assigns a number to positions between letters; the
 * highest number wins, and odd ones allow a hyphen. Source: F. M. Liang, "Word Hy-phen-a-tion by Com-put-er",
 * 1983.
 */
export function createHyphenator(rules: HyphenationRules): Hyphenator {
  const patterns = readPatterns(rules.patterns)
  const exceptions = readExceptions(rules.exceptions ?? '')
  const parts = rules.parts === undefined ? undefined : createHyphenator(rules.parts)
  const cached = new Map<string, readonly number[]>()
  return {
    divide(word) {
      if (word.length > maxWord || word.length < rules.leftMin + rules.rightMin) return []
      const lower = word.toLowerCase()
      if (lower.length !== word.length) return []
      let positions = cached.get(lower)
      if (positions === undefined) {
        const points = exceptions.get(lower) ?? vote(patterns, lower)
        const all = parts === undefined ? points : divideParts(lower, points, parts)
        positions = all.filter((at) => at >= rules.leftMin && at <= word.length - rules.rightMin)
        if (cached.size > 10_000) cached.clear()
        cached.set(lower, positions)
      }
      return positions
    },
  }
}

/** Hyphenates the parts of a compound, and between them. */
function divideParts(word: string, seams: readonly number[], parts: Hyphenator): number[] {
  const edges = [0, ...seams, word.length]
  const positions = edges
    .slice(1)
    .flatMap((end, index) => [
      ...parts.divide(word.slice(edges[index] ?? 0, end)).map((at) => (edges[index] ?? 0) + at),
      end,
    ])
  positions.pop()
  return positions
}

function readPatterns(text: string): Patterns {
  const digits = new Map<string, string>()
  /** One string for all patterns with the same digits. */
  const shared = new Map<string, string>()
  let longest = 0
  for (const pattern of text.split(/\s+/).slice(0, maxPatterns)) {
    if (pattern === '' || pattern.length > maxWord) continue
    const letters = pattern.replace(/[0-9]/g, '')
    const values = Array<string>(letters.length + 1).fill('0')
    let at = 0
    for (const character of pattern) {
      if (/[0-9]/.test(character)) values[at] = character
      else at += character.length
    }
    const joined = values.join('')
    const known = shared.get(joined)
    if (known === undefined) shared.set(joined, joined)
    digits.set(letters, known ?? joined)
    longest = Math.max(longest, letters.length)
  }
  return { digits, longest }
}

/** The positions of words that are listed with their hyphens. */
function readExceptions(exceptions: string): Map<string, number[]> {
  const positionsByWord = new Map<string, number[]>()
  for (const word of exceptions.split(/\s+/)) {
    if (word === '') continue
    const positions: number[] = []
    let unhyphenated = ''
    for (const part of word.split('-')) {
      if (unhyphenated !== '') positions.push(unhyphenated.length)
      unhyphenated += part
    }
    positionsByWord.set(unhyphenated, positions)
  }
  return positionsByWord
}

/** The positions with an odd highest number. `.` marks the start and the end of the word. */
function vote({ digits, longest }: Patterns, word: string): number[] {
  const dotted = `.${word}.`
  const votes = new Uint8Array(dotted.length + 1)
  for (let start = 0; start < dotted.length; start++) {
    const lastEnd = Math.min(dotted.length, start + longest)
    for (let end = start + 1; end <= lastEnd; end++) {
      const values = digits.get(dotted.slice(start, end))
      for (let index = 0; index < (values?.length ?? 0); index++) {
        const value = values!.charCodeAt(index) - 48 // the code of '0'
        if (value > (votes[start + index] ?? 0)) votes[start + index] = value
      }
    }
  }
  const positions: number[] = []
  for (let at = 1; at < word.length; at++) if ((votes[at + 1] ?? 0) % 2 === 1) positions.push(at)
  return positions
}
