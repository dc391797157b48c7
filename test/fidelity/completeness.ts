import { execFileSync } from 'node:child_process'

/** All text of a PDF in the order it was written. */
export function textOf(pdf: string): string {
  return execFileSync('pdftotext', ['-raw', pdf, '-'], { encoding: 'utf8', maxBuffer: 1 << 28 })
}

/**
 * What two writings of the same text have in common: ligatures and presentation forms are their letters, capitals are
 * capitals wherever they come from, hyphens come and go with the ends of lines. White space, marks of direction,
 * bullets and private symbols (`words.ts` compares those) are no letters.
 */
export function letters(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .normalize('NFKC')
    .replace(/[\s\p{Cf}\p{Cc}\p{Co}\-\u2010-\u2012\u0640·•▪◦‣●○■□]/gu, '')
}

/**
 * Whether each page of a text has all letters of the same page of the reference, in any order: then nothing is missing, although
 * words of a reference that reads its text in another order may not be found.
 */
export function hasAllLetters(reference: string, text: string): boolean {
  const pages = text.split('\f').map(countLetters)
  return reference.split('\f').every((page, at) => {
    const left = pages[at] ?? new Map<string, number>()
    return [...countLetters(page)].every(([letter, count]) => (left.get(letter) ?? 0) >= count)
  })
}

function countLetters(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const letter of letters(text)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return counts
}

export interface Completeness {
  readonly words: number
  readonly found: number
  readonly missing: readonly string[]
}

/**
 * Which of `words` are in `text` when both are read without white space, so that a letter-spaced title or a word two
 * runs wrote is whole. Every letter of the text serves one word only: a word that is lost once of three times is missed,
 * and short words cannot hide in longer ones. Long words choose first. A word may stand in two places where a page, a
 * column or a cell ended within it.
 */
export function findWords(words: readonly string[], text: string): Completeness {
  const wanted = words.map(letters).filter(Boolean)
  const order = wanted
    .map((word, index) => ({ word, index }))
    .sort((a, b) => b.word.length - a.word.length || a.index - b.index)
  const stock = createStock(letters(text))
  const missing: string[] = []
  for (const { word } of order) if (!stock.take(word) && !stock.takeParts(word)) missing.push(word)
  return { words: wanted.length, found: wanted.length - missing.length, missing }
}

/** Letters that are used up as words take them. */
function createStock(text: string) {
  const used = new Uint8Array(text.length)
  const from = new Map<string, number>()
  const use = (at: number, length: number): void => {
    used.fill(1, at, at + length)
  }
  /** Where `word` stands in letters that are not used up; -1 where it does not. */
  const find = (word: string, start = from.get(word) ?? 0): number => {
    let at = text.indexOf(word, start)
    while (at >= 0) {
      const taken = used.subarray(at, at + word.length).lastIndexOf(1)
      if (taken < 0) return at
      at = text.indexOf(word, at + taken + 1)
    }
    return -1
  }
  const take = (word: string): boolean => {
    const at = find(word)
    if (at < 0) return false
    use(at, word.length)
    from.set(word, at + word.length)
    return true
  }
  return {
    take,
    /** Two letters and more on each side: single ones are everywhere. */
    takeParts(word: string): boolean {
      for (let cut = word.length - 2; cut >= 2; cut--) {
        const at = find(word.slice(0, cut))
        if (at < 0) continue
        const other = find(word.slice(cut), 0)
        if (other < 0 || (other < at + cut && other + word.length - cut > at)) continue
        use(at, cut)
        use(other, word.length - cut)
        return true
      }
      return false
    },
  }
}
