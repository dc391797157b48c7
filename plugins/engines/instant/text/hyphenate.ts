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

interface PatternNode {
  readonly next: Map<string, PatternNode>
  values?: readonly number[]
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
  const root = readPatterns(rules.patterns)
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
        const found = exceptions.get(lower) ?? vote(root, lower)
        const all = parts === undefined ? found : divideParts(lower, found, parts)
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

/** Builds the trie of the patterns. */
function readPatterns(patterns: string): PatternNode {
  const root: PatternNode = { next: new Map() }
  for (const pattern of patterns.split(/\s+/).slice(0, maxPatterns)) {
    if (pattern === '' || pattern.length > maxWord) continue
    const values: number[] = [0]
    let node = root
    for (const character of pattern) {
      if (/[0-9]/.test(character)) {
        values[values.length - 1] = Number(character)
        continue
      }
      let next = node.next.get(character)
      if (next === undefined) node.next.set(character, (next = { next: new Map() }))
      node = next
      values.push(0)
    }
    node.values = values
  }
  return root
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
function vote(root: PatternNode, word: string): number[] {
  const dotted = `.${word}.`
  const votes = new Uint8Array(dotted.length + 1)
  for (let start = 0; start < dotted.length; start++) {
    let node: PatternNode | undefined = root
    for (let at = start; at < dotted.length; at++) {
      node = node.next.get(dotted[at]!)
      if (node === undefined) break
      for (const [index, value] of (node.values ?? []).entries()) {
        if (value > (votes[start + index] ?? 0)) votes[start + index] = value
      }
    }
  }
  const positions: number[] = []
  for (let at = 1; at < word.length; at++) if ((votes[at + 1] ?? 0) % 2 === 1) positions.push(at)
  return positions
}
