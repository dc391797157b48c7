import { damaged } from './raster.ts'

/** Bits of a lossless WebP, the lowest first. Past the end it gives zeros for a while, then an error. */
export class BitReader {
  readonly #bytes: Uint8Array
  #at = 0
  #bits = 0
  #count = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Up to 24 bits. */
  read(count: number): number {
    while (this.#count < count) this.#load()
    const value = this.#bits & ((1 << count) - 1)
    this.#bits >>>= count
    this.#count -= count
    return value
  }

  #load(): void {
    if (this.#at > this.#bytes.length + 8) throw damaged('webp', 'it is cut short')
    this.#bits |= (this.#bytes[this.#at++] ?? 0) << this.#count
    this.#count += 8
  }
}

/** A canonical prefix code, read bit by bit; most codes of pictures are short. */
export interface PrefixCode {
  read(bits: BitReader): number
}

/** `lengths`: bits of each symbol's code, 0 for those that do not occur. Throws when the code is overfull. */
export function prefixCode(lengths: ArrayLike<number>): PrefixCode {
  const counts = new Uint32Array(17)
  let used = 0
  let only = 0
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol]!
    if (length === 0) continue
    counts[length]!++
    used++
    only = symbol
  }
  if (used === 0) return { read: () => 0 }
  if (used === 1) return { read: () => only }
  const starts = new Uint32Array(17)
  for (let length = 1; length < 16; length++) starts[length + 1] = starts[length]! + counts[length]!
  const sorted = new Uint16Array(used)
  const next = Uint32Array.from(starts)
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol]!
    if (length > 0) sorted[next[length]!++] = symbol
  }
  let room = 1
  for (let length = 1; length <= 15; length++) {
    room = 2 * room - counts[length]!
    if (room < 0) throw damaged('webp', 'its codes contradict each other')
  }
  return {
    read(bits) {
      let code = 0
      let first = 0
      for (let length = 1; length <= 15; length++) {
        code = (code << 1) | bits.read(1)
        const count = counts[length]!
        if (code - first < count) return sorted[starts[length]! + code - first]!
        first = (first + count) << 1
      }
      throw damaged('webp', 'its codes contradict each other')
    },
  }
}

const lengthOrder = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

/** The code of an alphabet as it is written before the data it is for. RFC 9649, 3.7.2.1. */
export function readPrefixCode(bits: BitReader, symbols: number): PrefixCode {
  const lengths = new Uint8Array(symbols)
  if (bits.read(1) === 1) {
    const two = bits.read(1) === 1
    const first = bits.read(bits.read(1) === 1 ? 8 : 1)
    if (first < symbols) lengths[first] = 1
    const second = two ? bits.read(8) : first
    if (second < symbols) lengths[second] = 1
    return prefixCode(lengths)
  }
  const lengthLengths = new Uint8Array(19)
  const written = 4 + bits.read(4)
  for (let index = 0; index < Math.min(19, written); index++)
    lengthLengths[lengthOrder[index]!] = bits.read(3)
  const lengthCode = prefixCode(lengthLengths)
  let left = bits.read(1) === 0 ? symbols : 2 + bits.read(2 + 2 * bits.read(3))
  let previous = 8
  for (let symbol = 0; symbol < symbols && left > 0; left--) {
    const length = lengthCode.read(bits)
    if (length < 16) {
      lengths[symbol++] = length
      if (length > 0) previous = length
      continue
    }
    const repeat = length === 16 ? 3 + bits.read(2) : length === 17 ? 3 + bits.read(3) : 11 + bits.read(7)
    const end = Math.min(symbols, symbol + repeat)
    if (length === 16) lengths.fill(previous, symbol, end)
    symbol = end
  }
  return prefixCode(lengths)
}
