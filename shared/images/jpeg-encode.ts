/** Writes baseline JPEG files, three components at full resolution. Source: ITU-T T.81, annexes A, B, F and K. */
import { concatBytes } from '../bytes.ts'

const zigzag = Uint8Array.from(
  (
    '0 1 8 16 9 2 3 10 17 24 32 25 18 11 4 5 12 19 26 33 40 48 41 34 27 20 13 6 7 14 21 28 35 42 49 56 57 50 43 36 29 22 15 ' +
    '23 30 37 44 51 58 59 52 45 38 31 39 46 53 60 61 54 47 55 62 63'
  ).split(' '),
  Number,
)
const numbers = (text: string): number[] => text.split(' ').map(Number)

/** Tables K.1 and K.2: steps of brightness and of colour, row by row. */
const steps = [
  numbers(
    '16 11 10 16 24 40 51 61 12 12 14 19 26 58 60 55 14 13 16 24 40 57 69 56 14 17 22 29 51 87 80 62 18 22 37 56 68 109 103 77 ' +
      '24 35 55 64 81 104 113 92 49 64 78 87 103 121 120 101 72 92 95 98 112 100 103 99',
  ),
  numbers(
    '17 18 24 47 99 99 99 99 18 21 26 66 99 99 99 99 24 26 56 99 99 99 99 99 47 66 99 99 99 99 99 99 99 99 99 99 99 99 99 99 ' +
      '99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99',
  ),
]

interface Huffman {
  readonly counts: readonly number[] // codes of 1 to 16 bits
  readonly symbols: readonly number[]
  readonly code: Uint16Array
  readonly size: Uint8Array
}

function huffman(counts: readonly number[], symbols: readonly number[]): Huffman {
  const code = new Uint16Array(256)
  const size = new Uint8Array(256)
  let next = 0
  let at = 0
  counts.forEach((count, bits) => {
    for (let n = 0; n < count; n += 1) {
      code[symbols[at]!] = next++
      size[symbols[at]!] = bits + 1
      at += 1
    }
    next <<= 1
  })
  return { counts, symbols, code, size }
}

/** Tables K.3 to K.6. */
const twelve = Array.from({ length: 12 }, (_, n) => n)
const hex = (text: string): number[] => (text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
const tables = [
  {
    dc: huffman(numbers('0 1 5 1 1 1 1 1 1 0 0 0 0 0 0 0'), twelve),
    ac: huffman(
      numbers('0 2 1 3 3 2 4 3 5 5 4 4 0 0 1 125'),
      hex(
        '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a' +
          '434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9' +
          'aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
      ),
    ),
  },
  {
    dc: huffman(numbers('0 3 1 1 1 1 1 1 1 1 1 0 0 0 0 0'), twelve),
    ac: huffman(
      numbers('0 2 1 2 4 4 3 4 7 5 4 4 0 1 2 119'),
      hex(
        '0001020311040521310612415107617113223281081442 91a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738393a'.replaceAll(
          ' ',
          '',
        ) +
          '434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8' +
          'a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa',
      ),
    ),
  },
]

/** cos((2x + 1) u pi / 16) with the scale of the transform, [u][x]. */
const waves = Float32Array.from({ length: 64 }, (_, n) => {
  const [u, x] = [n >> 3, n & 7]
  return Math.cos(((2 * x + 1) * u * Math.PI) / 16) * (u === 0 ? Math.SQRT1_2 : 1) * 0.5
})

/** `pixels`: four bytes each, the last one is not looked at. `quality` as usual, 1 to 100. */
export function encodeJpeg(pixels: Uint8Array, width: number, height: number, quality: number): Uint8Array {
  const scale = quality < 50 ? 5000 / quality : 200 - 2 * quality
  const quants = steps.map((table) =>
    table.map((step) => Math.min(255, Math.max(1, Math.floor((step * scale + 50) / 100)))),
  )
  const out = new BitWriter()
  const plane = new Float32Array(64)
  const before = [0, 0, 0]
  for (let top = 0; top < height; top += 8) {
    for (let left = 0; left < width; left += 8) {
      for (let component = 0; component < 3; component += 1) {
        fill(plane, pixels, { width, height, left, top, component })
        const kind = component === 0 ? 0 : 1
        before[component] = block(out, plane, quants[kind]!, tables[kind]!, before[component]!)
      }
    }
  }
  const data = out.end()
  const parts = [header(width, height, quants), ...data, Uint8Array.of(0xff, 0xd9)]
  return concatBytes(
    parts,
    parts.reduce((sum, { length }) => sum + length, 0),
  )
}

interface Area {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly top: number
  readonly component: number
}

/** One component of 64 pixels around zero; beyond the edge the last pixel goes on. Source: JFIF 1.02. */
function fill(plane: Float32Array, pixels: Uint8Array, { width, height, left, top, component }: Area): void {
  for (let y = 0; y < 8; y += 1) {
    const row = Math.min(height - 1, top + y) * width
    for (let x = 0; x < 8; x += 1) {
      const at = (row + Math.min(width - 1, left + x)) * 4
      const [r, g, b] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!]
      plane[y * 8 + x] =
        component === 0
          ? 0.299 * r + 0.587 * g + 0.114 * b - 128
          : component === 1
            ? -0.168736 * r - 0.331264 * g + 0.5 * b
            : 0.5 * r - 0.418688 * g - 0.081312 * b
    }
  }
}

