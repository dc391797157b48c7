import type { DrawnRuns } from './drawn-text.ts'

/**
 * Two runs overlap when their boxes share at least this fraction of the lower box across their lines, and this fraction
 * of the smaller font size along them. Lines at a third of the font size are one over the other.
 */
const down = 0.3
const across = 0.35

/**
 * The maximum number of pairs compared on one page. A normal page has a few hundred; the bound keeps a hostile
 * one cheap.
 */
const maxPairs = 1_000_000

/**
 * Counts the runs of a page that are drawn over the text of another line. Text that the document itself
 * overlays does not count, nor does the shadow of a run.
 */
export function countOverlaps(list: DrawnRuns): number {
  const { boxes } = list
  const open: number[] = [] // runs that reach below the top of the current one
  let pairs = 0
  let count = 0
  for (const run of fromTheTop(list)) {
    const top = boxes[run * 4 + 1] ?? 0
    let openCount = 0
    let isOver = false
    for (const other of open) {
      if ((boxes[other * 4 + 3] ?? 0) <= top) continue
      open[openCount++] = other
      isOver ||= covers(list, run, other)
    }
    pairs += open.length
    open.length = openCount
    open.push(run)
    if (isOver) count++
    if (pairs > maxPairs) break
  }
  return count
}

/**
 * The runs to compare, ordered by the tops of their boxes. Most pages are already in this order except for a
 * footer.
 */
function fromTheTop({ count, boxes, excluded: apart }: DrawnRuns): number[] {
  const order: number[] = []
  let isSorted = true
  let last = Number.NEGATIVE_INFINITY
  for (let run = 0; run < count; run++) {
    if (apart[run] === true) continue
    const top = boxes[run * 4 + 1] ?? 0
    isSorted &&= top >= last
    last = top
    order.push(run)
  }
  return isSorted ? order : order.sort((a, b) => (boxes[a * 4 + 1] ?? 0) - (boxes[b * 4 + 1] ?? 0))
}

function covers(list: DrawnRuns, a: number, b: number): boolean {
  const { boxes, runs, inlines, turned } = list
  const at = (run: number, edge: number): number => boxes[run * 4 + edge] ?? 0
  const wide = Math.min(at(a, 2), at(b, 2)) - Math.max(at(a, 0), at(b, 0))
  if (wide <= 0) return false
  const tall = Math.min(at(a, 3), at(b, 3)) - Math.max(at(a, 1), at(b, 1))
  // A box is half as tall as its font, see `comparedHeight`.
  const minHeight = Math.min(lineHeight(list, a), lineHeight(list, b))
  const [along, through] = [across * 2 * minHeight, down * minHeight]
  const crosses = turned[a] !== turned[b]
  if (wide < (crosses || turned[a] === true ? through : along)) return false
  if (tall < (crosses || turned[a] !== true ? through : along)) return false
  if (inlines[a] === inlines[b] && runs[a] === runs[b]) return false
  return words.test(runs[a]!.text) && words.test(runs[b]!.text)
}

/** The extent of the box of a run across its line. */
const lineHeight = ({ boxes, turned }: DrawnRuns, run: number): number =>
  turned[run] === true
    ? (boxes[run * 4 + 2] ?? 0) - (boxes[run * 4] ?? 0)
    : (boxes[run * 4 + 3] ?? 0) - (boxes[run * 4 + 1] ?? 0)

/** Only runs with letters or digits are compared: ornaments, bullets and leaders may touch their text. */
const words = /[\p{L}\p{N}]/u
