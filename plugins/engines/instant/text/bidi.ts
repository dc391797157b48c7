/// <reference path="./bidi-js.d.ts" />
import bidiFactory from 'bidi-js'

/**
 * Letters, digits and controls that make text run right to left. Without one of them the algorithm is not
 * needed.
 */
const rightToLeft =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b][\udc00-\udfff]/

function hasRightToLeft(text: string): boolean {
  return rightToLeft.test(text)
}

/** Created when a document first needs it. */
let bidi: ReturnType<typeof bidiFactory> | undefined

/**
 * The embedding level of every UTF-16 unit of a paragraph: even levels run left to right, odd ones right to
 * left. Returns undefined in the common case that all text of a left-to-right paragraph runs left to right.
 * Source: UAX #9.
 */
export function embeddingLevels(text: string, base: 'ltr' | 'rtl' | 'auto'): Uint8Array | undefined {
  if (base !== 'rtl' && !hasRightToLeft(text)) return undefined
  bidi ??= bidiFactory()
  return bidi.getEmbeddingLevels(text, base).levels
}

/**
 * The visual order of the text segments of a line, from left to right, as indexes into `levels`, which has
 * one embedding level for each segment. Rule L2 of UAX #9.
 */
export function visualOrder(levels: ArrayLike<number>): number[] {
  const order = Array.from({ length: levels.length }, (_, index) => index)
  let highest = 0
  let lowestOdd = 255
  for (let index = 0; index < levels.length; index++) {
    const level = levels[index] ?? 0
    highest = Math.max(highest, level)
    if (level % 2 === 1) lowestOdd = Math.min(lowestOdd, level)
  }
  for (let level = highest; level >= lowestOdd; level--) {
    for (let start = 0; start < order.length; start++) {
      if ((levels[order[start] ?? 0] ?? 0) < level) continue
      let end = start + 1
      while (end < order.length && (levels[order[end] ?? 0] ?? 0) >= level) end++
      reverseRange(order, start, end)
      start = end
    }
  }
  return order
}

function reverseRange(order: number[], start: number, end: number): void {
  for (let low = start, high = end - 1; low < high; low++, high--) {
    const swapped = order[low] ?? 0
    order[low] = order[high] ?? 0
    order[high] = swapped
  }
}
