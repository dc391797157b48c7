/**
 * Builds the bytes of a content stream. Most of the time of painting is spent here, and writing digits straight
 * into the buffer takes half as long as building strings and encoding them.
 */
export class ContentWriter {
  #bytes = new Uint8Array(16_384)
  #length = 0

  /** Appends ASCII text: operators and names. */
  ascii(text: string): void {
    this.#reserve(text.length)
    const bytes = this.#bytes
    let at = this.#length
    for (let index = 0; index < text.length; index++) bytes[at++] = text.charCodeAt(index)
    this.#length = at
  }

  /** Appends a number with up to two decimals and a space. 1/100 pt is below what any printer shows. */
  num(value: number): void {
    this.#reserve(16)
    let hundredths = Math.round(value * 100)
    if (!(hundredths < 1e10 && hundredths > -1e10)) hundredths = 0
    const bytes = this.#bytes
    let at = this.#length
    if (hundredths < 0) {
      bytes[at++] = 0x2d
      hundredths = -hundredths
    }
    const integer = Math.floor(hundredths / 100)
    const rest = hundredths - 100 * integer
    at = this.#digits(integer, at)
    if (rest > 0) {
      const tenths = Math.floor(rest / 10)
      bytes[at++] = 0x2e
      bytes[at++] = 0x30 + tenths
      if (rest > 10 * tenths) bytes[at++] = 0x30 + rest - 10 * tenths
    }
    bytes[at++] = 0x20
    this.#length = at
  }

  /** Appends an integer without a space after it. */
  integer(value: number): void {
    this.#reserve(16)
    if (value < 0) this.#bytes[this.#length++] = 0x2d
    this.#length = this.#digits(Math.min(1e10, Math.abs(value)), this.#length)
  }

  /** Appends a two-byte code inside a literal string, with escapes where the string syntax needs them. */
  code(value: number): void {
    this.#reserve(4)
    this.#stringByte(value >> 8)
    this.#stringByte(value & 0xff)
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #stringByte(byte: number): void {
    if (byte === 0x28 || byte === 0x29 || byte === 0x5c) this.#bytes[this.#length++] = 0x5c
    // An unescaped carriage return in a string is read as a line feed.
    if (byte === 0x0d) {
      this.#bytes[this.#length++] = 0x5c
      byte = 0x72
    }
    this.#bytes[this.#length++] = byte
  }

  #digits(value: number, at: number): number {
    const bytes = this.#bytes
    if (value < 10) {
      bytes[at] = 0x30 + value
      return at + 1
    }
    let size = 1
    for (let bound = 10; value >= bound; bound *= 10) size++
    for (let index = at + size - 1; index >= at; index--) {
      const next = Math.floor(value / 10)
      bytes[index] = 0x30 + value - 10 * next
      value = next
    }
    return at + size
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + size))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}
