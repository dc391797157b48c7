/**
 * Values that the formulas of custom shapes refer to (ODF 1.3 part 3, 19.171): modifiers ($0), other formulas
 * (?f0) and named values (width).
 */
import { entryOf } from '../../../entry-of.ts'

export interface FormulaSource {
  readonly modifiers: readonly number[]
  readonly formulas: ReadonlyMap<string, string>
  readonly names: ReadonlyMap<string, number>
}

/** Maximum number of operands evaluated for one shape. */
const maxSteps = 20_000

/** Functions of formulas; trigonometric ones take radians (19.171). */
const functions: Readonly<Record<string, (values: readonly number[]) => number>> = {
  abs: ([a = 0]) => Math.abs(a),
  sqrt: ([a = 0]) => Math.sqrt(Math.max(0, a)),
  sin: ([a = 0]) => Math.sin(a),
  cos: ([a = 0]) => Math.cos(a),
  tan: ([a = 0]) => Math.tan(a),
  atan: ([a = 0]) => Math.atan(a),
  atan2: ([a = 0, b = 0]) => Math.atan2(a, b),
  min: ([a = 0, b = 0]) => Math.min(a, b),
  max: ([a = 0, b = 0]) => Math.max(a, b),
  if: ([a = 0, b = 0, c = 0]) => (a > 0 ? b : c),
}

/**
 * Evaluates formulas and the parameters of paths by recursive descent. Invalid expressions and circular
 * references give 0.
 */
export class Formulas {
  readonly #source: FormulaSource
  /** Values of formulas that have been evaluated. */
  readonly #values = new Map<string, number>()
  /** Formulas being evaluated, to detect circular references. */
  readonly #open = new Set<string>()
  #steps = 0

  constructor(source: FormulaSource) {
    this.#source = source
  }

  /** Value of '?f0', '$1', 'width' or a number. */
  value(token: string): number {
    if (token.startsWith('?')) return this.#formula(token.slice(1))
    if (token.startsWith('$')) return this.#source.modifiers[Number(token.slice(1))] ?? 0
    const number = Number(token)
    return Number.isFinite(number) ? number : (this.#source.names.get(token) ?? 0)
  }

  #formula(name: string): number {
    const computed = this.#values.get(name)
    if (computed !== undefined) return computed
    const text = this.#source.formulas.get(name)
    if (text === undefined || this.#open.has(name) || this.#open.size > 100) return 0
    this.#open.add(name)
    const tokens = text.match(/\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|[?$]?\w+|[-+*/(),]/g) ?? []
    const result = this.#sum({ tokens, at: 0 }, 0)
    this.#open.delete(name)
    const value = Number.isFinite(result) ? result : 0
    this.#values.set(name, value)
    return value
  }

  #sum(line: TokenCursor, depth: number): number {
    let value = this.#product(line, depth)
    for (let sign = line.tokens[line.at]; sign === '+' || sign === '-'; sign = line.tokens[line.at]) {
      line.at++
      const next = this.#product(line, depth)
      value = sign === '+' ? value + next : value - next
    }
    return value
  }

  #product(line: TokenCursor, depth: number): number {
    let value = this.#factor(line, depth)
    for (let sign = line.tokens[line.at]; sign === '*' || sign === '/'; sign = line.tokens[line.at]) {
      line.at++
      const next = this.#factor(line, depth)
      value = sign === '*' ? value * next : next === 0 ? 0 : value / next
    }
    return value
  }

  #factor(line: TokenCursor, depth: number): number {
    if (++this.#steps > maxSteps || depth > 60) return 0
    const token = line.tokens[line.at++]
    if (token === undefined) return 0
    if (token === '-') return -this.#factor(line, depth + 1)
    if (token === '+') return this.#factor(line, depth + 1)
    if (token === '(') {
      const value = this.#sum(line, depth + 1)
      if (line.tokens[line.at] === ')') line.at++
      return value
    }
    const call = entryOf(functions, token)
    if (call === undefined || line.tokens[line.at] !== '(') return this.value(token)
    line.at++
    const values: number[] = []
    while (line.at < line.tokens.length) {
      values.push(this.#sum(line, depth + 1))
      if (line.tokens[line.at++] !== ',') break
    }
    return call(values)
  }
}

/** The tokens of a formula and the index of the next one. */
interface TokenCursor {
  readonly tokens: readonly string[]
  at: number
}
