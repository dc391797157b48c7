import { AppError } from '../../../shared/errors/app-error.ts'
import type { Bitmap } from './bitmap.ts'
import { ByteWriter } from './byte-writer.ts'

const maxLength = 0x3fff / 4 // four bytes a pixel fit into the 14 bits of rowBytes
const fixed72 = 72 << 16

/**
 * Writes PICT version 2 with one direct bitmap; the red, green and blue plane of each row are packed by
 * PackBits.
 *
 * Source: Inside Macintosh, Imaging With QuickDraw, appendix A (DirectBitsRect, PixMap with packType 4).
 */
export function writePict({ width, height, rgb }: Bitmap): Uint8Array {
  if (width > maxLength || height > 0x7fff) {
    const because = `pictures of this format are at most ${Math.floor(maxLength)} pixels wide`
    throw new AppError('convert.failed', { engine: 'Pictures', from: 'bmp', to: 'pct', because })
  }
  const out = new ByteWriter()
  const frame = [0, 0, height, width]
  out.bytes(new Uint8Array(512)).u16(0, ...frame)
  out.u16(0x0011, 0x02ff) // version 2
  out
    .u16(0x0c00, 0xfffe, 0)
    .u32(fixed72, fixed72)
    .u16(...frame)
    .u32(0) // extended header
  out.u16(0x001e) // default highlight
  out.u16(0x0001, 10, ...frame) // clip
  const rowBytes = width * 4
  out
    .u16(0x009a)
    .u32(0xff)
    .u16(rowBytes | 0x8000, ...frame)
  out.u16(0, 4).u32(0, fixed72, fixed72) // version, packed by planes, resolutions
  out.u16(16, 32, 3, 8).u32(0, 0, 0) // direct colours: 32 bits a pixel, 3 planes of 8
  out.u16(...frame, ...frame, 0) // from, to, copy
  const planes = new Uint8Array(width * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++)
      for (let plane = 0; plane < 3; plane++)
        planes[plane * width + x] = rgb[(y * width + x) * 3 + plane] ?? 0
    const packed = packBits(planes)
    if (rowBytes > 250) out.u16(packed.length)
    else out.u8(packed.length)
    out.bytes(packed)
  }
  if (out.length % 2 === 1) out.u8(0)
  return out.u16(0x00ff).done()
}

/** PackBits: runs of 2 to 128 equal bytes, and literal runs. Source: Apple Technical Note TN1023. */
export function packBits(bytes: Uint8Array): Uint8Array {
  const out = new ByteWriter()
  let at = 0
  while (at < bytes.length) {
    const run = runAt(bytes, at)
    if (run > 1) {
      out.u8(257 - run, bytes[at] ?? 0)
      at += run
      continue
    }
    let end = at + 1
    while (end < bytes.length && end - at < 128 && runAt(bytes, end) < 3) end++
    out.u8(end - at - 1).bytes(bytes.subarray(at, end))
    at = end
  }
  return out.done()
}

function runAt(bytes: Uint8Array, start: number): number {
  let end = start + 1
  while (end < bytes.length && end - start < 128 && bytes[end] === bytes[start]) end++
  return end - start
}
