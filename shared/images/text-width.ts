/** Estimates the width of a line of text in the default sans-serif typeface, for pictures that are laid out without fonts. */

import { normalForm } from '../normal-form.ts'

/** Advance widths of Arial, and of typefaces that share its metrics, from U+0020 to U+007E, in 1/1000 of the size. */
const widths = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
  556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
  500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
  556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
  278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
] as const
const bolder = 1.06

/** The width of a line, in the unit of `size`. */
export function textWidth(text: string, size: number, bold = false): number {
  let sum = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code >= 32 && code < 127) sum += widths[code - 32]!
    // Combining marks have no width; East Asian characters and symbols are square.
    else if (/\p{M}/u.test(character)) continue
    else sum += code < 0x1100 ? widthOfBase(character) : code < 0x2e80 ? 600 : 1_000
  }
  return (sum * size * (bold ? bolder : 1)) / 1_000
}

/** A letter with an accent is as wide as the letter: 'é' is measured as 'e'. */
function widthOfBase(character: string): number {
  const base = normalForm(character, 'NFD').codePointAt(0) ?? 0
  return base >= 32 && base < 127 ? widths[base - 32]! : 580
}
