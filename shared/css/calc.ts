/** The math functions of values: `calc()`, `min()`, `max()` and `clamp()`. Source: CSS Values and Units 4, 10. */
import { maxOf, minOf } from '../extremes.ts'

/** The maximum length and nesting depth of a formula. Formulas beyond them are invalid. */
const [maxLength, maxDepth] = [1000, 30]

/** Converts a number with its unit, as the formula states it; undefined for a unit that cannot be resolved. */
export type ResolveUnit = (number: number, unit: string) => number | undefined

export const isMath = (value: string): boolean => /^(?:calc|min|max|clamp)\(/.test(value)

/** The value of a math function in lower case; undefined for any other text. Units of products are not compared. */
export function calculate(text: string, resolve: ResolveUnit): number | undefined {
  if (text.length > maxLength || !isMath(text)) return undefined
  const tokens = text.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?:%|[a-z]+)?|[a-z-]*\(|[-+*/,)]|\s+/g)
  if (tokens === null || tokens.join('').length !== text.length) return undefined
  const value = new Formula(tokens, resolve).whole()
  return value === undefined || !Number.isFinite(value) ? undefined : value
}

/** Reads the tokens of one formula once, from left to right. */
class Formula {
  readonly #tokens: readonly string[]
  readonly #resolve: ResolveUnit
  #at = 0
  #depth = 0

  constructor(tokens: readonly string[], resolve: ResolveUnit) {
    this.#tokens = tokens
    this.#resolve = resolve
  }

  whole(): number | undefined {
    const value = this.#factor()
    this.#skip()
    return this.#at === this.#tokens.length ? value : undefined
  }

  #skip(): string | undefined {
    while (/^\s/.test(this.#tokens[this.#at] ?? '')) this.#at++
    return this.#tokens[this.#at]
  }

  #sum(): number | undefined {
    let total = this.#product()
    for (let sign = this.#skip(); sign === '+' || sign === '-'; sign = this.#skip()) {
      this.#at++
      const next = this.#product()
      if (total === undefined || next === undefined) return undefined
      total = sign === '+' ? total + next : total - next
    }
    return total
  }

  #product(): number | undefined {
    let product = this.#factor()
    for (let sign = this.#skip(); sign === '*' || sign === '/'; sign = this.#skip()) {
      this.#at++
      const next = this.#factor()
      if (product === undefined || next === undefined) return undefined
      product = sign === '*' ? product * next : product / next
    }
    return product
  }

  #factor(): number | undefined {
    const token = this.#skip()
    if (token === undefined) return undefined
    this.#at++
    if (token.endsWith('(')) return this.#call(token.slice(0, -1))
    const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]*)$/.exec(token)
    return match === null ? undefined : this.#resolve(Number(match[1]), match[2] ?? '')
  }

  #call(name: string): number | undefined {
    if (++this.#depth > maxDepth) return undefined
    const values: number[] = []
    for (;;) {
      const value = this.#sum()
      if (value === undefined) return undefined
      values.push(value)
      const next = this.#skip()
      this.#at++
      if (next === ')') break
      if (next !== ',') return undefined
    }
    this.#depth--
    const [first = 0, second = first, third = second] = values
    switch (name) {
      case '':
      case 'calc':
        return values.length === 1 ? first : undefined
      case 'min':
        return minOf(values)
      case 'max':
        return maxOf(values)
      case 'clamp':
        return Math.max(first, Math.min(second, third))
      default:
        return undefined
    }
  }
}
