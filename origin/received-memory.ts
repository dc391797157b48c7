/** Bytes of received memory after which it is worth to collect garbage. */
const maxBytes = 67_108_864

/**
 * The shared memory that this thread has received since its garbage was collected. V8 does not count it for the thread that
 * receives it, so a busy thread whose heap hardly grows would keep hundreds of megabytes. The same memory may be received many
 * times, each time as another object with the same `id`.
 *
 * Weak references do not show which of it is still held: each keeps what it refers to until the current job ends (ECMA-262,
 * KeepDuringJob), and while tasks wait, a thread of Piscina takes the next one within the job of the last.
 */
export class ReceivedMemory {
  readonly #ids = new Set<number>()
  #bytes = 0

  add(id: number, buffer: ArrayBufferLike): void {
    if (this.#ids.has(id)) return
    this.#ids.add(id)
    this.#bytes += buffer.byteLength
  }

  get bytes(): number {
    return this.#bytes
  }

  get isWorthCollecting(): boolean {
    return this.#bytes > maxBytes
  }

  /** Starts anew after garbage was collected. What is still held then is kept on purpose, by compiled plans. */
  reset(): void {
    this.#ids.clear()
    this.#bytes = 0
  }
}
