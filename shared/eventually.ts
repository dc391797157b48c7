type Settled<T> = { readonly value: T } | { readonly error: unknown }

/**
 * A long-lived promise that many short tasks are raced against, such as the end of a process. `Promise.race`
 * would keep the result of every task in memory, whole documents, until the long-lived promise settles.
 */
export class Eventually<T> {
  /** Callbacks of the races that are still running. */
  readonly #waiting = new Set<(outcome: Settled<T>) => void>()
  /** Set once, when the promise settles. Later races read it. */
  #outcome: Settled<T> | undefined

  constructor(promise: Promise<T>) {
    const settled = (outcome: Settled<T>) => {
      this.#outcome = outcome
      for (const settle of this.#waiting) settle(outcome)
      this.#waiting.clear()
    }
    promise.then(
      (value) => settled({ value }),
      (error: unknown) => settled({ error }),
    )
  }

  /**
   * Settles with `work` or with this promise, whichever comes first. Keeps no reference to `work` afterwards.
   */
  async race<W>(work: Promise<W>): Promise<W | T> {
    let settle: ((outcome: Settled<T>) => void) | undefined
    const settled = new Promise<T>((resolve, reject) => {
      settle = (outcome) => ('value' in outcome ? resolve(outcome.value) : reject(outcome.error))
      if (this.#outcome === undefined) this.#waiting.add(settle)
      else settle(this.#outcome)
    })
    try {
      return await Promise.race([work, settled])
    } finally {
      if (settle !== undefined) this.#waiting.delete(settle)
    }
  }
}
