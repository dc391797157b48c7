/** A least-recently-used cache, bounded by the total weight of its values in bytes. */
export class LruCache<Value> {
  readonly #maxBytes: number
  /** The entries in order of use: a map keeps the order of insertion, and `get` inserts its entry again. */
  readonly #entries = new Map<string, { value: Value; weight: number }>()
  /** The sum over all entries. */
  #weight = 0
  #hits = 0
  #misses = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) {
      this.#misses += 1
      return undefined
    }
    this.#hits += 1
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Stores a value of `weight` bytes. A value heavier than the whole cache is not stored. */
  set(key: string, value: Value, weight: number): void {
    this.delete(key)
    if (weight > this.#maxBytes) return
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxBytes) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#weight -= entry.weight
  }

  stats(): { entries: number; bytes: number; hits: number; misses: number } {
    return { entries: this.#entries.size, bytes: this.#weight, hits: this.#hits, misses: this.#misses }
  }
}