const rows = new Float32Array(64)
const levels = new Int32Array(64)

/** Transforms, quantises and writes a block; gives its mean for the next one. */
function block(
  out: BitWriter,
  plane: Float32Array,
  quant: readonly number[],
  { dc, ac }: (typeof tables)[number],
  before: number,
): number {
  for (let y = 0; y < 8; y += 1) {
    for (let u = 0; u < 8; u += 1) {
      let sum = 0
      for (let x = 0; x < 8; x += 1) sum += plane[y * 8 + x]! * waves[u * 8 + x]!
      rows[y * 8 + u] = sum
    }
  }
  for (let u = 0; u < 8; u += 1) {
    for (let v = 0; v < 8; v += 1) {
      let sum = 0
      for (let y = 0; y < 8; y += 1) sum += rows[y * 8 + u]! * waves[v * 8 + y]!
      levels[v * 8 + u] = Math.round(sum / quant[v * 8 + u]!)
    }
  }
  const mean = levels[0]!
  value(out, dc, 0, mean - before)
  let zeros = 0
  for (let n = 1; n < 64; n += 1) {
    const level = levels[zigzag[n]!]!
    if (level === 0) {
      zeros += 1
      continue
    }
    for (; zeros > 15; zeros -= 16) out.bits(ac.code[0xf0]!, ac.size[0xf0]!)
    value(out, ac, zeros, level)
    zeros = 0
  }
  if (zeros > 0) out.bits(ac.code[0]!, ac.size[0]!)
  return mean
}

/** Run and size as one symbol, then the bits of the number; negative ones are written as one's complement. */
function value(out: BitWriter, table: Huffman, run: number, level: number): void {
  const size = 32 - Math.clz32(Math.abs(level))
  const symbol = (run << 4) | size
  out.bits(table.code[symbol]!, table.size[symbol]!)
  if (size > 0) out.bits(level < 0 ? level + (1 << size) - 1 : level, size)
}

const chunkBytes = 65_536

class BitWriter {
  readonly #full: Uint8Array[] = []
  #chunk = new Uint8Array(chunkBytes)
  #at = 0
  #held = 0
  #count = 0

  bits(value: number, count: number): void {
    this.#held = (this.#held << count) | (value & ((1 << count) - 1))
    this.#count += count
    while (this.#count >= 8) {
      this.#count -= 8
      this.#byte((this.#held >> this.#count) & 255)
    }
    this.#held &= (1 << this.#count) - 1
  }

  #byte(byte: number): void {
    if (this.#at + 2 > chunkBytes) {
      this.#full.push(this.#chunk.subarray(0, this.#at))
      this.#chunk = new Uint8Array(chunkBytes)
      this.#at = 0
    }
    this.#chunk[this.#at++] = byte
    // A byte that looks like the beginning of a marker is followed by a zero.
    if (byte === 255) this.#chunk[this.#at++] = 0
  }

  end(): Uint8Array[] {
    if (this.#count > 0) this.bits(127, 8 - this.#count)
    return [...this.#full, this.#chunk.subarray(0, this.#at)]
  }
}

function header(width: number, height: number, quants: readonly (readonly number[])[]): Uint8Array {
  const word = (number: number) => [number >> 8, number & 255]
  const segment = (marker: number, body: readonly number[]) => [
    0xff,
    marker,
    ...word(body.length + 2),
    ...body,
  ]
  const ordered = (quant: readonly number[]) => [...zigzag].map((at) => quant[at]!)
  const codes = ({ counts, symbols }: Huffman) => [...counts, ...symbols]
  return Uint8Array.from([
    ...[0xff, 0xd8],
    ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(
      0xdb,
      quants.flatMap((quant, at) => [at, ...ordered(quant)]),
    ),
    ...segment(0xc0, [8, ...word(height), ...word(width), 3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1]),
    ...segment(
      0xc4,
      tables.flatMap(({ dc, ac }, at) => [at, ...codes(dc), 16 + at, ...codes(ac)]),
    ),
    ...segment(0xda, [3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0]),
  ])
}
