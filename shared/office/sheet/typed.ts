/** What typed cells have in common. Source: template language 24.3. */
import type { TagToken, Token } from '../../template/scan/tokens.ts'

const numeric = /:formatN(?:\([^()]*\))?$/

/**
 * The tag of a cell whose whole text is one tag ending in `:formatN`; undefined for others. `tokens` [start, stop) are
 * what stands inside the cell; `plain` are the elements that text may stand in there, all when absent.
 */
export function typedTag(
  tokens: readonly Token[],
  start: number,
  stop: number,
  plain?: RegExp,
  ending: RegExp = numeric,
): TagToken | undefined {
  let tag: TagToken | undefined
  for (let at = start; at < stop; at += 1) {
    const token = tokens[at]!
    if (token.kind === 'tag') {
      if (tag !== undefined || !ending.test(token.text)) return undefined
      tag = token
    } else if (token.kind === 'text') {
      if (token.markup !== undefined || token.raw.trim() !== '') return undefined
    } else if (token.kind === 'computed' || (plain !== undefined && !plain.test(token.name))) return undefined
  }
  return tag
}

/** The number a cell can hold: numbers, and texts that read like one. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : decimal(value)
  return number !== undefined && Number.isFinite(number) ? number : undefined
}

function decimal(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(value) ? Number(value) : undefined
}

/** What is not a number and says nothing leaves the cell empty. */
export const isNothing = (value: unknown, text: string): boolean =>
  text === '' || (typeof value === 'number' && Number.isNaN(value))
