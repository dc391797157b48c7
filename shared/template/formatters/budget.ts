import { AppError } from '../../errors/app-error.ts'

/**
 * The maximum length of a text that a formatter may return, in UTF-16 code units: more than any page holds, and small
 * enough that a hostile `padl` or `replace` cannot exhaust the memory before the limit of the whole output is reached.
 */
const maxTextLength = 16_777_216

/** Maximum number of decimals that a number is printed or rounded with; the same bound as Number.prototype.toFixed. */
export const maxDecimals = 100

/** Ends the render with a typed error when a text would grow beyond `maxTextLength`. */
export function checkLength(formatter: string, length: number): void {
  if (length > maxTextLength) {
    throw new AppError('formatter.text-too-long', { formatter, max: maxTextLength })
  }
}

/** Joins texts, within `maxTextLength`. */
export function joinTexts(formatter: string, texts: readonly string[], separator: string): string {
  let length = separator.length * Math.max(0, texts.length - 1)
  for (const text of texts) length += text.length
  checkLength(formatter, length)
  return texts.join(separator)
}
