/** Cells that take the type of their value, in both office families. Source: template language 24.3. */
import type { TagToken, Token } from '../../template/scan/tokens.ts'

/** A tag whose value is a number: it ends with `:formatN`, whose argument the format of the cell replaces. */
const numeric = /:formatN(?:\([^()]*\))?$/

/**
 * The tag of a cell whose only text is one tag that ends with `:formatN`; undefined for other cells. The tokens from
 * `start` to `stop` are the content of the cell. `plain` matches the elements that the text may be inside; absent:
 * any elements.
 */
export function typedTag(
  tokens: readonly Token[],
  start: number,
  stop: number,
  unformattedNumber?: RegExp,
  ending: RegExp = numeric,
): TagToken | undefined {
  let tag: TagToken | undefined
  for (let index = start; index < stop; index += 1) {
    const token = tokens[index]
    if (token === undefined) break
    if (token.kind === 'tag') {
      if (tag !== undefined || !ending.test(token.text)) return undefined
      tag = token
    } else if (token.kind === 'text') {
      if (token.markup !== undefined || token.raw.trim() !== '') return undefined
    } else if (
      token.kind === 'computed' ||
      (unformattedNumber !== undefined && !unformattedNumber.test(token.name))
    )
      return undefined
  }
  return tag
}

/**
 * Returns the value as the number of a cell: numbers, and numeric texts. Undefined for all others, including NaN and
 * infinity.
 */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : decimal(value)
  return number !== undefined && Number.isFinite(number) ? number : undefined
}

function decimal(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(value) ? Number(value) : undefined
}

/** Whether a value that is not a number leaves its cell empty. */
export const isNothing = (value: unknown, text: string): boolean =>
  text === '' || (typeof value === 'number' && Number.isNaN(value))
