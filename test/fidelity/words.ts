import { execFileSync } from 'node:child_process'
import { symbolsToUnicode } from '../../plugins/engines/instant/fonts/symbols.ts'

export interface Word {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The words of each page with their boxes, in points, as `pdftotext -bbox` reads them. */
export function wordsOf(pdf: string): Word[][] {
  const xml = execFileSync('pdftotext', ['-bbox', pdf, '-'], { encoding: 'utf8', maxBuffer: 1 << 28 })
  const pages: Word[][] = []
  for (const line of xml.split('\n')) {
    if (line.includes('<page ')) pages.push([])
    const match =
      /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*)<\/word>/.exec(line)
    if (match === null) continue
    const [left, top, right, bottom] = match.slice(1, 5).map(Number) as [number, number, number, number]
    pages.at(-1)?.push({ text: match[5]!, left, top, right, bottom })
  }
  return pages
}

/**
 * Joins words of a line that touch: where no space separates two pieces of text, pdftotext parts them or not depending on how
 * the PDF moves from one to the next, which nobody sees.
 */
export function joinTouching(pages: readonly (readonly Word[])[]): Word[][] {
  return pages.map((page) => {
    const joined: Word[] = []
    for (const word of page) {
      const last = joined.at(-1)
      const gap = last === undefined ? Number.POSITIVE_INFINITY : word.left - last.right
      const touches =
        last !== undefined &&
        Math.abs(gap) < 0.05 * (word.bottom - word.top) &&
        Math.abs(last.bottom - word.bottom) < 0.3 &&
        Math.abs(last.top - word.top) < 0.3
      if (touches) joined[joined.length - 1] = { ...last, text: last.text + word.text, right: word.right }
      else joined.push(word)
    }
    return joined
  })
}

export interface WordScore {
  readonly words: number // of the reference
  readonly within2: number
  readonly within3: number
  readonly within5: number
  readonly onPage: number
}

/** Matches words page by page and counts those whose left edge and middle height agree. */
export function compareWords(
  reference: readonly (readonly Word[])[],
  ours: readonly (readonly Word[])[],
): WordScore {
  const score = { words: 0, within2: 0, within3: 0, within5: 0, onPage: 0 }
  reference.forEach((page, index) => {
    score.words += page.length
    for (const [a, b] of matchWords(page, ours[index] ?? [])) {
      score.onPage++
      const dx = Math.abs(a.left - b.left)
      const dy = Math.abs((a.top + a.bottom) / 2 - (b.top + b.bottom) / 2)
      const off = Math.max(dx, dy)
      if (off <= 5) score.within5++
      if (off <= 3) score.within3++
      if (off <= 2) score.within2++
    }
  })
  return score
}

const symbolFamilies = ['Symbol', 'Wingdings', 'Wingdings 2', 'Wingdings 3', 'Webdings']
/** Private code points, and the middle dot: the byte at which Symbol has its bullet. */
const privateSymbol = /[\uF020-\uF0FF\u00B7]/
const meanings = new Map<string, ReadonlySet<string>>()

/** The characters a private code point stands for in any of the symbol fonts. */
function meaningsOf(character: string): ReadonlySet<string> {
  let known = meanings.get(character)
  if (known === undefined) {
    known = new Set(symbolFamilies.map((family) => symbolsToUnicode(family, character)))
    meanings.set(character, known)
  }
  return known
}

/**
 * Whether two words show the same. Symbol fonts hold their glyphs at private code points: LibreOffice leaves those in
 * the text of its PDF where the instant engine writes the Unicode character of the same glyph, which people can search
 * for. The picture is the same, so such a pair is equal; anything else must agree letter by letter.
 */
function sameWord(a: string, b: string): boolean {
  if (a === b) return true
  if (!privateSymbol.test(a)) return false
  const [left, right] = [[...a], [...b]]
  return (
    left.length === right.length && left.every((one, i) => one === right[i] || meaningsOf(one).has(right[i]!))
  )
}

/** Longest common subsequence by text; long pages are matched in a band around the diagonal. */
export function matchWords(a: readonly Word[], b: readonly Word[]): [Word, Word][] {
  const rows = a.length
  const columns = b.length
  if (rows === 0 || columns === 0) return []
  const width = columns + 1
  const table = new Uint16Array((rows + 1) * width)
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      table[i * width + j] = sameWord(a[i]!.text, b[j]!.text)
        ? table[(i + 1) * width + j + 1]! + 1
        : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!)
    }
  }
  const pairs: [Word, Word][] = []
  let i = 0
  let j = 0
  while (i < rows && j < columns) {
    if (sameWord(a[i]!.text, b[j]!.text)) pairs.push([a[i++]!, b[j++]!])
    else if (table[(i + 1) * width + j]! >= table[i * width + j + 1]!) i++
    else j++
  }
  return pairs
}

/** Share of the reference's words that are found anywhere in ours, each as often as it occurs. */
export function textRecall(
  reference: readonly (readonly Word[])[],
  ours: readonly (readonly Word[])[],
): number {
  const counts = new Map<string, number>()
  for (const word of ours.flat()) counts.set(word.text, (counts.get(word.text) ?? 0) + 1)
  let found = 0
  let total = 0
  for (const word of reference.flat()) {
    total++
    const text = privateSymbol.test(word.text) ? nameIn(counts, word.text) : word.text
    const left = counts.get(text) ?? 0
    if (left === 0) continue
    counts.set(text, left - 1)
    found++
  }
  return total === 0 ? 1 : found / total
}

/** How a word with private symbols is spelt among ours. */
function nameIn(counts: ReadonlyMap<string, number>, word: string): string {
  for (const [text, left] of counts) if (left > 0 && sameWord(word, text)) return text
  return word
}
