import { matchWords, type Word } from './words.ts'

/** By how many points a word may be off its place before it counts as moved. */
const tolerance = 0.5

/**
 * Where two documents begin to differ, in the order of the pages: the first word that is moved and how far, and the
 * first page that does not end with the same word. Undefined where they do not differ.
 */
export function firstDifference(
  reference: readonly (readonly Word[])[],
  ours: readonly (readonly Word[])[],
): string | undefined {
  let moved: string | undefined
  for (const [index, page] of reference.entries()) {
    const other = ours[index] ?? []
    const pairs = matchWords(page, other)
    moved ??= firstMove(pairs, index + 1)
    const over = beyond(page, other, pairs)
    if (over !== undefined) return [moved, `page ${index + 1} ends ${over}`].filter(Boolean).join('; ')
  }
  if (ours.length > reference.length) return [moved, 'further pages follow'].filter(Boolean).join('; ')
  return moved
}

function firstMove(pairs: readonly (readonly [Word, Word])[], page: number): string | undefined {
  for (const [a, b] of pairs) {
    const right = b.left - a.left
    const down = (b.top + b.bottom - a.top - a.bottom) / 2
    const moves = [
      ...(Math.abs(right) > tolerance ? [`${right.toFixed(2)} pt to the right`] : []),
      ...(Math.abs(down) > tolerance ? [`${down.toFixed(2)} pt down`] : []),
    ]
    if (moves.length > 0) return `page ${page}, "${a.text}": ${moves.join(' and ')}`
  }
  return undefined
}

/** How many words at the end of a page have no partner, on the side that has more of them. */
function beyond(
  page: readonly Word[],
  other: readonly Word[],
  pairs: readonly (readonly [Word, Word])[],
): string | undefined {
  const last = pairs.at(-1)
  const [theirs, our] =
    last === undefined
      ? [page.length, other.length]
      : [page.length - 1 - page.indexOf(last[0]), other.length - 1 - other.indexOf(last[1])]
  if (theirs > our) return `${theirs} words too early, before "${page[page.length - theirs]!.text}"`
  if (our > theirs) return `${our} words too late, with "${other.at(-1)!.text}"`
  return undefined
}
