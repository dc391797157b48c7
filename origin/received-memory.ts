import type { SharedArray } from './threads.ts'

/** Bytes of received memory that no task needs any more, above which it is worth to collect garbage. */
const maxGarbageBytes = 67_108_864

/**
 * The shared memory that this thread has received since its garbage was collected. V8 does not count it for the thread that
 * receives it, so a thread whose heap hardly grows would keep hundreds of megabytes. The same memory may be received many
 * times, each time as another object with the same `id`.
 *
 * Weak references do not show which of it is still held: each keeps what it refers to until the current job ends (ECMA-262,
 * KeepDuringJob), and while tasks wait, a thread of Piscina takes the next one within the job of the last.
 */
export class ReceivedMemory {
  /** Bytes by `id`. */
  readonly #sizes = new Map<number, number>()
  /** What the current task has received, which is held until that ends. */
  #current: readonly SharedArray[] = []

  /** Begins a task with the arrays that it has received. */
  begin(arrays: readonly SharedArray[]): void {
    this.#current = arrays
    for (const { id, bytes } of arrays) this.#sizes.set(id, bytes.buffer.byteLength)
  }

  get bytes(): number {
    let sum = 0
    for (const size of this.#sizes.values()) sum += size
    return sum
  }

  /** Whether earlier tasks have left so much that garbage should be collected before the next one. */
  get isWorthCollecting(): boolean {
    const current = new Set(this.#current.map(({ id }) => id))
    let garbage = 0
    for (const [id, size] of this.#sizes) if (!current.has(id)) garbage += size
    return garbage > maxGarbageBytes
  }

  /** Forgets what a collection of garbage has freed: all but what the current task holds, and what compiled plans keep on purpose. */
  collected(): void {
    this.#sizes.clear()
    this.begin(this.#current)
  }
}
