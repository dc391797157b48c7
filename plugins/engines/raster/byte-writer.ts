/** Big-endian bytes, growing as they are written. */
export class ByteWriter {
  #bytes = new Uint8Array(4096)
  #length = 0

  get length(): number {
    return this.#length
  }

  u8(...values: readonly number[]): this {
    for (const value of values) {
      this.#room(1)
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

  /** Little-endian, as Flash has them. */
  u16le(...values: readonly number[]): this {
    for (const value of values) this.u8(value & 255, (value >> 8) & 255)
    return this
  }

  u32le(value: number): this {
    return this.u16le(value & 0xffff, value >>> 16)
  }

  bytes(values: Uint8Array): this {
    this.#room(values.length)
    this.#bytes.set(values, this.#length)
    this.#length += values.length
    return this
  }

  /** Writes over what stands there. */
  patch(at: number, values: readonly number[]): this {
    this.#bytes.set(values, at)
    return this
  }

  done(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  #room(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
