import { zlibSync } from 'fflate'
import { AppError } from '../../../shared/errors/app-error.ts'
import type { Bitmap } from './bitmap.ts'
import { ByteWriter } from './byte-writer.ts'

const version = 6
const tags = { end: 0, showFrame: 1, shape: 2, background: 9, lossless: 20, place: 26 } as const
const twip = 20 // of a pixel
const maxLength = 3200 // the bounds of a shape have 17 bits, in twips

/**
 * Writes a Flash film of one frame that shows the picture. Source: SWF File Format Specification 10:
 * DefineBitsLossless (24 bits), DefineShape with a clipped bitmap fill, PlaceObject2.
 */
export function writeSwf({ width, height, rgb }: Bitmap): Uint8Array {
  if (width > maxLength || height > maxLength) {
    const because = `pictures of this format are at most ${maxLength} pixels wide and high`
    throw new AppError('convert.failed', { engine: 'Pictures', from: 'bmp', to: 'swf', because })
  }
  const [right, bottom] = [width * twip, height * twip]
  const out = new ByteWriter()
  out.u8(0x46, 0x57, 0x53, version).u32le(0) // 'FWS', length
  out.bytes(rectangle(right, bottom)).u16le(1 << 8, 1) // one frame a second, one frame
  tag(out, tags.background, Uint8Array.of(255, 255, 255))
  tag(out, tags.lossless, losslessBits(width, height, rgb))
  tag(out, tags.shape, shape(right, bottom))
  // Has a character and a matrix (of nothing); depth 1, character 2.
  tag(out, tags.place, new ByteWriter().u8(6).u16le(1, 2).u8(0).done())
  tag(out, tags.showFrame, new Uint8Array(0))
  tag(out, tags.end, new Uint8Array(0))
  const { length } = out
  return out.patch(4, [length & 255, (length >> 8) & 255, (length >> 16) & 255, length >>> 24]).done()
}

function tag(out: ByteWriter, code: number, body: Uint8Array): void {
  const long = body.length >= 63 || code === tags.lossless
  out.u16le((code << 6) | (long ? 63 : body.length))
  if (long) out.u32le(body.length)
  out.bytes(body)
}

function losslessBits(width: number, height: number, rgb: Uint8Array): Uint8Array {
  const pixels = new Uint8Array(width * height * 4) // an unused byte, red, green, blue
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
    pixels.set(rgb.subarray(from, from + 3), to + 1)
  }
  return new ByteWriter().u16le(1).u8(5).u16le(width, height).bytes(zlibSync(pixels)).done()
}

/** A rectangle filled with bitmap 1, twenty twips per pixel. */
function shape(right: number, bottom: number): Uint8Array {
  const bits = new Bits()
  bits.put(1, 4).put(0, 4) // bits of fill and line styles
  bits.put(0, 1).put(0b00101, 5) // style change: fill 1 and move; move to 0, 0
  bits.put(1, 5).put(0, 1).put(0, 1).put(1, 1)
  for (const [vertical, delta] of [
    [0, right],
    [1, bottom],
    [0, -right],
    [1, -bottom],
  ] as const)
    bits.put(0b11, 2).put(15, 4).put(0, 1).put(vertical, 1).put(delta, 17) // straight edge, 15 + 2 bits
  bits.put(0, 6) // end
  const matrix = new Bits()
    .put(1, 1)
    .put(22, 5)
    .put(twip << 16, 22)
    .put(twip << 16, 22)
    .put(0, 1)
    .put(0, 5)
  return new ByteWriter()
    .u16le(2)
    .bytes(rectangle(right, bottom))
    .u8(1, 0x41)
    .u16le(1)
    .bytes(matrix.done())
    .u8(0)
    .bytes(bits.done())
    .done()
}

function rectangle(right: number, bottom: number): Uint8Array {
  return new Bits().put(18, 5).put(0, 18).put(right, 18).put(0, 18).put(bottom, 18).done()
}

/** Writes numbers of any width in bits, the highest bit first. */
class Bits {
  readonly #bits: number[] = []

  put(value: number, width: number): this {
    for (let at = width - 1; at >= 0; at--) this.#bits.push((value >> at) & 1)
    return this
  }

  done(): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(this.#bits.length / 8))
    for (const [at, bit] of this.#bits.entries())
      bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (7 - (at & 7)))
    return bytes
  }
}
