type Outcome<T> = { readonly value: T } | { readonly error: unknown }

/**
 * Something that happens once, late or never, and that many short works are raced against: the end of a process.
 * `Promise.race` would keep the outcome of each of them, whole documents, for as long as it does not happen.
 */
export class Eventually<T> {
  readonly #waiting = new Set<(outcome: Outcome<T>) => void>()
  #outcome: Outcome<T> | undefined

  constructor(promise: Promise<T>) {
    const happened = (outcome: Outcome<T>) => {
      this.#outcome = outcome
      for (const tell of this.#waiting) tell(outcome)
      this.#waiting.clear()
    }
    promise.then(
      (value) => happened({ value }),
      (error: unknown) => happened({ error }),
    )
  }

  /** What comes first: the work or this. Nothing of the work is kept here afterwards. */
  async race<W>(work: Promise<W>): Promise<W | T> {
    let tell: ((outcome: Outcome<T>) => void) | undefined
    const happened = new Promise<T>((resolve, reject) => {
      tell = (outcome) => ('value' in outcome ? resolve(outcome.value) : reject(outcome.error))
      if (this.#outcome === undefined) this.#waiting.add(tell)
      else tell(this.#outcome)
    })
    try {
      return await Promise.race([work, happened])
    } finally {
      if (tell !== undefined) this.#waiting.delete(tell)
    }
  }
}
