import type { DrawnRuns } from './drawn-text.ts'

/** Share of the lower of two bands, and share of the smaller font size across, that both must cover. */
const down = 0.4
const across = 0.35

/** Pairs that one page may ask for: a page of a normal document has a few hundred. */
const mostPairs = 1_000_000

/**
 * How many runs of a page are drawn over the text of another line. What the document itself places over its text does not
 * count, nor do the shadows of a run.
 */
export function countOverlaps(list: DrawnRuns): number {
  const { boxes } = list
  const open: number[] = [] // runs that reach below the top of the one that is looked at
  let pairs = 0
  let count = 0
  for (const run of fromTheTop(list)) {
    const top = boxes[run * 4 + 1]!
    let kept = 0
    let isOver = false
    for (const other of open) {
      if (boxes[other * 4 + 3]! <= top) continue
      open[kept++] = other
      isOver ||= covers(list, run, other)
    }
    pairs += open.length
    open.length = kept
    open.push(run)
    if (isOver) count++
    if (pairs > mostPairs) break
  }
  return count
}

/** The runs to compare by the tops of their boxes. Most pages are in that order but for a footer. */
function fromTheTop({ count, boxes, apart }: DrawnRuns): number[] {
  const order: number[] = []
  let isSorted = true
  let last = Number.NEGATIVE_INFINITY
  for (let run = 0; run < count; run++) {
    if (apart[run] === true) continue
    const top = boxes[run * 4 + 1]!
    isSorted &&= top >= last
    last = top
    order.push(run)
  }
  return isSorted ? order : order.sort((a, b) => boxes[a * 4 + 1]! - boxes[b * 4 + 1]!)
}

function covers({ boxes, runs, inlines }: DrawnRuns, a: number, b: number): boolean {
  const at = (run: number, side: number): number => boxes[run * 4 + side]!
  const wide = Math.min(at(a, 2), at(b, 2)) - Math.max(at(a, 0), at(b, 0))
  if (wide <= 0) return false
  const tall = Math.min(at(a, 3), at(b, 3)) - Math.max(at(a, 1), at(b, 1))
  const least = Math.min(at(a, 3) - at(a, 1), at(b, 3) - at(b, 1))
  // Bands are half as tall as their font.
  if (wide < across * 2 * least || tall < down * least) return false
  if (inlines[a] === inlines[b] && runs[a] === runs[b]) return false
  return words.test(runs[a]!.text) && words.test(runs[b]!.text)
}

/** Ornaments, bullets and lines of dots may touch their text. */
const words = /[\p{L}\p{N}]/u
