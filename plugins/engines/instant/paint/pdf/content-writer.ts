/** A length as content streams have it: 1/100 pt is below what any printer shows. 0 for what is far off the page. */
export function hundredths(value: number): number {
  const rounded = Math.round(value * 100)
  return rounded < 1e10 && rounded > -1e10 ? rounded : 0
}

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

  /** Appends a number with up to two decimals and a space. */
  num(value: number): void {
    this.hundredths(hundredths(value))
  }

  /** Appends a number of hundredths as `num` does. */
  hundredths(count: number): void {
    this.#reserve(16)
    const bytes = this.#bytes
    let at = this.#length
    if (count < 0) bytes[at++] = 0x2d
    const size = Math.abs(count)
    const integer = Math.floor(size / 100)
    const rest = (size - 100 * integer) | 0
    at = this.#digits(integer, at)
    if (rest > 0) {
      const tenths = (rest / 10) | 0
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
    const bytes = this.#bytes
    const at = putStringByte(bytes, this.#length, value >> 8)
    this.#length = putStringByte(bytes, at, value & 0xff)
  }

  /** Appends the codes of the characters of a text as a literal string. `codes` has those of the first 256 characters. */
  string(text: string, codes: Uint16Array): void {
    this.#reserve(4 * text.length + 2)
    const bytes = this.#bytes
    let at = this.#length
    bytes[at++] = 0x28
    for (let index = 0; index < text.length; index++) {
      const code = codes[text.charCodeAt(index)] ?? 0
      at = putStringByte(bytes, at, code >> 8)
      at = putStringByte(bytes, at, code & 0xff)
    }
    bytes[at++] = 0x29
    this.#length = at
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #digits(value: number, at: number): number {
    const bytes = this.#bytes
    if (value < 10) {
      bytes[at] = 0x30 + value
      return at + 1
    }
    if (value >= 10_000) {
      // Coordinates have at most four digits; only numbers that are far off the page have more.
      const rest = Math.floor(value / 10_000)
      const end = this.#digits(rest, at)
      return putFourDigits(bytes, end, value - rest * 10_000)
    }
    const small = value | 0
    const size = small >= 1000 ? 4 : small >= 100 ? 3 : 2
    let left = small
    for (let index = at + size - 1; index >= at; index--) {
      const next = (left / 10) | 0
      bytes[index] = 0x30 + left - 10 * next
      left = next
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

/** The last four digits of a number, with zeros in front. */
function putFourDigits(bytes: Uint8Array, at: number, value: number): number {
  let left = value | 0
  for (let index = at + 3; index >= at; index--) {
    const next = (left / 10) | 0
    bytes[index] = 0x30 + left - 10 * next
    left = next
  }
  return at + 4
}

/**
 * The character that follows a backslash for a byte inside a literal string; 0 for bytes that stand for themselves. An
 * unescaped carriage return is read as a line feed.
 */
const escapes = new Uint8Array(256)
for (const character of ['(', ')', '\\']) escapes[character.charCodeAt(0)] = character.charCodeAt(0)
escapes[0x0d] = 'r'.charCodeAt(0)

/** Writes a byte of a literal string. Returns the index after it. */
function putStringByte(bytes: Uint8Array, at: number, byte: number): number {
  const escaped = escapes[byte] ?? 0
  if (escaped === 0) {
    bytes[at] = byte
    return at + 1
  }
  bytes[at] = 0x5c
  bytes[at + 1] = escaped
  return at + 2
}
