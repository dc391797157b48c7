import { BitReader, type PrefixCode, readPrefixCode } from './prefix-code.ts'
import { checkSize, damaged } from './raster.ts'
import { add, applyTransform, blocksAcross, type Transform } from './vp8l-transforms.ts'

export interface ArgbPicture {
  readonly width: number
  readonly height: number
  readonly argb: Uint32Array
  readonly hasAlpha: boolean
}

/** A lossless WebP picture. Throws AppError 'image.damaged' or 'image.too-large'. Source: RFC 9649, chapter 3. */
export function decodeVp8l(bytes: Uint8Array): ArgbPicture {
  const bits = new BitReader(bytes)
  if (bits.read(8) !== 0x2f) throw damaged('webp', 'its picture data has the wrong mark')
  const width = 1 + bits.read(14)
  const height = 1 + bits.read(14)
  const hasAlpha = bits.read(1) === 1
  bits.read(3)
  checkSize('webp', width, height)
  const transforms: Transform[] = []
  let codedWidth = width
  while (bits.read(1) === 1) {
    const kind = bits.read(2)
    if (transforms.some((transform) => transform.kind === kind))
      throw damaged('webp', 'it repeats a transform')
    const transform = readTransform(bits, kind, codedWidth, height)
    transforms.push(transform)
    codedWidth = transform.codedWidth
  }
  let argb = readPixels(bits, codedWidth, height, true)
  for (const transform of transforms.reverse()) argb = applyTransform(transform, argb, height)
  return { width, height, argb, hasAlpha }
}

function readTransform(bits: BitReader, kind: number, width: number, height: number): Transform {
  if (kind === 2) return { kind, width, codedWidth: width, bits: 0, data: new Uint32Array(0) }
  if (kind !== 3) {
    const blockBits = bits.read(3) + 2
    const data = readPixels(bits, blocksAcross(width, blockBits), blocksAcross(height, blockBits), false)
    return { kind: kind as 0 | 1, width, codedWidth: width, bits: blockBits, data }
  }
  const colours = bits.read(8) + 1
  const data = readPixels(bits, colours, 1, false)
  for (let index = 1; index < colours; index++) data[index] = add(data[index]!, data[index - 1]!)
  const packing = colours <= 2 ? 3 : colours <= 4 ? 2 : colours <= 16 ? 1 : 0
  return { kind, width, codedWidth: blocksAcross(width, packing), bits: packing, data }
}

interface Group {
  readonly green: PrefixCode
  readonly red: PrefixCode
  readonly blue: PrefixCode
  readonly alpha: PrefixCode
  readonly distance: PrefixCode
}

const literals = 256
const lengthCodes = 24
const distanceCodes = 40
/** More groups than this are not worth their codes in any real picture. */
const maxGroups = 10_000

/** An entropy-coded picture. `main`: it may choose among several groups of codes, block by block. */
function readPixels(bits: BitReader, width: number, height: number, main: boolean): Uint32Array {
  checkSize('webp', width, height)
  const cacheBits = bits.read(1) === 1 ? bits.read(4) : 0
  if (cacheBits > 11) throw damaged('webp', 'its colour cache is too large')
  let choice: Uint32Array | undefined
  let choiceBits = 0
  let groupCount = 1
  if (main && bits.read(1) === 1) {
    choiceBits = bits.read(3) + 2
    choice = readPixels(bits, blocksAcross(width, choiceBits), blocksAcross(height, choiceBits), false)
    for (const pixel of choice) groupCount = Math.max(groupCount, 1 + ((pixel >>> 8) & 0xffff))
  }
  if (groupCount > maxGroups) throw damaged('webp', 'it has too many codes')
  const cacheSize = cacheBits > 0 ? 1 << cacheBits : 0
  const groups = Array.from({ length: groupCount }, () => readGroup(bits, cacheSize))
  const across = blocksAcross(width, choiceBits)
  const groupAt = (at: number): Group => {
    if (choice === undefined) return groups[0]!
    const [x, y] = [at % width, Math.floor(at / width)]
    return groups[(choice[(y >> choiceBits) * across + (x >> choiceBits)]! >>> 8) & 0xffff]!
  }
  return fillPixels(bits, { width, total: width * height, cacheBits, groupAt })
}

