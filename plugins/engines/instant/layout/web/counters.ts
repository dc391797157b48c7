/** CSS counters, evaluated in document order. Source: CSS Lists 3, 4. */
import type { CounterTexts } from '../../../../../shared/css/cascade.ts'
import { partsOf } from '../../../../../shared/css/declarations.ts'
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import { counterText, maxCounted } from './markers.ts'

/** The limit of counter changes that one element may make. */
const maxChanges = 50

interface Counter {
  readonly name: string
  /** The nesting depth of the element that created the counter. Its siblings and their descendants share it. */
  readonly level: number
  value: number
}

interface Changes {
  readonly resets: readonly Change[]
  readonly increments: readonly Change[]
  readonly sets: readonly Change[]
}
type Change = readonly [name: string, by: number]

/**
 * The counters in scope while the elements of a page are visited in document order. Callers must call `apply` for each
 * element, `open` before its children and `close` after them.
 */
export class Counters implements CounterTexts {
  readonly #counters: Counter[] = []
  #level = 0

  open(): void {
    this.#level++
  }

  close(): void {
    this.#level--
    while ((this.#counters.at(-1)?.level ?? 0) > this.#level + 1) this.#counters.pop()
  }

  apply(style: ComputedStyle): void {
    const { resets, increments, sets } = style.memoized('counters', () => changesOf(style))
    for (const [name, value] of resets) this.#make(name, value)
    for (const [name, by] of increments) {
      const counter = this.#innermost(name) ?? this.#make(name, 0)
      counter.value = bounded(counter.value + by)
    }
    for (const [name, value] of sets) (this.#innermost(name) ?? this.#make(name, 0)).value = value
  }

  text(name: string, type: string): string {
    return counterText(this.#innermost(name)?.value ?? 0, type)
  }

  texts(name: string, between: string, type: string): string {
    const all = this.#counters.filter((counter) => counter.name === name)
    return all.length === 0
      ? counterText(0, type)
      : all.map(({ value }) => counterText(value, type)).join(between)
  }

  #innermost(name: string): Counter | undefined {
    return this.#counters.findLast((counter) => counter.name === name)
  }

  #make(name: string, value: number): Counter {
    const level = this.#level + 1
    const beside = this.#counters.find((candidate) => candidate.name === name && candidate.level === level)
    if (beside !== undefined) {
      beside.value = value
      return beside
    }
    const counter = { name, level, value }
    this.#counters.push(counter)
    return counter
  }
}

const bounded = (value: number): number => Math.min(Math.max(value, -maxCounted), maxCounted)

function changesOf(style: ComputedStyle): Changes {
  return {
    resets: changes(style.declared('counter-reset'), 0),
    increments: changes(style.declared('counter-increment'), 1),
    sets: changes(style.declared('counter-set'), 0),
  }
}

/** Parses a list of counter names, each followed by an optional integer. */
function changes(value: string | undefined, defaultNumber: number): readonly Change[] {
  if (value === undefined || value === 'none') return []
  const changes: Change[] = []
  for (const part of partsOf(value)) {
    const last = changes.at(-1)
    if (/^[+-]?\d+$/.test(part) && last !== undefined)
      changes[changes.length - 1] = [last[0], bounded(Number(part))]
    else if (changes.length < maxChanges) changes.push([part, defaultNumber])
  }
  return changes
}
