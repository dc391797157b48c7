/** Whether a workbook prints the same cell texts on the same pages as the reference does. */
import type { Word } from './words.ts'

/** Texts of cells that one side prints and the other does not, or prints otherwise. */
export interface CellTexts {
  /** The share of the texts that both print alike, of the side that has more of them. */
  readonly equal: number
  readonly onlyInReference: readonly string[]
  readonly onlyInOurs: readonly string[]
}

type Pages = readonly (readonly Word[])[]

/**
 * Compares the texts of cells page by page, whatever their place. A text is a row of words that stand close to each other, so it
 * is one line of a cell. It is equal when the other side prints all its words on the same page, so that cells may break their
 * lines elsewhere. What is left is compared by its letters along a line: pdftotext joins texts that touch, and parts a word
 * whose letters LibreOffice places one by one, as in labels of charts and turned text.
 */
export function compareCells(reference: Pages, ours: Pages): CellTexts {
  const pages = Array.from({ length: Math.max(reference.length, ours.length) }, (_, at) => ({
    theirs: textsOf(reference[at] ?? []),
    mine: textsOf(ours[at] ?? []),
  }))
  const left = pages.map(({ theirs, mine }) =>
    withoutEqualLetters(unmatched(theirs, mine), unmatched(mine, theirs)),
  )
  const onlyInReference = left.flatMap(({ theirs }) => theirs.map(written))
  const onlyInOurs = left.flatMap(({ mine }) => mine.map(written))
  const total = (side: 'theirs' | 'mine'): number => pages.reduce((sum, page) => sum + page[side].length, 0)
  const share = (count: number, of: number): number => (of === 0 ? 1 : 1 - count / of)
  return {
    equal: Math.min(share(onlyInReference.length, total('theirs')), share(onlyInOurs.length, total('mine'))),
    onlyInReference,
    onlyInOurs,
  }
}

/** Words of one text are this close, as a share of the height of the line. */
const gapInText = 0.45

/** The words of one text from left to right. */
type Text = readonly Word[]

const written = (text: Text): string => text.map((word) => word.text).join(' ')

/** The texts of a page: words on one line with the gap of a space between them. */
function textsOf(words: readonly Word[]): Text[] {
  const texts: Word[][] = []
  let last: Word | undefined
  for (const word of words) {
    const height = word.bottom - word.top
    const follows =
      last !== undefined &&
      Math.abs(last.bottom - word.bottom) < 0.2 * height &&
      word.left - last.right > -0.1 * height &&
      word.left - last.right < gapInText * height
    if (follows) texts.at(-1)?.push(word)
    else texts.push([word])
    last = word
  }
  return texts
}

/** The texts with a word that the other side does not have, counting each of its words once. */
function unmatched(texts: readonly Text[], others: readonly Text[]): Text[] {
  const counts = new Map<string, number>()
  for (const { text } of others.flat()) counts.set(text, (counts.get(text) ?? 0) + 1)
  return texts.filter((words) => {
    let isMissing = false
    for (const { text } of words) {
      const left = counts.get(text) ?? 0
      counts.set(text, left - 1)
      if (left <= 0) isMissing = true
    }
    return isMissing
  })
}

/** Texts of both sides of a page. */
interface Sides {
  readonly theirs: readonly Text[]
  readonly mine: readonly Text[]
}

/** Leaves out texts that have the same letters as texts beside each other on a line of the other side, in each direction of reading. */
function withoutEqualLetters(theirs: readonly Text[], mine: readonly Text[]): Sides {
  return directions.reduce<Sides>(
    (left, linesOf) => {
      const [all, others] = [linesOf(left.theirs), linesOf(left.mine)]
      const equal = new Set<Text>()
      for (const line of all) for (const other of others) markEqual(line, other, equal)
      const remain = (texts: readonly Text[]): Text[] => texts.filter((text) => !equal.has(text))
      return { theirs: remain(left.theirs), mine: remain(left.mine) }
    },
    { theirs, mine },
  )
}

/** Adds the texts of two lines to `equal` where one or more of them in a row have the same letters as those of the other line. */
function markEqual(line: readonly Text[], other: readonly Text[], equal: Set<Text>): void {
  for (let at = 0; at < line.length; at++)
    for (let beside = 0; beside < other.length; beside++) {
      const ends = endsOfEqual({ line, at }, { line: other, at: beside }, equal)
      if (ends === undefined) continue
      for (const text of line.slice(at, ends[0])) equal.add(text)
      for (const text of other.slice(beside, ends[1])) equal.add(text)
      break
    }
}

interface Start {
  readonly line: readonly Text[]
  readonly at: number
}

/** The indexes behind the texts from both starts on that have the same letters; undefined if none do. */
function endsOfEqual(start: Start, other: Start, taken: ReadonlySet<Text>): [number, number] | undefined {
  let [letters, otherLetters, at, beside] = ['', '', start.at, other.at]
  do {
    const takesOther = letters.length > otherLetters.length
    const next = takesOther ? other.line[beside++] : start.line[at++]
    if (next === undefined || taken.has(next)) return undefined
    if (takesOther) otherLetters += lettersOf(next)
    else letters += lettersOf(next)
    if (!letters.startsWith(otherLetters) && !otherLetters.startsWith(letters)) return undefined
  } while (letters !== otherLetters)
  return [at, beside]
}

const lettersOf = (text: Text): string => text.map((word) => word.text.replace(/\s/g, '')).join('')

/** The lines of texts that run to the right, upward and downward, each in the order of reading. */
const directions: readonly ((texts: readonly Text[]) => Text[][])[] = [
  (texts) =>
    inLines(
      texts,
      ({ top, bottom }) => [top, bottom],
      (a, b) => a.left - b.left,
    ),
  (texts) =>
    inLines(
      texts,
      ({ left, right }) => [left, right],
      (a, b) => b.bottom - a.bottom,
    ),
  (texts) =>
    inLines(
      texts,
      ({ left, right }) => [left, right],
      (a, b) => a.top - b.top,
    ),
]

/** Texts whose extents across the line have nearly the same middle are in one line. */
function inLines(
  texts: readonly Text[],
  across: (word: Word) => [number, number],
  order: (a: Word, b: Word) => number,
): Text[][] {
  const middle = (text: Text): number => (across(text[0]!)[0] + across(text[0]!)[1]) / 2
  const sorted = [...texts].sort((a, b) => middle(a) - middle(b))
  const lines: Text[][] = []
  for (const text of sorted) {
    const last = lines.at(-1)?.[0]
    const [start, end] = across(text[0]!)
    if (last !== undefined && middle(text) - middle(last) < 0.3 * (end - start)) lines.at(-1)?.push(text)
    else lines.push([text])
  }
  for (const line of lines) line.sort((a, b) => order(a[0]!, b[0]!))
  return lines
}