function readGroup(bits: BitReader, cacheSize: number): Group {
  return {
    green: readPrefixCode(bits, literals + lengthCodes + cacheSize),
    red: readPrefixCode(bits, literals),
    blue: readPrefixCode(bits, literals),
    alpha: readPrefixCode(bits, literals),
    distance: readPrefixCode(bits, distanceCodes),
  }
}

interface Filling {
  readonly width: number
  readonly total: number
  readonly cacheBits: number
  groupAt(pixel: number): Group
}

function fillPixels(bits: BitReader, { width, total, cacheBits, groupAt }: Filling): Uint32Array {
  const pixels = new Uint32Array(total)
  const cache = new Uint32Array(1 << cacheBits)
  const remember = (pixel: number) => {
    if (cacheBits > 0) cache[Math.imul(0x1e35a7bd, pixel) >>> (32 - cacheBits)] = pixel
  }
  for (let at = 0; at < total; ) {
    const group = groupAt(at)
    const symbol = group.green.read(bits)
    if (symbol < literals) {
      const red = group.red.read(bits)
      const blue = group.blue.read(bits)
      const alpha = group.alpha.read(bits)
      const pixel = ((alpha << 24) | (red << 16) | (symbol << 8) | blue) >>> 0
      pixels[at++] = pixel
      remember(pixel)
    } else if (symbol < literals + lengthCodes) {
      const length = readAmount(bits, symbol - literals)
      const back = nearDistance(readAmount(bits, group.distance.read(bits)), width)
      if (back > at) throw damaged('webp', 'it refers to what is not there')
      for (let end = Math.min(total, at + length); at < end; at++) {
        pixels[at] = pixels[at - back]!
        remember(pixels[at]!)
      }
    } else {
      pixels[at] = cache[symbol - literals - lengthCodes]!
      remember(pixels[at++]!)
    }
  }
  return pixels
}

/** A length or distance: a class and extra bits. */
function readAmount(bits: BitReader, code: number): number {
  if (code < 4) return code + 1
  const extra = (code - 2) >> 1
  return ((2 + (code & 1)) << extra) + bits.read(extra) + 1
}

/** Offsets of the 120 nearest pixels, x and y of each, in the order the format numbers them. */
const near = [
  0, 1, 1, 0, 1, 1, -1, 1, 0, 2, 2, 0, 1, 2, -1, 2, 2, 1, -2, 1, 2, 2, -2, 2, 0, 3, 3, 0, 1, 3, -1, 3, 3, 1,
  -3, 1, 2, 3, -2, 3, 3, 2, -3, 2, 0, 4, 4, 0, 1, 4, -1, 4, 4, 1, -4, 1, 3, 3, -3, 3, 2, 4, -2, 4, 4, 2, -4,
  2, 0, 5, 3, 4, -3, 4, 4, 3, -4, 3, 5, 0, 1, 5, -1, 5, 5, 1, -5, 1, 2, 5, -2, 5, 5, 2, -5, 2, 4, 4, -4, 4, 3,
  5, -3, 5, 5, 3, -5, 3, 0, 6, 6, 0, 1, 6, -1, 6, 6, 1, -6, 1, 2, 6, -2, 6, 6, 2, -6, 2, 4, 5, -4, 5, 5, 4,
  -5, 4, 3, 6, -3, 6, 6, 3, -6, 3, 0, 7, 7, 0, 1, 7, -1, 7, 5, 5, -5, 5, 7, 1, -7, 1, 4, 6, -4, 6, 6, 4, -6,
  4, 2, 7, -2, 7, 7, 2, -7, 2, 3, 7, -3, 7, 7, 3, -7, 3, 5, 6, -5, 6, 6, 5, -6, 5, 8, 0, 4, 7, -4, 7, 7, 4,
  -7, 4, 8, 1, 8, 2, 6, 6, -6, 6, 8, 3, 5, 7, -5, 7, 7, 5, -7, 5, 8, 4, 6, 7, -6, 7, 7, 6, -7, 6, 8, 5, 7, 7,
  -7, 7, 8, 6, 8, 7,
]

function nearDistance(code: number, width: number): number {
  if (code > 120) return code - 120
  return Math.max(1, near[2 * code - 2]! + near[2 * code - 1]! * width)
}
