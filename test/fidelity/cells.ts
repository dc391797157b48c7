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
 * lines elsewhere.
 */
export function compareCells(reference: Pages, ours: Pages): CellTexts {
  const pages = Array.from({ length: Math.max(reference.length, ours.length) }, (_, at) => ({
    theirs: textsOf(reference[at] ?? []),
    mine: textsOf(ours[at] ?? []),
  }))
  const onlyInReference = pages.flatMap(({ theirs, mine }) => unmatched(theirs, mine))
  const onlyInOurs = pages.flatMap(({ theirs, mine }) => unmatched(mine, theirs))
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

/** The texts of a page: words on one line with the gap of a space between them. */
function textsOf(words: readonly Word[]): string[][] {
  const texts: string[][] = []
  let last: Word | undefined
  for (const word of words) {
    const height = word.bottom - word.top
    const follows =
      last !== undefined &&
      Math.abs(last.bottom - word.bottom) < 0.2 * height &&
      word.left - last.right > -0.1 * height &&
      word.left - last.right < gapInText * height
    if (follows) texts.at(-1)?.push(word.text)
    else texts.push([word.text])
    last = word
  }
  return texts
}

/** The texts with a word that the other side does not have, counting each of its words once. */
function unmatched(texts: readonly (readonly string[])[], others: readonly (readonly string[])[]): string[] {
  const counts = new Map<string, number>()
  for (const word of others.flat()) counts.set(word, (counts.get(word) ?? 0) + 1)
  return texts.flatMap((text) => {
    const missing = text.filter((word) => {
      const left = counts.get(word) ?? 0
      counts.set(word, left - 1)
      return left <= 0
    })
    return missing.length > 0 ? [text.join(' ')] : []
  })
}
