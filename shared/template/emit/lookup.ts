/**
 * Searches by one key, as in `[id=.customer]`, in long lists. A list is indexed once and its items are found by value, so that a
 * join of two lists costs their sum and not their product. Equality is as loose as in all other filters.
 */
import { printed } from '../formatters/printed.ts'
import { itemsOf, walk } from './walk.ts'

/** Maps each value of one attribute to the first item that has it. */
interface LookupIndex {
  readonly texts: Map<string, number>
  readonly numbers: Map<number, number> // numbers, true and false
  readonly numericTexts: Map<number, number>
  nothing: number
}

/** Shorter lists are searched item by item, because indexing them costs more than it saves. */
export const indexedFrom = 32

/** The indexes of the lists of one part. They are valid only while the part is written, when the data no longer changes. */
export class Lookups {
  /** List -> attribute -> its index. */
  readonly #indexes = new Map<readonly unknown[], Map<string, LookupIndex>>()
  /** Maps each object to the list of its pairs, so that the same list is indexed only once. */
  readonly #objects = new Map<object, readonly unknown[]>()

  /** Like the function `itemsOf`, but returns the same list each time it is called with the same object. */
  itemsOf(value: unknown): readonly unknown[] {
    if (Array.isArray(value) || typeof value !== 'object' || value === null) return itemsOf(value)
    let items = this.#objects.get(value)
    if (items === undefined) this.#objects.set(value, (items = itemsOf(value)))
    return items
  }

  /** The index of the first item whose attribute equals `value`; -1 if there is none. */
  find(items: readonly unknown[], attribute: readonly string[], value: unknown): number {
    let indexes = this.#indexes.get(items)
    if (indexes === undefined) this.#indexes.set(items, (indexes = new Map()))
    const name = attribute.join('\u0000')
    let index = indexes.get(name)
    if (index === undefined) indexes.set(name, (index = indexOf(items, attribute)))
    return indexOfValue(index, value)
  }
}

const keepFirst = <Key>(map: Map<Key, number>, key: Key, index: number): void => {
  if (!map.has(key)) map.set(key, index)
}

function indexOf(items: readonly unknown[], attribute: readonly string[]): LookupIndex {
  const index: LookupIndex = { texts: new Map(), numbers: new Map(), numericTexts: new Map(), nothing: -1 }
  items.forEach((item, position) => {
    if (item === null || item === undefined) return
    const value = walk(item, attribute)
    if (value === null || value === undefined) {
      if (index.nothing < 0) index.nothing = position
      return
    }
    if (typeof value === 'number' || typeof value === 'boolean') {
      if (!Number.isNaN(value)) keepFirst(index.numbers, Number(value), position)
      return
    }
    const text = printed(value)
    keepFirst(index.texts, text, position)
    if (text !== '' && !Number.isNaN(Number(text))) keepFirst(index.numericTexts, Number(text), position)
  })
  return index
}

function indexOfValue({ texts, numbers, numericTexts, nothing }: LookupIndex, value: unknown): number {
  if (value === null || value === undefined) return nothing
  const isNumber = typeof value === 'number' || typeof value === 'boolean'
  const text = isNumber ? '' : printed(value)
  const number = isNumber ? Number(value) : text === '' ? Number.NaN : Number(text)
  const equalText = isNumber ? numericTexts.get(number) : texts.get(text)
  const first = Math.min(
    equalText ?? Number.POSITIVE_INFINITY,
    numbers.get(number) ?? Number.POSITIVE_INFINITY,
  )
  return Number.isFinite(first) ? first : -1
}
