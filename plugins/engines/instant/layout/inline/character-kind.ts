import { libreOffice } from '../../compat/libreoffice.ts'
import type { ComputedRun } from '../../style/computed.ts'
import type { TextStyleKind } from './types.ts'

/** Whether a character belongs to the blocks of Han, Kana, Hangul and full-width forms. */
export function isEastAsian(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (
    code >= 0x2e80 &&
    (code <= 0xd7ff ||
      (code >= 0xf900 && code <= 0xfaff) ||
      (code >= 0xfe30 && code <= 0xfe4f) ||
      (code >= 0xff00 && code <= 0xffef))
  )
}

const leftToRightLetter = /\p{L}/u

/**
 * Finds the characters that count as complex script because of their embedding levels, as neutral characters between
 * right-to-left letters do. Returns 1 for each of them, or undefined if there are none.
 */
export function complexByDirection(
  text: string,
  levels: ArrayLike<number> | undefined,
): Uint8Array | undefined {
  if (levels === undefined || !libreOffice.numbersFollowDirection) return undefined
  const complex = new Uint8Array(text.length)
  for (let start = 0; start < text.length; ) {
    const level = levels[start] ?? 0
    let end = start + 1
    while (end < text.length && levels[end] === level) end++
    if ((level & 1) === 1 || (level > 1 && !leftToRightLetter.test(text.slice(start, end))))
      complex.fill(1, start, end)
    start = end
  }
  return complex
}

/**
 * The kind of a character, which selects one of the fonts and sizes of its run. `complex` is the result of
 * `complexByDirection`.
 */
export function kindAt(
  text: string,
  at: number,
  run: ComputedRun,
  complex: Uint8Array | undefined,
): TextStyleKind {
  const code = text.charCodeAt(at)
  if (complex?.[at] === 1 && !isEastAsian(text, at)) return 'complex'
  if (code < 0x80) {
    if (run.rightToLeft) return 'complex'
    return run.smallCaps && code >= 97 && code <= 122 ? 'small' : 'plain'
  }
  if (isEastAsian(text, at)) return 'east-asian'
  if (
    (code >= 0x0590 && code <= 0x109f) ||
    (code >= 0xfb1d && code <= 0xfdff) ||
    (code >= 0xfe70 && code <= 0xfefc)
  ) {
    return 'complex'
  }
  if (run.eastAsiaHint && ((code >= 0x2010 && code <= 0x2027) || (code >= 0x2460 && code <= 0x27bf)))
    return 'east-asian'
  if (run.smallCaps && code < 0x2000) {
    const letter = text[at]!
    if (letter !== letter.toUpperCase()) return 'small'
  }
  return run.otherFamily === run.family ? 'plain' : 'other'
}

/** Whether a character continues a part of the given kind. */
export function sameKind(
  text: string,
  at: number,
  run: ComputedRun,
  kind: TextStyleKind,
  complex: Uint8Array | undefined,
): boolean {
  const code = text.charCodeAt(at)
  // Spaces and combining marks stay with the character before them, and low surrogates with the high one.
  if (code === 32 && kind !== 'small' && kind !== 'east-asian') return complex?.[at] === complex?.[at - 1]
  if ((code >= 0x300 && code <= 0x36f) || (code >= 0xdc00 && code <= 0xdfff)) return true
  return kindAt(text, at, run, complex) === kind
}
