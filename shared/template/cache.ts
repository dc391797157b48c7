/** A store of the things used last, bounded by their weight in bytes. */
export class LruCache<Value> {
  readonly #most: number
  readonly #entries = new Map<string, { value: Value; weight: number }>()
  #weight = 0
  #hits = 0
  #misses = 0

  constructor(maxBytes: number) {
    this.#most = maxBytes
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

  /** A value heavier than the whole store is not kept. */
  set(key: string, value: Value, weight: number): void {
    this.delete(key)
    if (weight > this.#most) return
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#most) break
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
