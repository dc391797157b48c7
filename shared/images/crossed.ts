/** The neutral picture that stands where one is missing: a box with a cross. */
import { concatBytes } from '../bytes.ts'
import { crc32 } from '../office/crc32.ts'

const background = 0xf2
const stroke = 0xa0
const longest = 320 // pixels

/** A grey PNG of the given ratio. Its rows are stored, not compressed: a ZIP entry does that once more anyway. */
export function crossedPng(ratio: number): Uint8Array {
  const sound = Number.isFinite(ratio) && ratio > 0 ? Math.min(Math.max(ratio, 1 / 20), 20) : 1
  const width = Math.round(sound >= 1 ? longest : longest * sound)
  const height = Math.round(sound >= 1 ? longest / sound : longest)
  const rows = new Uint8Array(height * (width + 1))
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const edge = x < 2 || y < 2 || x >= width - 2 || y >= height - 2
      const across = (x * (height - 1)) / (width - 1)
      const thickness = Math.max(1, height / width)
      const cross = Math.abs(across - y) <= thickness || Math.abs(height - 1 - across - y) <= thickness
      rows[y * (width + 1) + 1 + x] = edge || cross ? stroke : background
    }
  }
  return pngOf(width, height, rows)
}

function pngOf(width: number, height: number, rows: Uint8Array): Uint8Array {
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header[8] = 8 // bits a sample; colour type 0 is grey
  return concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', stored(rows)),
    chunk('IEND', new Uint8Array(0)),
  ])
}

function chunk(kind: string, body: Uint8Array): Uint8Array {
  const named = concat([new TextEncoder().encode(kind), body])
  return concat([number(body.length), named, number(crc32(named))])
}

/** A zlib stream of stored blocks. Source: RFC 1950, RFC 1951 3.2.4. */
function stored(bytes: Uint8Array): Uint8Array {
  const most = 65_535
  const blocks: Uint8Array[] = [Uint8Array.of(0x78, 0x01)]
  for (let at = 0; at < bytes.length; at += most) {
    const block = bytes.subarray(at, at + most)
    const last = at + most >= bytes.length ? 1 : 0
    const size = block.length
    blocks.push(Uint8Array.of(last, size & 255, size >> 8, ~size & 255, (~size >> 8) & 255), block)
  }
  let a = 1
  let b = 0
  for (const byte of bytes) {
    a = (a + byte) % 65_521
    b = (b + a) % 65_521
  }
  return concat([...blocks, number(b * 65_536 + a)])
}

function number(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return concatBytes(
    parts,
    parts.reduce((sum, { length }) => sum + length, 0),
  )
}
