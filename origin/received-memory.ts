/** Bytes of shared memory after which it is looked at which of it is still held. */
const minBytesToCheck = 67_108_864

/**
 * The shared memory that this thread has received and that has not been collected yet. V8 does not count it for the thread that
 * receives it. The same memory may be received many times, each time as another object with the same `id`.
 */
export class ReceivedMemory {
  readonly #buffers = new Map<number, WeakRef<ArrayBufferLike>>()
  /** The sum over all entries, among which are some that have been collected. */
  #bytes = 0
  #bytesToCheck = minBytesToCheck

  add(id: number, buffer: ArrayBufferLike): void {
    if (!this.#buffers.has(id)) this.#bytes += buffer.byteLength
    this.#buffers.set(id, new WeakRef(buffer))
  }

  /** An upper bound. Looking at each entry takes time, so that is done when the sum has doubled. */
  get bytes(): number {
    if (this.#bytes > this.#bytesToCheck) this.check()
    return this.#bytes
  }

  /** Removes what has been collected. */
  check(): void {
    this.#bytes = 0
    for (const [id, reference] of this.#buffers) {
      const buffer = reference.deref()
      if (buffer === undefined) this.#buffers.delete(id)
      else this.#bytes += buffer.byteLength
    }
    this.#bytesToCheck = Math.max(minBytesToCheck, 2 * this.#bytes)
  }
}
