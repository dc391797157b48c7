/** A growing buffer for big-endian numbers and bytes. */
export class ByteWriter {
  #bytes = new Uint8Array(4096)
  #length = 0

  get length(): number {
    return this.#length
  }

  u8(...values: readonly number[]): this {
    for (const value of values) {
      this.#reserve(1)
      this.#bytes[this.#length++] = value
    }
    return this
  }

  u16(...values: readonly number[]): this {
    for (const value of values) this.u8((value >> 8) & 255, value & 255)
    return this
  }

  u32(...values: readonly number[]): this {
    for (const value of values) this.u16(value >>> 16, value & 0xffff)
    return this
  }

  /** Little-endian, as SWF requires. */
  u16le(...values: readonly number[]): this {
    for (const value of values) this.u8(value & 255, (value >> 8) & 255)
    return this
  }

  u32le(value: number): this {
    return this.u16le(value & 0xffff, value >>> 16)
  }

  bytes(values: Uint8Array): this {
    this.#reserve(values.length)
    this.#bytes.set(values, this.#length)
    this.#length += values.length
    return this
  }

  /** Overwrites bytes that were written before. */
  patch(at: number, values: readonly number[]): this {
    this.#bytes.set(values, at)
    return this
  }

  done(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
