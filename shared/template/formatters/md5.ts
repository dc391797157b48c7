/** MD5 of the UTF-8 bytes of a text, as 32 hexadecimal digits. A checksum, never used for security. RFC 1321. */
export function md5Of(text: string): string {
  const words = padded(new TextEncoder().encode(text))
  let [a, b, c, d] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476]
  for (let block = 0; block < words.length; block += 16) {
    const [a0, b0, c0, d0] = [a, b, c, d]
    for (let step = 0; step < 64; step++) {
      const round = step >> 4
      const mixed = a + mix(round, b, c, d) + (sines[step] as number)
      const sum = (mixed + (words[block + wordOf(round, step)] as number)) | 0
      const turn = turns[round * 4 + (step & 3)] as number
      a = d
      d = c
      c = b
      b = (b + ((sum << turn) | (sum >>> (32 - turn)))) | 0
    }
    a = (a + a0) | 0
    b = (b + b0) | 0
    c = (c + c0) | 0
    d = (d + d0) | 0
  }
  const digest = new DataView(new ArrayBuffer(16))
  for (const [i, word] of [a, b, c, d].entries()) digest.setInt32(i * 4, word, true)
  return Array.from(new Uint8Array(digest.buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const turns = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const sines = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) | 0)

function mix(round: number, b: number, c: number, d: number): number {
  if (round === 0) return (b & c) | (~b & d)
  if (round === 1) return (d & b) | (~d & c)
  return round === 2 ? b ^ c ^ d : c ^ (b | ~d)
}

function wordOf(round: number, step: number): number {
  if (round === 0) return step
  if (round === 1) return (5 * step + 1) & 15
  return round === 2 ? (3 * step + 5) & 15 : (7 * step) & 15
}

/** The bytes as little-endian words, with the closing bit and the length in bits. */
function padded(bytes: Uint8Array): Int32Array {
  const length = ((bytes.length + 8) >> 6) * 16 + 16
  const words = new Int32Array(length)
  for (let i = 0; i < bytes.length; i++) words[i >> 2]! |= (bytes[i] as number) << ((i & 3) * 8)
  words[bytes.length >> 2]! |= 0x80 << ((bytes.length & 3) * 8)
  words[length - 2] = bytes.length << 3
  words[length - 1] = bytes.length >>> 29
  return words
}
