/**
 * CRC-32 (ISO 3309, as ZIP uses it) with the arithmetic that lets a known segment of bytes be added without touching
 * them: crc(A then B) = advance(crc(A), length of B) xor crc(B). Advancing is a product in GF(2)[x] modulo the
 * polynomial, so it is one number per length, or four table look-ups where the same length comes again and again.
 */
const polynomial = 0xedb88320

const table = new Uint32Array(256)
for (let byte = 0; byte < 256; byte += 1) {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1
  table[byte] = value >>> 0
}

/** The byte table, for loops that have other work to do on each byte. */
export const crcTable: Uint32Array = table

/** CRC of `bytes` from `start` to `end`, going on from `seed`. */
export function crc32(bytes: Uint8Array, seed = 0, start = 0, end = bytes.length): number {
  let crc = ~seed
  for (let at = start; at < end; at += 1) crc = (crc >>> 8) ^ (table[(crc ^ (bytes[at] ?? 0)) & 255] ?? 0)
  return ~crc >>> 0
}

/** a times b modulo the polynomial; both bit-reversed, as CRCs are. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let mask = 0x80000000; mask !== 0; mask >>>= 1) {
    if (a & mask) product ^= b
    b = b & 1 ? (b >>> 1) ^ polynomial : b >>> 1
  }
  return product >>> 0
}

const powers: number[] = [0x40000000] // x^(2^n)
for (let n = 1; n < 32; n += 1) powers.push(multiply(powers[n - 1] ?? 0, powers[n - 1] ?? 0))

/** The operator that advances a CRC over `length` bytes: x^(8·length). */
export function advanceOperator(length: number): number {
  let operator = 0x80000000
  let rest = length
  for (let n = 3; rest > 0; n += 1) {
    if (rest % 2 === 1) operator = multiply(powers[n & 31] ?? 0, operator)
    rest = Math.floor(rest / 2)
  }
  return operator
}

/** Applies an operator of `advanceOperator`. */
export function advance(operator: number, crc: number): number {
  return multiply(operator, crc)
}

/** The operator as 4 × 256 words: `t[c & 255] ^ t[256 + (c >>> 8 & 255)] ^ ...` advances c. */
export function advanceTable(operator: number): Uint32Array {
  const result = new Uint32Array(1024)
  for (let byteIndex = 0; byteIndex < 4; byteIndex += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const value = multiply(operator, (1 << (byteIndex * 8 + bit)) >>> 0)
      const step = 1 << bit
      for (let low = 0; low < step; low += 1) {
        result[byteIndex * 256 + step + low] = ((result[byteIndex * 256 + low] ?? 0) ^ value) >>> 0
      }
    }
  }
  return result
}
